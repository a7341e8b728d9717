"""How a statement is printed with its citations."""

from __future__ import annotations

from dataclasses import replace

from pincite.answer.said.citations import printed_statement
from pincite.records.answers import Statement
from pincite.records.citations import Citation
from pincite.records.pages import Span


def cited(locator: str | None, page: int | None = None) -> Citation:
    return Citation("guide.html", "guide.html", page, locator, None, "0" * 64, Span(page or 1, 0, 4), "Snow")


def statement(*citations: Citation) -> Statement:
    return Statement("6.4: Snow lies on the roof.", "quote", citations, locator="6.4")


def test_a_section_is_said_once() -> None:
    assert printed_statement(statement(cited("sec. 6.4, par. 2")), {}) == (
        "Snow lies on the roof. (guide.html, sec. 6.4, par. 2)"
    )


def test_a_section_stands_in_front_where_the_citation_does_not_name_it() -> None:
    for locator, page in (("6.4", 3), ("par. 7", None), ("sec. 6, par. 2", None), (None, None)):
        assert printed_statement(statement(cited(locator, page)), {}).startswith("6.4: Snow lies")
    assert printed_statement(statement(cited("sec. 6.4"), cited("6.4", 3)), {}).startswith("6.4: Snow lies")


def test_of_many_places_that_say_the_same_the_first_are_named_and_the_rest_counted() -> None:
    places = [replace(cited("par. 3"), filename=f"{number}.html") for number in range(7)]
    for count, also in (
        (5, "0.html, par. 3; 1.html, par. 3; 2.html, par. 3; 3.html, par. 3; 4.html, par. 3"),
        (7, "0.html, par. 3; 1.html, par. 3; 2.html, par. 3; 3.html, par. 3; 3 more"),
    ):
        said = replace(statement(cited("par. 1")), also=tuple(places[:count]))
        assert printed_statement(said, {}).endswith(f"(guide.html, par. 1) (also: {also})")
