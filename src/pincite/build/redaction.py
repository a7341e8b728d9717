"""What a policy masks in a document, between reading and structure: nothing after this sees it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any
from urllib.parse import unquote

from pincite.records.chunks import ChunkPolicy, MaskedSpan
from pincite.records.pages import Block, Document, OutlineEntry, Page, PlaceName, Span
from pincite.text.personal import (
    REDACTION_VERSION,
    Place,
    Searched,
    apart,
    find_again,
    find_personal,
    masked,
    searched_for,
    values_of,
)

Masker = Callable[[str], str]
OF_REDACTION = ("redact", "redact_patterns", "keep_original")
"""Settings of a policy that are left out where nothing is masked, so that readings of before they were known stay."""


def policy_digest(policy: ChunkPolicy) -> str:
    """A digest of what decides how a document is cut and masked."""
    settings = asdict(policy)
    if policy.redacts:
        settings["redaction"] = REDACTION_VERSION
    for name in ("keep_original",) if policy.redacts else OF_REDACTION:
        del settings[name]
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:16]


def policy_settings(policy: ChunkPolicy) -> dict[str, Any]:
    """The settings as chunks keep them: of a user's own patterns the names, since a pattern may be what it hides."""
    settings = {name: value for name, value in asdict(policy).items() if name not in OF_REDACTION}
    if policy.redacts:
        settings |= {"redact": [*policy.redact, *(name for name, _ in policy.redact_patterns)]}
    return settings


def redacted(document: Document, policy: ChunkPolicy) -> tuple[Document, tuple[MaskedSpan, ...]]:
    """The document as the policy lets it be seen, and where its pages were masked. Every text keeps its length."""
    if not policy.redacts:
        return document, ()
    searched = searched_for(policy.redact, policy.redact_patterns)
    places = {page.number: _places_of_page(page, searched) for page in document.pages}
    known = _known(document, places, searched)
    spans: list[MaskedSpan] = []
    pages = []
    for page in document.pages:
        found = apart([*places[page.number], *find_again(page.text, known)])
        spans += [MaskedSpan(place.kind, Span(page.number, place.start, place.end)) for place in found]
        pages.append(_masked_page(page, found, lambda text: _masked(text, searched, known)))
    return _masked_document(document, tuple(pages), lambda text: _masked(text, searched, known)), tuple(spans)


def redacted_text(text: str, policy: ChunkPolicy) -> str:
    """A text that tells of a document and is no part of it, as the policy lets it be seen."""
    return _masked(text, searched_for(policy.redact, policy.redact_patterns), {}) if policy.redacts else text


def _places_of_page(page: Page, searched: Searched) -> list[Place]:
    """What the page's text says by itself, and its tables' cells under their heads."""
    found = find_personal(page.text, searched)
    for start, end, head in _headed_cells(page):
        inside = find_personal(page.text[start:end], searched, head)
        found += [Place(start + place.start, start + place.end, place.kind) for place in inside]
    return apart(found)


def _headed_cells(page: Page) -> Iterator[tuple[int, int, str]]:
    """The cells of tables below their first row, each with what stands at the head of its column."""
    for table in page.tables:
        heads: dict[int, list[str]] = {}
        for cell in table.cells:
            written = page.text_of(cell.span)
            if cell.row == 0 or cell.header:
                heads.setdefault(cell.column, []).append(written)
            elif cell.column in heads:
                yield cell.span.start, cell.span.end, " ".join(heads[cell.column])


def _known(document: Document, places: Mapping[int, list[Place]], searched: Searched) -> dict[str, str]:
    """The values that were found anywhere in the document, with their kinds."""
    told = [(page.text, place) for page in document.pages for place in places[page.number]]
    told += [(text, place) for text in _texts_beside(document) for place in find_personal(text, searched)]
    return {value: place.kind for text, place in told for value in values_of(text, place)}


def _texts_beside(document: Document) -> Iterator[str]:
    """What a document says outside of its pages' texts."""
    yield document.title or ""
    yield from document.metadata.values()
    yield from (entry.title for entry in document.outline)
    yield from (link.href for page in document.pages for link in page.links)


def _masked(text: str, searched: Searched, known: Mapping[str, str]) -> str:
    return masked(text, apart([*find_personal(text, searched), *find_again(text, known)]))


def _masked_page(page: Page, places: list[Place], hide: Masker) -> Page:
    """The page; links with a masked address lead nowhere any more."""

    def hidden(text: str | None) -> str | None:
        return text and hide(text)

    def shown(href: str) -> bool:
        return all(hide(text) == text for text in (href, unquote(href)))

    def block(item: Block) -> Block:
        return item if item.locator is None else replace(item, locator=hidden(item.locator))

    return replace(
        page,
        text=masked(page.text, places),
        blocks=tuple(map(block, page.blocks)),
        label=hidden(page.label),
        section=hidden(page.section),
        links=tuple(link for link in page.links if shown(link.href)),
        place_names=tuple(PlaceName(hide(item.name), item.start) for item in page.place_names),
    )


def _masked_document(document: Document, pages: tuple[Page, ...], hide: Masker) -> Document:
    """The document with these pages, and all that it says beside them masked."""

    def entry(item: OutlineEntry) -> OutlineEntry:
        return replace(item, title=hide(item.title))

    return replace(
        document,
        pages=pages,
        title=document.title and hide(document.title),
        outline=tuple(map(entry, document.outline)),
        metadata={hide(name): hide(value) for name, value in document.metadata.items()},
        warnings=tuple(map(hide, document.warnings)),
    )
