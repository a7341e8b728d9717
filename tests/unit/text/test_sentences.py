"""Sentences end where a reader would end them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.sentences import sentence_bounds


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_bounds(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It snows. It melts.", ["It snows.", "It melts."]),
        ("See Fig. 3 for details. Done.", ["See Fig. 3 for details.", "Done."]),
        ("Loads, e.g. Snow, apply.", ["Loads, e.g. Snow, apply."]),
        ("J. Smith wrote it. He left.", ["J. Smith wrote it.", "He left."]),
        ("The value is 1.5 kN. It holds.", ["The value is 1.5 kN.", "It holds."]),
        ("1. The first item. Next one.", ["1. The first item.", "Next one."]),
        ("Figure 13.24. The first year Next", ["Figure 13.24. The first year Next"]),
        ("Tabelle 3-1. Maße. Alle in mm.", ["Tabelle 3-1. Maße.", "Alle in mm."]),
        ("It is told in Chapter 5. Then it snows.", ["It is told in Chapter 5.", "Then it snows."]),
        ("Is the boat insured? ☒ yes ☐ no", ["Is the boat insured? ☒ yes ☐ no"]),
        ("Is it new? [x] yes [ ] no", ["Is it new? [x] yes [ ] no"]),
        ('"Really?" She nodded.', ['"Really?"', "She nodded."]),
        ("这是第一句。这是第二句。", ["这是第一句。", "这是第二句。"]),
        ("No full stop at the end", ["No full stop at the end"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet="ab AB.!?\n1(") | st.text())
def test_together_they_hold_all_but_white_space_and_never_overlap(text: str) -> None:
    bounds = sentence_bounds(text)
    assert "".join("".join(text[s:e].split()) for s, e in bounds) == "".join(text.split())
    assert all(first[1] <= second[0] for first, second in itertools.pairwise(bounds))
    assert all(text[s:e] == text[s:e].strip() != "" for s, e in bounds)
