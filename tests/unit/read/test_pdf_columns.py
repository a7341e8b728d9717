"""Short columns are read down, and short tables across."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.made_pdfs import Sheet, write_pdf

from pincite.ports import ReadOptions
from pincite.read.pdf import read_pdf

Placed = tuple[float, float, str]


def text_of(tmp_path: Path, placed: list[Placed]) -> list[str]:
    def draw(sheet: Sheet) -> None:
        for x, y, words in placed:
            sheet.text(x, y, words, 9)

    return read_pdf(write_pdf(tmp_path / "a.pdf", [draw]), ReadOptions()).pages[0].text.split("\n")


@pytest.mark.parametrize(
    ("placed", "reads"),
    [
        (
            [
                (30, 60, "The bakers met on Monday in the"),
                (220, 60, "chose a new master of the guild"),
                (30, 72, "old mill and then"),
                (220, 72, "for the coming year."),
            ],
            [
                "The bakers met on Monday in the",
                "old mill and then",
                "chose a new master of the guild",
                "for the coming year.",
            ],
        ),
        (
            [
                (30, 60, "The bakers of the town sold more rye bread than in any year before the flood."),
                (30, 90, "61%"),
                (220, 90, "-7%"),
                (30, 102, "of loaves sold"),
                (220, 102, "change in wheat"),
                (30, 112, "were of rye"),
                (220, 112, "since the flood"),
            ],
            [
                "The bakers of the town sold more rye bread than in any year before the flood.",
                "61%",
                "of loaves sold",
                "were of rye",
                "-7%",
                "change in wheat",
                "since the flood",
            ],
        ),
        (
            [
                (30, 40, "The bakers sold more rye bread than"),
                (30, 52, "in any year before the flood."),
                (30, 64, "Wheat was dear."),
                (30, 120, "61%"),
                (150, 120, "-7%"),
                (30, 132, "of loaves sold"),
                (150, 132, "change in wheat"),
                (30, 142, "were of rye"),
                (150, 142, "since the flood"),
            ],
            [
                "The bakers sold more rye bread than",
                "in any year before the flood.",
                "Wheat was dear.",
                "61%",
                "of loaves sold",
                "were of rye",
                "-7%",
                "change in wheat",
                "since the flood",
            ],
        ),
        (
            [(30, 60, "Baker"), (220, 60, "Town"), (30, 72, "Hinrich Moor"), (220, 72, "Varel an der Jade")],
            ["Baker Town", "Hinrich Moor Varel an der Jade"],
        ),
    ],
    ids=["two lines a column", "a band of figures", "figures below a short line", "a short table"],
)
def test_columns_of_few_lines(tmp_path: Path, placed: list[Placed], reads: list[str]) -> None:
    assert text_of(tmp_path, placed) == reads


def test_a_sentence_in_large_print_is_no_heading(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.text(30, 60, "The bakers met on Monday", 14)
        sheet.text(220, 60, "chose a new master of", 14)
        sheet.text(30, 76, "in the mill and then", 14)
        sheet.text(220, 76, "the guild of the town.", 14)
        for row in range(8):
            sheet.text(30, 120 + 12 * row, "Rye was sold at the north gate on each day but Sunday.", 9)

    page = read_pdf(write_pdf(tmp_path / "a.pdf", [draw]), ReadOptions()).pages[0]
    assert [block.kind for block in page.blocks][:2] == ["paragraph", "paragraph"]


def test_a_table_begins_below_its_caption(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.text(30, 60, "(1) Barrows are put in classes by their", 9)
        sheet.text(240, 60, "net weight,", 9)
        sheet.text(30, 72, "and by what they lift, see Table 3.", 9)
        sheet.text(90, 90, "Table 3 - Barrows by class", 9)
        for row, cells in enumerate(["Class;Weight;Lift", "B1;21;10", "B2;31;15", "B3;44;25", "B4;60;40"]):
            for column, cell in enumerate(cells.split(";")):
                sheet.text(60 + 100 * column, 108 + 12 * row, cell, 9)

    page = read_pdf(write_pdf(tmp_path / "a.pdf", [draw]), ReadOptions()).pages[0]
    tables = [page.text[b.span.start : b.span.end] for b in page.blocks if b.kind == "table"]
    assert tables == ["Class\tWeight\tLift\nB1\t21\t10\nB2\t31\t15\nB3\t44\t25\nB4\t60\t40"]
    assert "caption" in [block.kind for block in page.blocks]


def test_a_short_table_of_growing_numbers_is_no_list_of_contents(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        for row, (label, value) in enumerate(
            [("Class", "Load"), ("B1", "26"), ("B2", "40"), ("B3", "63"), ("B4", "90")]
        ):
            sheet.text(60, 60 + 12 * row, label, 9)
            sheet.text(200, 60 + 12 * row, value, 9)

    page = read_pdf(write_pdf(tmp_path / "a.pdf", [draw]), ReadOptions()).pages[0]
    assert [block.kind for block in page.blocks] == ["table"]
