"""No letter of a word is lost because of its font: what one engine drops the other gives, and a warning tells."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.made_fonts import (
    FontMaker,
    font_of_arabic_drawings,
    font_of_bitmaps,
    font_of_unknown_letters,
    font_with_joined_names,
    font_with_two_letters_a_code,
    font_without_encoding,
    write_in_font,
)
from tests.support.made_pdfs import Sheet, paragraph, write_pdf

from pincite.ports import ReadOptions
from pincite.read.pdf import boxes, read_pdf
from pincite.read.pdfium import PdfiumEngine
from pincite.read.scripts import with_ligatures
from pincite.read.source import PdfSource
from pincite.records.pages import Span

OLDER = [b"The speci\x0ced \x0cle is the", b"\x0crst of the work\x0dow."]
EUROPEAN = [b"The speci\x1ced \x1cle is the", b"\x1crst of the work\x1dow."]
WORDS = "The specified file is the\nfirst of the workflow."
SENT = "letters were lost on 1 page by the first PDF engine and read by the second (pdfium)"


@pytest.mark.parametrize(
    ("font", "lines"),
    [(font_without_encoding, OLDER), (font_with_joined_names, OLDER), (font_of_bitmaps, EUROPEAN)],
)
def test_specified_and_first_keep_their_ligatures_and_a_warning_tells(
    tmp_path: Path, font: FontMaker, lines: list[bytes]
) -> None:
    document = read_pdf(write_in_font(tmp_path / "a.pdf", font, [lines]), ReadOptions(ocr="never"))
    assert document.pages[0].text == WORDS
    assert document.warnings == (SENT,)


def test_only_the_pages_that_lose_letters_are_read_by_the_second_engine(tmp_path: Path) -> None:
    plain = [b"The inspector looks at every bridge."]
    path = write_in_font(tmp_path / "a.pdf", font_without_encoding, [plain, OLDER, *[plain] * 5, *[OLDER] * 2])
    document = read_pdf(path, ReadOptions(ocr="never"))
    assert [page.text for page in document.pages][7:] == [WORDS] * 2
    assert document.warnings == (SENT.replace("1 page", "3 pages"),)


def test_boxes_of_a_single_page_are_those_of_the_engine_that_read_it(tmp_path: Path) -> None:
    path = write_in_font(tmp_path / "a.pdf", font_without_encoding, [[b"A cover."], *[OLDER] * 3])
    start = WORDS.index("workflow")
    ((box,),) = boxes(path, [Span(4, start, start + len("workflow"))], ReadOptions(ocr="never"))
    assert box.right - box.left == pytest.approx(35, abs=0.5)


def test_sound_letters_are_no_reason_for_a_warning(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [lambda sheet: sheet.lines(50, 60, paragraph(1, 8))] * 9)
    with PdfSource(path) as source:
        assert not source.loses_letters()
    assert read_pdf(path, ReadOptions()).warnings == ()


def test_letters_that_no_engine_knows_are_told(tmp_path: Path) -> None:
    path = write_in_font(tmp_path / "a.pdf", font_of_unknown_letters, [[b"The speci\x0ced traf\x0cc is scienti\x0cc."]])
    assert read_pdf(path, ReadOptions(ocr="never")).warnings == (
        "1 page has words with letters that its font does not tell: --ocr always reads them from the image",
    )


def test_both_letters_of_a_ligature_have_a_place_of_their_own(tmp_path: Path) -> None:
    path = write_in_font(tmp_path / "a.pdf", font_with_two_letters_a_code, [[b"speci\x0ced"]])
    engine = PdfiumEngine(path)
    glyphs = engine.glyphs(0, engine.frame(0))
    engine.close()
    assert "".join(glyphs.text) == "specified"
    assert glyphs.x.tolist() == pytest.approx([30, 35, 40, 45, 50, 55, 57.5, 60, 65], abs=0.01)


def test_the_hyphen_at_the_end_of_a_line_is_read_by_the_second_engine(tmp_path: Path) -> None:
    def page(sheet: Sheet) -> None:
        sheet.lines(50, 60, ["The nations have their advan-", "tages in this game."])

    engine = PdfiumEngine(write_pdf(tmp_path / "a.pdf", [page]))
    glyphs = engine.glyphs(0, engine.frame(0))
    engine.close()
    assert "advan-" in "".join(glyphs.text)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("the \x0crst di\x0berence", "the first difference"),
        ("the \x1crst di\x1berence \x10so\x11", "the first difference “so”"),
        ("\x0f a point, \x0b + \x0c", "\x0f a point, \x0b + \x0c"),
    ],
)
def test_control_characters_are_ligatures_in_words_alone(given: str, read: str) -> None:
    assert "".join(with_ligatures(given)) == read


def test_arabic_letters_of_different_heights_stay_in_their_words(tmp_path: Path) -> None:
    shown = [b".CBA 12:30 FzED AClDzA"]
    document = read_pdf(write_in_font(tmp_path / "a.pdf", font_of_arabic_drawings, [shown]), ReadOptions(ocr="never"))
    read = "AzDlCA DEzF 12:30 ABC."
    letters = {code: chr(0x627 + code - ord("A")) for code in range(ord("A"), ord("Z"))}
    assert document.pages[0].text == read.translate({**letters, ord("z"): "بّ", ord("l"): "لا"})
