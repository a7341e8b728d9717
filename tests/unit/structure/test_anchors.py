"""1. Tables and figures are found by their captions, and by captions alone. 2. Equations by their numbers. 3. Terms,
symbols, notes, footnotes and list items by their form. 4. Every anchor knows its page, section and span."""

from __future__ import annotations

from dataclasses import astuple, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.made_documents import Piece, document, heading, plain_heading, text

from pincite.records.outlines import Anchor, AnchorKind
from pincite.records.pages import Box, Document
from pincite.structure.anchors import find_anchors
from pincite.structure.sections import find_sections


def anchors(made: Document) -> tuple[Anchor, ...]:
    return find_anchors(made, find_sections(made))


def named(made: Document, *kinds: AnchorKind) -> list[tuple[str | None, str]]:
    return [(anchor.number, anchor.title) for anchor in anchors(made) if anchor.kind in kinds]


def joined(made: Document) -> str:
    return "\f".join(page.text for page in made.pages)


def caption(words: str) -> Piece:
    return Piece(words, "caption")


GRID = Piece("Region\tLoad\nCoast\t0,4\nHills\t0,8", "table")


@pytest.mark.parametrize(
    ("line", "number", "title"),
    [
        ("Table 4.1 Recommended values of loads", "4.1", "Recommended values of loads"),
        ("Tab1e 4.l - Recommended values", "4.1", "Recommended values"),
        ("Table 4.1: Recommended values", "4.1", "Recommended values"),
        ("TABLE 4.1 — RECOMMENDED VALUES", "4.1", "RECOMMENDED VALUES"),
        ("Table A .1 Design situations", "A.1", "Design situations"),
        ("Table 7.4b - Values for duopitch roofs", "7.4b", "Values for duopitch roofs"),
        ("Table 3.", "3", ""),
        ("Tabelle 2: Lasten", "2", "Lasten"),
        ("Table 4.1\tRecommended values", "4.1", "Recommended values"),
        ("15) Table 7.3b - Values", "7.3b", "Values"),
        ("TABLE D-10: PROTECTION OF ROOFS", "D-10", "PROTECTION OF ROOFS"),
        ("Table 3-2 Recommended values", "3-2", "Recommended values"),
        ("Table 3\u20132. Recommended values", "3\u20132", "Recommended values"),
        ("Table 3 \u2013 2 storeys", "3", "2 storeys"),
        ("Table A: Values", "A", "Values"),
        ("Table II. Values", "II", "Values"),
        ("~ Table 8.1 - Depth", "8.1", "Depth"),
    ],
)
def test_a_table_is_found_by_its_caption(line: str, number: str, title: str) -> None:
    assert named(document([caption(line), GRID, text("Then")]), "table") == [(number, title)]


@pytest.mark.parametrize(
    "line",
    [
        "Table 4.1 gives the values for all roofs that are named in this part.",
        "Table 4.1 and Table 4.2 apply.",
        "Table 4.1, Table 4.2",
        "Table 4.1 (see 5.3) may be used.",
        "Table 4.1)",
        "(1) Table 4.1 Loads",
        "See Table 4.1: Loads",
        "Figure 5.1 shall be used",
        "tables 4 people each",
        "Figure 3m wide",
    ],
)
def test_a_sentence_that_opens_with_a_table_is_no_caption(line: str) -> None:
    assert named(document([text("See"), Piece(line), text("More")]), "table", "figure") == []


def test_a_mention_at_the_end_of_a_sentence_is_no_second_figure() -> None:
    made = document([text("See"), Piece("Figure 5.7."), text("More")], [caption("Figure 5.7 - Flat roofs")])
    assert [(item.number, item.title, item.page) for item in anchors(made)] == [("5.7", "Flat roofs", 2)]


def test_a_list_of_tables_has_no_tables() -> None:
    entries = [Piece(f"Table {number} Loads of kind {number} {number + 3}") for number in range(1, 5)]
    dotted = [Piece("Figure 1 Roofs ............ 7")]
    made = document([heading("List of tables"), *entries], dotted, [caption("Table 2 Loads of kind 2"), GRID])
    assert [(item.number, item.page) for item in anchors(made)] == [("2", 3)]


def test_contents_at_the_head_of_a_text_without_pages_take_no_table_away() -> None:
    contents = [plain_heading("Table of Contents"), Piece("Addresses", "list_item"), Piece("Routes", "list_item")]
    made = document([*contents, text("Interfaces were renumbered."), caption("Table 1. New addresses"), GRID])
    without_pages = replace(made, pages=tuple(replace(page, width=0.0, height=0.0) for page in made.pages))
    assert named(without_pages, "table") == [("1", "New addresses")]


def test_a_list_of_figures_whose_page_numbers_were_lost_has_no_figures() -> None:
    listed = [caption(f"Figure {number}: Roof {number}.") for number in range(1, 5)]
    body = [[text("This"), caption(f"Figure {number}: Roof {number}")] for number in range(1, 5)]
    assert [item.page for item in anchors(document(listed, *body))] == [2, 3, 4, 5]
    assert named(document([heading("List of Figures"), *listed[:2], text("x")]), "figure") == []


def test_a_table_that_goes_on_over_the_page_is_one() -> None:
    made = document(
        [caption("Table 4.1 Loads"), GRID],
        [caption("Table 4.1 (continued)"), GRID],
        [caption("Table 4.1 Loads"), GRID],
    )
    assert named(made, "table") == [("4.1", "Loads")]


def test_a_table_whose_first_caption_was_lost_is_found_where_it_goes_on() -> None:
    made = document([text("This"), GRID], [caption("Table 4.1 (continued)"), GRID], [caption("Table 4.1 - end")])
    assert [(item.number, item.page) for item in anchors(made) if item.number] == [("4.1", 2)]


def test_a_table_holds_its_rows_and_notes_and_nothing_else() -> None:
    notes = Piece("NOTE 1 Values for sites below 1000 m above the sea are those of the nearest region on the map.")
    made = document([heading("1 Loads"), caption("Table 1 Loads"), GRID, notes, text("The load")], [GRID])
    table = next(anchor for anchor in anchors(made) if anchor.number == "1")
    words = joined(made)[table.start : table.end]
    assert words.startswith("Table 1 Loads")
    assert words.endswith("on the map.")
    assert table.section == 0


def test_a_table_ends_where_a_section_starts() -> None:
    made = document([heading("1 General"), caption("Table 1 Loads"), GRID, heading("2 Roofs"), text("Roofs")])
    table = next(anchor for anchor in anchors(made) if anchor.kind == "table")
    assert joined(made)[table.start : table.end].endswith("Hills\t0,8")


def test_a_table_ends_before_a_section_inside_its_block() -> None:
    rows = Piece("Site\tLoad\nCoast\t0,4\n1.2\tShadow effects", "table")
    made = document([heading("1 General"), plain_heading("1.1 Scope"), text("This"), caption("Table 1 Loads"), rows])
    table = next(anchor for anchor in anchors(made) if anchor.kind == "table")
    assert joined(made)[table.start : table.end].rstrip() == "Table 1 Loads\nSite\tLoad\nCoast\t0,4"


def test_a_caption_inside_or_below_its_grid_is_found_too() -> None:
    inside = Piece("Table 5.1 Values of\nthe coefficient\nSite\tC\nOpen\t0,8", "table")
    made = document([inside, text("Then")], [text("See"), GRID, caption("Table 5.2 Loads"), text("Then")])
    found = [anchor for anchor in anchors(made) if anchor.kind == "table"]
    assert [(item.number, item.title) for item in found] == [("5.1", "Values of the coefficient"), ("5.2", "Loads")]
    assert joined(made)[found[1].start :].startswith("Region")


def test_a_table_without_caption_is_an_anchor_without_number() -> None:
    assert named(document([text("See"), GRID]), "table") == [(None, "")]


def test_numbers_that_were_misread_are_those_of_their_annex() -> None:
    made = document(
        [heading("1 General"), text("This")],
        [heading("Annex A (normative) Cases"), caption("Table A.1 Cases"), text("Cases")],
        [
            heading("Annex B (informative) Drifts"),
            caption("Figure 8.1 Drifts"),
            caption("Table 81 : Shapes"),
            text("x"),
        ],
        [heading("Annex C (informative) Maps"), caption("Figure C.s"), caption("Figure e.8"), text("Maps")],
    )
    numbers = [number for number, _ in named(made, "table", "figure")]
    assert numbers == ["A.1", "B.1", "B1", "C.5", "C.8"]


@pytest.mark.parametrize("word", ["Table", "Tab1e", "TabIe", "Tahle", "Ta hIe", "TABLE"])
def test_the_word_of_a_caption_may_be_misread(word: str) -> None:
    assert named(document([caption(f"{word} 2 - Loads"), GRID]), "table") == [("2", "Loads")]


def test_the_title_of_a_caption_may_stand_in_the_next_block() -> None:
    made = document([caption("Table 6 -"), heading("Constants for all roofs"), GRID])
    assert named(made, "table") == [("6", "Constants for all roofs")]


def region(*pieces: tuple[Piece, Box]) -> tuple[float, ...]:
    made = document([piece for piece, _ in pieces])
    page = made.pages[0]
    blocks = tuple(replace(block, box=box) for block, (_, box) in zip(page.blocks, pieces, strict=True))
    made = replace(made, pages=(replace(page, blocks=blocks, width=600, height=800),))
    box = next(anchor.box for anchor in anchors(made) if anchor.kind == "figure")
    return () if box is None else astuple(box)


def test_a_figure_fills_the_page_from_the_text_above_to_its_caption() -> None:
    text_above = (text("The roof"), Box(50, 50, 500, 80))
    label = (Piece("h"), Box(200, 150, 210, 160))
    assert region(text_above, label, (caption("Figure 1 Roof"), Box(100, 300, 300, 310))) == pytest.approx(
        (42, 80, 558, 310)
    )


def test_a_figure_ends_at_notes_and_numbered_paragraphs_above_it() -> None:
    note = (Piece("NOTE 2 See also 5.3"), Box(50, 100, 300, 110))
    paragraph = (Piece("(2) The load is:", "list_item"), Box(50, 120, 300, 130))
    label = (Piece("roof with a parapet"), Box(200, 150, 300, 160))
    found = region(note, paragraph, label, (caption("Figure 1 Roof"), Box(100, 300, 300, 310)))
    assert found == pytest.approx((42, 130, 558, 310))


def test_a_figure_without_text_above_starts_at_the_margin() -> None:
    under = (text("The roof"), Box(50, 320, 500, 350))
    assert region((caption("Figure 1 Roof"), Box(100, 300, 300, 310)), under) == pytest.approx((42, 56, 558, 310))


def test_a_figure_may_stand_below_its_caption() -> None:
    text_above, text_below = (text("Roofs"), Box(50, 60, 500, 90)), (text("Walls"), Box(50, 500, 500, 530))
    found = region(text_above, (caption("Figure 1. Roof"), Box(60, 100, 300, 110)), text_below)
    assert found == pytest.approx((42, 100, 558, 500))


@pytest.mark.parametrize(
    ("piece", "number", "title"),
    [
        ("s = m C t (1.1)", "1.1", "s = m C t"),
        ("s = m C t\t[kN]\t(1.1 )", "1.1", "s = m C t [kN]"),
        ("(1.1)", "1.1", ""),
        ("where it is\ns = 2 h\n(1.1a)", "1.1a", ""),
        ("for a < 0,05 (1.l)", "1.1", "for a < 0,05"),
    ],
)
def test_an_equation_is_found_by_its_number(piece: str, number: str, title: str) -> None:
    made = document([heading("1 Roofs"), text("It is"), Piece(piece), text("Then")])
    assert named(made, "equation") == [(number, title)]


def test_equations_of_an_annex_with_misread_numbers() -> None:
    formulas = [Piece(f"where it is given by:\n{mark}", "list_item") for mark in ("(8.1)", "(B.2 )", "(BA)", "(B.B)")]
    made = document(
        [heading("1 General"), text("This")],
        [heading("Annex A Cases"), text("Cases"), heading("Annex B Drifts"), *formulas, Piece("s = 2 h + To (B.11 a)")],
    )
    assert [number for number, _ in named(made, "equation")] == ["B.1", "B.2", "B.4", "B.8", "B.11a"]


@pytest.mark.parametrize(
    "piece",
    [
        "insulation (I)",
        "January 2 (10,017) (3) (1.2)",
        "8 = parent of a body of 501(c)(1)",
        "W width of the wall containing windows (W1)",
        "The load should be determined for all roofs by Expression (1.1)",
        "according to expression\n(1.1)",
        "s = 2 h, see (1.1)",
        "Growth of sales 64 (6.3)",
        "for h < 2 (2.1)",
        "(1) The load",
    ],
)
def test_a_mention_of_an_equation_is_none(piece: str) -> None:
    assert named(document([heading("1 Roofs"), text("It is"), Piece(piece), text("Then")]), "equation") == []


def test_percentages_of_a_report_are_no_equations() -> None:
    assert named(document([heading("Results"), Piece("Valuation allowance 1,199 (23.9)")]), "equation") == []


def test_numbered_terms_are_definitions_as_well_as_sections() -> None:
    made = document(
        [
            heading("1 General"),
            plain_heading("1.6 Terms and definitions"),
            Piece("1.6.1\naccess point\nopening through which a person reaches the roof"),
            Piece("1.6.2 fall edge: edge of a roof behind which a person can fall more than 2 m"),
        ]
    )
    assert named(made, "definition") == [("1.6.1", "access point"), ("1.6.2", "fall edge")]


def test_the_entries_of_a_glossary_are_definitions() -> None:
    made = document(
        [
            heading("1 Plans"),
            Piece("Results: they are good in all parts of the district."),
            heading("Annex A Glossary"),
            Piece("Green Belt:- open land around towns."),
            Piece("Post-16: Young people who are over school age."),
            Piece("Major development91: For housing, development where 10 or more homes are planned."),
            Piece("a) Social Rent: homes let at low rents.", "list_item"),
            Piece("Mixed use¹² : Shops below homes."),
            Piece("Class 3: Homes with more than one household."),
            Piece("12 But for the purposes of paragraph 190.", "footnote"),
        ]
    )
    assert [title for _, title in named(made, "definition")] == [
        "Green Belt",
        "Post-16",
        "Major development",
        "Social Rent",
        "Mixed use",
        "Class 3",
    ]


def test_what_a_word_means_is_a_definition() -> None:
    made = document(
        [
            heading("1 Plans"),
            Piece("“Base Pay” means the wages that are paid before taxes."),
            Piece("This means that plans should be kept."),
        ],
        [heading("2 Definitions"), Piece("Employee means a person who is employed.")],
    )
    assert [title for _, title in named(made, "definition")] == ["Base Pay", "Employee"]


def test_symbols_of_a_list_of_symbols() -> None:
    made = document(
        [
            heading("1 General"),
            plain_heading("1.1 Symbols"),
            Piece("Latin upper case letters"),
            Piece("Ce Exposure coefficient"),
            Piece("s Snow load on the roof [kN/m2]\nsk Characteristic value"),
            Piece("NOTE: The notation is that of another standard."),
        ]
    )
    found = [title for _, title in named(made, "symbol")]
    assert found == ["Ce Exposure coefficient", "s Snow load on the roof [kN/m2]", "sk Characteristic value"]


def test_notes_footnotes_and_list_items_by_their_marks() -> None:
    made = document(
        [
            heading("1 General"),
            Piece("(1) The load is taken", "list_item"),
            Piece("a) for all roofs;", "list_item"),
            Piece("(b) for some roofs;", "list_item"),
            Piece("iv. for flat roofs.", "list_item"),
            Piece("NOTE 2: See 1.3."),
            Piece("Note The map is old."),
            Piece("Notes on roofs are many."),
            Piece("1 As planned in May.", "footnote"),
            Piece("250 500 Kilometers", "footnote"),
        ]
    )
    assert named(made, "list_item") == [
        ("a", "for all roofs;"),
        ("b", "for some roofs;"),
        ("iv", "for flat roofs."),
    ]
    assert named(made, "note") == [("2", "See 1.3."), (None, "The map is old.")]
    assert named(made, "footnote") == [("1", "As planned in May.")]


def test_several_notes_or_footnotes_of_a_block_are_told_apart() -> None:
    made = document(
        [
            heading("1 General"),
            Piece("Site\tLoad\nCoast\t0,4\nNOTE1:For sites below.\nNOTE 2: Old\nmaps.", "table"),
            Piece("8 See the plan.\n9 See the map of\n2004 and others.\n10 As planned.", "footnote"),
        ]
    )
    assert named(made, "note") == [("1", "For sites below."), ("2", "Old maps.")]
    assert named(made, "footnote") == [
        ("8", "See the plan."),
        ("9", "See the map of 2004 and others."),
        ("10", "As planned."),
    ]


LINES = (
    *("Table 4.1 Loads", "Table 4.1", "Figure 2 - Roofs", "Table 4.1 (continued)", "Figure 2 gives more", "Fig. 3: x"),
    *(
        "s = 2 h (1.1)",
        "(5.2)",
        "1 General",
        "5 Roofs",
        "Annex B Drifts",
        "Symbols",
        "Ce Coefficient of it",
        "Glossary",
    ),
    *("Term: what it is", "“X” means y", "a) item", "NOTE 1 It", "12 Footnote", "Region\tLoad\n1\t2", "1.2 Terms", "T"),
)
PIECES = st.builds(
    Piece,
    st.sampled_from(LINES),
    st.sampled_from(["paragraph", "heading", "list_item", "table", "furniture", "caption", "footnote", "equation"]),
    st.sampled_from([8.0, 10.0, 14.0]),
)


@given(st.lists(st.lists(PIECES, max_size=8), min_size=1, max_size=5))
def test_anchors_of_any_document_slice_its_text_and_know_their_section(pages: list[list[Piece]]) -> None:
    made = document(*pages)
    sections = find_sections(made)
    found = find_anchors(made, sections)
    words = joined(made)
    assert [anchor.ordinal for anchor in found] == list(range(len(found)))
    assert [anchor.start for anchor in found] == sorted(anchor.start for anchor in found)
    for anchor in found:
        assert 0 <= anchor.start < anchor.end <= len(words)
        assert words[: anchor.start].count("\f") + 1 == anchor.page
        assert anchor.section is not None
        section = sections[anchor.section]
        assert section.start <= anchor.start < section.end
    numbered = [(item.kind, item.number) for item in found if item.kind in ("equation",) and item.number]
    assert len(numbered) == len(set(numbered))
    assert find_anchors(made, sections) == found
