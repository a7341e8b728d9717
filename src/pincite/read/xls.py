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
from pincite.read.parts import fold
from pincite.read.versions import stamp
from pincite.read.workbook import Value, Workbook
from pincite.read.xlsx import XlsxReader
from pincite.read.xlsx_values import Formats
from pincite.records import Document

MAX_XLS_BYTES = 256 * 2**20
ZIP_MAGIC = b"PK\x03\x04"
"""How a workbook of today begins, which is called .xls often enough."""
BROKEN = (AssertionError, AttributeError, LookupError, TypeError, ValueError, OSError, struct.error)
"""What xlrd raises beside its own errors for workbooks that are damaged."""


class XlsReader:
    """Old workbooks. Formulas are never computed: the stored results are read. Hidden sheets are left out and named."""

    name = "xls"
    suffixes = frozenset({".xls", ".xlt"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "1", "xlrd", "lxml")

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
    formats = Formats(codes, (style.format_key for style in opened.xf_list), since_1904=opened.datemode == 1)
    for position, name in enumerate(opened.sheet_names()):
        sheet = opened.sheet_by_index(position)
        if sheet.visibility:
            book.hidden.append(fold(name))
        else:
            part = book.begin(fold(name))
            for row in range(sheet.nrows):
                if values := list(_values(sheet, row, formats)):
                    part.add(row + 1, values)
            book.end(
                part,
                {(top + 1, left + 1): (bottom - top, right - left) for top, bottom, left, right in sheet.merged_cells},
            )
        opened.unload_sheet(position)


def _values(sheet: Any, row: int, formats: Formats) -> Iterator[Value]:
    """Each cell of a row (from 0) that shows something."""
    for column, cell in enumerate(sheet.row(row), start=1):
        text = _shown(cell, formats)
        if fold(text):
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
        case _:
            return str(cell.value)
