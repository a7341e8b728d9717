"""Where references lead."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.unit.structure.test_references import document_of

from pincite.records.outlines import Anchor, Outline, ReferenceLink
from pincite.records.pages import Document
from pincite.records.sources import Source
from pincite.structure.references import find_references
from pincite.structure.resolve import link_references
from pincite.structure.sections import find_sections
from pincite.structure.wording import names_of

RULES = document_of(
    ("1", "General"),
    ("1.1", "Words in capitals are defined in Rule 1.2."),
    ("1.2.(1)", "A firm is a body."),
    ("1.2.(2)", "See Rule 1.1 and Rules 2.1 to 2.3, but not Rule 9.9."),
    ("2", "Duties"),
    ("2.1", "A firm must keep records, as section 92(4)(b) of FSMR says."),
    ("2.2", "Paragraph (1) of Rule 1.2 applies."),
    ("2.3", "The Companies Act 2006 and ISO 4355 apply; section 5 of the Companies Act 2006 prevails."),
)
STATUTE = document_of(
    ("Part 8", "Market abuse"),
    ("Part 8.92.(1)", "Behaviour is abuse where subsection (4) applies."),
    ("Part 8.92.(4)", "The third kind is (a) or (b)."),
    ("Schedule 1.1.", "In this Schedule, paragraph 2 is read with section 92."),
    ("Schedule 1.2.", "Interpretation."),
)
GUIDE = document_of(("1)", "This guide is on section 90 of FSMR."), ("2)", "Under section 92(1) it is an offence."))


def outline(source_id: str, title: str, document: Document) -> Outline:
    titled = Document(document.pages, reader="given", title=title)
    sections = find_sections(titled)
    names = names_of(Source(source_id, "given", ""), titled)
    return Outline(source_id, names, sections, (), find_references(titled, sections))


def read(source_id: str, *rows: tuple[str, str], anchors: tuple[Anchor, ...] = ()) -> Outline:
    found = outline(source_id, source_id, document_of(*rows))
    return replace(found, anchors=anchors)


OUTLINES = [
    outline("guide", "Guide to Market Abuse", GUIDE),
    outline("rules", "General Rulebook (GEN)", RULES),
    outline("statute", "Statute of Markets 2015 (FSMR)", STATUTE),
]


def led(source_id: str, text: str, outlines: list[Outline] = OUTLINES) -> tuple[str, list[str | None]]:
    """Status and target numbers of the first reference with this text."""
    known = {item.source_id: item for item in outlines}
    ordinals = {item.ordinal for item in known[source_id].references if item.text == text}
    link = next(
        link for link in link_references(outlines) if link.source_id == source_id and link.reference in ordinals
    )
    return link.status, [known[t.source_id].sections[t.section or 0].number for t in link.targets]


def test_a_rule_of_the_same_document() -> None:
    assert led("rules", "Rule 1.1") == ("resolved", ["1.1"])


def test_a_section_without_text_of_its_own_is_its_first_paragraph() -> None:
    assert led("rules", "Rule 1.2") == ("resolved", ["1.2.(1)"])


def test_a_range_leads_to_all_that_it_spans() -> None:
    assert led("rules", "2.1 to 2.3") == ("resolved", ["2.1", "2.2", "2.3"])


def test_a_place_that_is_not_there_dangles_with_its_reason() -> None:
    assert led("rules", "Rule 9.9") == ("dangling", [])


def test_another_document_is_found_by_its_short_name_and_brackets_that_have_no_row_are_left_out() -> None:
    assert led("rules", "section 92(4)(b)") == ("resolved", ["Part 8.92.(4)"])


def test_a_bracket_is_a_place_of_the_section_that_it_stands_in() -> None:
    assert led("statute", "subsection (4)") == ("resolved", ["Part 8.92.(4)"])


def test_a_paragraph_lies_in_the_rule_that_it_is_said_to_belong_to() -> None:
    assert led("rules", "Paragraph (1)") == ("resolved", ["1.2.(1)"])


def test_what_the_store_does_not_hold_is_external() -> None:
    assert led("rules", "ISO 4355") == ("external", [])
    assert led("rules", "section 5") == ("external", [])


def test_documents_named_by_their_kind_and_number_are_external() -> None:
    text = "See the National Annex. LDF Technical Paper No 7 and Circular 06/2005 follow Council Directive 89/106/EEC."
    links = list(link_references([read("norm", ("1", text))]))
    assert [link.status for link in links] == ["external"] * 4


def test_a_paragraph_of_a_schedule_is_not_a_section_of_the_body() -> None:
    assert led("statute", "paragraph 2") == ("resolved", ["Schedule 1.2."])
    assert led("statute", "section 92") == ("resolved", ["Part 8.92.(1)"])


def test_a_place_without_document_is_looked_up_in_the_one_that_the_text_names() -> None:
    assert led("guide", "section 92(1)") == ("resolved", ["Part 8.92.(1)"])


def test_the_order_of_documents_does_not_show() -> None:
    shuffled = OUTLINES[:]
    random.Random(3).shuffle(shuffled)

    def by_place(links: list[ReferenceLink]) -> list[ReferenceLink]:
        return sorted(links, key=lambda link: (link.source_id, link.reference))

    assert by_place(list(link_references(shuffled))) == by_place(list(link_references(OUTLINES)))


PLAN = [
    read(
        "Local Plan",
        ("11", "Making effective use of land."),
        ("para. 11", "Plans apply a presumption: a. needs; d. Article 4 directions, Regulation 11, chapter 11."),
        ("para. 12", "See paragraph 11 and paragraph 11d. Policies 11 do not exist, Policy CSP4 and policy 3 do."),
        ("Policy CSP 4", "Homes."),
        ("Policy 3", "Paragraph 3 is missing, and page 12 too."),
        anchors=(Anchor(0, "list_item", "d", "Article 4", 2, 68, 100, 2),),
    ),
]


def test_numbered_paragraphs_are_found_as_paragraphs_alone() -> None:
    assert led("Local Plan", "paragraph 11", PLAN) == ("resolved", ["para. 11"])
    assert led("Local Plan", "chapter 11", PLAN) == ("resolved", ["11"])
    assert led("Local Plan", "Paragraph 3", PLAN) == ("dangling", [])
    assert led("Local Plan", "page 12", PLAN) == ("dangling", [])


def test_articles_and_regulations_are_no_paragraphs_of_a_plan() -> None:
    assert led("Local Plan", "Article 4", PLAN) == ("dangling", [])
    assert led("Local Plan", "Regulation 11", PLAN) == ("dangling", [])


def test_what_a_document_does_not_number_is_not_meant_by_this() -> None:
    plan = [read("plan", ("1", "This rule does not apply, nor do those on this page."))]
    assert list(link_references(plan)) == []


def test_items_that_are_counted_apart_are_no_other_numbers() -> None:
    report = [
        read("report", ("Item 1", "Business."), ("2", "A note."), ("3", "See Item 1, but not Item 2 or Item 2A."))
    ]
    links = list(link_references(report))
    assert [link.status for link in links] == ["resolved", "dangling", "dangling"]


def test_a_letter_in_brackets_is_the_item_of_the_section_around_it() -> None:
    items = (Anchor(0, "list_item", "a", "liens", 2, 10, 20, 1), Anchor(1, "list_item", "b", "debts", 2, 20, 30, 1))
    deed = [read("deed", ("1", "Liens."), ("2", "Of: a. liens, b. debts, as clause (b) says."), anchors=items)]
    assert [target.anchor for link in link_references(deed) for target in link.targets] == [1]


def test_a_numbered_chapter_is_no_paragraph() -> None:
    found = read("plan", ("2", "Homes."), ("2.1", "Of chapter 2 as of paragraph 2 or paragraph 2.1."))
    titled = tuple(replace(item, title="" if item.ordinal else "Homes") for item in found.sections)
    plan = [replace(found, sections=titled)]
    assert led("plan", "chapter 2", plan) == ("resolved", ["2"])
    assert led("plan", "paragraph 2", plan) == ("dangling", [])


def test_policies_are_found_with_and_without_the_space_in_their_code() -> None:
    assert led("Local Plan", "Policy CSP4", PLAN) == ("resolved", ["Policy CSP 4"])
    assert led("Local Plan", "policy 3", PLAN) == ("resolved", ["Policy 3"])
    assert led("Local Plan", "Policies 11", PLAN) == ("dangling", [])


def test_the_following_policy_is_the_next_one_that_is_so_called() -> None:
    plan = [read("plan", ("1", "It is ruled by the following policy."), ("2", "Homes."), ("Policy H2", "Homes."))]
    assert led("plan", "the following policy", plan) == ("resolved", ["Policy H2"])


def test_a_title_leads_to_the_section_or_term_of_that_title() -> None:
    found = read("plan", ("1", "Homes."), ("Annex 2", "Terms."), ("3", "See Glossary, and see Windfall Sites."))
    titled = tuple(replace(item, title="Glossary" if item.ordinal == 1 else "") for item in found.sections)
    term = Anchor(0, "definition", None, "Windfall sites", 2, 9, 10, 1)
    references = find_references(document_of(("3", "See Glossary, and see Windfall Sites.")), titled, [term])
    plan = [replace(found, sections=titled, anchors=(term,), references=references)]
    assert led("plan", "Glossary", plan) == ("resolved", ["Annex 2"])
    assert led("plan", "Windfall Sites", plan) == ("resolved", ["Annex 2"])


def test_a_letter_behind_a_number_is_the_item_of_that_paragraph() -> None:
    (link,) = [item for item in link_references(PLAN) if any(target.anchor == 0 for target in item.targets)]
    assert PLAN[0].references[link.reference].number == "11d"


STANDARDS = [
    read(
        "EN 1991-1-2",
        ("6.3", "Clauses."),
        ("6.3(9)", "The ninth, and the tenth, which was not found."),
        ("6.3(11)", "See 6.3(10), expression (CA), Figure 8.5 but not Figure 9.9, NOTE 3 and EN 1991-1-3, 2.1."),
        ("B.1", "Flames."),
        anchors=(
            Anchor(0, "figure", "B.5", "Awnings", 4, 130, 140, 3),
            Anchor(1, "equation", "C.4", "h = 3", 4, 140, 145, 3),
        ),
    ),
    read(
        "EN 1991-1-3",
        ("2.1", "Snow."),
        anchors=(
            Anchor(0, "figure", "8.5", "Drifts", 1, 0, 3, 0),
            Anchor(1, "figure", "9.9", "Ice", 1, 0, 3, 0),
            Anchor(2, "note", "3", "Ice", 1, 0, 3, 0),
        ),
    ),
]


def test_a_clause_that_was_not_found_stands_in_the_one_before_it() -> None:
    assert led("EN 1991-1-2", "6.3(10)", STANDARDS) == ("resolved", ["6.3(9)"])


def test_a_misread_figure_or_equation_is_one_of_the_same_document() -> None:
    assert led("EN 1991-1-2", "Figure 8.5", STANDARDS) == ("resolved", ["B.1"])
    assert led("EN 1991-1-2", "expression (CA)", STANDARDS) == ("resolved", ["B.1"])


def test_an_anchor_is_found_however_its_number_was_read() -> None:
    anchors = (
        Anchor(0, "figure", "B4", "Roofs", 1, 0, 3, 0),
        Anchor(1, "figure", "7.8", "Zones", 1, 0, 3, 0),
        Anchor(2, "table", "D-1", "Sizes", 1, 0, 3, 0),
        Anchor(3, "figure", "7.14", "Walls", 1, 0, 3, 0),
    )
    text = "See Figure 84, then Figure 7.B then Table D-1 then Figure B.4 then Figure 7.14(a)."
    plan = [read("norm", ("1", text), anchors=anchors)]
    assert [link.targets[0].anchor for link in link_references(plan)] == [0, 1, 2, 0, 3]


def test_notes_belong_to_the_clause_that_is_named_with_them() -> None:
    anchors = (Anchor(0, "note", "2", "", 1, 1, 3, 0), Anchor(1, "note", "2", "", 2, 9, 12, 1))
    plan = [
        read("norm", ("1", "Loads."), ("2", "Of wind."), ("3", "By Section 2 NOTE 2, see NOTE 2."), anchors=anchors)
    ]
    links = list(link_references(plan))
    assert [link.status for link in links] == ["resolved", "resolved", "dangling"]
    assert links[1].targets[0].anchor == 1


def test_figures_and_notes_of_another_document_have_to_name_it() -> None:
    assert led("EN 1991-1-2", "Figure 9.9", STANDARDS) == ("dangling", [])
    assert led("EN 1991-1-2", "NOTE 3", STANDARDS) == ("dangling", [])


def test_the_part_of_a_standard_is_the_document_of_that_number() -> None:
    listed = read("list", ("1", "Norms."), ("2", "prEN 1991, Eurocode 1: Actions on structures - Part 1-3: Snow."))
    (link,) = [item for item in link_references([*STANDARDS, listed]) if item.source_id == "list"]
    assert [target.source_id for target in link.targets] == ["EN 1991-1-3"]


def test_this_chapter_and_this_section_are_what_the_words_stand_in() -> None:
    rules = [read("rules", ("3", "Duties."), ("3.1", "General."), ("3.1.(2)", "In this Chapter, in this section."))]
    assert led("rules", "this Chapter", rules) == ("resolved", ["3"])
    assert led("rules", "this section", rules) == ("resolved", ["3.1.(2)"])
