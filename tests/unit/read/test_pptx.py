"""Presentations: a slide is a page, and its notes belong to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.office_files import blocks, cells, pptx, read, shape

from pincite.errors import ReadError

TABLE = (
    "<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow='1'/>"
    "<a:tr><a:tc gridSpan='2'><a:txBody><a:p><a:r><a:t>Loads</a:t></a:r></a:p></a:txBody></a:tc>"
    "<a:tc hMerge='1'/></a:tr>"
    "<a:tr><a:tc><a:txBody><a:p><a:r><a:t>snow</a:t></a:r></a:p></a:txBody></a:tc>"
    "<a:tc><a:txBody><a:p><a:r><a:t>1,2</a:t></a:r></a:p></a:txBody></a:tc></a:tr>"
    "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
)


def test_slides_are_pages_with_their_title_first_and_their_notes_last(tmp_path: Path) -> None:
    first = shape("wind", "snow", role="body") + shape("Roof loads", role="title") + shape("3", role="sldNum")
    notes = shape("Say it slowly.", role="body") + shape("1", role="sldNum")
    document = read(pptx(tmp_path / "a.pptx", first, shape("Second slide"), notes=notes))
    assert document.paged
    assert [page.number for page in document.pages] == [1, 2]
    assert document.pages[0].text == "Roof loads\n\nwind\nsnow\n\n3\n\nSay it slowly."
    assert blocks(document, "heading") == ["Roof loads"]
    assert blocks(document, "list_item") == ["wind", "snow"]
    assert blocks(document, "furniture") == ["3"]
    assert (document.pages[0].width, document.pages[0].height) == (720.0, 540.0)


def test_a_table_on_a_slide_has_cells(tmp_path: Path) -> None:
    document = read(pptx(tmp_path / "a.pptx", TABLE))
    assert cells(document) == {(0, 0): "Loads", (1, 0): "snow", (1, 1): "1,2"}
    assert [cell.header for cell in document.pages[0].tables[0].cells] == [True, False, False]


def test_shapes_in_groups_are_read(tmp_path: Path) -> None:
    document = read(pptx(tmp_path / "a.pptx", f"<p:grpSp><p:grpSp>{shape('inside')}</p:grpSp></p:grpSp>"))
    assert document.pages[0].text == "inside"


def test_a_damaged_slide_keeps_its_place_and_is_named(tmp_path: Path) -> None:
    document = read(pptx(tmp_path / "a.pptx", "<broken", shape("Second")))
    assert [page.text for page in document.pages] == ["", "Second"]
    assert document.warnings[0].startswith("slide 1 could not be read")


def test_slides_without_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="holds no text"):
        read(pptx(tmp_path / "a.pptx", ""))
