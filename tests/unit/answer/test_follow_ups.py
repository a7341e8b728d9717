"""A question of a conversation is completed from those before it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answer.asked.follow_ups import Earlier, completed

SOLAR = Earlier("Who founded SolarCity?", "Lyndon Rive founded SolarCity in 2006 (solar.pdf, p.2).")
FACTOR = Earlier("What is the recommended value of the partial factor?", "The recommended value is 1,5.")
DEPOSIT = Earlier("When must the deposit be protected?", "Within 30 days of the day it is received.")
SNOW = Earlier("Which snow load applies above 1500 m in zone 2?", "2.5 kN/m2.")
REVENUE = Earlier("What was the net revenue of Tesla in 2021?", "53,823 million dollars.")
TENSION = Earlier("How long do the batteries last?", "Ten years at 25 °C.")


@pytest.mark.parametrize(
    ("before", "typed", "understood"),
    [
        (SOLAR, "When was it founded?", "When was SolarCity founded?"),
        (SOLAR, "Which patents does he hold?", "Which patents does Lyndon Rive hold?"),
        (SOLAR, "and what are his other companies?", "What are Lyndon Rive’s other companies?"),
        (SOLAR, "Who bought it, and when?", "Who bought SolarCity, and when?"),
        (SOLAR, "What is its address?", "What is SolarCity’s address?"),
        (
            FACTOR,
            "Does it differ in the United Kingdom?",
            "Does the recommended value of the partial factor differ in the United Kingdom?",
        ),
        (DEPOSIT, "Who has to protect it?", "Who has to protect the deposit?"),
        (DEPOSIT, "What happens if it is not?", "What happens if the deposit is not?"),
        (TENSION, "Can they be replaced?", "Can the batteries be replaced?"),
        (TENSION, "What is their capacity?", "What is the batteries’ capacity?"),
        (SNOW, "Is it reduced for steep roofs?", "Is the snow load reduced for steep roofs?"),
        (REVENUE, "How has that changed?", "How has the net revenue of Tesla changed?"),
    ],
)
def test_a_pronoun_stands_for_what_was_asked_or_said_before(before: Earlier, typed: str, understood: str) -> None:
    assert completed(typed, [before]) == understood


@pytest.mark.parametrize(
    ("before", "typed", "understood"),
    [
        (REVENUE, "And in 2022?", "What was the net revenue of Tesla in 2022?"),
        (REVENUE, "What about Rivian?", "What was the net revenue of Rivian in 2021?"),
        (REVENUE, "2020?", "What was the net revenue of Tesla in 2020?"),
        (REVENUE, "and for Lucid Motors", "What was the net revenue of Lucid Motors in 2021?"),
        (SNOW, "And in zone 3?", "Which snow load applies above 1500 m in zone 3?"),
        (SNOW, "above 2000 m?", "Which snow load applies above 2000 m in zone 2?"),
        (SNOW, "and below 500 m?", "Which snow load applies below 500 m in zone 2?"),
        (DEPOSIT, "What about the rent?", "When must the rent be protected?"),
        (DEPOSIT, "And in Scotland?", "When must the deposit be protected in Scotland?"),
        (DEPOSIT, "What about exceptions?", "What are the exceptions of the deposit?"),
        (TENSION, "And at 40 °C?", "How long do the batteries last at 40 °C?"),
    ],
)
def test_what_is_left_out_is_taken_from_the_question_before(before: Earlier, typed: str, understood: str) -> None:
    assert completed(typed, [before]) == understood


@pytest.mark.parametrize(
    ("before", "typed", "understood"),
    [
        (SOLAR, "When?", "Who founded SolarCity, and when?"),
        (DEPOSIT, "By whom?", "When must the deposit be protected, and by whom?"),
        (Earlier("Is the deposit protected?", "Yes."), "Why?", "Why is the deposit protected?"),
        (SOLAR, "Where does it say that?", "Who founded SolarCity?"),
    ],
)
def test_a_question_word_alone_asks_on(before: Earlier, typed: str, understood: str) -> None:
    assert completed(typed, [before]) == understood


@pytest.mark.parametrize(
    "typed",
    [
        "Who founded Rivian?",
        "What does the standard say about its scope?",
        "If the wall is wet, is it still safe?",
        "What did Elon Musk say about his company?",
        "Is it possible to leave early?",
        "How long does it take to charge a car?",
        "Which snow load applies above 1500 m?",
        "What is the rule that applies here?",
        "this clause number 5.2",
        "net revenue 2022",
        "",
    ],
)
def test_a_question_that_stands_alone_stays_as_it_is(typed: str) -> None:
    assert completed(typed, [SOLAR]) == typed


@pytest.mark.parametrize(
    ("before", "typed", "understood"),
    [
        ("Who founded SolarCity?", "And explain the merger.", "Explain the merger?"),
        ("Who founded SolarCity?", "Wer gründete Rivian?", "Wer gründete Rivian?"),
        ("Wer gründete SolarCity?", "In welchem Jahr?", "In welchem Jahr?"),
        ("Wer leitete Tesla 2021?", "2022?", "Wer leitete Tesla 2022?"),
        ("net revenue 2021", "2022", "Net revenue 2022?"),
    ],
)
def test_what_is_not_asked_in_english_is_not_twisted(before: str, typed: str, understood: str) -> None:
    assert completed(typed, [Earlier(before, "")]) == understood


def test_the_first_question_stays_as_it_is() -> None:
    assert completed("When was it founded?", []) == "When was it founded?"


def test_a_topic_is_found_further_back_too() -> None:
    between = Earlier("How much is that?", "")
    assert completed("When was it founded?", [SOLAR, between]) == "When was SolarCity founded?"


@pytest.mark.parametrize("words", ["it possible ", "Who is Tesla it Rivian it ", "What is its and their ", "x of "])
def test_a_question_as_long_as_a_text_is_neither_completed_nor_completes(words: str) -> None:
    long = (words * 400)[:4000]
    assert completed(long, [SOLAR]) == long
    assert completed("When was it founded?", [SOLAR, Earlier(long, long)]) == "When was it founded?"
    assert completed("When was it founded?", [Earlier(long, long), SOLAR]) == "When was SolarCity founded?"


def test_a_joining_word_alone_is_left_out() -> None:
    assert completed("And who founded Rivian?", [SOLAR]) == "Who founded Rivian?"


@pytest.mark.parametrize(
    ("before", "typed", "understood"),
    [
        (
            "What is the maximum width of an escape route?",
            "And the minimum?",
            "What is the minimum width of an escape route?",
        ),
        ("What is the maximum width of an escape route?", "and the height?", "What is the height of an escape route?"),
        ("What does checkpoint_timeout do?", "And max_wal_size?", "What does max_wal_size do?"),
        ("What does section 5.3 say?", "and 5.4?", "What does section 5.4 say?"),
        ("What was revenue in Q3 2022?", "In Q4?", "What was revenue in Q4 2022?"),
        ("How do I mount an NFS share?", "And unmount it?", "How do I unmount the NFS share?"),
        ("How do I replace the filter?", "How often must I do that?", "How often must I replace the filter?"),
        ("Are pets allowed in the flat?", "Who decides that?", "Who decides that: are pets allowed in the flat?"),
        ("What are the symptoms of measles?", "How is it treated?", "How is measles treated?"),
        (
            "Does the tenant pay the deposit?",
            "When does she get it back?",
            "When does the tenant get the deposit back?",
        ),
        (
            "How does TLS 1.3 differ from TLS 1.2?",
            "Which of them is faster?",
            "Which of TLS 1.3 and TLS 1.2 is faster?",
        ),
        ("When was Marie Curie born?", "And her husband?", "When was Marie Curie’s husband born?"),
    ],
)
def test_other_ways_to_ask_on(before: str, typed: str, understood: str) -> None:
    assert completed(typed, [Earlier(before, "")]) == understood


WORDS = st.sampled_from(
    "What which Who how many is are was does do the a of it its they that this her Tesla NFS EN 5.3 2022 zone 3 in for "
    "and about if load values company be not he his 1500 m ’ ? , : ( [ \u200b ß".split()
)


@given(st.lists(WORDS, max_size=12).map(" ".join), st.lists(WORDS, max_size=12).map(" ".join))
def test_no_words_are_too_strange(typed: str, before: str) -> None:
    understood = completed(typed, [Earlier(before, before)])
    assert understood == completed(typed, [Earlier(before, before)])
    assert len(understood) <= 40 * (len(typed) + len(before) + 1)
