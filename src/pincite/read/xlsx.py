"""XLSX: a part for each sheet that is shown, a block for each row, with the values that the workbook stores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.archive import Archive
from pincite.read.markup import Element, attribute, child, local, number, parse_xml, stream_xml
from pincite.read.package import main_part, properties, related, relation_id, relation_targets
from pincite.read.parts import PartBuilder, fold
from pincite.read.versions import stamp
from pincite.read.xlsx_values import Formats, cell_value, column_letters, column_of
from pincite.records import Cell, Document, Page, Span, Table

MAX_CELLS = 200_000
MAX_STRINGS = 5_000_000
_PLAIN_NAME = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.")


@dataclass(slots=True)
class _Region:
    """Rows that follow each other: (row, column, span, is text) of each cell, counted from 1."""

    cells: list[tuple[int, int, Span, bool]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Value:
    """What one cell shows; its column counts from 1."""

    column: int
    text: str
    is_text: bool


class XlsxReader:
    """Workbooks. Formulas are never computed: the stored results are read. Hidden sheets are left out and named."""

    name = "xlsx"
    suffixes = frozenset({".xlsx", ".xlsm"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "1", "lxml")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the file at `path`; raise ReadError where it is damaged, hostile or holds no values."""
        with Archive(path) as archive:
            part = main_part(archive, "xl/workbook.xml")
            root = parse_xml(archive.read(part), part)
            book = _Book(archive, part, root, options.max_characters)
            pages = book.pages(child(root, "sheets"))
            title, metadata = properties(archive)
        if not any(page.text for page in pages):
            raise ReadError("holds no values")
        return Document(
            tuple(pages),
            self.version,
            title=title,
            paged=False,
            locators="block",
            metadata=metadata,
            warnings=tuple(book.warnings),
        )


class _Book:
    """A workbook that is being read: what its sheets share, and what is left of the limits."""

    def __init__(self, archive: Archive, part: str, root: Element, max_characters: int) -> None:
        self.warnings: list[str] = []
        self._archive = archive
        self._targets = relation_targets(archive, part)
        self._left = max_characters
        self._cells_left = MAX_CELLS
        settings = child(root, "workbookPr")
        styles = related(archive, part, "styles")
        self._formats = Formats(
            parse_xml(archive.read(styles), styles) if styles else None,
            since_1904=settings is not None and attribute(settings, "date1904") in ("1", "true"),
        )
        strings = related(archive, part, "sharedStrings")
        self._strings = list(_shared_strings(archive, strings)) if strings else []

    def pages(self, sheets: Element | None) -> list[Page]:
        """A part for each sheet that is shown."""
        pages: list[Page] = []
        hidden: list[str] = []
        for sheet in sheets if sheets is not None else ():
            name = fold(attribute(sheet, "name"))
            if attribute(sheet, "state", "visible") != "visible":
                hidden.append(name)
            else:
                pages.append(self._page(len(pages) + 1, name, self._targets.get(relation_id(sheet), "")))
                self._left -= len(pages[-1].text)
        if hidden:
            self.warnings.append(f"hidden sheets were not read: {', '.join(hidden[:20])}")
        if self._cells_left < 0:
            self.warnings.append(f"only the first {MAX_CELLS:,} cells are known as cells, the rest is text")
        return pages

    def _page(self, ordinal: int, name: str, part: str) -> Page:
        builder = PartBuilder(ordinal, self._left)
        regions: list[_Region] = []
        merged: dict[tuple[int, int], tuple[int, int]] = {}
        previous = 0
        with self._archive.open(part) as file:
            for element in stream_xml(file, part, frozenset({"row", "mergeCell"})):
                if local(element) == "mergeCell":
                    merged.update(_merge(attribute(element, "ref")))
                    continue
                row, values = self._row(element, previous)
                if not values:
                    continue
                follows = bool(regions) and row == previous + 1
                if not follows:
                    regions.append(_Region())
                locator = f"{quoted(name)}!{_range(row, values[0].column, values[-1].column)}"
                texts = [value.text for value in values]
                spans = builder.add_row(texts, locator=locator, between="\n" if follows else "\n\n")
                self._note_cells(regions[-1], row, values, spans)
                previous = row
        for region in regions:
            if region.cells:
                builder.add_table_record(_table(region, merged))
        return builder.page(label=name)

    def _row(self, element: Element, previous: int) -> tuple[int, list[_Value]]:
        """The number of a row, and each cell in it that shows something."""
        row = number(attribute(element, "r"), previous + 1)
        values: list[_Value] = []
        column = 0
        for cell in element:
            if local(cell) != "c":
                continue
            column = column_of(attribute(cell, "r")) or column + 1
            text, is_text = cell_value(cell, self._strings, self._formats)
            if fold(text):
                values.append(_Value(column, text, is_text))
        return row, values

    def _note_cells(self, region: _Region, row: int, values: list[_Value], spans: list[Span]) -> None:
        self._cells_left -= len(values)
        if self._cells_left >= 0:
            pairs = zip(values, spans, strict=True)
            region.cells.extend((row, value.column, span, value.is_text) for value, span in pairs)


def quoted(name: str) -> str:
    """A sheet's name as it stands in formulas: in single quotes where it is not plain."""
    return name if name and set(name) <= _PLAIN_NAME else "'" + name.replace("'", "''") + "'"


def _range(row: int, first: int, last: int) -> str:
    """A part of a row in letters and numbers: "B4:F4", or "B4" for one cell."""
    start = f"{column_letters(first)}{row}"
    return start if first == last else f"{start}:{column_letters(last)}{row}"


def _shared_strings(archive: Archive, part: str) -> Iterator[str]:
    with archive.open(part) as file:
        for count, item in enumerate(stream_xml(file, part, frozenset({"si"}))):
            if count >= MAX_STRINGS:
                raise ReadError(f"has more than {MAX_STRINGS:,} texts: split it")
            yield "".join(text for text in _texts(item))


def _texts(item: Element) -> Iterator[str]:
    """The texts of a string, without the reading aids of Asian scripts."""
    for part in item.iter():
        parent = part.getparent()
        if local(part) == "t" and (parent is None or local(parent) != "rPh"):
            yield part.text or ""


def _merge(reference: str) -> dict[tuple[int, int], tuple[int, int]]:
    """(row, column) of the first cell of a merged range, with the rows and columns that it covers."""
    first, _, last = reference.partition(":")
    top, left = number(first.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")), column_of(first)
    bottom, right = number(last.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")), column_of(last)
    if not (0 < top <= bottom and 0 < left <= right):
        return {}
    return {(top, left): (bottom - top + 1, right - left + 1)}


def _table(region: _Region, merged: dict[tuple[int, int], tuple[int, int]]) -> Table:
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
