"""Workbooks: what the cells show, where they stand, and no formula is ever computed."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.office_files import blocks, cells, read, sliced, xlsx

from pincite.errors import ReadError
from pincite.read.xlsx_values import column_letters, column_of

STRINGS = "<si><t>Load</t></si><si><r><t>sn</t></r><r><t>ow</t></r><rPh><t>reading</t></rPh></si>"
STYLES = (
    '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/><numFmt numFmtId="165" formatCode="0.0%"/>'
    '<numFmt numFmtId="166" formatCode="[Red]0.00 &quot;days&quot;"/></numFmts>'
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="22"/>'
    '<xf numFmtId="20"/></cellXfs>'
)


def data(*rows: str) -> str:
    return "<sheetData>" + "".join(rows) + "</sheetData>"


def row(number: int, **values: str) -> str:
    inner = "".join(f'<c r="{column}{number}"{rest}' for column, rest in values.items())
    return f'<row r="{number}">{inner}</row>'


def text(index: int) -> str:
    return f' t="s"><v>{index}</v></c>'


def value(stored: str, style: int = 0) -> str:
    return f' s="{style}"><v>{stored}</v></c>'


def test_each_row_is_found_by_its_sheet_and_its_cells(tmp_path: Path) -> None:
    sheet = data(row(2, B=text(0), C=text(1)), row(3, B=value("1.5"), D=value("2")), row(9, F=value("7")))
    document = read(xlsx(tmp_path / "a.xlsx", {"Roof loads": sheet}, strings=STRINGS))
    assert blocks(document, "table") == ["Load\tsnow", "1.5\t\t2", "7"]
    assert [item.locator for item in document.pages[0].blocks] == [
        "'Roof loads'!B2:C2",
        "'Roof loads'!B3:D3",
        "'Roof loads'!F9",
    ]
    assert cells(document) == {(0, 0): "Load", (0, 1): "snow", (1, 0): "1.5", (1, 2): "2"}
    assert document.pages[0].label == "Roof loads"
    assert not document.paged


def test_the_first_row_of_texts_is_the_head(tmp_path: Path) -> None:
    sheet = data(row(1, A=text(0), B=text(1)), row(2, A=value("1"), B=value("2")))
    table = read(xlsx(tmp_path / "a.xlsx", {"S": sheet}, strings=STRINGS)).pages[0].tables[0]
    assert [cell.header for cell in table.cells] == [True, True, False, False]


@pytest.mark.parametrize(
    ("stored", "style", "shown"),
    [
        ("45292", 1, "2024-01-01"),
        ("45292.5", 4, "2024-01-01 12:00:00"),
        ("0.25", 5, "06:00:00"),
        ("59", 1, "1900-02-28"),
        ("0.125", 2, "12.5%"),
        ("3.5", 3, "3.50 days"),
        ("0.30000000000000004", 0, "0.3"),
        ("1E300", 1, "1e+300"),
        ("nonsense", 1, "nonsense"),
    ],
)
def test_numbers_show_as_their_format_says(tmp_path: Path, stored: str, style: int, shown: str) -> None:
    sheet = data(row(1, A=value(stored, style)))
    assert read(xlsx(tmp_path / "a.xlsx", {"S": sheet}, styles=STYLES)).pages[0].text == shown


def test_formulas_give_their_stored_result_and_are_not_computed(tmp_path: Path) -> None:
    sheet = data(row(1, A="><f>1+1</f><v>5</v></c>", B="><f>cmd|' /C calc'!A0</f></c>", C=' t="e"><v>#N/A</v></c>'))
    assert read(xlsx(tmp_path / "a.xlsx", {"S": sheet})).pages[0].text == "5\t\t#N/A"


def test_other_kinds_of_cells(tmp_path: Path) -> None:
    sheet = data(row(1, A=' t="b"><v>1</v></c>', B=' t="inlineStr"><is><t>in\nline</t></is></c>', C=text(99)))
    assert read(xlsx(tmp_path / "a.xlsx", {"S": sheet})).pages[0].text == "TRUE\tin line"


def test_merged_cells_keep_their_spans(tmp_path: Path) -> None:
    sheet = (
        data(row(1, A=text(0)), row(2, A=value("1"), B=value("2")))
        + '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>'
    )
    table = read(xlsx(tmp_path / "a.xlsx", {"S": sheet}, strings=STRINGS)).pages[0].tables[0]
    assert (table.cells[0].row_span, table.cells[0].column_span) == (1, 2)


def test_hidden_sheets_are_named_and_left_out(tmp_path: Path) -> None:
    sheets = {"Shown": data(row(1, A=value("1"))), "Secret": data(row(1, A=value("2")))}
    document = read(xlsx(tmp_path / "a.xlsx", sheets, hidden="Secret"))
    assert [page.text for page in document.pages] == ["1"]
    assert document.warnings == ("hidden sheets were not read: Secret",)


def test_hidden_rows_and_columns_are_told_and_left_out(tmp_path: Path) -> None:
    sheet = '<cols><col min="2" max="3" hidden="1"/></cols>' + data(
        row(1, A=value("1"), B=value("2"), D=value("4")),
        row(2, A=value("5")).replace("<row", '<row hidden="1"'),
        row(3, A=value("6"), D=value("7")),
    )
    document = read(xlsx(tmp_path / "a.xlsx", {"Bees": sheet}))
    assert "2" not in document.pages[0].text
    assert "5" not in document.pages[0].text
    assert document.warnings == ("hidden rows and columns were not read: Bees (1 row, 1 column)",)


def test_a_hidden_row_does_not_part_its_table(tmp_path: Path) -> None:
    sheet = data(
        row(1, A=text(0), B=text(0)),
        row(2, A=value("5")).replace("<row", '<row hidden="1"'),
        row(3, A=value("6"), B=value("7")),
        row(5, A=value("8"), B=value("9")),
    )
    names = "<si><t>Hive</t></si>"
    page = read(xlsx(tmp_path / "a.xlsx", {"Bees": sheet}, strings=names)).pages[0]
    assert page.text == "Hive\tHive\n6\t7\n\n8\t9"
    assert len(page.tables) == 2


def test_cells_that_show_nothing_keep_their_column(tmp_path: Path) -> None:
    names = "".join(f"<si><t>{name}</t></si>" for name in ("Hive", "Honey", "Wax", "North"))
    sheet = data(
        row(1, A=text(0), B=text(1), C=text(2)), row(2, A=text(3), C=value("4")), row(3, A=text(3), B=value("5"))
    )
    assert read(xlsx(tmp_path / "a.xlsx", {"S": sheet}, strings=names)).pages[0].text.split("\n") == [
        "Hive\tHoney\tWax",
        "North\t\t4",
        "North\t5\t",
    ]


def test_a_merged_head_stands_over_each_of_its_columns_and_a_merged_label_before_each_of_its_rows(
    tmp_path: Path,
) -> None:
    names = "".join(f"<si><t>{name}</t></si>" for name in ("Harvests", "Hive", "2023", "Honey", "Wax", "North"))
    sheet = (
        data(
            row(1, A=text(0)),
            row(2, A=text(1), B=text(2)),
            row(3, B=text(3), C=text(4)),
            row(4, A=text(5), B=value("7"), C=value("1")),
            row(5, B=value("8"), C=value("2")),
        )
        + '<mergeCells count="4"><mergeCell ref="A1:C1"/><mergeCell ref="A2:A3"/><mergeCell ref="B2:C2"/>'
        '<mergeCell ref="A4:A5"/></mergeCells>'
    )
    document = read(xlsx(tmp_path / "a.xlsx", {"S": sheet}, strings=names))
    assert document.pages[0].text.split("\n") == [
        "Harvests",
        "Hive\t2023\t2023",
        "Hive\tHoney\tWax",
        "North\t7\t1",
        "North\t8\t2",
    ]
    assert len(document.pages[0].tables[0].cells) == 10


@pytest.mark.parametrize(
    ("stored", "code", "shown"),
    [
        ("7", '"HV-"0000', "HV-0007 (7)"),
        ("1250", "#,##0.00 [$€-407]", "1,250.00 €"),
        ("-1250", "#,##0.00_);(#,##0.00)", "(1,250.00)"),
        ("-3", "0", "-3"),
        ("12500", '#,##0.0,"k t"', "12.5k t (12500)"),
        ("1", '"open";;"shut"', "open"),
        ("0", '"open";;"shut"', "shut"),
        ("0", '[=1]"yes";[=0]"no";General', "no"),
        ("1.5625", "[h]:mm", "37:30"),
        ("0.0625", "[mm]:ss", "90:00"),
        ("6.5", 'General" kg"', "6.5 kg"),
        ("5551234567", "(000) 000-0000", "(555) 123-4567"),
        ("0", '_-* #,##0.00_-;-* #,##0.00_-;_-* "-"??_-;_-@_-', "-"),
        ("1234567", "0.00E+00", "1.23E+06"),
        ("0.5", "# ?/?", "0.5"),
        ("2.5", "0", "3 (2.5)"),
    ],
)
def test_a_number_shows_as_its_own_format_says(tmp_path: Path, stored: str, code: str, shown: str) -> None:
    styles = (
        f'<numFmts><numFmt numFmtId="170" formatCode="{escape(code, {chr(34): "&quot;"})}"/></numFmts>'
        '<cellXfs><xf numFmtId="170"/></cellXfs>'
    )
    sheet = data(row(1, A=value(stored)))
    assert read(xlsx(tmp_path / "a.xlsx", {"S": sheet}, styles=styles)).pages[0].text == shown


def test_a_text_shows_as_its_format_says(tmp_path: Path) -> None:
    styles = (
        '<numFmts><numFmt numFmtId="170" formatCode="&quot;Hive &quot;@"/></numFmts>'
        '<cellXfs><xf numFmtId="170"/></cellXfs>'
    )
    sheet = data(row(1, A=' t="s" s="0"><v>0</v></c>'))
    document = read(xlsx(tmp_path / "a.xlsx", {"S": sheet}, strings="<si><t>north</t></si>", styles=styles))
    assert document.pages[0].text == "Hive north"


def test_a_cell_in_the_far_corner_costs_nothing(tmp_path: Path) -> None:
    sheet = data(row(1, A=value("1")), row(1048576, XFD=value("2")))
    document = read(xlsx(tmp_path / "a.xlsx", {"S": sheet}))
    assert [sliced(document, block.span) for block in document.pages[0].blocks] == ["1", "2"]
    assert document.pages[0].blocks[1].locator == "S!XFD1048576"


def test_a_workbook_without_values_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="holds no values"):
        read(xlsx(tmp_path / "a.xlsx", {"S": data()}))


@given(st.integers(min_value=1, max_value=16_384))
def test_columns_and_letters_are_the_same_thing(column: int) -> None:
    assert column_of(column_letters(column) + "12") == column
