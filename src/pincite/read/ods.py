"""ODS: a part for each sheet that is shown, a block for each row, with the cells as they are displayed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.archive import Archive
from pincite.read.markup import Element, attribute, child, descendants, local, number, span_of
from pincite.read.odt import content_of, properties_of, shown_text
from pincite.read.parts import fold
from pincite.read.versions import stamp
from pincite.read.workbook import Value, Workbook
from pincite.records import Document

_ROWS = frozenset({"table-header-rows", "table-rows", "table-row-group"})
_CELLS = frozenset({"table-cell", "covered-table-cell"})


class OdsReader:
    """Workbooks of OpenDocument. Hidden sheets are left out and named, comments never appear."""

    name = "ods"
    suffixes = frozenset({".ods"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "1", "lxml")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the file at `path`; raise ReadError where it is damaged, encrypted or holds no values."""
        book = Workbook(options.max_characters)
        with Archive(path) as archive:
            root = content_of(archive)
            title, metadata = properties_of(archive)
        body = child(root, "body", "spreadsheet")
        hidden = _hidden_styles(root)
        for sheet in (item for item in (body if body is not None else ()) if local(item) == "table"):
            name = fold(attribute(sheet, "name"))
            if attribute(sheet, "style-name") in hidden:
                book.hidden.append(name)
            else:
                _add(book, name, sheet)
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


def _add(book: Workbook, name: str, sheet: Element) -> None:
    part = book.begin(name)
    merged: dict[tuple[int, int], tuple[int, int]] = {}
    row = 1
    for element in _rows(sheet):
        repeated = number(attribute(element, "number-rows-repeated"), 1)
        cells = list(_cells(element))
        values = [Value(column, text, attribute(cell, "value-type") == "string") for column, cell, text in cells]
        for below in range(repeated if values else 0):
            part.add(row + below, values)
        for column, cell, _ in cells:
            rows, columns = span_of(cell, "number-rows-spanned"), span_of(cell, "number-columns-spanned")
            if (rows, columns) != (1, 1):
                merged[row, column] = rows, columns
        row += repeated
    book.end(part, merged)


def _rows(element: Element) -> Iterator[Element]:
    for item in element:
        if local(item) == "table-row":
            yield item
        elif local(item) in _ROWS:
            yield from _rows(item)


def _cells(row: Element) -> Iterator[tuple[int, Element, str]]:
    """Column (from 1), element and text of each cell that shows something."""
    column = 1
    for item in row:
        if local(item) not in _CELLS:
            continue
        repeated = number(attribute(item, "number-columns-repeated"), 1)
        shown = fold(" ".join(shown_text(part) for part in item if local(part) == "p"))
        text = shown or attribute(item, "value")
        if text and local(item) == "table-cell":
            yield from ((column + beside, item, text) for beside in range(repeated))
        column += repeated


def _hidden_styles(root: Element) -> frozenset[str]:
    """The styles of sheets that are not displayed."""
    styles = child(root, "automatic-styles")
    return frozenset(
        attribute(style, "name")
        for style in (styles if styles is not None else ())
        if any(attribute(item, "display") == "false" for item in descendants(style, "table-properties"))
    )
