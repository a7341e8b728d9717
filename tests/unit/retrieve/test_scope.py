"""A question takes documents in and leaves them out in its own words, by their file names."""

from __future__ import annotations

import time

import pytest

from pincite.records.questions import Filter
from pincite.retrieve.query import parse_query
from pincite.retrieve.scope import MOST_TOLD, scope_notices

KNOWN = (
    "north/Lease_2019.pdf",
    "south/Lease_2019.pdf",
    "annual-report-2022.docx",
    "annual-report-2023.docx",
    "letters.txt",
    "git/manual.html",
    "drivers_handbook.md",
)


@pytest.mark.parametrize(
    ("question", "asked", "sources"),
    [
        ("Using only letters.txt, who pays the rent?", "who pays the rent?", ["letters.txt"]),
        ("Based on the 2022 annual report, who chairs?", "who chairs?", ["annual-report-2022.docx"]),
        ("Who chairs according to the annual report of 2023?", "Who chairs?", ["annual-report-2023.docx"]),
        ("In the letters, who is thanked?", "who is thanked?", ["letters.txt"]),
        ("Who chairs in the 2023 edition of the report?", "Who chairs?", ["annual-report-2023.docx"]),
        ("What do the letters say about rent?", "rent?", ["letters.txt"]),
        ("What do the letters mention first?", "What do it mention first?", ["letters.txt"]),
        ("According to the driver's handbook, who pays?", "who pays?", ["drivers_handbook.md"]),
        ("Going by the south lease alone, who pays?", "who pays?", ["south/Lease_2019.pdf"]),
        ("From the south lease, who pays?", "who pays?", ["south/Lease_2019.pdf"]),
        ("Under the south lease, who pays?", "who pays?", ["south/Lease_2019.pdf"]),
        ("In 2022, who chaired?", "In 2022, who chaired?", []),
        ("Who chaired in 2022?", "Who chaired in 2022?", []),
        ("How do I use git?", "How do I use git?", []),
        ("What is printed in annual report?", "What is printed in annual report?", []),
        ("How does rent differ from Lease 2019?", "How does rent differ from Lease 2019?", []),
        ("Who writes letters in winter?", "Who writes letters in winter?", []),
    ],
)
def test_what_is_taken_in(question: str, asked: str, sources: list[str]) -> None:
    query = parse_query(question, ["en"], Filter(), lambda _: KNOWN)
    assert (query.search_text, list(query.filter.sources), query.filter.without) == (asked, sources, ())


@pytest.mark.parametrize(
    ("question", "asked", "without"),
    [
        ("Ignore the letters. Who pays the rent?", "Who pays the rent?", ["letters.txt"]),
        ("Who pays the rent, not counting the letters?", "Who pays the rent?", ["letters.txt"]),
        ("Excluding letters.txt, who pays?", "who pays?", ["letters.txt"]),
        ("Do not use letters.txt. Who pays?", "Who pays?", ["letters.txt"]),
        ("Who pays, apart from letters.txt?", "Who pays?", ["letters.txt"]),
        (
            "Who pays (leaving out the letters and the 2022 report)?",
            "Who pays?",
            ["annual-report-2022.docx", "letters.txt"],
        ),
        ("Who pays the rent by the lease and not the letters?", "Who pays the rent by the lease?", ["letters.txt"]),
        ("Who pays, rather than the porter, the rent?", "Who pays, rather than the porter, the rent?", []),
        ("May I skip the letters?", "May I skip the letters?", []),
        ("Who may enter without letters?", "Who may enter without letters?", []),
    ],
)
def test_what_is_left_out(question: str, asked: str, without: list[str]) -> None:
    query = parse_query(question, ["en"], Filter(), lambda _: KNOWN)
    assert (query.search_text, query.filter.sources, list(query.filter.without)) == (asked, (), without)


@pytest.mark.parametrize("words", ["do ", "all the other ", "in the ", "ignore "])
def test_a_long_question_is_read_in_time(words: str) -> None:
    started = time.monotonic()
    parse_query(words * 3000, ["en"], Filter(), lambda _: KNOWN)
    assert time.monotonic() - started < 5


def test_of_the_newest_the_one_with_the_highest_numbers_is_meant() -> None:
    query = parse_query("What does the newest annual report say of rent?", ["en"], Filter(), lambda _: KNOWN)
    assert query.filter.sources == ("annual-report-2023.docx",)


def test_a_description_that_fits_every_document_says_nothing() -> None:
    query = parse_query("In the lease, who pays?", ["en"], Filter(), lambda _: KNOWN[:2])
    assert query.search_text == "In the lease, who pays?"
    assert query.filter == Filter()


def test_what_was_searched_is_told_but_for_what_was_given() -> None:
    given = Filter(sources=("a.pdf",))
    assert scope_notices(given, given) == []
    assert scope_notices(Filter(sources=("a [[]1].pdf",), without=("b.pdf",)), Filter()) == [
        "as the question says, only a [1].pdf was searched",
        "as the question says, b.pdf was left out",
    ]
    many = Filter(sources=tuple(f"{number}.pdf" for number in range(MOST_TOLD + 2)))
    assert scope_notices(many, Filter())[0].endswith("4.pdf, 2 more was searched")
