"""XLS and XLSX: a part for each sheet that is shown, a block for each row. See docs/decisions/0203-workbooks.md."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.archive import Archive, main_part, properties, related, relation_id, relation_targets
from pincite.read.encoding import read_bytes
from pincite.read.linked import PLAIN, Look
from pincite.read.markup import Element, attribute, child, children, local, number, parse_xml, stream_xml
from pincite.read.parts import fold, in_one_line
from pincite.read.workbook import SheetPart, Value, Workbook
from pincite.read.xlsx_values import MAX_COLUMN, Formats, cell_value, column_of, formats_of, rich_text, with_look
from pincite.records.pages import Document

MAX_STRINGS = 5_000_000
_ON = ("1", "true")
_BLOCK_BYTES = 1 << 20
_LONGEST_MERGE = 200
_MERGE = re.compile(rb'<(?:\w{1,20}:)?mergeCell\s[^<>]{0,100}?\bref="([A-Z0-9]{1,12}:[A-Z0-9]{1,12})"')


def read_xlsx(path: Path, options: ReadOptions) -> Document:
    """Workbooks. Formulas are never computed: the stored results are read. Hidden sheets, rows and columns are left out
    and reported. ReadError where the file is damaged, hostile or holds no values."""
    with Archive(path) as archive:
        part = main_part(archive, "xl/workbook.xml")
        root = parse_xml(archive.read(part), part)
        book = Workbook(options.max_characters)
        _Sheets(archive, part, root).read(child(root, "sheets"), book)
        title, metadata = properties(archive)
    return book.document(title, metadata)


class _Sheets:
    """The sheets of a workbook that is being read, with what they share."""

    def __init__(self, archive: Archive, part: str, root: Element) -> None:
        self._archive = archive
        self._targets = relation_targets(archive, part)
        styles = related(archive, part, "styles")
        self._formats = formats_of(
            parse_xml(archive.read(styles), styles) if styles else None,
            since_1904=attribute(child(root, "workbookPr"), "date1904") in _ON,
        )
        strings = related(archive, part, "sharedStrings")
        self._strings = list(_shared_strings(archive, strings)) if strings else []

    def read(self, sheets: Element | None, book: Workbook) -> None:
        """Add each sheet that is shown to the book, and the names of the others."""
        for sheet in children(sheets):
            name = fold(attribute(sheet, "name"))
            if attribute(sheet, "state", "visible") != "visible":
                book.hidden.append(name)
            else:
                self._add(book, name, self._targets.get(relation_id(sheet), ""))

    def _add(self, book: Workbook, name: str, part: str) -> None:
        with self._archive.open(part) as file:
            sheet = book.begin(name, _merged_cells(file))
        previous = 0
        with self._archive.open(part) as file:
            for element in stream_xml(file, part, "worksheet", frozenset({"row", "col"})):
                if local(element) == "col":
                    sheet.hidden |= _hidden_columns(element)
                    continue
                row, values = self._row(element, previous)
                previous = row if values else previous
                sheet.add(row, values, is_hidden=attribute(element, "hidden") in _ON)
        book.end(sheet)

    def _row(self, element: Element, previous: int) -> tuple[int, list[Value]]:
        """The number of a row, and each cell in it that shows something."""
        row = number(attribute(element, "r"), previous + 1)
        values: list[Value] = []
        column = 0
        for cell in element.iterchildren("{*}c"):
            column = column_of(cell.get("r", "")) or column + 1
            text, is_text = cell_value(cell, self._strings, self._formats)
            if text := in_one_line(text):
                values.append(Value(column, text, is_text))
        return row, values


def _shared_strings(archive: Archive, part: str) -> Iterator[str]:
    with archive.open(part) as file:
        for count, item in enumerate(stream_xml(file, part, "sst", frozenset({"si"}))):
            if count >= MAX_STRINGS:
                raise ReadError(f"has more than {MAX_STRINGS:,} texts: split it")
            yield rich_text(item)


def _merged_cells(file: IO[bytes]) -> dict[tuple[int, int], tuple[int, int]]:
    """The merged cells of a sheet, which come after its rows: found in its bytes, since parsing it twice takes twice as
    long. Damage is reported when the rows are read."""
    merged: dict[tuple[int, int], tuple[int, int]] = {}
    rest = b""
    with suppress(zlib.error, BadZipFile, OSError, EOFError):
        while block := file.read(_BLOCK_BYTES):
            found = rest + block
            for match in _MERGE.finditer(found) if b"mergeCell" in found else ():
                merged |= _merge(match[1].decode("ascii"))
            rest = found[-_LONGEST_MERGE:]
    return merged


def _hidden_columns(element: Element) -> set[int]:
    """The columns that a "col" hides."""
    if attribute(element, "hidden") not in _ON:
        return set()
    first, last = (number(attribute(element, name)) for name in ("min", "max"))
    return set(range(first, min(last, MAX_COLUMN) + 1))


def _merge(reference: str) -> dict[tuple[int, int], tuple[int, int]]:
    """(row, column) of the first cell of a merged range, with the rows and columns that it covers."""
    first, _, last = reference.partition(":")
    top, left = number(first.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")), column_of(first)
    bottom, right = number(last.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")), column_of(last)
    if not (0 < top <= bottom and 0 < left <= right):
        return {}
    return {(top, left): (bottom - top + 1, right - left + 1)}


MAX_XLS_BYTES = 256 * 2**20
BROKEN = (AssertionError, AttributeError, LookupError, TypeError, ValueError, OSError, BadZipFile, struct.error)
"""What xlrd raises beside its own errors for workbooks that are damaged."""


def read_xls(path: Path, options: ReadOptions) -> Document:
    """Old workbooks, read like those of today. ReadError where the file is damaged, encrypted or holds no values."""
    import xlrd

    content = read_bytes(path, MAX_XLS_BYTES)
    book = Workbook(options.max_characters)
    try:
        opened = xlrd.open_workbook(file_contents=content, formatting_info=True, on_demand=True, logfile=StringIO())
        _add_sheets(opened, book)
    except (xlrd.XLRDError, xlrd.compdoc.CompDocError, *BROKEN) as error:
        if "encrypted" in str(error):
            raise ReadError("is encrypted: save it again without a password") from error
        raise ReadError(f"is damaged or no workbook of Excel 97: save it as XLSX ({error})") from error
    author = fold(opened.user_name)
    return book.document(None, {"author": author} if author else {})


def _add_sheets(opened: Any, book: Workbook) -> None:
    codes = {key: form.format_str for key, form in opened.format_map.items()}
    fonts = [_look(font) for font in opened.font_list]
    looks = (fonts[style.font_index] if style.font_index < len(fonts) else PLAIN for style in opened.xf_list)
    used = (style.format_key for style in opened.xf_list)
    formats = Formats(codes, used, looks, since_1904=opened.datemode == 1)
    for position, name in enumerate(opened.sheet_names()):
        sheet = opened.sheet_by_index(position)
        if sheet.visibility:
            book.hidden.append(fold(name))
        else:
            corners = (
                (top + 1, left + 1, bottom - top, right - left) for top, bottom, left, right in sheet.merged_cells
            )
            part = book.begin(fold(name), {(top, left): (height, width) for top, left, height, width in corners})
            _add_rows(sheet, part, formats)
            book.end(part)
        opened.unload_sheet(position)


def _add_rows(sheet: Any, part: SheetPart, formats: Formats) -> None:
    part.hidden = {column + 1 for column, info in sheet.colinfo_map.items() if info.hidden}
    for row in range(sheet.nrows):
        info = sheet.rowinfo_map.get(row)
        part.add(row + 1, list(_values(sheet, row, formats)), is_hidden=info is not None and bool(info.hidden))


def _values(sheet: Any, row: int, formats: Formats) -> Iterator[Value]:
    """Each cell of a row (from 0) that shows something."""
    for column, cell in enumerate(sheet.row(row), start=1):
        look = formats.look(cell.xf_index or 0)
        text = _shown(cell, formats) if look is PLAIN else with_look(_shown(cell, formats), look)
        if text := in_one_line(text):
            yield Value(column, text, isinstance(cell.value, str))


def _shown(cell: Any, formats: Formats) -> str:
    import xlrd

    match cell.ctype:
        case xlrd.XL_CELL_NUMBER | xlrd.XL_CELL_DATE:
            return formats.show(repr(cell.value), cell.xf_index)
        case xlrd.XL_CELL_BOOLEAN:
            return "TRUE" if cell.value else "FALSE"
        case xlrd.XL_CELL_ERROR:
            return str(xlrd.error_text_from_code.get(cell.value, "#ERROR"))
        case xlrd.XL_CELL_TEXT:
            return formats.show_text(str(cell.value), cell.xf_index)
        case _:
            return str(cell.value)


def _look(font: Any) -> Look:
    look = Look(font.escapement == 1, font.escapement == 2, bool(font.struck_out))
    return PLAIN if look == PLAIN else look
