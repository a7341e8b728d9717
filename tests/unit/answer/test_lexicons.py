"""The words of trades are data: each table has its domain, each pattern can be read, each misreading what it stands
for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from pincite.answer.plans.table import PLANS
from pincite.answer.words.amounts import as_printed, shape
from pincite.answer.words.facts import country_words, may_be_one
from pincite.answer.words.vocabulary import lexicon, pattern_of

LEXICONS = sorted(path.name.removesuffix(".toml") for path in (files("pincite.answer") / "lexicons").iterdir())


def tables(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for entry, value in lexicon(name).items():
        for table in value if isinstance(value, list) else [value]:
            if isinstance(table, dict):
                yield entry, table


def test_every_lexicon_is_known() -> None:
    assert LEXICONS == ["accounts", "dimensions", "encyclopaedia", "measures", "models", "ocr", "planning", "standards"]


@pytest.mark.parametrize("name", LEXICONS)
def test_every_table_says_of_which_domain_it_is(name: str) -> None:
    whole = lexicon(name).get("domain")
    assert [entry for entry, table in tables(name) if not (table.get("domain") or whole)] == []


@pytest.mark.parametrize("name", LEXICONS)
def test_every_entry_of_phrases_says_what_it_finds_and_can_be_read(name: str) -> None:
    for entry, table in tables(name):
        if "phrases" in table or "pattern" in table:
            assert table["finds"]
            assert isinstance(pattern_of(name, entry), re.Pattern)


def test_every_misreading_says_what_it_stands_for() -> None:
    known = lexicon("ocr")
    assert all(item["read"] and item["stands_for"] for item in (*known["slips"], *known["alike"]))
    assert all(item["read"] and "stands_for" in item for item in known["patterns"])


def test_what_is_always_misread_is_read_as_it_is_printed() -> None:
    assert as_printed("H :::; 1000 m is classi fied") == "H ≤ 1000 m is classified"
    assert as_printed("a speci'fic signi’ficance, the men's fishing") == "a specific significance, the men's fishing"


@pytest.mark.parametrize(("one", "other"), [("milk", "lnilk"), ("barn", "bam"), ("oil", "0il")])
def test_words_whose_letters_look_alike_have_one_shape(one: str, other: str) -> None:
    assert shape(one) == shape(other)


def test_no_plan_stands_twice_in_the_table() -> None:
    assert len({plan.name for plan in PLANS}) == len(PLANS) == 17


# --- countries ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("a monument to John Washington, mayor of Leeds", []),
        ("a farm in Washington", ["United States"]),
        ("Washington Irving lived in Spain", ["Spain"]),
        ("Michael Jordan and Chad Smith met Virginia Hall", []),
        ("the river runs through Jordan", []),
        ("she was born in Amman, Jordan", ["Jordan"]),
        ("a roast turkey, a Turkey carpet, a ship from Turkey", ["Turkey"]),
        ("a peach from Georgia", []),
        ("a Georgian choir", ["Georgia"]),
        ("a Soviet tractor and a Yugoslav car", ["Soviet Union", "Yugoslavia"]),
        ("a poet of Northern Ireland", ["United Kingdom"]),
        ("a village in Papua New Guinea", ["Papua New Guinea"]),
    ],
)
def test_who_or_what_is_called_like_a_country_is_none(text: str, countries: list[str]) -> None:
    assert [country for _, country in country_words(text)] == countries


def test_what_was_of_a_dissolved_state_may_be_of_one_that_came_after_it() -> None:
    assert may_be_one("Soviet Union", "Russia")
    assert may_be_one("Croatia", "Yugoslavia")
    assert not may_be_one("Soviet Union", "Norway")
    assert not may_be_one("Russia", "Ukraine")
