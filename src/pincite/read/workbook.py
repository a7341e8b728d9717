"""Sheets of any workbook: a part for each, a block for each row, tables of the rows that follow each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pincite.errors import ReadError
from pincite.printing import counted
from pincite.read.parts import PartBuilder
from pincite.read.xlsx_values import MAX_COLUMN, column_letters, column_of
from pincite.records.pages import Cell, Document, Page, Span, Table

MAX_CELLS = 200_000
MOST_NAMES = 5
MOST_COLUMNS = 256
"""Of a sheet whose empty cells are kept."""
Merged = Mapping[tuple[int, int], tuple[int, int]]
"""(row, column) of the first cell of a merged range, with the rows and columns that it covers; counted from 1."""
_PLAIN_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.")


@dataclass(frozen=True, slots=True)
class Value:
    """What one cell shows, in one line; its column counts from 1."""

    column: int
    text: str
    is_text: bool


@dataclass(slots=True)
class _Region:
    """Rows that follow each other: (row, column, span, is text) of each cell, counted from 1."""

    cells: list[tuple[int, int, Span, bool]] = field(default_factory=list)
    left: int = MAX_COLUMN
    right: int = 0


class Workbook:
    """The parts of a workbook that is being read, and what is left of the limits."""

    def __init__(self, max_characters: int) -> None:
        self.pages: list[Page] = []
        self.hidden: list[str] = []
        self._partly_hidden: list[str] = []
        self._left = max_characters
        self._cells_left = MAX_CELLS

    def begin(self, name: str, merged: Merged) -> SheetPart:
        """The next sheet that is shown."""
        return SheetPart(len(self.pages) + 1, name, merged, self._left, self._cells_left)

    def end(self, part: SheetPart) -> None:
        """Finish a sheet whose rows were all added."""
        self.pages.append(part.page())
        if part.hidden_rows or part.hidden_columns:
            hidden = ((part.hidden_rows, "rows"), (part.hidden_columns, "columns"))
            counts = [counted(count, name) for count, name in hidden if count]
            self._partly_hidden.append(f"{part.name} ({', '.join(counts)})")
        self._left -= len(self.pages[-1].text)
        self._cells_left = part.cells_left

    def document(self, title: str | None, metadata: Mapping[str, str]) -> Document:
        """The sheets as a document; ReadError where none holds a value."""
        if not any(page.text for page in self.pages):
            raise ReadError("holds no values")
        return Document(
            tuple(self.pages),
            title=title,
            paged=False,
            locators="block",
            metadata=metadata,
            warnings=self._warnings(),
        )

    def _warnings(self) -> tuple[str, ...]:
        """What was left out, and what is known as text alone."""
        told = []
        if self.hidden:
            told.append(f"hidden sheets were not read: {_listed(self.hidden)}")
        if self._partly_hidden:
            told.append(f"hidden rows and columns were not read: {_listed(self._partly_hidden)}")
        if self._cells_left < 0:
            told.append(f"only the first {MAX_CELLS:,} cells are known as cells, the rest is text")
        return tuple(told)


class SheetPart:
    """One sheet, row by row from the top."""

    def __init__(self, ordinal: int, name: str, merged: Merged, max_characters: int, max_cells: int) -> None:
        self.name = name
        self.cells_left = max_cells
        self.hidden_rows = 0
        self.hidden: set[int] = set()
        """The columns that are not shown."""
        self._left_out: set[int] = set()
        self._merged = merged
        self._builder = PartBuilder(ordinal, max_characters)
        self._regions: list[_Region] = []
        self._previous = 0
        self._from_above: dict[int, tuple[str, int]] = {}

    @property
    def hidden_columns(self) -> int:
        """How many columns were left out although they hold something."""
        return len(self._left_out)

    def add(self, row: int, values: Sequence[Value], *, is_hidden: bool = False, times: int = 1) -> None:
        """Add row `row` (from 1), and as many more of the same below it, without what is hidden; `values` are the cells
        that hold something, from left to right. Hidden rows do not part the table that they stand in."""
        if is_hidden:
            self.hidden_rows += times if values else 0
            self._previous = row + times - 1 if row == self._previous + 1 else self._previous
            return
        self._left_out.update(value.column for value in values if value.column in self.hidden)
        if shown := [value for value in values if value.column not in self.hidden]:
            for below in range(times):
                self._add(row + below, shown)

    def _add(self, row: int, values: Sequence[Value]) -> None:
        """Add the cells of a row that show something; there is at least one.

        A merged cell stands in each column and row that it covers, but is one cell; one that is alone in its row stands
        in its first column only. Cells between others that show nothing are kept empty.
        """
        follows = bool(self._regions) and row == self._previous + 1
        if not follows:
            self._regions.append(_Region())
        locator = f"{quoted(self.name)}!{_range(row, values[0].column, values[-1].column)}"
        texts = self._texts(row, values)
        region = self._regions[-1]
        region.left, region.right = min(region.left, *texts), max(region.right, *texts)
        columns = list(range(region.left, region.right + 1))
        if len(columns) > MOST_COLUMNS:
            texts = {value.column: value.text for value in values}
            columns = list(texts)
        starts = self._builder.add_row(
            [texts.get(column, "") for column in columns], locator=locator, between="\n" if follows else "\n\n"
        )
        self.cells_left -= len(values)
        if self.cells_left >= 0:
            at = dict(zip(columns, starts, strict=True))
            for value in values:
                start = at[value.column]
                span = Span(self._builder.number, start, start + len(texts[value.column]))
                region.cells.append((row, value.column, span, value.is_text))
        self._previous = row

    def page(self) -> Page:
        """The part with its tables."""
        for region in self._regions:
            if region.cells:
                self._builder.add_table_record(_table(region, self._merged))
        return self._builder.page(label=self.name)

    def _texts(self, row: int, values: Sequence[Value]) -> dict[int, str]:
        """What stands in which columns of a row, merged cells in all that they cover."""
        if not self._merged:
            return {value.column: value.text for value in values}
        self._from_above = {column: held for column, held in self._from_above.items() if held[1] >= row}
        texts = {column: text for column, (text, _) in self._from_above.items()}
        is_alone = len(values) == 1 and not texts
        for value in values:
            height, width = self._merged.get((row, value.column), (1, 1))
            covered = range(value.column, value.column + (1 if is_alone else min(width, MOST_COLUMNS)))
            texts |= dict.fromkeys(covered, value.text)
            if height > 1:
                self._from_above |= dict.fromkeys(covered, (value.text, row + height - 1))
        return texts


def quoted(name: str) -> str:
    """A sheet's name as it stands in formulas: in single quotes where it is not plain."""
    return name if name and set(name) <= _PLAIN_NAME else "'" + name.replace("'", "''") + "'"


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def _range(row: int, first: int, last: int) -> str:
    """A part of a row in letters and numbers: "B4:F4", or "B4" for one cell."""
    start = f"{column_letters(first)}{row}"
    return start if first == last else f"{start}:{column_letters(last)}{row}"


def _table(region: _Region, merged: Merged) -> Table:
    """The cells of a region; its first row is the head where it holds texts only and more rows follow."""
    top, bottom = region.cells[0][0], region.cells[-1][0]
    left, right = min(cell[1] for cell in region.cells), max(cell[1] for cell in region.cells)
    has_head = bottom > top and all(is_text for row, _, _, is_text in region.cells if row == top)
    cells = []
    for row, column, span, _ in region.cells:
        rows, columns = merged.get((row, column), (1, 1))
        cells.append(Cell(row - top, column - left, span, None, rows, columns, has_head and row == top))
    whole = Span(region.cells[0][2].page, region.cells[0][2].start, region.cells[-1][2].end)
    return Table(whole, bottom - top + 1, right - left + 1, tuple(cells))


def rows_of(document: Document) -> list[list[str]]:
    """The rows of the first sheet of a workbook that holds any, without those that are blank; a missing cell is ""."""
    return next((rows for page in document.pages if (rows := _rows(page))), [])


def _rows(page: Page) -> list[list[str]]:
    rows: list[list[str]] = []
    cells = [cell for table in page.tables for cell in table.cells]
    position = 0
    for block in page.blocks:
        found = []
        while position < len(cells) and cells[position].span.end <= block.span.end:
            found.append(cells[position])
            position += 1
        if not found:
            continue
        first = column_of((block.locator or "").rpartition("!")[2]) - 1
        shift = first - found[0].column
        row = [""] * (found[-1].column + shift + 1)
        for cell in found:
            row[cell.column + shift] = page.text_of(cell.span)
        rows.append(row)
    return rows
