"""Tables of PDF pages: every value stays in its column, whatever stands over the columns or is left blank."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.support.made_pdfs import Sheet, write_pdf

from pincite.ports import ReadOptions
from pincite.read.pdf import read_pdf
from pincite.records.pages import Page

XS = (50, 150, 200, 250, 300)
UPPER = ((50, "Cheese"), (160, "Mild"), (262, "Strong"))
LOWER = ("", "Young", "Old", "Young", "Old")
ROWS = (("Gouda", "9", "14", "11", "19"), ("Edam", "8", "", "12", ""), ("Leerdam", "7", "–", "10", "16"))


def page_of(tmp_path: Path, draw: Callable[[Sheet], None]) -> Page:
    return read_pdf(write_pdf(tmp_path / "a.pdf", [draw]), ReadOptions()).pages[0]


def prices(sheet: Sheet) -> None:
    sheet.text(50, 60, "Prices of the dairy", 12)
    for x, word in UPPER:
        sheet.text(x, 90, word)
    for number, row in enumerate((LOWER, *ROWS)):
        for x, word in zip(XS, row, strict=True):
            sheet.text(x + 10 * (x > 50), 104 + 14 * number, word)


def ruled(sheet: Sheet) -> None:
    prices(sheet)
    sheet.grid((45, 150, 200, 250, 300, 350), (94, 108, 122, 136, 150))
    for x in (45, 150, 250, 350):
        sheet.rule(x, 79, x, 94)
    sheet.rule(45, 79, 350, 79)


def check(page: Page) -> None:
    assert page.text.split("\n")[1:] == [
        "Cheese\tMild\t\tStrong\t",
        "\tYoung\tOld\tYoung\tOld",
        "Gouda\t9\t14\t11\t19",
        "Edam\t8\t\t12\t",
        "Leerdam\t7\t–\t10\t16",
    ]
    (table,) = page.tables
    cells = {(cell.row, cell.column): cell for cell in table.cells}
    assert [(cells[0, column].column_span, cells[0, column].header) for column in (0, 1, 3)] == [
        (1, True),
        (2, True),
        (2, True),
    ]
    assert all(cells[1, column].header for column in range(1, 5)) and not cells[2, 0].header


def test_heads_over_several_columns_and_blanks_keep_their_places(tmp_path: Path) -> None:
    check(page_of(tmp_path, prices))


def test_the_same_between_drawn_lines(tmp_path: Path) -> None:
    check(page_of(tmp_path, ruled))
