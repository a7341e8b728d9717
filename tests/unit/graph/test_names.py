"""Names are found as a reader sees them, and their spellings meet."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.graph.names import find_names, normal_name, parts_of, title_names


def names(text: str) -> list[str]:
    return [name.text for name in find_names(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It was directed by B. Reeves Eason in 1927.", ["B. Reeves Eason"]),
        ("The Earl of Derby met Dr. Mary Stone & Sons.", ["Earl of Derby", "Dr. Mary Stone & Sons"]),
        ("She studied at the University of\nVienna, Austria.", ["University of\nVienna", "Austria"]),
        ("Brazil's Leandro Guilheiro won.", ["Brazil", "Leandro Guilheiro"]),
        ("born on 10 May 1509", []),
        ("He likes tea. In June it rains.", []),
        ("the 2017 World Series of Madrid", ["World Series of Madrid"]),
        ("Gjøran Tefre e Łódź", ["Gjøran Tefre e Łódź"]),
        ("Maurice Gallagher Jr. In May he left", ["Maurice Gallagher Jr"]),
    ],
)
def test_names_are_runs_of_capitalised_words(text: str, expected: list[str]) -> None:
    assert names(text) == expected


def test_one_word_that_opens_a_sentence_is_marked() -> None:
    text = "Steel rusts. Tall Steel Ltd sells Steel."
    assert [(name.text, name.opens) for name in find_names(text)] == [
        ("Steel", True),
        ("Tall Steel Ltd", False),
        ("Steel", False),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Since Theora packs bits, no X.", ["Theora", "X"]),
        ("It ended. However Ann Lee left.", ["Ann Lee"]),
        ("See Annex B of it.", ["Annex B"]),
        ("We saw Before Sunrise.", ["Before Sunrise"]),
        ("First National Bank paid.", ["First National Bank"]),
    ],
)
def test_a_word_that_only_opens_a_sentence_belongs_to_no_name(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@given(st.text(alphabet="AbcÉ .,\n'-0ofthe", max_size=60))
def test_a_name_is_the_slice_that_it_says(text: str) -> None:
    last = 0
    for name in find_names(text):
        assert last <= name.start < name.end <= len(text)
        assert text[name.start : name.end] == name.text
        last = name.end


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Prairie King", "prairie king"),
        ("Schrödinger's", "Schrodinger"),
        ("J. K. Rowling", "J K Rowling"),
        ("UNITED STATES", "United States"),
        ("Straße", "strasse"),
    ],
)
def test_spellings_of_one_name_meet(first: str, second: str) -> None:
    assert normal_name(first) == normal_name(second)


def test_an_article_stays_where_nothing_else_would() -> None:
    assert normal_name("The Who") == "the who"


@given(st.text(max_size=40))
def test_a_normal_name_is_its_own_normal_form(text: str) -> None:
    assert normal_name(normal_name(text)) == normal_name(text)


def test_a_title_gives_its_shorter_forms() -> None:
    assert title_names("Big Eyes (film)") == ("big eyes film", "big eyes")
    assert title_names("Edward Stanley, 3rd Earl of Derby") == ("edward stanley 3rd earl of derby", "edward stanley")
    assert title_names("Paris, Texas") == ("paris texas",)
    assert title_names("6.3 SolarCity") == ("solarcity",)
    assert title_names("12 Angry Men") == ("12 angry men",)


def test_joining_words_part_a_name() -> None:
    assert parts_of("middle east university in ankara") == ("middle east university", "ankara")
    assert parts_of("frankie avalon") == ()
