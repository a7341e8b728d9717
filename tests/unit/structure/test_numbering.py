"""Heading numbers are read as people print them, and as OCR spoils them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.structure.numbering import read_clause, read_number, roman_value


@pytest.mark.parametrize(
    ("line", "text", "lane", "values", "rest"),
    [
        ("1 Scope", "1", "", [1], "Scope"),
        ("1. Scope", "1", "", [1], "Scope"),
        ("5.3.2 Monopitch roofs", "5.3.2", "", [5, 3, 2], "Monopitch roofs"),
        ("5.3.2. Monopitch roofs", "5.3.2", "", [5, 3, 2], "Monopitch roofs"),
        ("A.1 Test", "A.1", "annex", [1, 1], "Test"),
        ("B2 Multi-span roofs", "B2", "annex", [2, 2], "Multi-span roofs"),
        ("Annex B (normative) Drifts", "B", "annex", [2], "(normative) Drifts"),
        ("ANNEXB Drifts", "B", "annex", [2], "Drifts"),
        ("Annex 1: Implementation", "Annex 1", "annex", [1], "Implementation"),
        ("Section 4 Wind velocity", "4", "", [4], "Wind velocity"),
        ("Chapter 3", "3", "", [3], ""),
        ("CHAPTER TWO", "2", "", [2], ""),
        ("Part II Other information", "Part II", "part", [2], "Other information"),
        ("Item 1A. Risk Factors", "Item 1A", "item", [1], "Risk Factors"),
        ("Rule 4.5.2 Waivers", "4.5.2", "", [4, 5, 2], "Waivers"),
        ("§ 12 Fristen", "12", "", [12], "Fristen"),
        ("13A.6.1 Records", "13A.6.1", "", [13, 6, 1], "Records"),
        ("IV. Results", "IV", "", [4], "Results"),
    ],
)
def test_numbers_are_read(line: str, text: str, lane: str, values: list[int], rest: str) -> None:
    reading = read_number(line)[0]
    assert (reading.number.text, reading.number.lane) == (text, lane)
    assert [value for value, _ in reading.number.parts] == values
    assert line[reading.end :].strip() == rest


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("8.3.1 Mode of ventilation", "B.3.1"),
        ("83 Roofs", "B3"),
        ("E.1.S.2 Approach", "E.1.5.2"),
        ("l.2 References", "1.2"),
    ],
)
def test_misread_numbers_are_read_in_all_ways_that_make_sense(line: str, text: str) -> None:
    readings = {reading.number.text: reading for reading in read_number(line)}
    assert readings[text].repaired


@pytest.mark.parametrize(
    "line", ["U.S. law", "Scope", "e.g. roofs", "1,5 m", "(3) Text", "2.5%", "A roof", "I saw", ""]
)
def test_words_and_quantities_are_no_numbers(line: str) -> None:
    assert read_number(line) == []


def test_clause_marks_are_read() -> None:
    assert read_clause("(3)P Snow loads") == (3, "(3)P", 4)
    assert read_clause("(12) Snow loads") == (12, "(12)", 4)
    assert read_clause("(l )P Snow loads") == (1, "(1)P", 5)
    assert read_clause("(a) Snow loads") is None


@pytest.mark.parametrize(("text", "value"), [("IV", 4), ("xix", 19), ("XC", 90), ("IIII", 0), ("", 0), ("B", 0)])
def test_roman_numbers_have_values(text: str, value: int) -> None:
    assert roman_value(text) == value


@given(st.text(alphabet="0123456789.()ABIVXPlOS§ annexsectio", max_size=30))
def test_any_line_can_be_read(line: str) -> None:
    for reading in read_number(line):
        assert 0 < reading.end <= len(line)
        assert reading.number.parts


@pytest.mark.parametrize(
    ("line", "name", "title"),
    [
        ("Policy CSP 4", "Policy CSP 4", ""),
        ("Policy CSP 4 Affordable Housing", "Policy CSP 4", "Affordable Housing"),
        ("POLICY H2: Kinds of homes", "Policy H2", "Kinds of homes"),
        ("Policy SS1 \u2013 Strategy", "Policy SS1", "\u2013 Strategy"),
        ("Policy 12. Open space", "Policy 12", "Open space"),
        ("Policy LPD 7A Flood risk", "Policy LPD 7A", "Flood risk"),
        ("Strategic Policy S1 Growth", "Policy S1", "Growth"),
        ("Policy B: Planning for sites", "Policy B", "Planning for sites"),
    ],
)
def test_policies_are_read_with_their_code(line: str, name: str, title: str) -> None:
    reading = read_number(line)[0]
    assert (reading.number.text, line[reading.end :]) == (name, title)


@pytest.mark.parametrize("line", ["Policy makers should", "Policy on roofs", "policy 2012/13 was", "Policyholders 5"])
def test_the_word_policy_alone_is_no_number(line: str) -> None:
    assert read_number(line) == []
