"""What a question asks of several alike: those of a time, the latest, the largest."""

from __future__ import annotations

import pytest

from pincite.answer.asked.bounds import EVER, Bounds, Days, Extreme, asked_bounds


@pytest.mark.parametrize(
    ("question", "days", "extreme", "counts"),
    [
        ("Which leases began after 2019?", (20199999 + 1, EVER[1]), None, False),
        ("Which leases began since 2019?", (20190000, EVER[1]), None, False),
        ("What was the rent before May 2019?", (0, 20190499), None, False),
        ("What was the rent until 3 May 2019?", (0, 20190503), None, False),
        ("What was sold between 1890 and 1940?", (18900000, 19409999), None, False),
        ("Who led the choir from 2001 to 2004?", (20010000, 20049999), None, False),
        ("How many storms were there in 2020?", (20200000, 20209999), None, True),
        ("What was paid by 2021-03-31?", (0, 20210331), None, False),
        ("What is the latest edition?", None, "latest", False),
        ("Which lease was signed last?", None, "latest", False),
        ("What is the current rent?", None, "latest", False),
        ("Which lease is the oldest?", None, "earliest", False),
        ("Which well gives the most water?", None, "largest", False),
        ("What is the cheapest ticket?", None, "smallest", False),
        ("What was the largest storm in 2020?", (20200000, 20209999), "largest", False),
    ],
)
def test_what_is_asked_of_several(question: str, days: Days | None, extreme: Extreme | None, counts: bool) -> None:
    found = asked_bounds(question)
    assert isinstance(found, Bounds)
    assert (found.days, found.extreme, found.counts) == (days, extreme, counts)


@pytest.mark.parametrize(
    "question",
    [
        "How long does the battery last?",
        "What is the last name of the director?",
        "What is the maximum reset current of the relay?",
        "Do at least 2021 people live there?",
        "Who won most of the races?",
        "Is the gate open?",
        "Did sales grow from 2021 to 2022?",
    ],
)
def test_what_asks_nothing_of_several(question: str) -> None:
    assert asked_bounds(question) is None
