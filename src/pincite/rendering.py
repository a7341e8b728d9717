"""Answers and places as JSON, as lines of plain text, and as Markdown (CommonMark), for commands and service alike.
Nothing of a document becomes a control character or markup."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pincite.answer.said.citations import ambiguous_filenames, printed_statement
from pincite.places import Place, Tree
from pincite.printing import printable, printed_name
from pincite.records.answers import Answer
from pincite.records.chunks import ChunkRecord
from pincite.records.citations import Citation
from pincite.records.evidence import Evidence
from pincite.records.outlines import Reference, ReferenceLink
from pincite.records.pages import Page
from pincite.records.plain import to_plain
from pincite.records.sources import SourceState
from pincite.trail import Step

Plain = dict[str, Any]
Pieces = Sequence[tuple[Page, str]]
_PATH = re.compile(r"(?<![\w.:/])/(?:[^\s/:]+/)*([^\s/:,;)]+)")
"""An absolute path; addresses have their slashes behind a colon or a name."""


def without_paths(message: str) -> str:
    """A message with the last name of each path of this machine alone."""
    return _PATH.sub(r"\1", " ".join(message.split()))


def plain_holdings(
    sources: Sequence[SourceState], counts: Mapping[str, int], generation: str | None, revision: int
) -> Plain:
    """What a store holds: its sources, and how much of what."""
    from pincite.engine.engine import masked_sum

    masked = masked_sum(state.masked for state in sources)
    held = {"counts": dict(counts), "generation": generation, "revision": revision, "masked": masked}
    return {**held, "sources": to_plain(sources)}


def plain_tree(tree: Tree) -> Plain:
    """The sections of a document, each with what is printed on its first page."""
    sections = [{**to_plain(section), "label": tree.labels.get(section.first_page)} for section in tree.sections]
    return {"source_id": tree.source_id, "paged": tree.paged, "sections": sections}


def plain_place(source_id: str, place: Place, pieces: Pieces, *, paged: bool) -> Plain:
    """A place of a document, with its text page by page."""
    texts = [{"page": page.number, "label": page.label, "text": text} for page, text in pieces]
    return {"source_id": source_id, "paged": paged, **to_plain(place), "pages": texts}


def plain_references(source_id: str, found: Sequence[tuple[Reference, ReferenceLink]]) -> Plain:
    """The references of a document as they are written, with what became of each."""
    told = [{**to_plain(written), **_outcome(link)} for written, link in found]
    return {"source_id": source_id, "references": told}


def plain_passage(passage: ChunkRecord, around: Sequence[ChunkRecord], steps: Sequence[Step]) -> Plain:
    """A passage between its neighbours, which are among those `around` it, and what it refers to."""
    before = [_chunk_fields(chunk) for chunk in around if chunk.start < passage.start]
    after = [_chunk_fields(chunk) for chunk in around if chunk.start > passage.start]
    return {**_chunk_fields(passage), "before": before, "after": after, "references": to_plain(steps)}


def _chunk_fields(chunk: ChunkRecord) -> Plain:
    page = chunk.pages[0] if chunk.paged else None
    place = {"chunk_id": chunk.chunk_id, "source_id": chunk.source_id, "page": page, "locator": chunk.locator}
    return {**place, "section": list(chunk.section), "text": chunk.content, "raw_text": chunk.raw_content}


def _outcome(link: ReferenceLink) -> Plain:
    return {"status": link.status, "targets": to_plain(link.targets), "reason": link.reason}


_LINK, _END = "\x1b]8;;", "\x1b\\"


def statement_lines(answer: Answer, address_of: Callable[[Citation], str | None] = lambda _: None) -> list[str]:
    """The summary, one statement a line, below the headings of its parts; citations with an address become links that
    a terminal can open."""
    lines = [printable(line) for line in answer.summary.split("\n")]
    if len(lines) == len(answer.statements):
        lines = _below_parts(lines, [statement.part for statement in answer.statements])
    addresses: dict[str, str] = {}
    for citation in (citation for statement in answer.statements for citation in statement.citations):
        address = address_of(citation) if citation.page is not None else None
        if address is not None:
            addresses.setdefault(f"({printed_name(citation.filename)}, p.{citation.page})", address)
    for mark, address in addresses.items():
        lines = [line.replace(mark, f"{_LINK}{address}{_END}{mark}{_LINK}{_END}") for line in lines]
    return lines


def state_text(answer: Answer) -> str:
    """Whether it is an answer, and how likely."""
    match answer.state:
        case "answered":
            return f"certainty: {answer.certainty} ({answer.chance:.2f})"
        case "nearest":
            return "no answer found; the nearest passage is shown"
        case _:
            return "not found"


def advice_lines(answer: Answer) -> list[str]:
    """Where an answer found nothing: how much was searched, and what else to try."""
    if not answer.refused:
        return []
    tried = [f"  try: {printable(text)}" for missing in answer.missing for text in missing.suggestions]
    return [f"  searched: {searched_text(answer)}", *tried]


def searched_text(answer: Answer) -> str:
    """How many passages each channel found."""
    return ", ".join(f"{channel} {count}" for channel, count in answer.searched.items())


def place_of(item: Evidence) -> str:
    """The pages of a result, with the printed labels where they differ; its locator where it has no pages."""
    chunk = item.chunk
    if not chunk.paged:
        return chunk.locator or "-"
    pages = _range(str(chunk.pages[0]), str(chunk.pages[-1]))
    ends = [label for label in (*chunk.labels[:1], *chunk.labels[-1:]) if label]
    printed = _range(ends[0], ends[1]) if len(ends) == 2 else pages
    return f"p.{pages}" if printed == pages else f"p.{pages} (printed {printed})"


def shared_names(evidence: Sequence[Evidence]) -> set[str]:
    """The filenames that more than one document has."""
    names = Counter({item.chunk.source_id: item.chunk.filename for item in evidence}.values())
    return {name for name, count in names.items() if count > 1}


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first}-{last}"


def _below_parts(lines: Sequence[str], parts: Sequence[str | None]) -> list[str]:
    """The lines with the heading of each part in front of its first one, below an empty line."""
    written: list[str] = []
    for line, part, before in zip(lines, parts, [None, *parts[:-1]], strict=True):
        if part is not None and part != before:
            written += [*([""] if written else []), printable(part)]
        written.append(line)
    return written


_MARKS = re.compile(r"([\\`*_{\[\]<>|~&$#])")
_OPENS_A_LIST = re.compile(r"^(\d*)([-+=.)])")


def statement_blocks(answer: Answer) -> list[str]:
    """Each statement as a list item with its citations, below the heading of its part where one begins."""
    names = ambiguous_filenames(c for statement in answer.statements for c in (*statement.citations, *statement.also))
    blocks, part = [], None
    for statement in answer.statements:
        heading = "" if statement.part in (None, part) else f"## {plain_text(str(statement.part))}\n\n"
        part = statement.part
        blocks.append(f"{heading}- {plain_text(printed_statement(statement, names))}")
    return blocks


def advice_items(answer: Answer) -> list[str]:
    """Where an answer found nothing, as list items: how much was searched, and what else to try."""
    if not answer.refused:
        return []
    tried = (f"- try: {plain_text(text)}" for missing in answer.missing for text in missing.suggestions)
    return [f"- searched: {searched_text(answer)}", *tried]


def plain_text(text: str) -> str:
    """A text in one line, in which nothing is markup."""
    return escaped(" ".join(printable(text).split()))


def escaped(text: str) -> str:
    """The text with a backslash before whatever Markdown could take for markup."""
    return _OPENS_A_LIST.sub(r"\1\\\2", _MARKS.sub(r"\\\1", text))
