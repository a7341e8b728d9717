"""What nobody can see on a PDF page is no text of it; what only looks like that stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pikepdf
from PIL import Image
from reportlab.lib.utils import ImageReader
from tests.support.made_pdfs import Sheet, change, write_pdf

from pincite.ports import ReadOptions
from pincite.read.pdf import read_pdf

LEFT_OUT = "1 page has text that nobody can see: it is left out"
MENU = ("Menu of the mountain hut", "Soup costs four francs.", "Bread is free.", "Beds cost thirty francs a night.")


def menu(sheet: Sheet) -> None:
    sheet.lines(50, 60, MENU)


def read(path: Path) -> tuple[list[str], tuple[str, ...]]:
    document = read_pdf(path, ReadOptions(ocr="never"))
    return document.pages[0].text.split("\n"), document.warnings


def drawn(path: Path, *draw: Step) -> tuple[list[str], tuple[str, ...]]:
    return read(write_pdf(path / "a.pdf", [lambda sheet: [menu(sheet), *(step(sheet) for step in draw)]]))


Step = Callable[[Sheet], None]


def bar(grey: float, height: float = 24) -> Step:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.setFillGray(grey)
        sheet.canvas.rect(48, sheet.height - 207, 250, height, stroke=0, fill=1)
        sheet.canvas.setFillGray(0)

    return draw


def in_grey(grey: float, y: float, words: str, size: float = 10.0) -> Step:
    def draw(sheet: Sheet) -> None:
        sheet.canvas.setFillGray(grey)
        sheet.text(50, y, words, size)
        sheet.canvas.setFillGray(0)

    return draw


def test_white_text_on_the_page_is_left_out(tmp_path: Path) -> None:
    assert drawn(tmp_path, in_grey(1, 200, "Soup costs ninety francs.")) == ([*MENU], (LEFT_OUT,))


def test_white_text_on_a_dark_band_stays(tmp_path: Path) -> None:
    lines, warnings = drawn(tmp_path, bar(0.2), in_grey(1, 200, "Closed in November"))
    assert lines[-1] == "Closed in November" and not warnings


def test_white_text_on_a_photo_stays(tmp_path: Path) -> None:
    def photo(sheet: Sheet) -> None:
        picture = ImageReader(Image.new("RGB", (40, 40), (20, 60, 30)))
        sheet.canvas.drawImage(picture, 40, sheet.height - 230, 250, 60)

    lines, warnings = drawn(tmp_path, photo, in_grey(1, 200, "The hut in summer"))
    assert lines[-1] == "The hut in summer" and not warnings


def test_text_below_a_point_is_left_out(tmp_path: Path) -> None:
    assert drawn(tmp_path, in_grey(0, 200, "Soup costs ninety francs.", 0.7)) == ([*MENU], (LEFT_OUT,))


def test_black_text_on_a_black_bar_is_left_out(tmp_path: Path) -> None:
    assert drawn(tmp_path, in_grey(0, 200, "The cook is Ugo Brandt."), bar(0)) == ([*MENU], (LEFT_OUT,))


def test_a_page_of_one_letter_with_something_painted_white_is_read(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda sheet: [bar(1)(sheet), sheet.text(50, 60, "A", 10.0)]])
    assert read(path)[0] == ["A"]


def test_what_was_painted_over_and_written_anew_reads_as_written_anew(tmp_path: Path) -> None:
    lines, warnings = drawn(
        tmp_path, in_grey(0, 200, "The warden is Old Matthias."), bar(1, 16), in_grey(0, 200, "The warden is Ria.")
    )
    assert lines == [*MENU, "The warden is Ria."] and LEFT_OUT in warnings


def test_text_in_no_ink_is_left_out_and_stays_over_a_scan(tmp_path: Path) -> None:
    def ghost(sheet: Sheet) -> None:
        sheet.canvas.saveState()
        line = sheet.canvas.beginText(50, sheet.height - 200)
        line.setTextRenderMode(3)
        line.textOut("Soup costs ninety francs.")
        sheet.canvas.drawText(line)
        sheet.canvas.restoreState()

    def scan(sheet: Sheet) -> None:
        sheet.canvas.drawImage(ImageReader(Image.new("L", (40, 40), 230)), 40, sheet.height - 230, 250, 60)

    assert drawn(tmp_path, ghost) == ([*MENU], (LEFT_OUT,))
    lines, warnings = drawn(tmp_path, scan, ghost)
    assert lines[-1] == "Soup costs ninety francs." and not warnings


def test_a_layer_that_is_off_is_left_out(tmp_path: Path) -> None:
    def add(pdf: pikepdf.Pdf) -> None:
        layer = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="Prices of 2019"))
        pdf.Root.OCProperties = pikepdf.Dictionary(OCGs=[layer], D=pikepdf.Dictionary(OFF=[layer]))
        page = pdf.pages[0]
        page.Resources.Properties = pikepdf.Dictionary(MC0=layer)
        page.contents_add(b"/OC /MC0 BDC BT /F1 10 Tf 50 300 Td (Soup costs two francs.) Tj ET EMC")

    assert read(change(write_pdf(tmp_path / "a.pdf", [menu]), add)) == ([*MENU], (LEFT_OUT,))
