"""1. A quote is valid on its page alone, however lines break. 2. Where the run is not found, the words inside its boxes
decide, on turned and cropped pages too. 3. Pages without text are compared with the given truth, and counted apart."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from pincite.evaluate.quotes import QuoteChecker, page_words, pypdf_text
from pincite.records.citations import Citation
from pincite.records.pages import Box, Span

HEIGHT, LEFT, LINE = 300, 50, 20
PAGES = [["Snow loads on roofs shall be", "determined for each design situation."], ["Wind acts on bridges."]]


def write_pdf(path: Path, pages: Sequence[Sequence[str]], *, rotate: int = 0) -> Path:
    """One page for each list of lines, the first 50 points from the left and 60 from the top.

    A page that is turned by 90 or 270 degrees is written on a sheet of 300 by 400 points, and shown as 400 by 300.
    """
    canvas = Canvas(str(path), pagesize=(400, HEIGHT), invariant=1)
    for lines in pages:
        canvas.setPageRotation(rotate)
        canvas.setFont("Helvetica", 12)
        for number, line in enumerate(lines):
            canvas.drawString(LEFT, HEIGHT - 60 - LINE * number, line)
        canvas.showPage()
    canvas.save()
    return path


def cite(quote: str, page: int | None = 1, file: str = "a.pdf") -> Citation:
    return Citation(file, file, page, None, None, "chunk", Span(1, 0, len(quote)), quote)


def checker(folder: Path, boxes: Sequence[Box] = ()) -> QuoteChecker:
    return QuoteChecker(folder, lambda citation: boxes)


@pytest.mark.parametrize(
    "quote", ["Snow loads on roofs", "shall be\ndetermined for", "(design) situation", "SNOW  loads"]
)
def test_a_quote_of_the_page_is_valid_however_lines_break(tmp_path: Path, quote: str) -> None:
    write_pdf(tmp_path / "a.pdf", PAGES)
    assert checker(tmp_path).check(cite(quote)) == "valid"


@pytest.mark.parametrize(
    ("quote", "page"), [("Wind acts on bridges", 1), ("Snow loads on roofs", 2), ("Snow loads on floors", 1)]
)
def test_what_stands_elsewhere_or_nowhere_is_invalid(tmp_path: Path, quote: str, page: int) -> None:
    write_pdf(tmp_path / "a.pdf", [[*lines, "and some more words, so that it is no scan"] for lines in PAGES])
    assert checker(tmp_path).check(cite(quote, page)) == "invalid"


def test_a_page_that_the_file_does_not_have_holds_no_quote(tmp_path: Path) -> None:
    write_pdf(tmp_path / "a.pdf", PAGES)
    assert checker(tmp_path).check(cite("Snow loads", 9)) != "valid"


def test_words_inside_the_boxes_are_enough(tmp_path: Path) -> None:
    write_pdf(tmp_path / "a.pdf", PAGES)
    jumbled = "determined for each design situation. Snow loads on roofs shall be"
    lines = [Box(40, 45, 390, 65), Box(40, 65, 390, 85)]
    assert checker(tmp_path, lines).check(cite(jumbled)) == "valid"
    assert checker(tmp_path, lines[:1]).check(cite(jumbled)) == "invalid"
    assert checker(tmp_path, lines).check(cite("Snow loads on roofs determined")) == "invalid"


def test_spaces_inside_the_words_of_the_boxes_do_not_matter(tmp_path: Path) -> None:
    write_pdf(
        tmp_path / "a.pdf", [["li nks bet ween", "a stray line that both extractors read", "the essenti al parts"]]
    )
    lines = [Box(40, 45, 390, 65), Box(40, 85, 390, 105)]
    assert checker(tmp_path, lines).check(cite("links between the essential parts")) == "valid"
    assert checker(tmp_path, lines).check(cite("links between the inessential parts")) == "invalid"


@pytest.mark.parametrize(
    ("rotate", "expected"),
    [
        (0, Box(50, 51, 78, 63)),
        (90, Box(237, 50, 249, 78)),
        (180, Box(322, 237, 350, 249)),
        (270, Box(150, 220, 162, 250)),
    ],
)
def test_words_have_the_boxes_of_the_page_as_displayed(tmp_path: Path, rotate: int, expected: Box) -> None:
    found = page_words(write_pdf(tmp_path / "a.pdf", [["Snow"]], rotate=rotate), 1)
    assert sorted("".join(word.run for word in found)) == sorted("snow")
    upper = (min(word.box.left for word in found), min(word.box.top for word in found))
    lower = (max(word.box.right for word in found), max(word.box.bottom for word in found))
    assert upper == pytest.approx((expected.left, expected.top), abs=4)
    assert lower == pytest.approx((expected.right, expected.bottom), abs=4)


def test_boxes_count_from_the_corner_of_the_crop_box(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", [["Snow"]])
    whole = page_words(path, 1)[0].box
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.pages[0].CropBox = [30, 0, 400, 280]
        pdf.save(path)
    cropped = page_words(path, 1)[0].box
    assert (whole.left - cropped.left, whole.top - cropped.top) == pytest.approx((30, 20))


@pytest.mark.parametrize("zipped", [False, True])
def test_a_page_without_text_is_compared_with_the_given_truth(tmp_path: Path, zipped: bool) -> None:
    write_pdf(tmp_path / "a.pdf", [[]])
    truth = json.dumps({"page": 1, "text": "Zero trust assumes that there is no\nimplicit trust."}).encode()
    name = "a.truth.jsonl.gz" if zipped else "a.truth.jsonl"
    (tmp_path / name).write_bytes(gzip.compress(truth) if zipped else truth)
    check = checker(tmp_path).check
    assert check(cite("assumes that there is no implicit trnst")) == "valid_ocr"
    assert check(cite("assumes that everybody can be trusted at once")) == "invalid_ocr"


@pytest.mark.parametrize("citation", [cite("text", 1), cite("text", None, "notes.md"), cite("...", 1)])
def test_what_cannot_be_checked_is_said_to_be_unchecked(tmp_path: Path, citation: Citation) -> None:
    write_pdf(tmp_path / "a.pdf", [[]])
    assert checker(tmp_path).check(citation) == "unchecked"


def test_both_extractors_read_the_page_that_is_asked_for(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "a.pdf", PAGES)
    assert pypdf_text(path, 2).strip() == "Wind acts on bridges."
    assert [word.run for word in page_words(path, 2)] == ["wind", "acts", "on", "bridges"]
