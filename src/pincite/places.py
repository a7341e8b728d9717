"""Finding the document and the place that a user names, in a terminal or over HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from pincite.errors import NotThereError, UsageError
from pincite.printing import listed_names, nearest_names
from pincite.records.outlines import Anchor, Outline, Section, Target
from pincite.records.pages import Page, Span, page_offsets
from pincite.text.looks import without_struck

if TYPE_CHECKING:
    from pincite.engine.session import Session


@dataclass(frozen=True, slots=True)
class Tree:
    """The sections of one document, and what is printed on its pages, or its parts where it has no pages."""

    source_id: str
    sections: Sequence[Section]
    labels: Mapping[int, str | None]
    paged: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: what it is called ("5.2", "Table 4.1"), offsets in the joined text of its document."""

    kind: str
    name: str
    title: str
    start: int
    end: int


def find_document(session: Session, name: str) -> str:
    """The source id that a person means by the name of a file, its stem, or a part of it.

    NotThereError names the nearest documents where there is none, UsageError some where it may be several.
    """
    known = document_ids(session)
    for found in (
        [source_id for source_id in known if source_id == name],
        [source_id for source_id in known if name in _names(source_id)],
        [source_id for source_id in known if name.casefold() in source_id.casefold()],
    ):
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"{name!r} may be {listed_names(found)}: give more of its name")
    raise NotThereError(f"the store holds no document {name!r}: {nearest_names(name, known)}; pincite status lists all")


def document_ids(session: Session) -> list[str]:
    """The source ids of all documents that were read, sorted."""
    return [state.source.source_id for state in session.documents.sources() if state.status != "refused"]


def section_tree(session: Session, source_id: str, level: int | None = None) -> Tree:
    """The sections of a document, no deeper than a level where one is given."""
    sections = [section for section in session.documents.sections(source_id) if level is None or section.level <= level]
    labels = {page.number: page.label for page in session.documents.pages(source_id)}
    return Tree(source_id, sections, labels, session.documents.is_paged(source_id))


def find_words(pages: Iterable[Page], words: str, most: int) -> list[Span]:
    """The first places with these words in sequence, ignoring case and line breaks."""
    pattern = re.compile(r"\s+".join(map(re.escape, words.split())) or r"(?!)", re.I)
    return list(
        islice((Span(page.number, *found.span()) for page in pages for found in pattern.finditer(page.text)), most)
    )


def find_section(session: Session, number_or_title: str, source_id: str | None = None) -> tuple[str, Section]:
    """The document that has this section, and the section. Where a document is named that lacks it, the other files of
    its work are looked through; NotThereError where none has it, UsageError where several have."""
    if source_id is None:
        return session.documents.section_in_works(number_or_title)
    try:
        return source_id, session.documents.section(source_id, number_or_title)
    except NotThereError as error:
        try:
            return session.documents.section_in_works(number_or_title, source_id)
        except NotThereError:
            raise error from None


def asked_place(
    session: Session,
    document: str | None,
    *,
    section: str | None = None,
    page: int | None = None,
    anchor: str | None = None,
) -> tuple[Outline, Place]:
    """The document and the one of the three places in it that is asked for; of a section the document may be left out.
    NotThereError where there is no such document or place."""
    if [section, page, anchor].count(None) == 2:
        source_id = None if document is None else find_document(session, document)
        if section is not None:
            source_id, found = find_section(session, section, source_id)
            return session.documents.outline(source_id), section_place(found)
        if source_id is None:
            raise UsageError("of which document? give its name, too")
        outline = session.documents.outline(source_id)
        if anchor is not None:
            return outline, anchor_place(outline.anchors, anchor)
        if page is not None:
            return outline, page_place(session.documents.pages(source_id) if outline.paged else (), page)
    raise UsageError("which place? give one of section, page and anchor")


def target_place(outline: Outline, target: Target) -> Place:
    """The place in this document that a reference leads to: an anchor (with its section), a section, a page, or the
    whole document."""
    if target.anchor is not None:
        return _place_of_anchor(next(item for item in outline.anchors if item.ordinal == target.anchor))
    if target.section is not None:
        return section_place(next(item for item in outline.sections if item.ordinal == target.section))
    kind = "page" if target.end > target.start else "document"
    return Place(kind, "", "", target.start, target.end)


def section_place(section: Section) -> Place:
    """The place of a section."""
    return Place("section", section.number or "", section.title, section.start, section.end)


def anchor_place(anchors: Sequence[Anchor], asked: str) -> Place:
    """The table, figure, definition ... of this name ("Table 4.1") or title; NotThereError names the nearest ones."""
    for anchor in anchors:
        if _folded(asked) in map(_folded, (_anchor_name(anchor), anchor.title)):
            return _place_of_anchor(anchor)
    raise NotThereError(
        f"there is no {asked!r}: {nearest_names(asked, [_anchor_name(anchor) or anchor.title for anchor in anchors])}"
    )


def page_place(pages: Sequence[Page], asked: int) -> Place:
    """A page by its physical number; NotThereError says which there are."""
    for page, start in zip(pages, page_offsets(pages), strict=False):
        if page.number == asked:
            return Place("page", "", "", start, start + len(page.text))
    there = f"pages 1 to {len(pages)}" if pages else "no pages"
    raise NotThereError(f"there is no page {asked}: the document has {there}")


def cut(pages: Sequence[Page], place: Place) -> Iterator[tuple[Page, str]]:
    """The text of a place, page by page."""
    return ((page, page.text_of(span)) for page, span in _on_pages(pages, place))


def first_span(pages: Sequence[Page], place: Place) -> Span:
    """Where a place stands on its first page; NotThereError where it holds no text."""
    for _, span in _on_pages(pages, place):
        return span
    raise NotThereError("there is no text to be drawn")


def _on_pages(pages: Sequence[Page], place: Place) -> Iterator[tuple[Page, Span]]:
    """Where a place stands on each page that has text of it."""
    for page, begin in zip(pages, page_offsets(pages), strict=False):
        start, end = max(0, place.start - begin), min(len(page.text), place.end - begin)
        if page.text[start : max(start, end)].strip():
            yield page, Span(page.number, start, end)


def quote_span(page: Page, words: str) -> Span:
    """Where these words stand on a page, whatever its line ends; NotThereError where they do not."""
    written = re.compile(r"\s+".join(map(re.escape, words.split())))
    match = written.search(page.text) or written.search(without_struck(page.text)) if words.strip() else None
    if match is None:
        raise NotThereError(f"page {page.number} does not say {words!r}")
    return Span(page.number, match.start(), match.end())


def page_mark(number: int, label: str | None, *, paged: bool = True) -> str:
    """ "p.17", and "p.17 (15)" where something else is printed on the page; of a part that is no page its label."""
    if not paged:
        return label or ""
    return f"p.{number} ({label})" if label and label != str(number) else f"p.{number}"


def _place_of_anchor(anchor: Anchor) -> Place:
    return Place(anchor.kind, _anchor_name(anchor), anchor.title, anchor.start, anchor.end)


def _anchor_name(anchor: Anchor) -> str:
    """ "Table 4.1"; nothing where it has no number."""
    return f"{anchor.kind.replace('_', ' ').capitalize()} {anchor.number}" if anchor.number else ""


def _names(source_id: str) -> tuple[str, str]:
    path = PurePosixPath(source_id)
    return path.name, path.stem


def _folded(text: str) -> str:
    return "".join(text.split()).casefold().rstrip(".")
