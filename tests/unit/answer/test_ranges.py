"""A row whose label is a range or a tier answers only for what lies in it."""

from __future__ import annotations

import pytest

from pincite.answer.material.ranges import lies_in, range_of


@pytest.mark.parametrize(
    ("label", "inside", "outside"),
    [
        ("51 to 60", [51, 60], [50, 61]),
        ("0–3 years", [0, 3], [4]),
        ("over 5 m up to 7 m", [5.5, 7], [5, 7.1]),
        ("up to 5 m", [5], [5.1]),
        ("under 18 years", [17], [18]),
        ("67 years and over", [67, 99], [66]),
        ("over 10 m", [11], [10]),
        ("from 20 kg", [20], [19]),
        ("Aged 16-66", [16, 66], [67]),
        ("1,000 to 2,500", [1000, 2500], [999]),
        ("between 2,5 and 4 %", [2.5], [2.4]),
        ("before 17:00", [16 * 60], [17 * 60]),
        ("17:00 to 19:59", [17 * 60], [20 * 60]),
        ("40+", [40], [39]),
    ],
)
def test_a_label_that_is_a_range_holds_what_lies_in_it(label: str, inside: list[float], outside: list[float]) -> None:
    found = range_of(label)
    assert found is not None
    assert all(map(found.holds, inside))
    assert not any(map(found.holds, outside))


@pytest.mark.parametrize("label", ["12", "5 m", "Room 4-6", "EN 1990", "Heron", "4-6 Mill Lane", "", "3.5 to", "B 7"])
def test_a_name_or_a_number_is_no_range(label: str) -> None:
    assert range_of(label) is None


@pytest.mark.parametrize(
    ("question", "label", "is_inside"),
    [
        ("What does a locker for a 60 cm case cost?", "40-90 cm", True),
        ("What does a locker for a 60 cm case cost?", "0-40 cm", False),
        ("What does a 15-year-old pay?", "16–66 years", False),
        ("What does a 15-year-old pay?", "4–15 years", True),
        ("What is charged for 6.8 metres?", "over 7 m up to 10 m", False),
        ("What is the surcharge at 19:30?", "20:00 to 22:00", False),
        ("Which grade does a score of 55 get?", "61 to 70", False),
        ("Which grade did a score of 55 get in 2024?", "51 to 60", True),
        ("What was the limit in 2020?", "51 to 60", None),
        ("Who was keeper in 1960?", "1923–1951", False),
        ("What do 3 children of 12 years pay?", "4–15 years", True),
        ("What does a boat of 7 m cost in berth 30?", "5 kg to 10 kg", None),
        ("What does it cost?", "5 kg to 10 kg", None),
    ],
)
def test_what_a_question_gives_lies_in_a_range_of_its_unit_or_not(
    question: str, label: str, is_inside: bool | None
) -> None:
    assert lies_in(question, label) is is_inside
