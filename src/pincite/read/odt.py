"""OpenDocument: the headings, paragraphs, lists, tables and notes of a text (ODT), the sheets of a workbook (ODS)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.archive import Archive
from pincite.read.linked import PLAIN, LinkedPieces, Look
from pincite.read.markup import (
    Element,
    attribute,
    child,
    children,
    descendants,
    inherited,
    local,
    number,
    parse_xml,
    see_through,
    span_of,
    text_of,
)
from pincite.read.parts import PartBuilder, Places, RawCell, fold, in_one_line, one_part
from pincite.read.workbook import Value, Workbook
from pincite.read.xlsx_values import MAX_COLUMN
from pincite.records.pages import BlockKind, Document


class OdfLooks:
    """The looks that the styles of these parts give to text, the styles of a later one before those of an earlier."""

    def __init__(self, *roots: Element) -> None:
        styles = (style for root in roots for style in descendants(root, "style"))
        self._elements = {attribute(style, "name"): style for style in styles}
        self._known: dict[str, Look] = {"": PLAIN}

    def of(self, element: Element, around: Look = PLAIN) -> Look:
        """The look of an element's text in text of the look `around`."""
        name = attribute(element, "style-name")
        if name not in self._known:
            self._known[name] = self._resolved(name)
        own = self._known[name]
        return around if own is PLAIN else Look(own.raised, own.lowered, own.struck or around.struck)

    def _resolved(self, name: str) -> Look:
        place = line = ""
        for style in inherited(self._elements, name, lambda style: attribute(style, "parent-style-name")):
            settings = child(style, "text-properties")
            if settings is not None:
                place = attribute(settings, "text-position") or place
                lines = (attribute(settings, f"text-line-through-{kind}") for kind in ("style", "type"))
                line = next(filter(None, lines), line)
        where = place.split(" ")[0].removesuffix("%")
        raised = where == "super" or (where.isdecimal() and where != "0")
        lowered = where == "sub" or (where.startswith("-") and where[1:].isdecimal())
        look = Look(raised, lowered, line not in ("", "none"))
        return PLAIN if look == PLAIN else look


WRAPPERS = frozenset({"section", "index-body", "text-box", "soft-page-break"})
_NOT_SHOWN = frozenset(
    (
        *("annotation", "annotation-end", "tracked-changes", "hidden-text", "note", "frame", "ruby-text"),
        *("bookmark", "variable-decls", "sequence-decls", "meta", "script"),
    )
)
_MARKS = {"tab": "\t", "line-break": "\n"}
_MOST_SPACES = 100
_PROPERTIES = {"initial-creator": "author", "creation-date": "created", "date": "modified", "language": "language"}


def read_odt(path: Path, options: ReadOptions) -> Document:
    """Texts of OpenDocument. Comments, tracked deletions and hidden text never appear; macros are not looked at.
    ReadError where the file is damaged, encrypted or holds no text."""
    with Archive(path) as archive:
        root = content_of(archive)
        looks = looks_of(archive, root)
        title, metadata = properties_of(archive)
    builder = PartBuilder(1, options.max_characters)
    walk = _Walk(builder, looks)
    walk.body(child(root, "body", "text"))
    return one_part(builder.page(), title=title or walk.title, metadata=metadata)


def content_of(archive: Archive) -> Element:
    """The content of a file of OpenDocument; ReadError where it is encrypted."""
    if b"encryption-data" in (archive.read_if_there("META-INF/manifest.xml") or b""):
        raise ReadError("is encrypted: save it again without a password")
    return parse_xml(archive.read("content.xml"), "content.xml")


def looks_of(archive: Archive, content: Element) -> OdfLooks:
    """The looks that the styles of a file give to its text."""
    styles = archive.read_if_there("styles.xml")
    return OdfLooks(*([parse_xml(styles, "styles.xml")] if styles is not None else []), content)


class _Walk:
    """One pass through the body."""

    def __init__(self, builder: PartBuilder, looks: OdfLooks) -> None:
        self._builder = builder
        self._looks = looks
        self._places = Places()
        self.title: str | None = None

    def body(self, element: Element | None) -> None:
        """Add what stands below an element."""
        if element is None:
            raise ReadError("is damaged or of another kind: it has no body of text")
        for item in _content(element):
            match local(item):
                case "h":
                    self._heading(item)
                case "p":
                    self._paragraph(item)
                case "list":
                    self._list(item)
                case "table":
                    self._table(item)

    def _heading(self, item: Element) -> None:
        level = min(max(number(attribute(item, "outline-level"), 1), 1), 10)
        text = shown_text(item, self._looks)
        if text.strip():
            self._builder.add("heading", text, level=level, locator=self._places.heading(text.strip(), level))
        self._asides(item)

    def _paragraph(self, item: Element, mark: str = "") -> None:
        text = shown_text(item, self._looks)
        if attribute(item, "style-name") == "Title" and self.title is None:
            self.title = fold(text) or None
        if text.strip():
            kind: BlockKind = "list_item" if mark else "paragraph"
            self._builder.add(kind, mark + text, locator=self._places.block())
        self._asides(item)

    def _list(self, element: Element) -> None:
        """The items of a list and of those inside it, each with a dash, since numbers stand in styles alone."""
        for item in (item for item in element if local(item) in ("list-item", "list-header")):
            for part in item:
                if local(part) == "list":
                    self._list(part)
                elif local(part) == "h":
                    self._heading(part)
                elif local(part) == "p":
                    self._paragraph(part, "– ")

    def _table(self, element: Element) -> None:
        rows = [[_cell(item, self._looks, header=header) for item in _cells(row)] for row, header in _rows(element)]
        self._builder.add_table([row for row in rows if row], locator=self._places.block())

    def _asides(self, element: Element) -> None:
        """Notes and text boxes that hang on a paragraph, behind it."""
        for item in element.iter():
            if local(item) == "note-body":
                text = " ".join(
                    filter(None, (shown_text(part, self._looks).strip() for part in descendants(item, "p")))
                )
                self._builder.add("footnote", text, locator=self._places.block())
            elif local(item) == "text-box":
                self.body(item)


def _content(element: Element) -> Iterator[Element]:
    return see_through(element, WRAPPERS, choose=lambda item: local(item) in ("h", "p", "list", "table"))


def shown_text(element: Element, looks: OdfLooks, around: Look = PLAIN) -> str:
    """The text of a paragraph, without notes, comments and what is hidden; `around` is the look of its cell."""
    pieces = LinkedPieces()
    for text, look in _pieces(element, looks, around):
        pieces.add(text, look)
    return pieces.take().text


def _pieces(element: Element, looks: OdfLooks, around: Look) -> Iterator[tuple[str, Look]]:
    look = looks.of(element, around)
    yield element.text or "", look
    for item in element:
        name = local(item)
        if name == "s":
            yield " " * min(max(number(attribute(item, "c"), 1), 1), _MOST_SPACES), look
        elif name in _MARKS:
            yield _MARKS[name], look
        elif name not in _NOT_SHOWN:
            yield from _pieces(item, looks, look)
        yield item.tail or "", look


def _rows(element: Element) -> Iterator[tuple[Element, bool]]:
    """The rows of a table, and whether each is a head."""
    for item in element:
        if local(item) == "table-row":
            yield item, False
        elif local(item) == "table-header-rows":
            yield from ((row, True) for row, _ in _rows(item))
        elif local(item) in ("table-rows", "table-row-group"):
            yield from _rows(item)


def _cells(row: Element) -> Iterator[Element]:
    return (item for item in row if local(item) == "table-cell")


def _cell(item: Element, looks: OdfLooks, *, header: bool) -> RawCell:
    paragraphs = (part for part in item.iter() if local(part) in ("p", "h"))
    text = " ".join(filter(None, (shown_text(part, looks).strip() for part in paragraphs)))
    rows, columns = span_of(item, "number-rows-spanned"), span_of(item, "number-columns-spanned")
    return RawCell(text, rows, columns, header=header)


def properties_of(archive: Archive) -> tuple[str | None, dict[str, str]]:
    """Title (None where none is stated) and metadata that the file states about itself."""
    data = archive.read_if_there("meta.xml")
    root = parse_xml(data, "meta.xml") if data is not None else None
    values = {local(item): fold(text_of(item)) for item in children(root, "meta")}
    metadata = {ours: values[theirs] for theirs, ours in _PROPERTIES.items() if values.get(theirs)}
    return values.get("title") or None, metadata


_ROWS = frozenset({"table-header-rows", "table-rows", "table-row-group"})
_HIDDEN = ("collapse", "filter")
_CELLS = frozenset({"table-cell", "covered-table-cell"})


def read_ods(path: Path, options: ReadOptions) -> Document:
    """Workbooks of OpenDocument. Hidden sheets, rows and columns are left out and reported, comments never appear.
    ReadError where the file is damaged, encrypted or holds no values."""
    book = Workbook(options.max_characters)
    with Archive(path) as archive:
        root = content_of(archive)
        looks = looks_of(archive, root)
        title, metadata = properties_of(archive)
    hidden = _hidden_styles(root)
    for sheet in (item for item in children(root, "body", "spreadsheet") if local(item) == "table"):
        name = fold(attribute(sheet, "name"))
        if attribute(sheet, "style-name") in hidden:
            book.hidden.append(name)
        else:
            _add(book, name, sheet, looks)
    return book.document(title, metadata)


def _add(book: Workbook, name: str, sheet: Element, looks: OdfLooks) -> None:
    rows = list(_sheet_rows(sheet))
    part = book.begin(name, _merged(rows))
    part.hidden = set(_hidden_columns(sheet))
    row = 1
    for element in rows:
        repeated = number(attribute(element, "number-rows-repeated"), 1)
        cells = list(_row_cells(element, looks))
        values = [
            Value(column, in_one_line(text), attribute(cell, "value-type") == "string") for column, cell, text in cells
        ]
        part.add(row, values, is_hidden=attribute(element, "visibility") in _HIDDEN, times=repeated)
        row += repeated
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


def _sheet_rows(element: Element) -> Iterator[Element]:
    for item in element:
        if local(item) == "table-row":
            yield item
        elif local(item) in _ROWS:
            yield from _sheet_rows(item)


def _row_cells(row: Element, looks: OdfLooks) -> Iterator[tuple[int, Element, str]]:
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
    return frozenset(
        attribute(style, "name")
        for style in children(root, "automatic-styles")
        if any(attribute(item, "display") == "false" for item in descendants(style, "table-properties"))
    )
