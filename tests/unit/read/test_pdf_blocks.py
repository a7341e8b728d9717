"""Blocks of PDF pages: what is furniture, a heading, a list item, a caption, a table; and that they slice the text."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.made_pdfs import Sheet, paragraph, sentence, write_pdf

from pincite.ports import ReadOptions
from pincite.read.pdf import read_pdf
from pincite.records.pages import Document, Page


def read(path: Path) -> Document:
    return read_pdf(path, ReadOptions(ocr="never"))


def texts(page: Page, kind: str) -> list[str]:
    return [page.text[b.span.start : b.span.end] for b in page.blocks if b.kind == kind]


def body(sheet: Sheet, seed: int) -> None:
    sheet.lines(50, 100, paragraph(seed, 20))


def test_running_lines_and_page_numbers_are_furniture(tmp_path: Path) -> None:
    def page(number: int) -> None:
        def draw(sheet: Sheet) -> None:
            sheet.text(50, 30, "Bridges of the county, second report", 8)
            sheet.text(190, 540, f"- {number} -", 8)
            body(sheet, number * 31)

        return draw

    pages = read(write_pdf(tmp_path / "a.pdf", [page(n) for n in range(1, 7)])).pages
    for number, found in enumerate(pages, 1):
        assert texts(found, "furniture") == ["Bridges of the county, second report", f"- {number} -"]
        assert found.label == str(number)


@pytest.mark.parametrize("count", [2, 3, 5])
def test_a_running_head_of_two_lines_is_furniture_in_a_short_document_too(tmp_path: Path, count: int) -> None:
    def page(number: int) -> None:
        def draw(sheet: Sheet) -> None:
            sheet.text(50, 30, "Ferry office, winter orders", 8)
            sheet.text(50, 39, f"Leaf {number}", 8)
            body(sheet, number * 31)

        return draw

    pages = read(write_pdf(tmp_path / "a.pdf", [page(n) for n in range(1, count + 1)])).pages
    for number, found in enumerate(pages, 1):
        assert texts(found, "furniture") == ["Ferry office, winter orders", f"Leaf {number}"]


def test_running_lines_differ_between_left_and_right_pages(tmp_path: Path) -> None:
    def page(number: int) -> None:
        def draw(sheet: Sheet) -> None:
            left = number % 2 == 0
            sheet.text(50 if left else 300, 30, "County" if left else "Bridges", 8)
            body(sheet, number * 31)

        return draw

    pages = read(write_pdf(tmp_path / "a.pdf", [page(n) for n in range(1, 9)])).pages
    assert [texts(found, "furniture") for found in pages] == [["Bridges"], ["County"]] * 4


def test_a_first_page_without_running_lines_has_none(tmp_path: Path) -> None:
    def page(number: int) -> None:
        def draw(sheet: Sheet) -> None:
            if number > 1:
                sheet.text(50, 30, "Bridges of the county", 8)
            else:
                sheet.text(50, 60, "BRIDGES", 24, bold=True)
            body(sheet, number * 31)

        return draw

    pages = read(write_pdf(tmp_path / "a.pdf", [page(n) for n in range(1, 6)])).pages
    assert [len(texts(found, "furniture")) for found in pages] == [0, 1, 1, 1, 1]


def test_a_heading_that_comes_twice_is_no_furniture(tmp_path: Path) -> None:
    def page(number: int) -> None:
        def draw(sheet: Sheet) -> None:
            sheet.text(50, 60, "Findings" if number in (2, 4) else sentence(number, 3), 14, bold=True)
            body(sheet, number * 31)

        return draw

    pages = read(write_pdf(tmp_path / "a.pdf", [page(n) for n in range(1, 6)])).pages
    assert texts(pages[1], "heading") == ["Findings"]
    assert texts(pages[3], "heading") == ["Findings"]


def test_the_head_of_a_table_that_goes_on_is_no_furniture(tmp_path: Path) -> None:
    def page(number: int) -> None:
        def draw(sheet: Sheet) -> None:
            sheet.text(50, 30, "Bridges of the county", 8)
            for row in range(10):
                y = 70 + 14 * row
                for x, word in zip((50, 180, 260), ("Name", "Length", "Width"), strict=True):
                    sheet.text(x, y, word if row == 0 else f"{number * 100 + row}")

        return draw

    pages = read(write_pdf(tmp_path / "a.pdf", [page(n) for n in range(1, 5)])).pages
    for found in pages:
        assert texts(found, "furniture") == ["Bridges of the county"]
        assert found.tables[0].row_count == 10


def test_roman_page_numbers_before_the_arabic_ones(tmp_path: Path) -> None:
    printed = ["i", "ii", "iii", "iv", "1", "2", "3", "4", "5"]

    def page(number: int) -> None:
        def draw(sheet: Sheet) -> None:
            sheet.text(195, 545, printed[number], 8)
            body(sheet, number * 31)

        return draw

    pages = read(write_pdf(tmp_path / "a.pdf", [page(n) for n in range(9)])).pages
    assert [found.label for found in pages] == printed


def test_turned_notes_in_the_margin_of_each_page_are_furniture(tmp_path: Path) -> None:
    def page(number: int) -> None:
        def draw(sheet: Sheet) -> None:
            body(sheet, number * 31)
            sheet.canvas.saveState()
            sheet.canvas.translate(20, 150)
            sheet.canvas.rotate(90)
            sheet.text(0, sheet.height, "This report is free of charge", 7)
            sheet.canvas.restoreState()

        return draw

    pages = read(write_pdf(tmp_path / "a.pdf", [page(n) for n in range(1, 5)])).pages
    assert [texts(found, "furniture") for found in pages] == [["This report is free of charge"]] * 4


def test_a_numbered_heading_is_its_own_block_directly_above_text(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.lines(50, 60, paragraph(2, 5))
        sheet.text(50, 120, "4.2.1 Inspection of bearings", 10, bold=True)
        sheet.lines(50, 132, paragraph(12, 5))

    page = read(write_pdf(tmp_path / "a.pdf", [draw])).pages[0]
    assert texts(page, "heading") == ["4.2.1 Inspection of bearings"]


def test_a_reference_that_opens_a_line_is_no_heading(tmp_path: Path) -> None:
    lines = ["Bearings are inspected each year, and after a flood the test of", "4.2.1 applies to all of them as well."]
    page = read(write_pdf(tmp_path / "a.pdf", [lambda s: s.lines(50, 60, lines)])).pages[0]
    assert texts(page, "paragraph") == ["\n".join(lines)]


def test_list_items_and_captions_are_told_apart(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.lines(50, 60, paragraph(2, 4))
        sheet.text(50, 120, "(a) bearings that are older than ten years;")
        sheet.text(50, 136, "(b) bearings that were under water.")
        sheet.text(50, 170, "Figure 2 - A bearing from below")
        sheet.lines(50, 200, ["Figure 2 shows the bearing that was", *paragraph(7, 3)])

    page = read(write_pdf(tmp_path / "a.pdf", [draw])).pages[0]
    assert len(texts(page, "list_item")) == 2
    assert texts(page, "caption") == ["Figure 2 - A bearing from below"]


def test_a_paragraph_behind_a_list_is_none_of_its_last_item(tmp_path: Path) -> None:
    behind = ["The harbour master keeps the list of", "bearings and shows it to whoever asks."]

    def left_of_the_marks(sheet: Sheet) -> None:
        sheet.lines(50, 60, paragraph(2, 3))
        sheet.lines(70, 102, ["- Bearings of bronze", "- Bearings of steel"])
        sheet.lines(50, 126, behind)

    def under_the_marks(sheet: Sheet) -> None:
        sheet.lines(50, 60, paragraph(2, 3))
        for place, mark in enumerate(("-", "-")):
            sheet.text(50, 102 + 24 * place, f"{mark} Bearings that are older than ten")
            sheet.text(62, 114 + 24 * place, "years or were under water")
        sheet.lines(50, 150, behind)

    for draw in (left_of_the_marks, under_the_marks):
        page = read(write_pdf(tmp_path / "a.pdf", [draw])).pages[0]
        assert len(texts(page, "list_item")) == 2
        assert "\n".join(behind) in texts(page, "paragraph")


def test_an_item_whose_lines_are_not_set_in_goes_on(tmp_path: Path) -> None:
    lines = [
        "(a) bearings that are older than ten years or",
        "were under water in the last flood, and",
        "those of bronze.",
    ]
    page = read(write_pdf(tmp_path / "a.pdf", [lambda sheet: sheet.lines(50, 60, lines)])).pages[0]
    assert texts(page, "list_item") == ["\n".join(lines)]


def test_a_small_note_at_the_foot_is_a_footnote(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        body(sheet, 3)
        sheet.text(50, 500, "1 See the second report, which has the figures.", 7)

    assert len(texts(read(write_pdf(tmp_path / "a.pdf", [draw])).pages[0], "footnote")) == 1


def test_a_drawn_table_has_its_cells_with_spans_and_boxes(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.lines(50, 60, paragraph(2, 3))
        sheet.grid([50, 150, 250, 350], [120, 140, 160, 180])
        for row in range(3):
            for column in range(3):
                sheet.text(55 + 100 * column, 134 + 20 * row, f"cell {row} {column}", 9)

    page = read(write_pdf(tmp_path / "a.pdf", [draw])).pages[0]
    (table,) = page.tables
    assert (table.row_count, table.column_count) == (3, 3)
    for cell in table.cells:
        assert page.text[cell.span.start : cell.span.end] == f"cell {cell.row} {cell.column}"
        assert cell.box is not None
        assert abs(cell.box.left - (50 + 100 * cell.column)) < 1.5
        assert cell.header == (cell.row == 0)
    assert "cell 1 0\tcell 1 1\tcell 1 2\n" in page.text


def test_cells_that_span_rows_and_columns_are_known(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        for y in (100, 160):
            sheet.rule(50, y, 350, y)
        sheet.rule(150, 120, 350, 120)
        sheet.rule(150, 140, 350, 140)
        for x in (50, 150, 350):
            sheet.rule(x, 100, x, 160)
        sheet.rule(250, 120, 250, 160)
        sheet.text(55, 132, "Bearing")
        sheet.text(200, 114, "Length and width")
        for row, y in enumerate((134, 154)):
            sheet.text(160, y, f"L{row}")
            sheet.text(260, y, f"W{row}")

    page = read(write_pdf(tmp_path / "a.pdf", [draw])).pages[0]
    spans = {page.text[c.span.start : c.span.end]: (c.row_span, c.column_span) for c in page.tables[0].cells}
    assert spans["Bearing"] == (3, 1)
    assert spans["Length and width"] == (1, 2)
    assert spans["L1"] == (1, 1)


def test_underlined_words_in_a_drawn_table_do_not_join_its_rows(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        for y in (100, 112, 124, 136):
            for left, right in ((50, 150), (150, 250), (250, 350)):
                sheet.rule(left, y, right, y)
        for x in (50, 150, 250, 350):
            sheet.rule(x, 100, x, 136)
        for row in range(3):
            for column in range(3):
                sheet.text(55 + 100 * column, 110 + 12 * row, f"cell {row} {column}", 8)
                sheet.rule(55 + 100 * column, 111.2 + 12 * row, 90 + 100 * column, 111.2 + 12 * row)

    page = read(write_pdf(tmp_path / "a.pdf", [draw])).pages[0]
    assert page.text.split("\n") == [f"cell {row} 0\tcell {row} 1\tcell {row} 2" for row in range(3)]


def test_lines_of_one_cell_stay_together(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.grid([50, 200, 350], [100, 120, 160])
        sheet.text(55, 114, "Term")
        sheet.text(205, 114, "Meaning")
        sheet.text(55, 134, "bearing")
        sheet.text(205, 134, "what carries the deck")
        sheet.text(205, 148, "and lets it move")

    page = read(write_pdf(tmp_path / "a.pdf", [draw])).pages[0]
    assert page.text == "Term\tMeaning\nbearing\twhat carries the deck and lets it move"


def test_where_tables_are_not_looked_for_their_words_are_plain_lines(tmp_path: Path) -> None:
    def draw(sheet: Sheet) -> None:
        sheet.lines(50, 60, paragraph(2, 3))
        sheet.grid([50, 150, 250, 350], [120, 140, 160, 180])
        for row in range(3):
            for column in range(3):
                sheet.text(55 + 100 * column, 134 + 20 * row, f"cell {row} {column}", 9)

    path = write_pdf(tmp_path / "a.pdf", [draw])
    plain = read_pdf(path, ReadOptions(ocr="never", tables=False)).pages[0]
    assert plain.tables == ()
    assert not texts(plain, "table")
    assert "cell 1 0 cell 1 1 cell 1 2\n" in plain.text
    assert sorted(plain.text.split()) == sorted(read(path).pages[0].text.split())


def test_figures_in_columns_without_lines_are_a_table(tmp_path: Path) -> None:
    rows = [
        ("", "2022", "2021"),
        ("Net sales", "1,204", "(987)"),
        ("Cost of sales", "703", "655"),
        ("Profit", "501", "-"),
    ]

    def draw(sheet: Sheet) -> None:
        sheet.lines(50, 60, paragraph(2, 3))
        for number, row in enumerate(rows):
            for x, word in zip((50, 220, 300), row, strict=True):
                width = sheet.canvas.stringWidth(word, "Helvetica", 10) if x > 50 else 0
                sheet.text(x + (40 - width if x > 50 else 0), 120 + 14 * number, word)
        sheet.lines(50, 200, paragraph(9, 3))

    page = read(write_pdf(tmp_path / "a.pdf", [draw])).pages[0]
    (table,) = page.tables
    found = {(c.row, c.column): page.text[c.span.start : c.span.end] for c in table.cells}
    assert found == {(r, c): word for r, row in enumerate(rows) for c, word in enumerate(row) if word}
    assert [c.header for c in table.cells if c.row < 2] == [True, True, False, False, False]
    assert len(texts(page, "table")) == 1


PLACES = st.tuples(st.integers(20, 360), st.integers(20, 540), st.integers(0, 60), st.sampled_from([6, 9, 10, 14]))


@settings(max_examples=40)
@given(st.lists(st.lists(PLACES, max_size=25), min_size=1, max_size=3))
def test_blocks_slice_the_text_in_order_without_overlap_and_cover_it(layout: list[list[tuple[int, ...]]]) -> None:
    def page(places: list[tuple[int, ...]]) -> None:
        def draw(sheet: Sheet) -> None:
            for x, y, seed, size in places:
                sheet.text(x, y, sentence(seed, 1 + seed % 6), size, bold=seed % 3 == 0)

        return draw

    with tempfile.TemporaryDirectory() as folder:
        document = read(write_pdf(Path(folder) / "a.pdf", [page(places) for places in layout]))
    assert len(document.pages) == len(layout)
    for found in document.pages:
        spans = [(block.span.start, block.span.end) for block in found.blocks]
        assert spans == sorted(spans)
        assert all(start < end <= len(found.text) for start, end in spans)
        assert all(one[1] <= other[0] for one, other in pairwise(spans))
        covered = {i for start, end in spans for i in range(start, end)}
        assert all(char.isspace() for i, char in enumerate(found.text) if i not in covered)
        for table in found.tables:
            assert all(table.span.start <= c.span.start < c.span.end <= table.span.end for c in table.cells)
