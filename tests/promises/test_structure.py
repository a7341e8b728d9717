"""Sections, levels, tables and turned pages, as a reader would see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.engine.engine import Engine
from pincite.ports import ReadOptions
from pincite.read.registry import reader_for
from tests.support.made_pdfs import Sheet, change, paragraph, write_pdf
from tests.support.promises import files, store_of

HEADS = ("Span", "Width", "Depth", "Load", "Speed", "Colour", "Owner", "Year", "Rail", "State")


def text_of(engine: Engine, source_id: str = "a.pdf") -> str:
    """The texts of all pages."""
    return "\f".join(page.text for page in engine.session().documents.pages(source_id))


def report(path: Path, *lines: str) -> None:
    """A PDF of numbered headings (bold, with room above) and paragraphs of three lines, page after page."""
    drawn: list[list[tuple[float, str, bool]]] = [[]]
    y = 40.0
    for number, line in enumerate(lines):
        is_heading = line[0].isdigit()
        height = 20.0 if is_heading else 36.0
        if y + height > 520:
            drawn.append([])
            y = 40.0 + number % 3
        y += 12 if is_heading else 0
        drawn[-1].extend((y + 11 * part, words, is_heading) for part, words in enumerate(line.split("\n")))
        y += height

    def page(placed: list[tuple[float, str, bool]]) -> Callable[[Sheet], None]:
        def draw(sheet: Sheet) -> None:
            for top, words, is_heading in placed:
                sheet.text(40, top, words, 11 if is_heading else 8, bold=is_heading)

        return draw

    write_pdf(path, [page(placed) for placed in drawn])


def body(seed: int) -> str:
    """Three lines of running text."""
    return "\n".join(paragraph(seed, 3))


def test_a_cross_reference_that_opens_a_line_is_no_heading(tmp_path: Path) -> None:
    pointing = (
        "Every bearing of the bridge is tested in water, for which\n2.1 applies as well, and the whole of chapter"
    )
    pointing += "\n2 does so where the bridge is older than its road."
    report(tmp_path / "a.pdf", "1 Bridges", body(1), "2 Tests", "2.1 General", body(2), "2.2 Bearings", pointing)
    with store_of(tmp_path) as engine:
        assert [item.number for item in engine.session().documents.sections("a.pdf") if item.number] == [
            "1",
            "2",
            "2.1",
            "2.2",
        ]


def test_a_heading_stays_with_its_text(tmp_path: Path) -> None:
    report(tmp_path / "a.pdf", "1 Bridges", body(1), "2 Bearings", body(5))
    with store_of(tmp_path) as engine:
        section = engine.session().documents.section("a.pdf", "2")
        (chunk,) = engine.session().documents.chunks_at("a.pdf", section.start, section.end)
    assert chunk.raw_content.startswith("2 Bearings\n")
    assert chunk.section[-1] == "2 Bearings"


def test_a_report_of_two_hundred_headings_has_levels_and_a_chapter_stands_above_its_sections(tmp_path: Path) -> None:
    lines: list[str] = []
    for number in range(1, 11):
        lines.append(f"{number} {HEADS[number % 10].upper()} OF BRIDGES")
        for part in range(1, 20):
            lines += [f"{number}.{part} {HEADS[part % 10]} of the {HEADS[number % 10].lower()}", body(number + part)]
    report(tmp_path / "a.pdf", *lines)
    with store_of(tmp_path) as engine:
        sections = engine.session().documents.sections("a.pdf")
    assert Counter(item.level for item in sections if item.number) == {1: 10, 2: 190}
    for item in sections:
        above = None if item.parent is None else sections[item.parent].number
        assert above == (None if item.level == 1 else (item.number or "").partition(".")[0])


def grid(sheet: Sheet, top: float, rows: list[list[str]], width: float = 100.0) -> None:
    """A drawn table with these cells."""
    columns = len(rows[0])
    sheet.grid([40 + width * n for n in range(columns + 1)], [top + 16 * n for n in range(len(rows) + 1)])
    for row, cells in enumerate(rows):
        for column, words in enumerate(cells):
            sheet.text(43 + width * column, top + 12 + 16 * row, words, 7)


def test_a_table_over_two_pages_keeps_its_columns_and_its_head(tmp_path: Path) -> None:
    head = ["Bridge", "Span", "Year"]
    rows = [[f"Bridge {number}", f"{number} m", f"19{number}"] for number in range(10, 70)]

    def part(chosen: list[list[str]], *, caption: bool) -> Callable[[Sheet], None]:
        def draw(sheet: Sheet) -> None:
            if caption:
                sheet.text(40, 40, "Table 1 - Bridges of the county")
            grid(sheet, 50, [head, *chosen])

        return draw

    write_pdf(tmp_path / "a.pdf", [part(rows[:29], caption=True), part(rows[29:58], caption=False)])
    with store_of(tmp_path) as engine:
        lines = [page.text.split("\n") for page in engine.session().documents.pages("a.pdf")]
    assert "\t".join(head) in lines[0]
    assert "\t".join(head) in lines[1]
    for row in rows[:58]:
        assert "\t".join(row) in lines[0] + lines[1]


def test_words_inside_the_box_of_a_table_but_outside_its_grid_are_kept(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        grid(sheet, 100, [["Bridge", "Span"], ["Alder", "12 m"], ["Cedar", "19 m"]])
        sheet.text(250, 128, "measured in May", 7)
        sheet.text(43, 160, "Spans include the abutments.", 7)

    write_pdf(tmp_path / "a.pdf", [draw])
    with store_of(tmp_path) as engine:
        text = text_of(engine)
    assert "measured in May" in text
    assert "Spans include the abutments." in text
    assert "Alder\t12 m" in text


def test_a_wide_table_loses_no_column(tmp_path: Path) -> None:
    rows = [list(HEADS), *[[f"{name[:3]}{number}" for name in HEADS] for number in range(1, 6)]]
    write_pdf(tmp_path / "a.pdf", [lambda sheet: grid(sheet, 100, rows, width=32.0)])
    with store_of(tmp_path) as engine:
        lines = text_of(engine).split("\n")
    assert ["\t".join(row) for row in rows] == lines


def test_cells_over_several_rows_and_columns_are_known_as_such(tmp_path: Path) -> None:
    cells = "<tr><th rowspan=2>Bridge</th><th colspan=2>Size</th></tr><tr><td>Span</td><td>Width</td></tr>"
    path = (
        files(tmp_path, {"a.html": f"<table>{cells}<tr><td>Alder</td><td>12 m</td><td>4 m</td></tr></table>"})
        / "a.html"
    )
    (page,) = reader_for(path).read(path, ReadOptions()).pages
    (table,) = page.tables
    places = {
        page.text[cell.span.start : cell.span.end]: (cell.row, cell.column, cell.row_span, cell.column_span)
        for cell in table.cells
    }
    assert places == {
        "Bridge": (0, 0, 2, 1),
        "Size": (0, 1, 1, 2),
        "Span": (1, 1, 1, 1),
        "Width": (1, 2, 1, 1),
        "Alder": (2, 0, 1, 1),
        "12 m": (2, 1, 1, 1),
        "4 m": (2, 2, 1, 1),
    }


def test_a_table_that_stands_on_its_side_keeps_its_rows(tmp_path: Path) -> None:
    rows = [
        ["Bridge", "Span", "Year"],
        *[[f"Bridge {number}", f"{number} m", f"19{number}"] for number in range(10, 15)],
    ]

    def draw(sheet: Sheet) -> None:
        sheet.text(40, 30, "Every bridge is listed below.")
        sheet.canvas.saveState()
        sheet.canvas.translate(300, 100)
        sheet.canvas.rotate(90)
        grid(Sheet(sheet.canvas, 0), 0, rows, 80.0)
        sheet.canvas.restoreState()

    write_pdf(tmp_path / "a.pdf", [draw])
    with store_of(tmp_path) as engine:
        lines = text_of(engine).split("\n")
    assert ["\t".join(row) for row in rows] == [line for line in lines if "\t" in line]
    assert "Every bridge is listed below." in lines


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_turned_pages_read_the_right_way_and_words_are_not_glued(tmp_path: Path, rotate: int) -> None:
    lines = paragraph(5, 4)

    def draw(sheet: Sheet) -> None:
        sheet.lines(60, 80, lines)
        x = 60.0
        for word in ("placed", "word", "by", "word"):
            sheet.text(x, 160, word)
            x += sheet.canvas.stringWidth(word, "Helvetica", 10) + 2.8

    change(write_pdf(tmp_path / "a.pdf", [draw]), lambda pdf: pdf.pages[0].rotate(rotate, relative=False))
    with store_of(tmp_path) as engine:
        assert text_of(engine).split("\n") == [*lines, "placed word by word"]


def test_a_text_layer_of_single_letters_is_known_to_be_worthless_and_told(tmp_path: Path) -> None:
    lines = [" ".join(line.replace(" ", "")) for line in paragraph(5, 12)]

    def letters(sheet: Sheet) -> None:
        for number, line in enumerate(lines):
            for position, letter in enumerate(line.split()[:30]):
                sheet.text(30 + 11.5 * position, 60 + 20 * number, letter)

    write_pdf(tmp_path / "a.pdf", [letters, lambda sheet: sheet.lines(50, 60, paragraph(1, 3))])
    with store_of(tmp_path) as engine:
        (state,) = engine.session().documents.sources()
        (read, *_) = engine.session().documents.pages("a.pdf")
    assert state.status == "warned"
    assert "1 page has no readable text" in state.warnings[0]
    assert read.origin == "none"
