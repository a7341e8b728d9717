"""1. Facts are found whatever their case, spaces and Unicode form. 2. An answer is found as whole words only."""

from __future__ import annotations

import pytest

from pincite.evaluate.measures import findable, holds_all, holds_answer, holds_any, letters_and_digits, words


def test_letters_and_digits_stand_as_one_run() -> None:
    assert letters_and_digits("The ﬁre-\ndoor (5.2)") == "thefiredoor52"
    assert words("a – b, C.") == ["a", "b", "c"]


def test_of_each_fact_one_alternative_is_enough() -> None:
    said = "Up to 1\u00a0500 m, unless SPECIFIED otherwise"
    assert holds_all(said, [["1 500 m", "1500 m"], ["unless specified"]])
    assert not holds_all(said, [["1 500 m"], ["bridges"]])
    assert holds_all(said, [])


def test_one_forbidden_string_is_enough() -> None:
    assert holds_any("value 1,5 is used", ["2,0", "1,5"])
    assert not holds_any("value 1,5 is used", ["2,0"])


@pytest.mark.parametrize(("text", "found"), [("born in Paris, France", True), ("Parisian", False), ("", False)])
def test_an_answer_is_found_as_whole_words(text: str, found: bool) -> None:
    assert holds_answer([text], ["Paris"]) is found


def test_only_short_answers_other_than_yes_and_no_can_be_found() -> None:
    assert findable(["Yes", "no", "Paris", "x" * 101, "?"]) == ("Paris",)
