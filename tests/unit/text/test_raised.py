"""Raised and lowered characters stay what they are."""

from __future__ import annotations

import pytest

from pincite.structure.references import references_in
from pincite.text.looks import subscript, superscript
from pincite.text.tokens import tokenise


@pytest.mark.parametrize(
    ("text", "raised"),
    [
        ("2", "²"),
        ("-12", "⁻¹²"),
        ("\u22123", "⁻³"),
        ("n+1", "ⁿ⁺¹"),
        ("x", "^x"),
        ("2x", "^(2x)"),
        ("1,2 ", "¹,² "),
        ("*", "*"),
        ("th", "th"),
        ("TM", "™"),
        (" ", " "),
        ("a whole sentence that is set high", "a whole sentence that is set high"),
    ],
)
def test_a_raised_text_reads_as_raised(text: str, raised: str) -> None:
    assert superscript(text) == raised


@pytest.mark.parametrize(("text", "lowered"), [("2", "₂"), ("i", "_i"), ("max", "_max"), ("i,2", "_(i,2)")])
def test_a_lowered_text_reads_as_lowered(text: str, lowered: str) -> None:
    assert subscript(text) == lowered


def test_units_and_formulas_are_found_however_they_are_typed() -> None:
    assert tokenise("120 m² of CO₂", "en") == tokenise("120 m2 of CO2", "en")
    assert tokenise("H₂SO₄", "en") == tokenise("H2SO4", "en")


def test_a_raised_number_is_no_digit_of_the_number_or_word_before_it() -> None:
    assert tokenise("10³¹ grains", "en") == ["10", "31", "grain"]
    assert tokenise("baked at 250⁹ degrees¹", "en") == ["bake", "250", "9", "degre", "1"]


def test_a_place_is_named_with_the_mark_of_a_note_behind_it() -> None:
    text = "as paragraph 11² and Annex B⁶ say"
    assert [(item.number, text[item.start : item.end]) for item in references_in(text)] == [
        ("11", "paragraph 11"),
        ("B", "Annex B"),
    ]
