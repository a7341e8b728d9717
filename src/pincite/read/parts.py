"""Putting blocks and tables together into the canonical text of one part, with exact spans."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice

from pincite.errors import ReadError
from pincite.read.encoding import clean
from pincite.read.linked import LONGEST_NAME, MOST_LINKS, RawLink, placed_links
from pincite.records.pages import Block, BlockKind, Cell, Document, Link, Page, PageOrigin, PlaceName, Span, Table

MOST_FIELDS = 2_000_000
"""Rows times columns of a table."""
_SPACES = re.compile(r"[^\S\n]+")
_LINE_BREAKS = re.compile(r" ?\n[ \n]*")
_HEADING_NUMBER = re.compile(
    r"(?:(?:annex|appendix|chapter|part|section|§)\s+)?([A-Z]?\d+(?:\.\d+)*[a-z]?|[A-Z](?:\.\d+)+|(?<=\s)[A-Z])(?=[.):\s])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RawCell:
    """One cell as the source gives it. `skip`: columns left free before it; a row span counts from its own row.
    `names`: what hyperlinks call it."""

    text: str
    row_span: int = 1
    column_span: int = 1
    header: bool = False
    skip: int = 0
    links: tuple[RawLink, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell with its row and column, counted from 0."""

    row: int
    column: int
    raw: RawCell

    def as_cell(self, span: Span) -> Cell:
        """The record of this cell, whose text is at `span`."""
        raw = self.raw
        return Cell(self.row, self.column, span, None, raw.row_span, raw.column_span, raw.header)


class Places:
    """Locators of running text without pages: "sec. 3.2, par. 4" below numbered headings, else "par. 7"."""

    def __init__(self) -> None:
        self._count = 0
        self._section: tuple[str, int] | None = None
        self._in_section = 0

    def heading(self, text: str, level: int) -> str:
        """The place of a heading. One without a number ends the numbered section that it does not lie in."""
        self._count += 1
        match = _HEADING_NUMBER.match(text + " ")
        if match:
            self._section = (match[1].rstrip("."), level)
            self._in_section = 0
            return f"sec. {self._section[0]}"
        if self._section and level <= self._section[1]:
            self._section = None
        return self._here()

    def block(self) -> str:
        """The place of the next block that is no heading."""
        self._count += 1
        return self._here()

    def _here(self) -> str:
        if self._section is None:
            return f"par. {self._count}"
        self._in_section += 1
        return f"sec. {self._section[0]}, par. {self._in_section}"


class PartBuilder:
    """Collects the blocks of one part; `max_characters` bounds its text."""

    def __init__(self, number: int, max_characters: int, *, between: str = "\n\n") -> None:
        self.number = number
        self._left = max_characters
        self._between = between
        self._pieces: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._tables: list[Table] = []
        self._links: list[Link] = []
        self._names: list[PlaceName] = []
        self._names_of_next: list[str] = []

    def name_next(self, name: str) -> None:
        """Hyperlinks call what is added next by this name."""
        self._names_of_next.append(name)

    def add(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int | None = None,
        locator: str | None = None,
        bold: bool = False,
        between: str | None = None,
        links: Sequence[RawLink] = (),
    ) -> Span | None:
        """Add one block; spaces are folded, line breaks kept. None where the text is blank."""
        folded = fold(text)
        if not folded:
            return None
        span = self._append(folded, self._between if between is None else between)
        self._mark(span, folded, links, ())
        self._blocks.append(Block(kind, span, level=level, locator=locator, bold=bold))
        return span

    def add_table(self, rows: Sequence[Sequence[RawCell]], *, locator: str | None = None) -> Span | None:
        """Add a table as one block: a line for each row, a field for each column, parted by tabs. A cell that spans
        several rows or columns stands in each of them, but is one cell, where it stands first; one that is alone in its
        row stands in its first column only. None where all cells are blank."""
        lines = list(_filled(place_cells(rows)))
        if not any(text for line in lines for text, _ in line):
            return None
        start = self._begin(self._between)
        cells: list[Cell] = []
        for index, line in enumerate(lines):
            if index:
                self._push("\n")
            for (text, item), span in zip(line, self._push_cells([text for text, _ in line]), strict=True):
                if item is not None:
                    cells.append(item.as_cell(span))
                    self._mark(span, text, item.raw.links, item.raw.names)
        span = Span(self.number, start, self._length)
        self._blocks.append(Block("table", span, locator=locator))
        self._tables.append(Table(span, *_extent(cells), tuple(cells)))
        return span

    def add_row(self, texts: Sequence[str], *, locator: str, between: str) -> list[int]:
        """Add one row of a sheet, each text in one line, as a block of its own; where its cells start, in order."""
        start = self._begin(between)
        self._push("\t".join(texts))
        self._blocks.append(Block("table", Span(self.number, start, self._length), locator=locator))
        return list(accumulate((len(text) + 1 for text in texts[:-1]), initial=start))

    def add_table_record(self, table: Table) -> None:
        """Add a table whose text was already added row by row."""
        self._tables.append(table)

    def begin_quote(self) -> None:
        """What is added from here on is quoted."""

    def end_quote(self) -> None:
        """The quotation ends."""

    def page(self, *, label: str | None = None) -> Page:
        """The part with all that was added."""
        text = "".join(self._pieces)
        self._mark(Span(self.number, self._length, self._length), "", (), ())
        origin: PageOrigin = "text" if text else "none"
        return Page(
            self.number,
            text,
            tuple(self._blocks),
            tuple(self._tables),
            label=label,
            origin=origin,
            links=tuple(self._links),
            place_names=tuple(self._names),
        )

    def _mark(self, span: Span, text: str, links: Sequence[RawLink], names: Sequence[str]) -> None:
        """Keep the hyperlinks of what came to stand at `span`, and what hyperlinks call it."""
        if links:
            self._links += islice(placed_links(links, text, span), MOST_LINKS - len(self._links))
        known = (name for name in (*self._names_of_next, *names) if 0 < len(name) <= LONGEST_NAME)
        self._names += islice((PlaceName(name, span.start) for name in known), MOST_LINKS - len(self._names))
        self._names_of_next.clear()

    def _push_cells(self, texts: Sequence[str]) -> list[Span]:
        spans = []
        for index, text in enumerate(texts):
            if index:
                self._push("\t")
            spans.append(Span(self.number, self._length, self._length + len(text)))
            self._push(text)
        return spans

    def _append(self, text: str, between: str) -> Span:
        start = self._begin(between)
        self._push(text)
        return Span(self.number, start, self._length)

    def _begin(self, between: str) -> int:
        if self._length:
            self._push(between)
        return self._length

    def _push(self, text: str) -> None:
        self._left -= len(text)
        if self._left < 0:
            raise ReadError("holds more characters than the limit for one document: split it")
        self._pieces.append(text)
        self._length += len(text)


def one_part(
    page: Page,
    *,
    title: str | None = None,
    metadata: Mapping[str, str] | None = None,
    warnings: tuple[str, ...] = (),
) -> Document:
    """A document of one part without pages, whose places are its blocks; ReadError where it has no text."""
    if not page.text:
        raise ReadError("holds no text")
    return Document((page,), title=title, paged=False, locators="block", metadata=metadata or {}, warnings=warnings)


def read_parts(
    names: Sequence[str], max_characters: int, add: Callable[[str, PartBuilder], None]
) -> tuple[list[Page], dict[int, ReadError]]:
    """A part for each name, to which `add` adds what it has, and why some of them could not be read, by their numbers:
    they are without text. ReadError where none has any."""
    pages: list[Page] = []
    failed: dict[int, ReadError] = {}
    for number, name in enumerate(names, start=1):
        builder = PartBuilder(number, max_characters)
        try:
            add(name, builder)
        except ReadError as error:
            failed[number] = error
            builder = PartBuilder(number, max_characters)
        pages.append(builder.page())
        max_characters -= len(pages[-1].text)
    if not any(page.text for page in pages):
        raise ReadError("holds no text")
    return pages, failed


def part_warnings(kind: str, failed: Mapping[int, ReadError]) -> tuple[str, ...]:
    """One warning for all the parts (by number) that could not be read; none where there are none."""
    if not failed:
        return ()
    first, *others = failed
    more = f" and {len(others)} more" if others else ""
    return (f"{kind} {first}{more} could not be read: {failed[first]}",)


def fold(text: str) -> str:
    """Spaces and tabs folded to one space, blank lines and spaces around line breaks dropped, ends trimmed."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return _LINE_BREAKS.sub("\n", _SPACES.sub(" ", clean(text))).strip()


def place_cells(rows: Sequence[Sequence[RawCell]]) -> list[list[PlacedCell]]:
    """The cells with their places, below and beside those that span several rows or columns."""
    placed: list[list[PlacedCell]] = []
    taken: dict[int, int] = {}
    for row_index, row in enumerate(rows):
        column = 0
        line: list[PlacedCell] = []
        for cell in row:
            column += cell.skip
            while taken.get(column, 0) > row_index:
                column += 1
            line.append(PlacedCell(row_index, column, cell))
            if cell.row_span > 1:
                taken.update(dict.fromkeys(range(column, column + cell.column_span), row_index + cell.row_span))
            column += cell.column_span
        placed.append(line)
    return placed


def _filled(placed: Sequence[Sequence[PlacedCell]]) -> Iterator[list[tuple[str, PlacedCell | None]]]:
    """For each row the text of each column in which some cell begins, and the cell where one begins there; of a table
    that is mostly empty the cells alone."""
    width = max((item.column + 1 for row in placed for item in row), default=0)
    if width * len(placed) > MOST_FIELDS:
        for row in placed:
            yield [(in_one_line(item.raw.text), item) for item in row]
        return
    from_above: dict[int, tuple[str, int]] = {}
    for number, row in enumerate(placed):
        from_above = {column: held for column, held in from_above.items() if held[1] > number}
        line: list[tuple[str, PlacedCell | None]] = [("", None)] * width
        for column, (text, _) in from_above.items():
            line[column] = (text, None)
        is_alone = len(row) == 1 and not from_above
        for item in row:
            text, first = in_one_line(item.raw.text), item.column
            last = first + 1 if is_alone else min(first + item.raw.column_span, width)
            line[first:last] = [(text, item), *[(text, None)] * (last - first - 1)]
            if item.raw.row_span > 1:
                from_above |= dict.fromkeys(range(first, last), (text, number + item.raw.row_span))
        yield line


def in_one_line(text: str) -> str:
    """Folded, and its lines joined by spaces."""
    return fold(text).replace("\n", " ")


def _extent(cells: Sequence[Cell]) -> tuple[int, int]:
    """Rows and columns that the cells reach."""
    rows = max((cell.row + 1 for cell in cells), default=0)
    return rows, max((cell.column + cell.column_span for cell in cells), default=0)
