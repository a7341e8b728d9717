"""XLS: the workbooks of Excel 97 and before, by xlrd, shown as those of today. See docs/decisions/0203-workbooks.md."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.encoding import read_bytes
from pincite.read.linked import PLAIN, Look
from pincite.read.parts import fold, in_one_line
from pincite.read.versions import stamp
from pincite.read.workbook import SheetPart, Value, Workbook
from pincite.read.xlsx import XlsxReader
from pincite.read.xlsx_values import Formats, with_look
from pincite.records.pages import Document

MAX_XLS_BYTES = 256 * 2**20
ZIP_MAGIC = b"PK\x03\x04"
"""How a workbook of today begins, which is called .xls often enough."""
BROKEN = (AssertionError, AttributeError, LookupError, TypeError, ValueError, OSError, struct.error)
"""What xlrd raises beside its own errors for workbooks that are damaged."""


class XlsReader:
    """Old workbooks. Formulas are never computed: the stored results are read. Hidden sheets, rows and columns are
    left out and told."""

    name = "xls"
    suffixes = frozenset({".xls", ".xlt"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "2", "xlrd", "lxml")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the file at `path`; raise ReadError where it is damaged, encrypted or holds no values."""
        import xlrd

        content = read_bytes(path, MAX_XLS_BYTES)
        if content.startswith(ZIP_MAGIC):
            return replace(XlsxReader().read(path, options), reader=self.version)
        book = Workbook(options.max_characters)
        try:
            opened = xlrd.open_workbook(file_contents=content, formatting_info=True, on_demand=True, logfile=StringIO())
            _add_sheets(opened, book)
        except (xlrd.XLRDError, xlrd.compdoc.CompDocError, *BROKEN) as error:
            if "encrypted" in str(error):
                raise ReadError("is encrypted: save it again without a password") from error
            raise ReadError(f"is damaged or no workbook of Excel 97: save it as XLSX ({error})") from error
        if not any(page.text for page in book.pages):
            raise ReadError("holds no values")
        author = fold(opened.user_name)
        return Document(
            tuple(book.pages),
            self.version,
            paged=False,
            locators="block",
            metadata={"author": author} if author else {},
            warnings=book.warnings(),
        )


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
    hidden = {column + 1 for column, info in sheet.colinfo_map.items() if info.hidden}
    left_out: set[int] = set()
    for row in range(sheet.nrows):
        values = list(_values(sheet, row, formats))
        info = sheet.rowinfo_map.get(row)
        if values and info is not None and info.hidden:
            part.hidden_rows += 1
            continue
        left_out.update(value.column for value in values if value.column in hidden)
        if shown := [value for value in values if value.column not in hidden]:
            part.add(row + 1, shown)
    part.hidden_columns = len(left_out)


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
