"""References to pages: the printed number is meant where pages have one, the physical number where they have none."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pincite.records.outlines import Outline
from pincite.records.pages import Block, Document, Page, Span
from pincite.structure.lines import page_starts
from pincite.structure.references import find_references
from pincite.structure.resolve import link_references


def paged(*labels: str | None) -> Document:
    """A page of a few words for each label."""
    return Document(tuple(page(number, "Some words.", label) for number, label in enumerate(labels, 1)), reader="given")


def page(number: int, text: str, label: str | None) -> Page:
    return Page(number, text, (Block("paragraph", Span(number, 0, len(text))),), label=label)


def led(text: str, labels: Sequence[str | None], on: int = 1) -> tuple[str, list[int]] | None:
    """Status and physical pages of the one reference in a text on page `on`; None where there is no reference."""
    pages = list(paged(*labels).pages)
    pages[on - 1] = page(on, text, labels[on - 1])
    document = Document(tuple(pages), reader="given")
    starts = page_starts((item.number, len(item.text), item.label, item.section) for item in pages)
    links = list(link_references([Outline("a.pdf", references=find_references(document, ()), pages=starts)]))
    if not links:
        return None
    (link,) = links
    return link.status, [next(item.number for item in starts if item.start == target.start) for target in link.targets]


PLAIN = [None] * 5
COVERED = [None, None, "1", "2", "3"]


def test_without_printed_numbers_the_physical_page_is_meant() -> None:
    assert led("For details see page 4.", PLAIN) == ("resolved", [4])


def test_the_printed_number_goes_before_the_physical_one() -> None:
    assert led("For details see page 2.", COVERED) == ("resolved", [4])


def test_a_page_on_which_no_number_was_found_is_counted_on_from_its_neighbours() -> None:
    assert led("The table on page 2 applies.", [None, None, "1", None, "3"]) == ("resolved", [4])
    assert led("The table on page 1 applies.", [None, "2", "3"]) == ("resolved", [1])


def test_a_page_that_is_not_there_dangles() -> None:
    assert led("For details see page 9.", PLAIN) == ("dangling", [])
    assert led("For details see page 5.", COVERED) == ("dangling", [])


def test_where_numbers_start_anew_the_page_of_the_same_part_is_meant() -> None:
    labels = ["1", "2", "3", "1", "2", "3"]
    assert led("For details see page 2.", labels, on=3) == ("resolved", [2])
    assert led("For details see page 2.", labels, on=4) == ("resolved", [5])


def test_where_no_part_is_clearly_meant_both_pages_are_candidates() -> None:
    assert led("For details see page 2.", ["i", "1", "2", "1", "2"]) == ("ambiguous", [3, 5])


def test_a_range_of_pages_leads_to_its_first_page() -> None:
    assert led("Costs are explained on pages 2 - 4 of this report.", PLAIN) == ("resolved", [2])


def test_rows_of_a_corpus_are_no_pages() -> None:
    assert page_starts([(1, 10, None, None), (2, 5, "7", "4.1")]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "The list runs over 16 landscape pages 4 of them.",
        "The screen will default to page 1.",
        "Display (Page 2)",
    ],
)
def test_counts_of_pages_and_pages_of_a_screen_are_no_references(text: str) -> None:
    assert led(text, PLAIN) is None


@pytest.mark.parametrize(
    "text",
    ["Enter the sum on page 4 of Form 1040.", "The forecast (see pages 2/3 of the Social and Roof Profile) holds."],
)
def test_a_page_of_something_else_is_external(text: str) -> None:
    assert led(text, PLAIN) == ("external", [])


def test_a_page_is_not_looked_for_in_other_documents() -> None:
    text = "As EN 1990 says, see page 3."
    asking, other = Document((page(1, text, None),), reader="given"), paged(*[None] * 4)
    outlines = [
        Outline(name, names, (), (), find_references(document, ()), pages=starts)
        for name, names, document, starts in (
            ("a.pdf", (), asking, page_starts([(1, len(text), None, None)])),
            ("b.pdf", ("en 1990",), other, page_starts([(n, 5, None, None) for n in range(1, 5)])),
        )
    ]
    statuses = {link.reference: link.status for link in link_references(outlines)}
    (ordinal,) = [item.ordinal for item in outlines[0].references if item.unit == "page"]
    assert statuses[ordinal] == "dangling"
