"""Pages without a usable text layer are known as such; page labels are those that are printed; images are bounded."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from tests.support.made_pdfs import Sheet, change, paragraph, write_pdf

from pincite.ports import ReadOptions
from pincite.read import render
from pincite.read.drawing import Drawing
from pincite.read.pdf import is_thin, is_worthless, page_labels, read_pdf
from pincite.read.render import MAX_SIDE, to_png

GERMAN = "Die Prüfung der Brücke erfolgt jedes Jahr im Herbst, und die Ergebnisse werden aufgeschrieben. " * 3
ENGLISH = (
    "The keeper of the northern bridge has to write down every lorry and the hour at which it passed, and the council "
    "pays for the repair of the road until spring, when the inspector comes again and looks at every bearing of it; "
    "what was seen is written into the book, and the owner has to say within thirty days who will do the work. "
)
CODES = "\n".join(f"b{number:05b} {number} b{number:04b} {number + 7}" for number in range(60))
CHOICES = "\n".join(f"Clause {number}: Y N Y N N" for number in range(30))
COMMANDS = "\n".join(
    f"tkwm{name} (TkCmds), {name}tk" for name in "grid label list lower menu pack popup raise".split() * 8
)
FIGURES = "12 345 6 789 a b c 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 " * 3


@pytest.mark.parametrize(
    "text", ["", "1", GERMAN, FIGURES, CODES, CHOICES, COMMANDS, "日本語の文章です。橋の検査は毎年行われます。" * 5]
)
def test_honest_text_and_tables_of_codes_are_not_worthless(text: str) -> None:
    assert not is_worthless(text)


@pytest.mark.parametrize(
    "text",
    [
        " ".join("Every bridge that carries a public road needs an inspection".replace(" ", "")),
        "E v e r y  b r i d g e ,  t h a t  c a r r i e s  a  r o a d ,\nn e e d s  a n  i n s p e c t i o n .",
        "".join(chr(ord(char) - 29) if char.isalpha() else char for char in ENGLISH.lower()),
        "\ufffd\ufffd\ufffd ab \ue001\ue002\ue003\ue004 \ufffd\ufffd",
    ],
)
def test_torn_words_and_unknown_letters_are_worthless(text: str) -> None:
    assert is_worthless(text)


def scan(sheet: Sheet) -> None:
    sheet.canvas.drawInlineImage(_image(), 20, 20, 360, 500)


def _image() -> object:
    from PIL import Image

    return Image.new("L", (72, 100), 200)


def test_an_image_without_text_is_told_and_other_pages_are_read(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.lines(50, 60, paragraph(1, 3)), scan])
    document = read_pdf(path, ReadOptions(ocr="never"))
    assert [page.origin for page in document.pages] == ["text", "none"]
    assert document.warnings == ("1 page has no readable text: allow OCR with --ocr auto",)


def test_without_the_extra_the_warning_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "available", lambda: False)
    document = read_pdf(write_pdf(tmp_path / "a.pdf", [scan, scan]), ReadOptions())
    assert document.warnings == ("2 pages have no readable text: add OCR (pincite doctor says how)",)


def stamped_scan(sheet: Sheet) -> None:
    from PIL import Image
    from tests.support.made_scans import picture

    page = picture("The keeper of the northern bridge\nhas to write down every lorry\nand the hour at which\nit passed")
    sheet.canvas.drawInlineImage(page.resize((1240, 1600), Image.Resampling.NEAREST), 0, 0, 400, 560)
    sheet.text(40, 20, "File 12, page 3")


def test_a_stamp_does_not_hide_that_the_scan_below_it_was_not_read(tmp_path: Path) -> None:
    document = read_pdf(write_pdf(tmp_path / "a.pdf", [stamped_scan]), ReadOptions(ocr="never"))
    assert document.pages[0].text == "File 12, page 3"
    assert document.warnings == ("1 page is a picture with few words: allow OCR with --ocr auto",)


@pytest.mark.skipif(not render.available(), reason="needs the extra pincite[ocr]")
def test_the_scan_below_a_stamp_is_read_by_ocr(tmp_path: Path) -> None:
    document = read_pdf(write_pdf(tmp_path / "a.pdf", [stamped_scan]), ReadOptions())
    assert document.pages[0].origin == "ocr"
    assert "and the hour at which" in document.pages[0].text
    assert document.warnings == ()


def test_a_page_with_a_paragraph_is_not_thin_and_a_small_page_need_not_have_as_many_letters() -> None:
    assert is_thin("File 12, page 3", 600, 800)
    assert not is_thin(GERMAN, 600, 800)
    assert not is_thin("File 12, page 3", 150, 100)


@pytest.mark.skipif(not render.available(), reason="needs the extra pincite[ocr]")
def test_a_page_is_read_by_ocr_where_that_is_asked_for_and_its_boxes_fit(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 100, "Bearings and bridges", 20)])
    (page,) = read_pdf(path, ReadOptions(ocr="always")).pages
    assert (page.origin, page.text) == ("ocr", "Bearings and bridges")
    box = page.blocks[0].box
    assert box is not None
    assert abs(box.left - 50) < 5
    assert 70 < box.top < 100 < box.bottom + 5


def test_stated_labels_win_unless_they_only_count_the_pages() -> None:
    running = [[f"Report 12 of May, page {number}"] for number in range(47, 52)]
    assert page_labels(["i", "ii", "1", "2", "3"], running) == ["i", "ii", "1", "2", "3"]
    assert page_labels(["1", "2", "3", "4", "5"], running) == ["47", "48", "49", "50", "51"]
    assert page_labels([None] * 5, [[]] * 5) == [None] * 5


def test_a_number_that_does_not_run_with_the_pages_is_no_label() -> None:
    assert page_labels([None] * 4, [["Report 7"], ["Report 7"], ["Report 7"], ["Report 7"]]) == [None] * 4


def test_a_page_without_its_printed_number_has_no_label() -> None:
    running = [["- 1 -"], ["- 2 -"], [], ["- 4 -"], ["- 5 -"]]
    assert page_labels([None] * 5, running) == ["1", "2", None, "4", "5"]


def test_a_page_is_drawn_to_png(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "text")])
    data = Drawing().picture(path, 1, [])
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (612, 856)


def test_a_huge_page_is_drawn_small(tmp_path: Path) -> None:
    def swell(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].MediaBox = [0, 0, 1_000_000, 500_000]

    path = change(write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "text")]), swell)
    width, height = struct.unpack(">II", Drawing().picture(path, 1, [])[16:24])
    assert max(width, height) <= MAX_SIDE


def test_a_png_holds_the_pixels_it_was_given() -> None:
    import io

    from PIL import Image

    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(to_png(pixels)))), pixels)
