"""A question asks for a measure in everyday words, and a text gives it with its unit."""

from __future__ import annotations

import pytest

from pincite.answer.words.amounts import gives_measure, measures_asked


@pytest.mark.parametrize(
    ("question", "measure", "giving", "not_giving"),
    [
        ("How tall may the fence be?", "length", "at most 1,20 m above the floor", "at most 1,20 kN/m²"),
        ("How long is the notice period?", "duration", "Two months' notice is given.", "Notice is given in writing."),
        ("How long may a tenant be away?", "duration", "no more than thirty (30) days", "in Section 30"),
        ("What does the room cost a night?", "money", "The rate is $ 120.", "The room is 120 m² large."),
        ("At what price per share did it list?", "money", "at $22.00 per share", "in 2023"),
        ("What share of the rent is returned?", "share", "50 % of the rent", "50 pounds"),
        ("How often is the filter changed?", "frequency", "Change it every six months.", "Change it when it is full."),
        ("When did the council meet?", "moment", "on 4 May 2021", "in the town hall"),
        ("How hot should the oven be?", "temperature", "Bake at 180 °C.", "Bake for 180 minutes."),
        ("How many players are needed?", "count", "It takes four players.", "It takes some players."),
        ("How fast can the bus be driven?", "speed", "up to 400 kbit/s", "up to 400 pF"),
        ("Which phone number do I call?", "telephone", "Call 020 555 0199.", "Call us."),
    ],
)
def test_the_unit_of_a_text_is_that_of_the_measure_asked_for(
    question: str, measure: str, giving: str, not_giving: str
) -> None:
    asked = tuple(item for item in measures_asked(question) if item.name == measure)
    assert asked
    assert gives_measure(giving, asked)
    assert not gives_measure(not_giving, asked)


def test_a_question_without_a_measure_asks_for_none() -> None:
    assert measures_asked("Who signs the lease?") == ()
    assert not gives_measure("The lease runs for 12 months.", ())
