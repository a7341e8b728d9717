"""Scans as images: each picture a page, its words with their boxes; what is no picture is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from tests.support.made_scans import picture, scan

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read import render
from pincite.read.drawing import Drawing
from pincite.read.image import read_image
from pincite.records.pages import Box, Document, Span

RAKES, COUNTS = "The keeper rakes the gravel", "The bailiff counts the sluices"


def read(path: Path) -> Document:
    return read_image(path, ReadOptions())


def flat(document: Document) -> list[str]:
    return [" ".join(page.text.split()) for page in document.pages]


def test_each_picture_of_a_tiff_is_a_page(tmp_path: Path) -> None:
    document = read(scan(tmp_path / "a.tiff", RAKES, COUNTS))
    assert flat(document) == [RAKES, COUNTS]
    assert document.paged
    assert {page.origin for page in document.pages} == {"ocr"}
    assert [(round(page.width), round(page.height)) for page in document.pages] == [(595, 336)] * 2


@pytest.mark.parametrize("suffix", [".png", ".jpg"])
def test_a_picture_is_one_page(tmp_path: Path, suffix: str) -> None:
    assert flat(read(scan(tmp_path / f"a{suffix}", RAKES))) == [RAKES]


def test_a_picture_that_was_taken_sideways_is_read_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    picture(RAKES).rotate(90, expand=True).save(tmp_path / "a.jpg", exif=exif)
    assert flat(read(tmp_path / "a.jpg")) == [RAKES]


def test_words_are_found_again_on_their_picture_and_can_be_drawn(tmp_path: Path) -> None:
    path = scan(tmp_path / "a.tiff", RAKES, COUNTS)
    start = read(path).pages[1].text.index("counts")
    ((box,),) = Drawing().boxes(path, [Span(2, start, start + len("counts"))])
    assert 100 < box.left < box.right < 400
    assert 40 < box.top < box.bottom < 90
    assert Drawing().picture(path, 2, [box]).startswith(b"\x89PNG")
    assert Drawing().picture(path, 2, [box]) != Drawing().picture(path, 2, [])
    with pytest.raises(ReadError, match="has no page 3"):
        Drawing().picture(path, 3, [])


def test_what_has_no_drawn_pages_has_no_boxes_and_no_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The keeper rakes.")
    assert Drawing().boxes(path, [Span(1, 0, 3)]) == [[]]
    with pytest.raises(ReadError, match="cannot be drawn"):
        Drawing().picture(path, 1, [Box(0, 0, 1, 1)])


def test_without_ocr_it_is_refused_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = scan(tmp_path / "a.png", RAKES)
    monkeypatch.setattr(render, "find_spec", lambda _: None)
    with pytest.raises(ReadError, match="needs OCR, which is not installed: pincite doctor"):
        read(path)


def test_without_leave_for_ocr_it_is_refused(tmp_path: Path) -> None:
    path = scan(tmp_path / "a.png", RAKES)
    with pytest.raises(ReadError, match="allow OCR with --ocr auto"):
        read_image(path, ReadOptions(ocr="never"))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "does not begin as an image"),
        (b"\x89PNG\r\n\x1a\n", "does not begin as"),
        (b"GIF89a", "does not begin as"),
    ],
)
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "a.png").write_bytes(content)
    with pytest.raises(ReadError, match=reason):
        read(tmp_path / "a.png")


def test_a_picture_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = scan(tmp_path / "a.png", RAKES)
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ReadError, match="is damaged: its picture cannot be unpacked"):
        read(path)


def test_a_picture_without_words_is_refused(tmp_path: Path) -> None:
    Image.new("L", (400, 400), 255).save(tmp_path / "a.png")
    with pytest.raises(ReadError, match="shows no text"):
        read(tmp_path / "a.png")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    Image.new("1", (30_000, 5_000)).save(tmp_path / "a.png")
    with pytest.raises(ReadError, match="30000 by 5000 pixels"):
        read(tmp_path / "a.png")


def test_a_file_of_too_many_pictures_is_refused(tmp_path: Path) -> None:
    path = scan(tmp_path / "a.tiff", RAKES, COUNTS)
    with pytest.raises(ReadError, match="has 2 pages, more than the limit of 1"):
        read_image(path, ReadOptions(max_pages=1))
