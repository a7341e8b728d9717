"""Pages without a usable text layer are known as such; page labels are those that are printed; images are bounded."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pikepdf
import pytest
from tests.support.made_pdfs import Sheet, change, paragraph, write_pdf

from pincite.ports import ReadOptions
from pincite.read import ocr
from pincite.read.labels import page_labels
from pincite.read.pdf import PdfReader
from pincite.read.quality import is_worthless
from pincite.read.render import MAX_SIDE, page_png, to_png

GERMAN = "Die Prüfung der Brücke erfolgt jedes Jahr im Herbst, und die Ergebnisse werden aufgeschrieben. " * 3
FIGURES = "12 345 6 789 a b c 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 " * 3


@pytest.mark.parametrize("text", ["", "1", GERMAN, FIGURES, "日本語の文章です。橋の検査は毎年行われます。" * 5])
def test_honest_text_is_not_worthless(text: str) -> None:
    assert not is_worthless(text)


@pytest.mark.parametrize(
    "text",
    [
        " ".join("Every bridge that carries a public road needs an inspection".replace(" ", "")),
        "\ufffd\ufffd\ufffd ab \ue001\ue002\ue003\ue004 \ufffd\ufffd",
    ],
)
def test_single_letters_and_unknown_letters_are_worthless(text: str) -> None:
    assert is_worthless(text)


def scan(sheet: Sheet) -> None:
    sheet.canvas.drawInlineImage(_image(), 20, 20, 360, 500)


def _image() -> object:
    from PIL import Image

    return Image.new("L", (72, 100), 200)


def test_an_image_without_text_is_told_and_other_pages_are_read(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.lines(50, 60, paragraph(1, 3)), scan])
    document = PdfReader().read(path, ReadOptions(ocr="never"))
    assert [page.origin for page in document.pages] == ["text", "none"]
    assert document.warnings == ("1 page has no readable text: allow OCR with --ocr auto",)


def test_without_the_extra_the_warning_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "available", lambda: False)
    document = PdfReader().read(write_pdf(tmp_path / "a.pdf", [scan, scan]), ReadOptions())
    assert document.warnings == ("2 pages have no readable text: install the extra pincite[ocr]",)


@pytest.mark.skipif(not ocr.available(), reason="needs the extra pincite[ocr]")
def test_a_page_is_read_by_ocr_where_that_is_asked_for_and_its_boxes_fit(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 100, "Bearings and bridges", 20)])
    (page,) = PdfReader().read(path, ReadOptions(ocr="always")).pages
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
    data = page_png(write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "text")]), 1, dpi=72)
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", data[16:24]) == (400, 560)


def test_a_huge_page_is_drawn_small(tmp_path: Path) -> None:
    def swell(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].MediaBox = [0, 0, 1_000_000, 500_000]

    path = change(write_pdf(tmp_path / "a.pdf", [lambda s: s.text(50, 60, "text")]), swell)
    width, height = struct.unpack(">II", page_png(path, 1, dpi=300)[16:24])
    assert max(width, height) <= MAX_SIDE


def test_a_png_holds_the_pixels_it_was_given() -> None:
    import io

    from PIL import Image

    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(to_png(pixels)))), pixels)
