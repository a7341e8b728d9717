"""The rows of a workbook that was read, cell by cell, for those who need no document."""

from __future__ import annotations

from pincite.read.xlsx_values import column_of
from pincite.records.pages import Document, Page


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
            row[cell.column + shift] = page.text[cell.span.start : cell.span.end]
        rows.append(row)
    return rows
