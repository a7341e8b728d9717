"""Books: chapters in reading order, without what a reader of the book does not see."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.office_files import blocks, epub, packed, read

from pincite.errors import ReadError

SNOW = "<h1>1 Snow</h1><p>Deep.</p>"
WIND = "<h1>2 Wind</h1><p>Strong.</p>"


def locked(member: str) -> dict[str, str]:
    return {"META-INF/encryption.xml": f'<encryption><CipherReference URI="{member}"/></encryption>'}


def test_chapters_come_in_reading_order_and_places_count_on(tmp_path: Path) -> None:
    document = read(epub(tmp_path / "a.epub", SNOW, WIND))
    assert [page.text for page in document.pages] == ["1 Snow\n\nDeep.", "2 Wind\n\nStrong."]
    assert blocks(document, "heading") == ["1 Snow", "2 Wind"]
    assert document.pages[1].blocks[1].locator == "sec. 2, par. 1"
    assert (document.title, document.metadata["author"], document.paged) == ("Roofs", "A. Author", False)


def test_a_missing_chapter_keeps_its_place_and_is_named(tmp_path: Path) -> None:
    document = read(epub(tmp_path / "a.epub", SNOW, ""))
    assert [page.text for page in document.pages] == ["1 Snow\n\nDeep.", ""]
    assert document.warnings[0].startswith("chapter 2 could not be read")


def test_a_reading_order_that_names_places_inside_a_file_is_no_reason_to_warn(tmp_path: Path) -> None:
    book = (
        '<package><manifest><item id="a" href="a.xhtml#o1" media-type="application/xhtml+xml"/>'
        '<item id="b" href="a.xhtml#o8" media-type="application/xhtml+xml"/>'
        '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>'
    )
    chapters = {"OPS/a.xhtml": f"<html>{SNOW}</html>", "OPS/c.xhtml": f"<html>{WIND}</html>"}
    document = read(epub(tmp_path / "a.epub", **{"OPS/book.opf": book}, **chapters))
    assert [page.text for page in document.pages] == ["1 Snow\n\nDeep.", "2 Wind\n\nStrong."]
    assert document.warnings == ()


def test_many_missing_chapters_are_counted_in_one_warning(tmp_path: Path) -> None:
    (warning,) = read(epub(tmp_path / "a.epub", SNOW, *[""] * 30)).warnings
    assert warning.startswith("chapter 2 and 29 more could not be read: ")


def test_a_protected_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="protected"):
        read(epub(tmp_path / "a.epub", SNOW, WIND, **locked("OPS/text/chapter%200.xhtml")))


def test_encrypted_fonts_do_not_matter(tmp_path: Path) -> None:
    assert len(read(epub(tmp_path / "a.epub", SNOW, WIND, **locked("OPS/font.otf"))).pages) == 2


def test_what_is_no_book_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="has no part META-INF"):
        read(packed(tmp_path / "a.epub", {"a": "b"}))
