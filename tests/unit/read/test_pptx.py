"""Presentations: a slide is a page, and its notes belong to it."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.support.office_files import blocks, cells, packed, pptx, read, shape

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
    assert document.pages[0].text == "Roof loads\n\nwind\nsnow\n\n3\n\nNotes: Say it slowly."
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


CHART = (
    '<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart>{title}<c:plotArea>{inside}</c:plotArea>'
    "</c:chart></c:chartSpace>"
)
TITLE = "<c:title><c:tx><c:rich><a:p><a:r><a:t>{}</a:t></a:r></a:p></c:rich></c:tx></c:title>"
FRAME = (
    "<p:graphicFrame><a:graphic><a:graphicData>"
    '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="c0" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>'
    "</a:graphicData></a:graphic></p:graphicFrame>"
)


def points(name: str, kind: str, *values: str, code: str = "") -> str:
    inside = "".join(f'<c:pt idx="{at}"><c:v>{value}</c:v></c:pt>' for at, value in enumerate(values) if value)
    return f"<c:{name}><c:{kind}>{code and f'<c:formatCode>{code}</c:formatCode>'}{inside}</c:{kind}></c:{name}>"


def series(name: str, *parts: str) -> str:
    named = f"<c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>{name}</c:v></c:pt></c:strCache></c:strRef></c:tx>"
    return f"<c:ser>{named}{''.join(parts)}</c:ser>"


def test_a_chart_is_a_table_of_its_categories_and_series(tmp_path: Path) -> None:
    months = points("cat", "strCache", "May", "June")
    inside = (
        f"<c:lineChart>{series('Eggs', months, points('val', 'numCache', '120', ''))}"
        f"{series('Share', months, points('val', 'numCache', '0.25', '0.5', code='0%'))}</c:lineChart>"
        f"<c:catAx>{TITLE.format('Month')}</c:catAx>"
    )
    chart = CHART.format(title=TITLE.format("Laying hens"), inside=inside)
    document = read(pptx(tmp_path / "a.pptx", FRAME, chart=chart))
    assert blocks(document, "caption") == ["Laying hens"]
    assert blocks(document, "table") == ["Month\tEggs\tShare\nMay\t120\t25%\nJune\t\t50%"]


def test_series_of_a_scatter_chart_have_their_own_points(tmp_path: Path) -> None:
    first = series("A", points("xVal", "numCache", "1", "2"), points("yVal", "numCache", "10", "20"))
    second = series("B", points("xVal", "numCache", "3"), points("yVal", "numCache", "30"))
    chart = CHART.format(title="", inside=f"<c:scatterChart>{first}{second}</c:scatterChart>")
    document = read(pptx(tmp_path / "a.pptx", FRAME, chart=chart))
    assert blocks(document, "table") == ["X\tA\n1\t10\n2\t20", "X\tB\n3\t30"]


def test_hidden_slides_and_shapes_are_told_and_left_out(tmp_path: Path) -> None:
    hidden = shape("Old price: 9").replace("<p:nvSpPr>", '<p:nvSpPr><p:cNvPr id="2" name="x" hidden="1"/>')
    path = pptx(tmp_path / "a.pptx", shape("New price: 8") + hidden, shape("Withdrawn"))
    with ZipFile(path) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    parts["ppt/slides/slide1.xml"] = parts["ppt/slides/slide1.xml"].replace("<p:sld ", '<p:sld show="0" ')
    document = read(packed(path, parts))
    assert [page.text for page in document.pages] == ["New price: 8", ""]
    assert document.warnings == ("hidden slides were not read: 2", "hidden shapes were not read: on slide 1")


def placed(text: str, x: int, y: int) -> str:
    return shape(text).replace(
        "<p:txBody>", f'<p:spPr><a:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="80" cy="40"/></a:xfrm></p:spPr><p:txBody>'
    )


def test_shapes_are_read_from_above_and_columns_one_after_the_other(tmp_path: Path) -> None:
    slide = (
        placed("foot", 0, 300)
        + placed("right 2", 100, 130)
        + placed("left 2", 0, 110)
        + placed("right 1", 100, 80)
        + placed("left 1", 0, 60)
        + placed("head", 50, 0)
    )
    assert read(pptx(tmp_path / "a.pptx", slide)).pages[0].text.split("\n\n") == [
        "head", "left 1", "left 2", "right 1", "right 2", "foot",
    ]  # fmt: skip


def test_alternative_texts_and_looks_of_runs(tmp_path: Path) -> None:
    settings = '<p:cNvPr id="4" name="p" descr="Map: the spring lies north of the farm"/>'
    picture = f"<p:pic><p:nvPicPr>{settings}</p:nvPicPr></p:pic>"
    runs = (
        "<a:r><a:rPr strike='sngStrike'/><a:t>4 l</a:t></a:r><a:r><a:t> 6 l a day from 3 m</a:t></a:r>"
        "<a:r><a:rPr baseline='30000'/><a:t>2</a:t></a:r>"
    )
    text = shape("x").replace("<a:r><a:t>x</a:t></a:r>", runs)
    document = read(pptx(tmp_path / "a.pptx", text + picture))
    assert document.pages[0].text == "~~4 l~~ 6 l a day from 3 m²\n\nMap: the spring lies north of the farm"
