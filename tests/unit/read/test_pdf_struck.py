"""What a line strikes out on a PDF page is kept as struck out; what is underlined or ruled is not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from tests.support.made_pdfs import Sheet, change, write_pdf

from pincite.ports import ReadOptions
from pincite.read.pdf import read_pdf

FEE = "The ferry costs nine crowns."
WIDTH = 128.4


def read(path: Path) -> list[str]:
    return read_pdf(path, ReadOptions()).pages[0].text.split("\n")


def with_rule(left: float, right: float, rise: float) -> Callable[[Sheet], None]:
    def draw(sheet: Sheet) -> None:
        sheet.text(50, 100, FEE)
        sheet.rule(50 + left, 100 - rise, 50 + right, 100 - rise)
        sheet.text(50, 112, "It leaves at noon.")

    return draw


@pytest.mark.parametrize(
    ("left", "right", "rise", "reads"),
    [
        (0, WIDTH, 3, f"~~{FEE}~~"),
        (71, 92, 2.6, "The ferry costs ~~nine~~ crowns."),
        (0, WIDTH, -1.2, FEE),
        (-30, 320, 3, FEE),
        (0, WIDTH, 9.5, FEE),
    ],
    ids=["all of it", "one word", "underlined", "a rule across the page", "a rule above"],
)
def test_a_line_through_words_strikes_them_out(
    tmp_path: Path, left: float, right: float, rise: float, reads: str
) -> None:
    assert read(write_pdf(tmp_path / "a.pdf", [with_rule(left, right, rise)])) == [reads, "It leaves at noon."]


def test_a_reader_strikes_words_out_with_a_mark(tmp_path: Path) -> None:
    def strike(pdf: pikepdf.Pdf) -> None:
        box = [50, 457, 50 + WIDTH, 468]
        points = [box[0], box[3], box[2], box[3], box[0], box[1], box[2], box[1]]
        mark = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.StrikeOut, Rect=box, QuadPoints=points, C=[1, 0, 0]
        )
        pdf.pages[0].Annots = pikepdf.Array([pdf.make_indirect(mark)])

    path = write_pdf(tmp_path / "a.pdf", [with_rule(0, WIDTH, -1.2)])
    assert read(change(path, strike)) == [f"~~{FEE}~~", "It leaves at noon."]
