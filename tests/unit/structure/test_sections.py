"""The section tree: headings and only headings, in their levels, with the pages that they stand on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.made_documents import Piece, check_tree, document, heading, headings, plain_heading, text

from pincite.records import Block, Document, OutlineEntry, Page, Span
from pincite.structure.sections import find_sections


def titled(*pages: list[Piece]) -> list[tuple[str | None, str]]:
    made = document(*pages)
    sections = find_sections(made)
    check_tree(made, sections)
    return headings(sections)


def test_numbered_headings_make_a_tree_with_pages() -> None:
    made = document(
        [heading("1 General"), plain_heading("1.1 Scope"), text("This")],
        [text("More of it"), plain_heading("1.2 Terms"), text("Words")],
        [heading("2 Loads"), plain_heading("2.1 Snow"), plain_heading("2.1.1 Roofs"), text("Roofs")],
    )
    sections = find_sections(made)
    check_tree(made, sections)
    assert [(item.number, item.title, item.level, item.first_page, item.last_page) for item in sections] == [
        ("1", "General", 1, 1, 2),
        ("1.1", "Scope", 2, 1, 2),
        ("1.2", "Terms", 2, 2, 2),
        ("2", "Loads", 1, 3, 3),
        ("2.1", "Snow", 2, 3, 3),
        ("2.1.1", "Roofs", 3, 3, 3),
    ]
    assert sections[5].path == ("2", "2.1", "2.1.1")


@pytest.mark.parametrize(
    "line",
    [
        "1.2 and Table 4.1 apply to all roofs.",
        "1.2 applies.",
        "1.2, 1.3 and 2.1 give more.",
        "1.2 (3) Note 2",
        "1.2 m wide walkways",
        "1.2 % of the load",
    ],
)
def test_a_reference_or_quantity_that_opens_a_line_is_no_heading(line: str) -> None:
    found = titled([heading("1 General"), plain_heading("1.1 Scope"), text("See"), Piece(line), text("More")])
    assert found == [("1", "General"), ("1.1", "Scope")]


def test_a_date_that_opens_a_line_is_no_heading() -> None:
    assert titled([heading("1 General"), text("On"), Piece("2 March 2025 was the day."), text("So")]) == [
        ("1", "General")
    ]


def test_a_number_out_of_sequence_is_no_heading() -> None:
    found = titled(
        [heading("1 General"), plain_heading("1.1 Scope"), text("This"), plain_heading("7.4 Free-standing walls")],
        [text("More"), plain_heading("1.2 Terms"), text("Words"), heading("2 Loads"), text("Loads")],
    )
    assert found == [("1", "General"), ("1.1", "Scope"), ("1.2", "Terms"), ("2", "Loads")]


def test_list_items_and_table_rows_are_no_headings() -> None:
    items = [Piece("1. Read the plan of access.", "list_item"), Piece("2. Ask for the wind.", "list_item")]
    rows = [Piece("2 Gratings R11 R12\n3 Sheets R12 none", "table")]
    assert titled([heading("1 General"), text("Do"), *items, *rows, text("Then")]) == [("1", "General")]


def test_a_printed_table_of_contents_makes_no_sections() -> None:
    entries = ["Foreword 3", "1 General ...... 4", "1.1 Scope ...... 4", "2 Loads ...... 5", "Annex A Tests ...... 6"]
    found = titled(
        [heading("Handbook", 24.0)],
        [heading("Contents"), *(plain_heading(entry) for entry in entries)],
        [heading("Foreword"), text("This")],
        [heading("1 General"), plain_heading("1.1 Scope"), text("This")],
        [heading("2 Loads"), text("Loads")],
        [heading("Annex A"), heading("(normative)"), heading("Tests"), text("Tests")],
    )
    assert found == [(None, "Foreword"), ("1", "General"), ("1.1", "Scope"), ("2", "Loads"), ("A", "Tests")]


def test_running_headers_are_no_sections() -> None:
    pages = [[heading("Roof access handbook"), text(f"Page {number}")] for number in range(5)]
    pages[0] = [heading("1 General"), text("Start")]
    assert titled(*pages) == [("1", "General")]


def test_a_header_that_repeats_the_chapter_is_no_second_section() -> None:
    found = titled(
        [heading("1 General"), text("Start")], [heading("General 1"), text("More")], [heading("2 Loads"), text("Loads")]
    )
    assert found == [("1", "General"), ("2", "Loads")]


def test_clauses_are_sections_below_their_heading() -> None:
    made = document(
        [heading("5 Roofs"), plain_heading("5.2 Loads"), Piece("(1)P Loads shall be taken.", "list_item")],
        [Piece("(2) They should act vertically.", "list_item"), Piece("(7) Stray.", "list_item"), text("More")],
    )
    sections = find_sections(made)
    check_tree(made, sections)
    assert [item.number for item in sections] == ["5", "5.2", "5.2(1)P", "5.2(2)"]
    assert sections[3].path == ("5", "5.2", "5.2(2)")
    assert [item.number for item in find_sections(made, clauses=False)] == ["5", "5.2"]


def test_defined_terms_are_sections_with_their_term_as_title() -> None:
    found = titled(
        [
            heading("1 General"),
            plain_heading("1.3 Terms"),
            Piece("1.3.1\naccess point\nopening through which a person reaches the roof"),
            Piece("1.3.2 fall edge: edge of a roof behind which a person can fall more than 2 m"),
        ]
    )
    assert found[2:] == [("1.3.1", "access point"), ("1.3.2", "fall edge")]


def test_numbered_paragraphs_are_sections_without_title() -> None:
    long = "The council has prepared this plan, and it shall be read together with the maps that come with it."
    made = document(
        [heading("1 General"), Piece(f"1.1 {long}"), Piece(f"1.2 {long}"), heading("2 Loads"), text("Loads")]
    )
    sections = find_sections(made)
    assert [(item.number, item.title) for item in sections] == [
        ("1", "General"),
        ("1.1", ""),
        ("1.2", ""),
        ("2", "Loads"),
    ]


def test_paragraphs_counted_through_the_document_are_sections_of_their_chapter() -> None:
    def counted(first: int) -> list[Piece]:
        return [Piece(f"{number}. Plans should be kept up to date.", "list_item") for number in range(first, first + 4)]

    made = document(
        [heading("Contents"), *(plain_heading(f"{number}. Chapter {number}") for number in range(1, 5))],
        [heading("1. Introduction"), *counted(1)],
        [heading("2. Plans"), *counted(5)],
        [*counted(9)],
        [heading("3. Decisions"), *counted(13), Piece("3. Inner list item.", "list_item")],
    )
    sections = find_sections(made)
    check_tree(made, sections)
    paragraphs = [item for item in sections if item.number and item.number.startswith("para.")]
    assert [item.number for item in paragraphs] == [f"para. {number}" for number in range(1, 17)]
    assert paragraphs[4].path == ("2", "para. 5")
    assert (paragraphs[8].first_page, paragraphs[-1].path) == (4, ("3", "para. 16"))


def test_a_list_of_sections_in_an_appendix_repeats_none_of_them() -> None:
    body = [heading("1 General"), plain_heading("1.1 Scope"), text("This"), plain_heading("1.2 Terms"), text("Words")]
    more = [heading("2 Loads"), plain_heading("2.1 Snow"), text("Snow"), plain_heading("2.2 Wind"), text("Wind")]
    again = [plain_heading(line) for line in ("1 General", "1.1 Scope", "1.2 Terms", "2 Loads", "2.1 Snow", "2.2 Wind")]
    numbers = [number for number, _ in titled(body, more, [heading("Annex A Overview"), text("All"), *again])]
    assert numbers == ["1", "1.1", "1.2", "2", "2.1", "2.2", "A"]


def test_annexes_with_misread_numbers_are_found() -> None:
    found = titled(
        [heading("6 Local effects"), text("Local")],
        [heading("ANNEX A"), heading("(normative)"), heading("Situations"), text("Cases")],
        [heading("ANNEX B"), heading("(i nformative)"), heading("Drifts"), plain_heading("81 Scope"), text("This")],
        [plain_heading("82 Roofs"), text("Roofs"), heading("Annex 0 Return periods"), text("Periods")],
    )
    assert found == [
        ("6", "Local effects"),
        ("A", "Situations"),
        ("B", "Drifts"),
        ("B1", "Scope"),
        ("B2", "Roofs"),
        ("D", "Return periods"),
    ]


def test_chapters_in_words_take_the_title_below_them() -> None:
    found = titled(
        [heading("CHAPTER ONE", 13.0), heading("INTRODUCTION", 16.0), text("This"), heading("1.1 PURPOSE"), text("It")],
        [heading("CHAPTER TWO", 13.0), heading("THE FUNDAMENTALS", 16.0), text("Here")],
    )
    assert found == [("1", "INTRODUCTION"), ("1.1", "PURPOSE"), ("2", "THE FUNDAMENTALS")]


def test_parts_hold_chapters_that_go_on_counting() -> None:
    made = document(
        [heading("Part 1 Background", 24.0), heading("1 Introduction"), text("This")],
        [heading("2 Profile"), text("Town")],
        [heading("Part 2 Strategy", 24.0), heading("3 Vision"), text("Future")],
    )
    sections = find_sections(made)
    check_tree(made, sections)
    assert [(item.number, item.level) for item in sections] == [
        ("Part 1", 1),
        ("1", 2),
        ("2", 2),
        ("Part 2", 1),
        ("3", 2),
    ]


def test_headings_without_numbers_nest_by_their_size() -> None:
    made = document(
        [heading("Plan-making", 24.0), text("Plans"), heading("Strategic policies", 16.0), text("They")],
        [heading("Reviewing plans", 16.0), text("Reviews"), heading("Decisions", 24.0), text("Now")],
    )
    sections = find_sections(made)
    check_tree(made, sections)
    assert [(item.title, item.level) for item in sections] == [
        ("Plan-making", 1),
        ("Strategic policies", 2),
        ("Reviewing plans", 2),
        ("Decisions", 1),
    ]


def test_stated_levels_are_kept_and_unnumbered_headings_lie_below_numbered_ones() -> None:
    made = document(
        [
            heading("1 Roofs", level=1),
            text("Roofs"),
            heading("Notes", level=2),
            text("Notes"),
            heading("Annexes", level=1),
        ]
    )
    assert [(item.title, item.level) for item in find_sections(made)] == [("Roofs", 1), ("Notes", 2), ("Annexes", 1)]


def test_bookmarks_find_headings_that_look_like_text() -> None:
    outline = [OutlineEntry("Introduction", 1, 1), OutlineEntry("2 Method", 1, 2), OutlineEntry("Lost", 1, None)]
    made = document(
        [Piece("Introduction", "paragraph"), text("This")], [Piece("2 Method"), text("That")], outline=outline
    )
    assert headings(find_sections(made)) == [(None, "Introduction"), ("2", "Method")]


def test_text_before_the_first_heading_is_a_section_without_title() -> None:
    made = document([text("Summary"), heading("1 General"), text("This")])
    sections = find_sections(made)
    check_tree(made, sections)
    assert [(item.number, item.title, item.path) for item in sections] == [(None, "", ("",)), ("1", "General", ("1",))]


@pytest.mark.parametrize("title", [None, "Letter"])
def test_a_document_without_headings_is_one_section(title: str | None) -> None:
    made = document([text("Dear Sir")], [text("Yours")], title=title)
    sections = find_sections(made)
    check_tree(made, sections)
    assert [(item.title, item.first_page, item.last_page) for item in sections] == [(title or "", 1, 2)]


def test_a_document_without_text_has_one_section() -> None:
    assert len(find_sections(document([]))) == 1


def test_a_section_ends_on_the_page_of_its_last_words() -> None:
    made = document(
        [heading("1 General"), text("This")],
        [Piece("Roof access handbook", "furniture"), heading("2 Loads"), text("Loads")],
    )
    assert [(item.first_page, item.last_page) for item in find_sections(made)] == [(1, 1), (2, 2)]


def test_marks_before_the_first_heading_belong_to_it() -> None:
    page = Page(1, "# Roofs\n\nText.", (Block("heading", Span(1, 2, 7), level=1),))
    sections = find_sections(Document((page,), "made", paged=False))
    assert [(item.title, item.start) for item in sections] == [("Roofs", 0)]


def test_each_sheet_of_a_workbook_is_a_section() -> None:
    pages = tuple(Page(number, "load\t2", label=name) for number, name in enumerate(["Snow", "Wind"], start=1))
    made = Document(pages, "made", paged=False, locators="block")
    sections = find_sections(made)
    check_tree(made, sections)
    assert [(item.title, item.first_page) for item in sections] == [("Snow", 1), ("Wind", 2)]


def test_pages_that_state_their_section_make_the_tree() -> None:
    stated = ["Part 2", "Part 2.4.", "Part 2.4.(1)", "Part 2.4.(2)", "Part 3", "Part 3.Chapter 1.7."]
    texts = ["The Regulator", "Guiding Principles", "The Regulator shall act.", "It may.", "Planning", "Plans\nText."]
    made = Document(
        tuple(
            Page(index, words, section=number)
            for index, (number, words) in enumerate(zip(stated, texts, strict=True), 1)
        ),
        "given",
    )
    sections = find_sections(made)
    check_tree(made, sections)
    assert [item.number for item in sections] == stated
    assert [item.title for item in sections] == ["The Regulator", "Guiding Principles", "", "", "Planning", "Plans"]
    assert [item.parent for item in sections] == [None, 0, 1, 1, None, 4]
    assert sections[2].path == ("Part 2", "Part 2.4.", "Part 2.4.(1)")


def test_a_stray_row_does_not_end_the_section_that_goes_on_behind_it() -> None:
    stated = ["3", "3.1", "2.", "3.2", "4"]
    made = Document(tuple(Page(index, "Text.", section=number) for index, number in enumerate(stated, 1)), "given")
    sections = find_sections(made)
    check_tree(made, sections)
    assert [item.parent for item in sections] == [None, 0, 0, 0, None]


LINES = (
    *(
        "1 General",
        "1.1 Scope",
        "1.2 and 1.3 apply",
        "2 Loads",
        "A.1 Test",
        "Annex A",
        "(1)P Loads",
        "(2) More",
        "Part 2",
    ),
    *(
        "Contents",
        "1 General 4",
        "2 Loads 5",
        "Foreword 3",
        "Notes",
        "running text that goes on.",
        "8.1 Roofs",
        "II. Two",
    ),
    *("CHAPTER ONE", "5.3.2\nterm\ntext", "3.1 Long title of a section that\ngoes on", "2.0", "Item 1A. Risks", "IV"),
)
PIECES = st.builds(
    Piece,
    st.sampled_from(LINES),
    st.sampled_from(["paragraph", "heading", "list_item", "table", "furniture", "caption"]),
    st.sampled_from([8.0, 10.0, 12.0, 16.0]),
    st.booleans(),
    st.sampled_from([None, None, None, 1, 2, 3]),
)


@given(st.lists(st.lists(PIECES, max_size=8), min_size=1, max_size=5), st.booleans())
def test_any_document_gives_a_tree_that_covers_it(pages: list[list[Piece]], clauses: bool) -> None:
    made = document(*pages)
    check_tree(made, find_sections(made, clauses=clauses))
    assert find_sections(made, clauses=clauses) == find_sections(made, clauses=clauses)


@given(st.lists(st.text(alphabet="12.()APart Chapterx", max_size=12), min_size=1, max_size=12))
def test_any_stated_numbers_give_a_tree_that_covers_all_rows(stated: list[str]) -> None:
    made = Document(tuple(Page(index, "Text.", section=number) for index, number in enumerate(stated, 1)), "given")
    check_tree(made, find_sections(made))
