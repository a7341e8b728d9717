"""ODS: a part for each sheet that is shown, a block for each row, with the cells as they are displayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.archive import Archive
from pincite.read.markup import Element, attribute, child, descendants, local, number, span_of
from pincite.read.odt import OdfLooks, content_of, looks_of, properties_of, shown_text
from pincite.read.parts import fold, in_one_line
from pincite.read.versions import stamp
from pincite.read.workbook import Value, Workbook
from pincite.read.xlsx_values import MAX_COLUMN
from pincite.records.pages import Document

_ROWS = frozenset({"table-header-rows", "table-rows", "table-row-group"})
_HIDDEN = ("collapse", "filter")
_CELLS = frozenset({"table-cell", "covered-table-cell"})


class OdsReader:
    """Workbooks of OpenDocument. Hidden sheets, rows and columns are left out and told, comments never
    appear."""

    name = "ods"
    suffixes = frozenset({".ods"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "2", "lxml")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the file at `path`; raise ReadError where it is damaged, encrypted or holds no values."""
        book = Workbook(options.max_characters)
        with Archive(path) as archive:
            root = content_of(archive)
            looks = looks_of(archive, root)
            title, metadata = properties_of(archive)
        body = child(root, "body", "spreadsheet")
        hidden = _hidden_styles(root)
        for sheet in (item for item in (body if body is not None else ()) if local(item) == "table"):
            name = fold(attribute(sheet, "name"))
            if attribute(sheet, "style-name") in hidden:
                book.hidden.append(name)
            else:
                _add(book, name, sheet, looks)
        if not any(page.text for page in book.pages):
            raise ReadError("holds no values")
        return Document(
            tuple(book.pages),
            self.version,
            title=title,
            paged=False,
            locators="block",
            metadata=metadata,
            warnings=book.warnings(),
        )


def _add(book: Workbook, name: str, sheet: Element, looks: OdfLooks) -> None:
    rows = list(_rows(sheet))
    part = book.begin(name, _merged(rows))
    hidden = set(_hidden_columns(sheet))
    left_out: set[int] = set()
    row = 1
    for element in rows:
        repeated = number(attribute(element, "number-rows-repeated"), 1)
        cells = list(_cells(element, looks))
        values = [
            Value(column, in_one_line(text), attribute(cell, "value-type") == "string") for column, cell, text in cells
        ]
        shown = [value for value in values if value.column not in hidden]
        if values and attribute(element, "visibility") in _HIDDEN:
            part.hidden_rows += repeated
        else:
            left_out.update(value.column for value in values if value.column in hidden)
            for below in range(repeated if shown else 0):
                part.add(row + below, shown)
        row += repeated
    part.hidden_columns = len(left_out)
    book.end(part)


def _merged(rows: Sequence[Element]) -> dict[tuple[int, int], tuple[int, int]]:
    """The cells that cover several rows or columns."""
    merged: dict[tuple[int, int], tuple[int, int]] = {}
    row = 1
    for element in rows:
        for column, cell in _placed(element):
            height, width = span_of(cell, "number-rows-spanned"), span_of(cell, "number-columns-spanned")
            if (height, width) != (1, 1):
                merged[row, column] = height, width
        row += number(attribute(element, "number-rows-repeated"), 1)
    return merged


def _hidden_columns(sheet: Element) -> Iterator[int]:
    """The columns that are not displayed, from 1."""
    column = 1
    for item in descendants(sheet, "table-column"):
        repeated = number(attribute(item, "number-columns-repeated"), 1)
        if attribute(item, "visibility") in _HIDDEN:
            yield from range(column, min(column + repeated, MAX_COLUMN + 1))
        column += repeated


def _rows(element: Element) -> Iterator[Element]:
    for item in element:
        if local(item) == "table-row":
            yield item
        elif local(item) in _ROWS:
            yield from _rows(item)


def _cells(row: Element, looks: OdfLooks) -> Iterator[tuple[int, Element, str]]:
    """Column (from 1), element and text of each cell that shows something."""
    for column, item in _placed(row):
        look = looks.of(item)
        shown = fold(" ".join(shown_text(part, looks, look) for part in item if local(part) == "p"))
        text = shown or attribute(item, "value")
        if text and local(item) == "table-cell":
            repeated = number(attribute(item, "number-columns-repeated"), 1)
            yield from ((column + beside, item, text) for beside in range(repeated))


def _placed(row: Element) -> Iterator[tuple[int, Element]]:
    """Column (from 1) and element of each cell."""
    column = 1
    for item in row:
        if local(item) in _CELLS:
            yield column, item
            column += number(attribute(item, "number-columns-repeated"), 1)


def _hidden_styles(root: Element) -> frozenset[str]:
    """The styles of sheets that are not displayed."""
    styles = child(root, "automatic-styles")
    return frozenset(
        attribute(style, "name")
        for style in (styles if styles is not None else ())
        if any(attribute(item, "display") == "false" for item in descendants(style, "table-properties"))
    )
