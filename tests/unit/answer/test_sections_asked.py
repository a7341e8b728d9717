"""A section that is asked for by its number is followed, to what it refers to as well."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.unit.answer.test_plans import Blocks, ask

from pincite.engine.engine import Engine

GATES: Blocks = (
    ("heading", "5 Gates"),
    ("heading", "5.1 Opening"),
    ("paragraph", "A gate is opened by the guard at six in the morning."),
    ("heading", "5.2 Closing"),
    ("paragraph", "A gate is closed at dusk by the guard of the tower."),
    ("heading", "5.3 Exceptions"),
    (
        "paragraph",
        "A gate may be opened otherwise where the conditions of 6.1 are met. The fee is told in section 6.2.",
    ),
    ("heading", "6 Conditions"),
    ("heading", "6.1 Storm"),
    ("paragraph", "A storm is declared by the harbour master. Ships then enter at any hour."),
    ("heading", "6.2 Fees"),
    ("paragraph", "The fee is 40 crowns for each ship."),
)
FOLLOWED = [
    ("6.1", "5.3: A gate may be opened otherwise where the conditions of 6.1 are met."),
    ("6.1", "6.1: A storm is declared by the harbour master."),
    ("6.1", "6.1: Ships then enter at any hour."),
    ("section 6.2", "5.3: The fee is told in section 6.2."),
    ("section 6.2", "6.2: The fee is 40 crowns for each ship."),
]


@pytest.fixture(scope="module")
def gates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with hashing_engine(tmp_path_factory.mktemp("gates")) as engine:
        engine.index_documents([(source("gates.pdf"), document(GATES))])
        yield engine


@pytest.mark.parametrize(
    "question",
    [
        "What does the section that 5.3 refers to say?",
        "What do the sections that section 5.3 refers to say?",
        "What does the clause referred to by section 5.3 require?",
        "Which sections does 5.3 refer to?",
    ],
)
def test_what_a_section_refers_to_is_told_with_the_sentence_that_does(gates: Engine, question: str) -> None:
    answer = ask(gates, question)
    assert [(statement.part, statement.text) for statement in answer.statements] == FOLLOWED
    assert all(statement.citations[0].page == 1 for statement in answer.statements)


@pytest.mark.parametrize("question", ["What does 5.2 say?", "What does section 5.2 require?"])
def test_a_section_that_is_asked_for_alone_is_told_as_it_opens(gates: Engine, question: str) -> None:
    texts = [statement.text for statement in ask(gates, question).statements]
    assert texts == ["5.2: A gate is closed at dusk by the guard of the tower."]


@pytest.mark.parametrize("question", ["Which sections refer to 6.1?", "Who closes a gate in section 5.2?"])
def test_a_section_is_not_recited_where_something_else_is_asked(gates: Engine, question: str) -> None:
    decisions = ask(gates, question).trace.decisions
    assert not any(decision.rule == "recited" and decision.kept for decision in decisions)
