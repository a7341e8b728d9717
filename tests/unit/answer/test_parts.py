"""A question of several parts is answered part by part, each below its own words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.schema import checked

from pincite.answer.material.parts import parts_of
from pincite.engine.engine import Engine

ACME = "Acme Corp was founded in 1952 in Lund. The annual report is printed in May. Acme Corp sells hooks of steel."
BRIDGE = "The Hardanger bridge was opened in 2013. The main span of the Hardanger bridge is long: it is 1310 m."


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with hashing_engine(tmp_path_factory.mktemp("parts")) as made:
        made.index_documents((source(name), document(text)) for name, text in (("a.pdf", ACME), ("b.pdf", BRIDGE)))
        yield made


def said(engine: Engine, question: str) -> list[tuple[str | None, str]]:
    answer = checked(engine.ask(question, receipt=False))
    return [(statement.part, statement.text) for statement in answer.statements]


def test_each_part_stands_under_its_words_with_what_answers_it(engine: Engine) -> None:
    assert said(engine, "When was the Hardanger bridge opened and where was Acme Corp founded?") == [
        ("When was the Hardanger bridge opened?", "The Hardanger bridge was opened in 2013."),
        ("Where was Acme Corp founded?", "Acme Corp was founded in 1952 in Lund."),
    ]


def test_it_is_what_the_first_part_names_and_a_part_without_evidence_says_where_was_looked(engine: Engine) -> None:
    question = "When was Acme Corp founded, and who painted it?"
    assert said(engine, question) == [
        ("When was Acme Corp founded?", "Acme Corp was founded in 1952 in Lund."),
        ("Who painted it?", "No information found on “who painted Acme Corp”"),
    ]
    (missing,) = engine.ask(question, receipt=False).missing
    assert missing.aspect == "who painted Acme Corp"
    assert "a.pdf" in {place.filename for place in missing.looked_in}


def test_it_is_no_place_where_the_first_part_names_something_else() -> None:
    where, how = parts_of("Where does Acme store its plans on Linux, and how is it removed?")
    assert (where.asked, how.asked) == ("Where does Acme store its plans on Linux", "how is Acme removed")


def test_where_nothing_is_found_of_any_part_the_whole_is_refused(engine: Engine) -> None:
    assert engine.ask("Who painted saffron in Reykjavik and when was it sung?", receipt=False).refused


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What does Acme make, where was it founded, and how many work there?", 3),
        ("What is the main span of the Long Bridge and when was it opened?", 2),
        ("Who designed the Long Bridge and where was she born?", 0),
        ("How many pumps does the Long Bridge need, and why?", 0),
        ("What was the work of Amy Johnson, whose life was told in a film?", 0),
        ("Which roads and what", 0),
        ("What is snow and ice?", 0),
        ("What is snow? And when does it fall?", 0),
        ("When was it built and how high is it?", 0),
        ("Which lever opens the sluice and which one the weir?", 0),
        ("How is a child's ticket paid for and how for two?", 0),
    ],
)
def test_which_questions_have_parts(question: str, parts: int) -> None:
    assert len(parts_of(question)) == parts


def test_of_two_flags_each_is_what_is_typed_in_its_own_case(tmp_path: Path) -> None:
    text = "The -a flag sorts by age. The -A flag prints all pages. The -w flag sets the width. The -W flag warns less."
    with hashing_engine(tmp_path) as made:
        made.index_documents([(source("flags.txt"), document(text))])
        told = said(made, "When printing, what is the difference between the flags -A and -W?")
    assert told[:2] == [
        ("What is -A?", "The -A flag prints all pages."),
        ("What is -W?", "The -W flag warns less."),
    ]


@given(st.text(max_size=80))
def test_any_text_can_be_parted(text: str) -> None:
    assert len(parts_of(text)) != 1


def test_a_sentence_that_answers_two_parts_is_said_once_below_both(engine: Engine) -> None:
    assert said(engine, "When was Acme Corp founded, and where was it founded?") == [
        (
            "When was Acme Corp founded? Where was it founded?",
            "Acme Corp was founded in 1952 in Lund.",
        )
    ]
