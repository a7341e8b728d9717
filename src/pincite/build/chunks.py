"""Cutting a document into chunks inside its sections (spec/phase3_rag.md, docs/design.md section 4)."""

from __future__ import annotations

import hashlib
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, groupby, islice

from pincite.build.redaction import policy_settings
from pincite.models.nearness import english_words
from pincite.printing import printed_lines
from pincite.records.chunks import ChunkPolicy, ChunkRecord
from pincite.records.outlines import Section
from pincite.records.pages import Block, Document, Page, Span, page_offsets
from pincite.records.sources import Source
from pincite.structure.items import Item, items_of
from pincite.text.mend import mend, vocabulary_of
from pincite.text.sentences import sentence_bounds

CHUNKER_VERSION = "9"
MOST_HEADS = 3
"""Lines of the head of a table: of 79 tables longer than a chunk (of 1,900 in 176 files) 76 have one, two have two."""
HEAD_SHARE = 4
"""A head that is longer than such a part of a chunk is not repeated: three of those 79."""
_WORDS = re.compile(r"\S")
_LINE = re.compile(r"[^\n]++")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence (or line of a table) of one block; `start` and `end` are offsets in the joined text. `is_term`: it
    names what the text behind it explains. Of a line of a table which `table` it belongs to, by the number of its first
    block, and whether it is of the head."""

    page: int
    start: int
    end: int
    block: int
    kind: str
    is_term: bool = False
    table: int = 0
    is_head: bool = False

    def __len__(self) -> int:
        return self.end - self.start


def cut_chunks(
    source: Source, document: Document, sections: Sequence[Section], policy: ChunkPolicy, version: str
) -> tuple[tuple[ChunkRecord, ...], int]:
    """The chunks of a document, and how many the limit of the policy cut off. A chunk holds whole sentences of one
    section, at most `policy.chunk_size` characters; neighbours in a section share up to `policy.overlap`. One that
    continues a table repeats its head; one that begins inside the text of an option or parameter has the term at the
    end of its section path. A section that is only a heading joins the next. Furniture is left out. `version` enters
    the chunk ids."""
    offsets = dict(zip((page.number for page in document.pages), page_offsets(document.pages), strict=False))
    items = {page.number: found for page in document.pages if (found := items_of(page))}
    groups = (
        (section, head, group)
        for section, units in _by_section(document, _units(document, offsets, items, policy.chunk_size), sections)
        for head, group in _pack(units, policy)
    )
    vocabulary = vocabulary_of(page.text for page in document.pages)
    if vocabulary and document.language == "en":
        vocabulary |= english_words()
    maker = _Maker(source, document, policy, version, offsets, vocabulary, sections, items)
    made = islice(groups, policy.max_chunks_per_source or None)
    chunks = tuple(maker.make(index, section, head, group) for index, (section, head, group) in enumerate(made))
    return chunks, sum(1 for _ in groups)


@dataclass(frozen=True, slots=True)
class _Maker:
    """What all chunks of one document share."""

    source: Source
    document: Document
    policy: ChunkPolicy
    version: str
    offsets: Mapping[int, int]
    vocabulary: Container[str]
    sections: Sequence[Section]
    items: Mapping[int, Sequence[Item]]

    def make(self, index: int, section: Section | None, head: Sequence[_Unit], units: Sequence[_Unit]) -> ChunkRecord:
        own = self._pieces(units)
        pieces = [*self._pieces(head), *own]
        raw = [self.document.text_of(span) for span, _, _ in pieces]
        raw_content = "\n".join(raw)
        content = "\n".join(
            mend_piece(text, kind, self.vocabulary) for text, (_, kind, _) in zip(raw, pieces, strict=True)
        )
        if content == raw_content:
            content = raw_content
        start, end = units[0].start, units[-1].end
        spans = _spans([span for span, _, _ in own])
        encoded = content.encode()
        return ChunkRecord(
            chunk_id=chunk_id(self.source, index, start, end, self.version),
            source_type=self.source.source_type,
            source_ref={
                "source_id": self.source.source_id,
                "filename": self._filename(),
                "uri": self.source.uri,
                "content_sha256": self.source.content_sha256,
            },
            offsets={
                "index": index,
                "start": start,
                "end": end,
                "spans": [[span.page, span.start, span.end] for span in spans],
                "pieces": [[span.page, span.start, span.end, kind, self._place(span)] for span, kind, _ in pieces],
                "tables": [table if kind == "table" else 0 for _, kind, table in pieces],
            },
            content=content,
            content_sha256=hashlib.sha256(encoded).hexdigest(),
            byte_count=len(encoded),
            policy=policy_settings(self.policy),
            created_utc=datetime.now(UTC),
            source_id=self.source.source_id,
            filename=self._filename(),
            index=index,
            start=start,
            end=end,
            raw_content=raw_content,
            spans=spans,
            section=(*(() if section is None else section_titles(section, self.sections)), *self._term(units[0])),
            section_ordinal=None if section is None else section.ordinal,
            section_number=None if section is None else section.number,
            language=self.document.language,
            title=self.document.title,
            paged=self.document.paged,
            locator=self._locator([span for span, _, _ in own]),
        )

    def _term(self, first: _Unit) -> tuple[str, ...]:
        """The term of the item inside whose text a chunk begins."""
        start = first.start - self.offsets[first.page]
        item = _item_at(self.items.get(first.page, ()), start)
        return (item.term,) if item is not None and start >= item.text and start > item.start else ()

    def _filename(self) -> str:
        if self.source.source_type == "given" and self.document.title:
            return self.document.title
        return self.source.filename

    def _pieces(self, units: Sequence[_Unit]) -> list[tuple[Span, str, int]]:
        """One piece for each block touched: from its first to its last unit here; its kind, and its table."""
        pieces = []
        for _, run in groupby(units, key=lambda unit: unit.block):
            members = list(run)
            base = self.offsets[members[0].page]
            span = Span(members[0].page, members[0].start - base, members[-1].end - base)
            pieces.append((span, members[0].kind, members[0].table))
        return pieces

    def _place(self, span: Span) -> int | str | None:
        """Where a source without pages says that a piece stands: its first line, or its block's locator."""
        page = self.document.pages[span.page - 1]
        if self.document.locators == "line":
            return bisect_left(_line_ends(page.text), span.start) + 1
        block = _block_at(page, span.start) if self.document.locators == "block" else None
        return None if block is None else block.locator

    def _locator(self, spans: Sequence[Span]) -> str | None:
        """The same for the whole chunk; None for pages."""
        first, last = self._place(spans[0]), self._place(spans[-1])
        if isinstance(first, int) and isinstance(last, int):
            return printed_lines(first, last + self.document.text_of(spans[-1]).count("\n"))
        return None if first is None else str(first)


def chunk_id(source: Source, index: int, start: int, end: int, version: str) -> str:
    """SHA-256 of source id and content, index, offsets in the joined text, and policy version, one a line."""
    lines = [f"{source.source_id}@{source.content_sha256}", str(index), str(start), str(end), version]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def mend_piece(raw: str, kind: str, vocabulary: Container[str]) -> str:
    """The readable view of a piece of a chunk; a table keeps its lines."""
    if kind == "table":
        return "\n".join(mend(line, vocabulary).text for line in raw.split("\n"))
    return mend(raw, vocabulary).text


def section_titles(section: Section, sections: Sequence[Section]) -> tuple[str, ...]:
    """Number and title of a section and of those that hold it, the outermost first; nameless ones left out."""
    named = f"{section.number or ''} {section.title}".strip()
    above = () if section.parent is None else section_titles(sections[section.parent], sections)
    return (*above, named) if named else above


def _item_at(items: Sequence[Item], offset: int) -> Item | None:
    """The item that holds this offset; items stand in order."""
    index = bisect_right(items, offset, key=lambda item: item.start) - 1
    return items[index] if index >= 0 and offset < items[index].end else None


def _units(
    document: Document, offsets: Mapping[int, int], items: Mapping[int, Sequence[Item]], longest: int
) -> Iterator[_Unit]:
    count = table = 0
    above: Block | None = None
    for page in document.pages:
        base = offsets[page.number]
        for block in page.blocks:
            if block.kind == "furniture":
                continue
            count += 1
            text = page.text_of(block.span)
            goes_on = above is not None and block.kind == "table" and _goes_on(document, above, block)
            table = table if goes_on else count
            heads = _heads(text) if block.kind == "table" and not goes_on else 0
            above = block if block.kind == "table" else None
            for start, end in _parts(text, block.kind, longest):
                begin = base + block.span.start
                item = _item_at(items.get(page.number, ()), block.span.start + start)
                is_term = item is not None and block.span.start + end <= item.text
                is_head = start < heads
                yield _Unit(page.number, begin + start, begin + end, count, block.kind, is_term, table, is_head)


def _goes_on(document: Document, above: Block, block: Block) -> bool:
    """Whether a block of a table continues the one before: a row of a sheet, or the rest after a page break, whose
    first line has as many cells as the last line above, and values as well."""
    if above.span.page == block.span.page:
        return block.span.start == above.span.end + 1
    ending = document.text_of(above.span).rpartition("\n")[2]
    beginning = document.text_of(block.span).partition("\n")[0]
    both = [[cell.strip() for cell in line.split("\t")] for line in (ending, beginning)]
    have_values = all(any(_DIGIT.search(cell) for cell in cells[1:]) for cells in both)
    return block.span.page == above.span.page + 1 and len(both[0]) == len(both[1]) > 1 and have_values


def _heads(text: str) -> int:
    """Where the head of a table ends: behind its first line, and behind more while the line above has no first cell, as
    one that stands over several columns."""
    end = 0
    for line in islice(_LINE.finditer(text), MOST_HEADS):
        end = line.end()
        if not line.group().startswith("\t"):
            break
    return end


def _parts(text: str, kind: str, longest: int) -> Iterator[tuple[int, int]]:
    bounds = _lines(text) if kind == "table" else sentence_bounds(text)
    for start, end in bounds:
        yield from _at_most(text, start, end, longest)


def _lines(text: str) -> Iterator[tuple[int, int]]:
    return (match.span() for match in _LINE.finditer(text) if not match.group().isspace())


def _at_most(text: str, start: int, end: int, longest: int) -> Iterator[tuple[int, int]]:
    """Cut what is longer than a chunk, at white space where there is some in the second half."""
    while end - start > longest:
        space = max(text.rfind(" ", start + longest // 2, start + longest), text.rfind("\n", start, start + longest))
        cut = space if space > start + longest // 2 else start + longest
        yield start, cut
        words = _WORDS.search(text, cut, end)
        start = words.start() if words else end
    if end > start:
        yield start, end


def _by_section(
    document: Document, units: Iterator[_Unit], sections: Sequence[Section]
) -> Iterator[tuple[Section | None, Iterable[_Unit]]]:
    """Runs of units of one innermost section, cut also at pages that state their own; use each up before asking for the
    next. A run of headings alone joins the next, unless such a page comes between."""
    starts = [section.start for section in sections]
    rows = {page.number for page in document.pages if page.section is not None}

    def place(unit: _Unit) -> tuple[int, int]:
        return bisect_right(starts, unit.start) - 1, unit.page if unit.page in rows else 0

    waiting: list[_Unit] = []
    for (index, row), run in groupby(units, key=place):
        if waiting and row and waiting[-1].page != row:
            yield _section_of(sections, place(waiting[-1])[0]), waiting
            waiting = []
        members = iter(run)
        for unit in members:
            waiting.append(unit)
            if unit.kind != "heading":
                yield _section_of(sections, index), chain(waiting, members)
                waiting = []
    if waiting:
        yield _section_of(sections, place(waiting[-1])[0]), waiting


def _section_of(sections: Sequence[Section], index: int) -> Section | None:
    return sections[index] if 0 <= index < len(sections) else None


def _pack(units: Iterable[_Unit], policy: ChunkPolicy) -> Iterator[tuple[list[_Unit], list[_Unit]]]:
    """Fill chunks up to the size; each but the first begins with the last units of the one before, up to the overlap.
    In front of each the head of the table that it goes on with, and its caption."""
    held: list[_Unit] = []
    head: list[_Unit] = []
    heads: list[_Unit] = []
    last: _Unit | None = None
    size = 0
    for unit in units:
        if held and size + len(unit) > policy.chunk_size:
            room = policy.chunk_size - len(unit) - 1
            terms = _terms_before(held, room)
            yield head, held[: len(held) - len(terms)]
            held = terms or _last_of(held, min(policy.overlap, room))
            room -= sum(len(item) + 1 for item in held)
            head = _head_above([*held, unit][0], heads, min(policy.chunk_size // HEAD_SHARE, room))
            size = sum(len(item) + 1 for item in (*head, *held))
        if unit.is_head:
            goes_on = bool(heads) and heads[-1].table == unit.table
            heads = [*(heads if goes_on else [last] if last and last.kind == "caption" else []), unit]
        last = unit
        held.append(unit)
        size += len(unit) + 1
    if held:
        yield head, held


def _head_above(first: _Unit, heads: list[_Unit], room: int) -> list[_Unit]:
    """The caption and the head of the table that a chunk, which begins with this unit, goes on with; none that is too
    long."""
    is_inside = bool(heads) and first.table == heads[-1].table and not first.is_head
    return heads if is_inside and sum(len(unit) + 1 for unit in heads) <= room else []


def _terms_before(held: list[_Unit], room: int) -> list[_Unit]:
    """The terms at the end, which stand with what follows them where there is room."""
    position = len(held)
    while position > 1 and held[position - 1].is_term and len(held[position - 1]) + 1 <= room:
        position -= 1
        room -= len(held[position]) + 1
    return held[position:]


def _last_of(held: list[_Unit], room: int) -> list[_Unit]:
    """The last units that `room` characters hold, all but the first at most."""
    position = len(held)
    while position > 1 and len(held[position - 1]) + 1 <= room:
        position -= 1
        room -= len(held[position]) + 1
    return held[position:]


def _spans(pieces: Sequence[Span]) -> tuple[Span, ...]:
    """One span for each page touched."""
    spans = []
    for page, run in groupby(pieces, key=lambda span: span.page):
        members = list(run)
        spans.append(Span(page, members[0].start, members[-1].end))
    return tuple(spans)


def _block_at(page: Page, offset: int) -> Block | None:
    """The block that holds this offset; blocks stand in order."""
    index = bisect_right(page.blocks, offset, key=lambda block: block.span.start) - 1
    return page.blocks[index] if index >= 0 and offset < page.blocks[index].span.end else None


@lru_cache(maxsize=1)
def _line_ends(text: str) -> array[int]:
    """Where the lines of a text end, in order."""
    return array("Q", (match.start() for match in re.finditer("\n", text)))
