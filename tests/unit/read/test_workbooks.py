"""Old workbooks (XLS) and those of OpenDocument (ODS) are read as those of today: by what each cell shows."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.support.office_files import cells, ods, packed, read, xls, xlsx

from pincite.errors import ReadError


def loads(book: Any) -> None:
    import xlwt

    sheet = book.add_sheet("Loads 2024")
    for column, head in enumerate(("Place", "Load", "Share", "Since", "Valid")):
        sheet.write(0, column, head)
    sheet.write(1, 0, "Roof")
    sheet.write(1, 1, 0.75)
    sheet.write(1, 2, 0.125, xlwt.easyxf(num_format_str="0.0%"))
    sheet.write(1, 3, date(2023, 1, 31), xlwt.easyxf(num_format_str="DD.MM.YYYY"))
    sheet.write(1, 4, True)
    sheet.write_merge(3, 3, 0, 2, "Bridges")


def test_an_old_workbook_shows_numbers_percentages_dates_and_its_merged_cells(tmp_path: Path) -> None:
    document = read(xls(tmp_path / "a.xls", loads))
    (page,) = document.pages
    assert page.label == "Loads 2024"
    assert page.text == "Place\tLoad\tShare\tSince\tValid\nRoof\t0.75\t12.5%\t2023-01-31\tTRUE\n\nBridges"
    assert [block.locator for block in page.blocks] == ["'Loads 2024'!A1:E1", "'Loads 2024'!A2:E2", "'Loads 2024'!A4"]
    assert page.tables[0].cells[0].header
    assert page.tables[1].cells[0].column_span == 3
    assert not document.paged


def test_a_hidden_sheet_of_an_old_workbook_is_named_and_not_read(tmp_path: Path) -> None:
    def fill(book: Any) -> None:
        loads(book)
        secret = book.add_sheet("Secret")
        secret.write(0, 0, "hidden value")
        secret.visibility = 1

    document = read(xls(tmp_path / "a.xls", fill))
    assert "hidden value" not in "".join(page.text for page in document.pages)
    assert document.warnings == ("hidden sheets were not read: Secret",)


@pytest.mark.parametrize(
    "content",
    [b"", b"no\0workbook", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, b"<html><table></table></html>"],
)
def test_what_is_no_old_workbook_is_refused_with_what_to_do(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.xls"
    path.write_bytes(content)
    with pytest.raises(ReadError):
        read(path)


def test_a_workbook_of_today_that_is_called_xls_is_read(tmp_path: Path) -> None:
    row = '<sheetData><row r="1"><c r="B1" t="inlineStr"><is><t>Roof</t></is></c></row></sheetData>'
    (page,) = read(xlsx(tmp_path / "a.xls", {"Loads": row})).pages
    assert (page.text, page.blocks[0].locator) == ("Roof", "Loads!B1")


@pytest.mark.parametrize("kept", [600, 2000, 4000])
def test_a_damaged_old_workbook_is_refused_or_read_never_a_bug(tmp_path: Path, kept: int) -> None:
    path = xls(tmp_path / "a.xls", loads)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ReadError):
        read(path)


CELL = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
ROWS = (
    f"<table:table-row>{CELL.format('Place')}{CELL.format('Load')}</table:table-row>"
    f'<table:table-row table:number-rows-repeated="2">{CELL.format("Roof")}'
    '<table:table-cell office:value-type="percentage" office:value="0.125"><text:p>12.5 %</text:p>'
    "<office:annotation><text:p>a comment</text:p></office:annotation></table:table-cell></table:table-row>"
    '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="1024"/>'
    "</table:table-row>"
)


def test_a_workbook_of_open_document_shows_what_its_cells_display_and_no_comment(tmp_path: Path) -> None:
    document = read(ods(tmp_path / "a.ods", f'<table:table table:name="Loads">{ROWS}</table:table>'))
    (page,) = document.pages
    assert page.text == "Place\tLoad\nRoof\t12.5 %\nRoof\t12.5 %"
    assert [block.locator for block in page.blocks] == ["Loads!A1:B1", "Loads!A2:B2", "Loads!A3:B3"]
    assert cells(document)[1, 1] == "12.5 %"
    assert page.tables[0].cells[0].header


def test_columns_without_values_are_counted_and_merged_cells_cover_theirs(tmp_path: Path) -> None:
    row = (
        '<table:table-row><table:table-cell table:number-columns-repeated="2"/>'
        '<table:table-cell office:value-type="string" table:number-columns-spanned="2"><text:p>Roofs</text:p>'
        '</table:table-cell><table:covered-table-cell/><table:table-cell office:value-type="float" office:value="4"/>'
        "</table:table-row>"
    )
    (page,) = read(ods(tmp_path / "a.ods", f'<table:table table:name="L">{row}</table:table>')).pages
    assert (page.text, page.blocks[0].locator) == ("Roofs\tRoofs\t4", "L!C1:E1")
    assert page.tables[0].cells[0].column_span == 2


def test_a_hidden_sheet_of_open_document_is_named_and_not_read(tmp_path: Path) -> None:
    style = '<style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
    secret = f'<table:table table:name="Secret" table:style-name="ta2">{ROWS}</table:table>'
    sheets = f'<table:table table:name="Loads">{ROWS}</table:table>{secret}'
    document = read(ods(tmp_path / "a.ods", sheets, styles=style))
    assert [page.label for page in document.pages] == ["Loads"]
    assert document.warnings == ("hidden sheets were not read: Secret",)


def test_an_encrypted_and_an_empty_workbook_of_open_document_are_refused(tmp_path: Path) -> None:
    locked = {"META-INF/manifest.xml": "<manifest><encryption-data/></manifest>"}
    with pytest.raises(ReadError, match="encrypted"):
        read(ods(tmp_path / "a.ods", "", **locked))
    with pytest.raises(ReadError, match="no values"):
        read(ods(tmp_path / "b.ods", '<table:table table:name="L"/>'))
    with pytest.raises(ReadError, match="content"):
        read(packed(tmp_path / "c.ods", {"a": "b"}))
