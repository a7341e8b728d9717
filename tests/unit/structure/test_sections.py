"""The section tree: headings and only headings, in their levels, with the pages that they stand on."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.made_documents import Piece, check_tree, document, heading, headings, plain_heading, text

from pincite.ports import ReadOptions
from pincite.read.plain_text import read_plain
from pincite.records.pages import Block, Document, OutlineEntry, Page, Span
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


@pytest.mark.parametrize("last", ["Keys, Locks and Lost Property.", "The tenant pays the rent in May."])
def test_a_title_of_a_contract_may_end_in_a_full_stop(tmp_path: Path, last: str) -> None:
    titles = ["Term.", "Repairs That Fall to the Tenant.", "Notices.", last]
    path = tmp_path / "lease.txt"
    path.write_text("".join(f"{at}. {title}\n\nThe tenant is told.\n\n" for at, title in enumerate(titles, 1)))
    found = headings(find_sections(read_plain(path, ReadOptions())))
    expected = titles if last.startswith("Keys") else titles[:-1]
    assert [pair for pair in found if pair[0]] == [(str(at), title) for at, title in enumerate(expected, 1)]


def test_a_paragraph_of_a_contract_may_open_with_its_title(tmp_path: Path) -> None:
    rent = "Rent and Deposit. The rent is due in May. It is paid in advance."
    path = tmp_path / "lease.txt"
    path.write_text(f"1. Term. This lease begins in May.\n\n2. {rent}\n\n3. Notices must be written. By hand.\n")
    found = headings(find_sections(read_plain(path, ReadOptions())))
    assert [pair for pair in found if pair[0]] == [("1", "Term."), ("2", "Rent and Deposit.")]


def test_the_titles_of_a_printed_contract_need_not_be_set_larger() -> None:
    titles = ["Term.", "Rent and Deposit.", "Repairs That Fall to the Tenant.", "Notices."]
    clauses = [text(f"{at}. {title} The tenant is told of it in writing.") for at, title in enumerate(titles, 1)]
    assert titled(clauses) == [(str(at), title) for at, title in enumerate(titles, 1)]
    steps = [text(f"{at}. Open the lid. The water runs off by itself.") for at in (1, 2, 3)]
    assert titled(steps) == []


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


@given(st.lists(st.lists(PIECES, max_size=8), min_size=1, max_size=5))
def test_any_document_gives_a_tree_that_covers_it(pages: list[list[Piece]]) -> None:
    made = document(*pages)
    check_tree(made, find_sections(made))
    assert find_sections(made) == find_sections(made)


@given(st.lists(st.text(alphabet="12.()APart Chapterx", max_size=12), min_size=1, max_size=12))
def test_any_stated_numbers_give_a_tree_that_covers_all_rows(stated: list[str]) -> None:
    made = Document(tuple(Page(index, "Text.", section=number) for index, number in enumerate(stated, 1)), "given")
    check_tree(made, find_sections(made))


def test_policies_are_sections_of_the_chapter_they_stand_in() -> None:
    made = document(
        [heading("Contents"), *(plain_heading(entry) for entry in ("1 Homes 2", "2 Jobs 3", "Policy H1 Places 2"))],
        [heading("1 Homes", 18.0), text("Homes"), heading("Policy H1", 12.0), heading("Places", 11.0), text("We will")],
        [text("Homes"), heading("Policy H2: Kinds", 12.0), text("We"), heading("2 Jobs", 18.0), text("Jobs")],
        [Piece("Policy EC 1 Sites\nWe will keep them.", "table"), text("Policy H1 applies to all places where")],
        [heading("Annex A Lists", 18.0), text("Policy H2 replaces the old one and all that came with it")],
    )
    sections = find_sections(made)
    check_tree(made, sections)
    assert [(item.number, item.title, item.level, item.first_page) for item in sections if item.title] == [
        ("1", "Homes", 1, 2),
        ("Policy H1", "Places", 2, 2),
        ("Policy H2", "Kinds", 2, 3),
        ("2", "Jobs", 1, 3),
        ("Policy EC 1", "Sites", 2, 4),
        ("A", "Lists", 1, 5),
    ]


def test_policies_that_the_contents_name_need_not_stand_out() -> None:
    entries = ("1 Homes 2", "Policy H1 Places 2", "Policy H2 Kinds 3", "2 Jobs 4")
    made = document(
        [heading("Contents"), *(plain_heading(entry) for entry in entries)],
        [heading("1 Homes", 18.0), text("Policy H1 says more, and"), Piece("Policy H1 Places"), text("We will")],
        [Piece("Policy H2 Kinds"), text("We"), heading("2 Jobs", 18.0), text("Jobs")],
    )
    assert headings(find_sections(made)) == [
        ("1", "Homes"),
        ("Policy H1", "Places"),
        ("Policy H2", "Kinds"),
        ("2", "Jobs"),
    ]


def test_a_policy_ends_where_the_paragraphs_of_its_chapter_go_on() -> None:
    long = "The council has prepared this plan, and it shall be read together with the maps that come with it."
    made = document(
        [heading("1 Homes", 18.0), Piece(f"1.1 {long}"), heading("Policy H1 Places", 12.0), text("We will")],
        [Piece(f"1.2 {long}"), heading("Policy H2 Kinds", 12.0), text("We"), heading("2 Jobs", 18.0), text("Jobs")],
    )
    sections = find_sections(made)
    assert [item.number for item in sections] == ["1", "1.1", "Policy H1", "1.2", "Policy H2", "2"]
    assert [item.parent for item in sections] == [None, 0, 0, 0, 0, None]


def test_headings_inside_what_was_taken_for_a_table_are_found() -> None:
    rows = Piece("c\tspecific heat\nT\ttemperature\n0.2 Two-zone models", "table")
    made = document(
        [
            heading("1 General"),
            text("This"),
            heading("Annex D Models"),
            plain_heading("D.1 One-zone"),
            text("One"),
            rows,
        ],
        [text("Two"), plain_heading("0.3 Computational models"), text("Three")],
    )
    assert headings(find_sections(made))[2:] == [
        ("D.1", "One-zone"),
        ("D.2", "Two-zone models"),
        ("D.3", "Computational models"),
    ]


def test_a_misread_number_of_the_contents_promises_the_heading() -> None:
    entries = ("1 General 2", "1.1 Scope 2", "Annex D Models 2", "0.1 One 2", "0.2 Two 2")
    made = document(
        [heading("Contents"), *(plain_heading(entry) for entry in entries)],
        [heading("1 General"), plain_heading("1.1 Scope"), text("It"), heading("Annex D Models"), text("Models")],
        [plain_heading("0.1 One"), text("One"), Piece("0.2\tTwo\n3\t4", "table"), text("Two")],
    )
    assert headings(find_sections(made))[3:] == [("D.1", "One"), ("D.2", "Two")]


def test_a_chapter_title_that_goes_on_behind_a_comma_is_one_title() -> None:
    made = document(
        [heading("1. General"), text("This")],
        [Piece("2. Meeting the change of climate,", "list_item", 14.0, bold=True), heading("floods and coasts")],
        [text("Plans"), heading("3. Decisions"), text("Now")],
    )
    assert headings(find_sections(made)) == [
        ("1", "General"),
        ("2", "Meeting the change of climate, floods and coasts"),
        ("3", "Decisions"),
    ]


def test_a_misread_word_before_the_repeated_number_is_left_out_of_the_title() -> None:
    made = document([heading("1. Section 1 General"), text("This")], [heading("2. Sectlon 2 Loads"), text("Loads")])
    assert headings(find_sections(made)) == [("1", "General"), ("2", "Loads")]


def test_a_header_that_was_misread_is_no_section() -> None:
    made = document(
        [heading("1 General"), text("Start"), heading("2 Spatial strategy"), text("Plans")],
        [heading("Spafial strategy 2"), text("More"), heading("3 Homes"), text("Homes")],
    )
    assert headings(find_sections(made)) == [("1", "General"), ("2", "Spatial strategy"), ("3", "Homes")]


def test_a_title_may_be_glued_to_its_number() -> None:
    made = document(
        [heading("1 General"), plain_heading("1.1Scope"), text("This"), plain_heading("1.2Terms"), text("x")]
    )
    assert headings(find_sections(made)) == [("1", "General"), ("1.1", "Scope"), ("1.2", "Terms")]


def test_headers_that_repeat_an_annex_on_each_page_do_not_move_it() -> None:
    made = document(
        [heading("1 General", 18.0), text("Start"), heading("2 Loads", 18.0), text("Loads")],
        [heading("Annex A Glossary", 18.0), heading("Annex A Glossary", 18.0), text("Terms")],
        [heading("Annex A Glossary", 18.0), text("More")],
        [heading("Annex A Glossary", 18.0), text("More")],
    )
    assert [(item.number, item.first_page) for item in find_sections(made)] == [("1", 1), ("2", 1), ("A", 2)]


def test_a_page_with_a_large_heading_alone_opens_what_follows() -> None:
    made = document(
        [heading("Part 1 Background", 36.0)],
        [heading("1 Introduction", 18.0), text("This")],
        [heading("Part 2 Strategy", 36.0)],
        [heading("Social progress", 36.0)],
        [heading("2 Homes", 18.0), text("Homes")],
    )
    sections = find_sections(made)
    check_tree(made, sections)
    assert [(item.title, item.first_page) for item in sections] == [
        ("Background", 1),
        ("Introduction", 2),
        ("Strategy", 3),
        ("Social progress", 4),
        ("Homes", 5),
    ]


def test_bold_words_in_tables_and_figures_of_a_numbered_document_are_no_sections() -> None:
    titles = ("1 General", "2 Loads", "3 Roofs", "4 Walls", "5 Floors")
    chapters = [piece for title in titles for piece in (heading(title), text("Words"))]
    made = document(
        chapters,
        [
            *(Piece("Table 1 Loads", "caption"), heading("Category of use"), Piece("A 1,0"), Piece("B 2,0")),
            *(text("The loads"), heading("Return period in years"), Piece("Figure 1 Loads in years", "caption")),
            *(text("Then"), heading("On the use of loads"), text("Loads")),
        ],
    )
    assert headings(find_sections(made))[5:] == [(None, "On the use of loads")]


def test_annexes_with_letter_and_number_hold_their_sections() -> None:
    made = document(
        [heading("1 General"), text("This"), heading("2 Loads"), text("Loads")],
        [heading("Annex A1 (normative) Buildings"), text("This"), plain_heading("A1.1 Field"), text("Field")],
        [plain_heading("A1.2 Combinations"), text("They"), plain_heading("A1.2.1 General"), text("In general")],
        [heading("Annex B [informative] Reliability"), text("This"), plain_heading("B1 Scope"), text("It")],
    )
    sections = find_sections(made)
    check_tree(made, sections)
    assert [(item.number, item.title, item.level) for item in sections][2:] == [
        ("A1", "Buildings", 1),
        ("A1.1", "Field", 2),
        ("A1.2", "Combinations", 2),
        ("A1.2.1", "General", 3),
        ("B", "Reliability", 1),
        ("B1", "Scope", 2),
    ]


def test_a_bibliography_belongs_to_no_annex() -> None:
    made = document(
        [heading("1 General"), text("This"), heading("2 Loads"), text("Loads")],
        [heading("Annex A Tests", 18.0), text("Tests"), heading("Bibliography", 12.0), text("Books")],
    )
    assert [(item.title, item.level) for item in find_sections(made)][2:] == [("Tests", 1), ("Bibliography", 1)]
