"""References as written: what text points to."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.records.outlines import Anchor, Reference, Section
from pincite.records.pages import Block, BlockKind, Document, Page, Span, page_offsets
from pincite.structure.references import find_references
from pincite.structure.sections import find_sections


def document_of(*rows: tuple[str | None, str]) -> Document:
    pages = [
        Page(number, text, (Block("paragraph", Span(number, 0, len(text))),), section=section)
        for number, (section, text) in enumerate(rows, start=1)
    ]
    return Document(tuple(pages), reader="given")


def references_in(text: str, section: str = "1") -> list[Reference]:
    document = document_of((section, text))
    return list(find_references(document, find_sections(document)))


def named(text: str) -> list[tuple[str, str | None, str | None]]:
    return [(item.unit, item.number, item.document) for item in references_in(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as set out in Rule 4.5.2.", [("rule", "4.5.2", None)]),
        ("under PRU Rules 4.10, 4.11 and 4.12; and", [("rule", n, "PRU") for n in ("4.10", "4.11", "4.12")]),
        ("Rule 3.10.7(f), (g) and (h), the", [("rule", f"3.10.7({c})", None) for c in "fgh"]),
        ("subsections (2)(c) and (3)", [("section", "(2)(c)", None), ("section", "(3)", None)]),
        ("pursuant to section 92 (4)(b):", [("section", "92(4)(b)", None)]),
        ("Section 206(1)(e) of FSMR permits", [("section", "206(1)(e)", "FSMR")]),
        ("see Table 4.1 and Figure B.3", [("table", "4.1", None), ("figure", "B.3", None)]),
        ("Annexes A and B apply", [("annex", "A", None), ("annex", "B", None)]),
        ("under MIR 6.5. This", [("", "6.5", "MIR")]),
        ("in accordance with Section 3.6A of these Rules", [("section", "3.6A", "this")]),
        ("policy CSP 4 requires", [("policy", "CSP 4", None)]),
        ("paragraphs 117a) or 117b) above", [("paragraph", "117a)", None), ("paragraph", "117b)", None)]),
        ("in paragraph 78a or 78b. The", [("paragraph", "78a", None), ("paragraph", "78b", None)]),
        ("Where paragraph 234a, b or e applies", [("paragraph", f"234{letter}", None) for letter in "abe"]),
        ("as shown in expression (6.3).", [("equation", "(6.3)", None)]),
        ("equations (3.2), (3.3) and (C.4)", [("equation", f"({number})", None) for number in ("3.2", "3.3", "C.4")]),
        ("the Table 7.4a and", [("table", "7.4a", None)]),
        ("given in Table E.S and Figure 7.B.", [("table", "E.S", None), ("figure", "7.B", None)]),
        ("note that Rule 8.7.1 applies", [("rule", "8.7.1", None)]),
        ("see Table D-10 and Figure 2-1.", [("table", "D-10", None), ("figure", "2-1", None)]),
        (
            "under the Companies Act 2006, and section 2 of that Act",
            [
                ("document", None, "Companies Act 2006"),
                ("section", "2", "Companies Act 2006"),
            ],
        ),
        ("policies CSP5 and CSP6 will", [("policy", "CSP5", None), ("policy", "CSP6", None)]),
        ("by the National Annex, Annex B may", [("document", None, "National Annex"), ("annex", "B", None)]),
    ],
)
def test_a_place_is_read_with_its_unit_number_and_document(
    text: str, expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("Section 8 of the Affordable Housing Technical Paper", "Affordable Housing Technical Paper"),
        ("page 12 of the Population and Social Profile", "Population and Social Profile"),
        (
            "Regulation 15 of the Planning (Local Plans) (England) Regulations 2012",
            "Planning (Local Plans) (England) Regulations 2012",
        ),
    ],
)
def test_a_capitalised_name_behind_a_place_is_its_document(text: str, document: str) -> None:
    assert references_in(text)[0].document == document


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see Table 6.l0", "6.l0"),
        ("given in Figure ~ 5.4~.", "5.4"),
        ("roof shapes in AnnexB) are", "B"),
        ("using Expression (F .2):", "(F.2)"),
    ],
)
def test_a_number_that_ocr_misread_is_read_all_the_same(text: str, expected: str) -> None:
    assert [item.number for item in references_in(text)] == [expected]


def test_the_mark_of_a_footnote_is_no_number() -> None:
    assert references_in("strategic policies17 and Policies18 that follow") == []


def test_a_code_is_a_policy_where_the_document_has_one_of_that_name() -> None:
    document = document_of(("Policy CSP 1", "Homes."), ("2", "The strategy (CSP1) goes beyond PPS3."))
    found = find_references(document, find_sections(document))
    assert [(item.unit, item.number) for item in found] == [("policy", "CSP1")]


def test_the_number_of_an_equation_or_caption_points_nowhere() -> None:
    text = "1 Loads\nThe force is F = 3 A (1.1)\n15) Table 1.2 - Areas\nSee (1.1) and Table 1.2."
    document = document_of((None, text))
    anchors = (
        Anchor(0, "equation", "1.1", "F = 3 A", 1, text.index("The"), text.index("15)") - 1),
        Anchor(1, "table", "1.2", "Areas", 1, text.index("15)"), text.index("See") - 1),
    )
    found = find_references(document, find_sections(document), anchors)
    assert [item.text for item in found] == ["(1.1)", "Table 1.2"]
    assert all(item.start > text.index("See") for item in found)


def test_a_note_is_no_reference_to_itself() -> None:
    found = references_in("The value is 2.\n~ NOTE 3 It may be set. See\nNOTE 4 and 1 NOTE 5.")
    assert [item.number for item in found] == ["4", "5"]


def test_a_note_behind_a_clause_is_a_note_of_it() -> None:
    clause, note = references_in("see Section 4.5 NOTE 2")
    assert (note.number, note.within) == ("2", clause.ordinal)


def test_contents_and_running_headers_point_nowhere() -> None:
    text = "Annex 2 Housing Trajectory\nAnnex 2: Housing Trajectory 71\nAnnex 2 holds. See\nAnnex 2."
    header = Block("paragraph", Span(2, 0, 7))
    pages = (Page(1, text, (Block("paragraph", Span(1, 0, len(text))),)), Page(2, "Annex 2", (header,)))
    section = Section(0, "Annex 2", "Housing trajectory", 1, None, ("Annex 2",), 3, 4, 900, 999)
    found = find_references(Document(pages, reader="given"), [section])
    assert [item.start for item in found] == [text.index("Annex 2 holds"), text.rindex("Annex 2")]


def test_a_list_goes_on_behind_each_chapter_of_its_places() -> None:
    found = references_in("paragraphs 66 and 84 of chapter 5; 91 of chapter 7; and 135 of chapter 12.")
    numbers = {item.ordinal: item.number for item in found}
    inside = [(item.number, numbers[item.within]) for item in found if item.within is not None]
    assert inside == [("66", "5"), ("84", "5"), ("91", "7"), ("135", "12")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See Glossary for what is meant.", [("", "Glossary")]),
        ("as given in the Housing Provision section above", [("section", "Housing Provision")]),
        ("ranges of the density policy unless", [("policy", "density")]),
        ("shown as broad locations on the Key Diagram in", [("", "Key Diagram")]),
        ("see Key Diagram Working Groups, and homes in the Glossary", []),
        ("see Developer, and the Developer defined in the Developer", [("", "Developer")]),
        ("the density policy CSP 4", [("policy", "CSP 4")]),
    ],
)
def test_a_title_names_its_place_where_text_points_to_it(text: str, expected: list[tuple[str, str]]) -> None:
    document = document_of(("1", text))
    sections = find_sections(document)
    titles = ("Glossary", "Housing Provision", "Density", "Key Diagram")
    titled = [replace(sections[0], ordinal=number, number=None, title=title) for number, title in enumerate(titles)]
    term = Anchor(0, "definition", None, "Developer", 1, 500, 510)
    found = find_references(document, titled, [term])
    assert [(item.unit, item.number) for item in found] == expected


def test_the_part_of_a_standard_in_a_list_belongs_to_its_name() -> None:
    (found,) = references_in("prEN 1991 , Eurocode 1: Actions on structures - Part 1-3: Snow")
    assert found.document == "prEN 1991 , Eurocode 1: Actions on structures - Part 1-3"


def test_the_words_before_a_list_point_nowhere() -> None:
    assert references_in("The following definitions apply, and the following principles:") == []


def test_a_range_is_one_reference_with_both_ends() -> None:
    (found,) = references_in("the conditions of Rules 4.13.5 to 4.13.8 (relating to CRM) are met")
    assert (found.number, found.until) == ("4.13.5", "4.13.8")


def test_a_place_inside_another_names_it() -> None:
    chapter, part = references_in("as Chapter 4 of Part 12 says")
    assert (chapter.number, chapter.within) == ("4", part.ordinal)


def test_a_standard_is_a_document_and_its_clauses_belong_to_it() -> None:
    standard, clause = references_in("see EN 1990:2002, 4.1.2 (7)P")
    assert (standard.unit, standard.document) == ("document", "EN 1990:2002")
    assert (clause.number, clause.document) == ("4.1.2(7)P", "EN 1990:2002")


@pytest.mark.parametrize(
    "text", ["it weighs 4.5 kg", "a growth of 3.2 %", "the price was 10.25", "The Rules A person makes"]
)
def test_a_quantity_is_no_reference(text: str) -> None:
    assert references_in(text) == []


def test_a_bare_number_counts_where_the_document_has_that_section() -> None:
    document = document_of(("5.3.2", "Roofs."), ("6", "The load follows from 5.3.2 and not from 5.3.9."))
    found = find_references(document, find_sections(document))
    assert [item.number for item in found] == ["5.3.2"]


def test_what_a_place_is_said_to_be_decides_its_kind() -> None:
    kinds = [
        item.kind for item in references_in("as defined in Rule 1.2, subject to Rule 1.3. See Table 2 and Annex C")
    ]
    assert kinds == ["defined_in", "subject_to", "table", "annex"]


def test_places_named_by_where_they_stand() -> None:
    found = references_in("the following table, and the previous section")
    assert [(item.unit, item.relative) for item in found] == [("table", "next"), ("section", "previous")]


def test_a_heading_is_no_reference_to_itself() -> None:
    text = "Section 1 General\nThe words say what is meant.\nIt goes on for a while, and longer than that.\n"
    blocks = (Block("heading", Span(1, 0, 17), bold=True, font_size=14.0), Block("paragraph", Span(1, 18, len(text))))
    document = Document((Page(1, text, blocks),), reader="given")
    assert find_references(document, find_sections(document)) == ()


@given(st.lists(st.text("Rule 4.5(a)of,andTableB-PU2", max_size=60), min_size=1, max_size=4))
def test_every_reference_is_the_slice_that_it_names(texts: list[str]) -> None:
    document = document_of(*((str(number), text) for number, text in enumerate(texts, start=1)))
    joined = "\f".join(page.text for page in document.pages)
    found = find_references(document, find_sections(document))
    assert [item.ordinal for item in found] == list(range(len(found)))
    assert all(joined[item.start : item.end] == item.text for item in found)
    assert page_offsets(document.pages)[-1] == len(joined) + 1


def test_the_number_of_a_manual_page_is_no_rule() -> None:
    assert named("see shorewall-rules(5) and shorewall-policy (5), then rule (5)") == [("rule", "(5)", None)]
    assert named("sub-section (5) applies") == [("section", "(5)", None)]


@pytest.mark.parametrize("kind", ["heading", "list_item"])
def test_the_count_of_a_question_is_no_reference_in_its_own_title(kind: BlockKind) -> None:
    title, body = "(FAQ 1.5) Which packages do I need?", "See FAQ 1.5 for these."
    blocks = (
        Block("heading", Span(1, 0, len(title)), level=1),
        Block(kind, Span(1, len(title) + 1, 2 * len(title) + 1), level=1 if kind == "heading" else None),
        Block("paragraph", Span(1, 2 * len(title) + 2, 2 * len(title) + 2 + len(body))),
    )
    made = Document((Page(1, f"{title}\n{title}\n{body}", blocks),), reader="given")
    found = find_references(made, find_sections(made))
    assert [(item.document, item.number) for item in found] == [("FAQ", "1.5")]
