"""Mode `follow`: what an answer refers to is told behind it, step by step; nothing of the answer is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.schema import checked
from tests.unit.answer.test_plans import Blocks

from pincite.answer.compose import compose_answer
from pincite.answer.modes.follow import followed_answer
from pincite.cli.answer_output import explanation_lines
from pincite.deadline import Deadline
from pincite.engine.asking import surroundings_of
from pincite.engine.engine import Engine
from pincite.records.answers import Answer
from pincite.records.questions import Filter, RetrievalPolicy
from pincite.settings import Settings
from pincite.wiring import open_engine

HARBOUR: Blocks = (
    ("heading", "1 Berths"),
    ("heading", "1.1 Fee of a berth"),
    ("paragraph", "The fee of a berth is 40 crowns, raised by the surcharge of 2.1."),
    ("heading", "1.2 Length of a berth"),
    ("paragraph", "A berth is 30 m long. No ship lies there for more than a week."),
    ("heading", "2 Winter"),
    ("heading", "2.1 Surcharge of a berth"),
    ("paragraph", "A berth costs 5 crowns more while ice lies in the harbour, as declared by 3.1."),
    ("heading", "3 Ice"),
    ("heading", "3.1 Declaration of ice"),
    ("paragraph", "The pilot declares that ice lies in the harbour. The surcharge of 2.1 then holds for each berth."),
    ("heading", "4 Lamps"),
    ("paragraph", "A lamp burns all night on the mole."),
)
FEE = "What is the fee of a berth?"
QUESTIONS = (FEE, "What does a berth cost while there is ice?", "How long is a berth?", "Who keeps the bees?")


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with hashing_engine(tmp_path_factory.mktemp("harbour")) as engine:
        engine.index_documents([(source("harbour.pdf"), document(HARBOUR))])
        yield engine


def followed(engine: Engine, question: str) -> Answer:
    return checked(engine.ask(question, mode="follow", receipt=False))


def texts(answer: Answer) -> list[str]:
    return [statement.text for statement in answer.statements]


def hops(answer: Answer) -> list[str]:
    return [hop.text for hop in answer.trace.hops]


def test_what_a_statement_refers_to_is_told_behind_it(harbour: Engine) -> None:
    answer = followed(harbour, FEE)
    assert (answer.mode, texts(answer)) == (
        "follow",
        [
            "1.1: The fee of a berth is 40 crowns, raised by the surcharge of 2.1.",
            "2.1: A berth costs 5 crowns more while ice lies in the harbour, as declared by 3.1.",
        ],
    )
    assert [citation.locator for statement in answer.statements for citation in statement.citations] == ["1.1", "2.1"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_nothing_is_lost_that_is_said_without_following(harbour: Engine, question: str) -> None:
    plain = harbour.ask(question, receipt=False)
    answer = followed(harbour, question)
    assert [text for text in texts(answer) if text in texts(plain)] == texts(plain)
    assert answer.refused == plain.refused


def test_each_step_is_told_in_words_and_no_place_is_followed_twice(harbour: Engine) -> None:
    answer = followed(harbour, FEE)
    steps = ["1.1 refers to 2.1 -> p.1", "2.1 refers to 3.1 -> p.1"]
    assert hops(answer) == steps
    assert [line.strip() for line in explanation_lines(answer)][-3:-1] == steps
    explained = answer.to_dict(explain=True)["meta"]["explanation"]
    assert [hop["text"] for hop in explained["hops"]] == steps


def test_an_answer_that_follows_nothing_tells_of_no_steps(harbour: Engine) -> None:
    plain = harbour.ask(FEE, receipt=False)
    assert (plain.mode, plain.trace.hops) == ("extract", ())
    assert "hops" not in plain.to_dict(explain=True)["meta"]["explanation"]
    assert "followed" not in "".join(explanation_lines(plain))


def test_what_refers_to_a_statement_is_told_where_the_search_has_it_at_its_top(tmp_path: Path) -> None:
    blocks: Blocks = (
        ("heading", "1 Pilots"),
        ("paragraph", "A ship of war has no pilot where the signals of section 2 are given."),
        ("heading", "2 Signals"),
        ("paragraph", "Three lamps stand for peace."),
        ("heading", "3 Lamps"),
        ("paragraph", "A lamp burns all night on the mole."),
    )
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source("pilots.pdf"), document(blocks))])
        answer = followed(engine, "What do three lamps stand for?")
    assert hops(answer) == ["2 is referred to by 1 -> p.1"]
    assert texts(answer)[:2] == [
        "2: Three lamps stand for peace.",
        "1: A ship of war has no pilot where the signals of section 2 are given.",
    ]


def test_a_place_that_two_references_lead_to_is_told_once(tmp_path: Path) -> None:
    blocks: Blocks = (
        ("heading", "1 Fee of a berth"),
        ("paragraph", "The fee of a berth is 40 crowns, raised by section 2 as 2.1 says."),
        ("heading", "2 Winter"),
        ("heading", "2.1 Surcharge of a berth"),
        ("paragraph", "A berth costs 5 crowns more while ice lies in the harbour."),
    )
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source("fees.pdf"), document(blocks))])
        answer = followed(engine, FEE)
    assert texts(answer) == [
        "1: The fee of a berth is 40 crowns, raised by section 2 as 2.1 says.",
        "2.1: A berth costs 5 crowns more while ice lies in the harbour.",
    ]


def test_what_is_cited_already_is_not_followed_to(harbour: Engine) -> None:
    answer = followed(harbour, "What does a berth cost while there is ice?")
    assert hops(answer) == ["2.1 refers to 3.1 -> p.1"], "3.1 refers back to 2.1"


def test_the_chunk_that_words_send_to_is_followed(tmp_path: Path) -> None:
    blocks: Blocks = (
        ("heading", "1 Ropes"),
        ("paragraph", "The rope of a bell is changed each spring, as described below."),
        ("heading", "2 Work"),
        ("paragraph", "Two men hold the bell while a third ties the knot of the rope."),
    )
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source("bells.pdf"), document(blocks))])
        answer = followed(engine, "What is changed each spring?")
    assert hops(answer) == ["1 refers to what stands below -> p.1"]
    assert texts(answer)[1] == "2: Two men hold the bell while a third ties the knot of the rope."


def test_a_reference_from_an_open_document_leads_nobody_into_a_closed_one(tmp_path: Path) -> None:
    fee: Blocks = (
        ("heading", "1 Fee of a berth"),
        ("paragraph", "The fee of a berth is 40 crowns, raised by the surcharge of section 2.1 of the Winter Rules."),
    )
    winter: Blocks = (
        ("heading", "2 Winter"),
        ("heading", "2.1 Surcharge of a berth"),
        ("paragraph", "A berth costs 5 crowns more while ice lies in the harbour."),
    )
    with hashing_engine(tmp_path) as engine:
        closed = source("winter.pdf", "1" * 64, acl=("board",))
        engine.index_documents([(source("fees.pdf"), document(fee)), (closed, document(winter, title="Winter Rules"))])
        everybody = followed(engine, FEE)
        board = checked(engine.ask(FEE, filter=Filter(principals=("board",)), mode="follow", receipt=False))
    assert (hops(everybody), len(everybody.statements)) == ([], 1)
    assert hops(board) == []


DUES: Blocks = (
    ("heading", "1 Dues"),
    ("paragraph", "They are told in 2.1."),
    ("heading", "2 Sums"),
    ("heading", "2.1 In winter"),
    ("paragraph", "A ship of the line pays 12 crowns in winter."),
)


def test_where_nothing_answers_what_the_best_passages_refer_to_may(tmp_path: Path) -> None:
    policy = RetrievalPolicy()
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("dues.pdf"), document(DUES))])
        with engine._views.at(None, Deadline.never()) as view:
            found = engine.search("How many crowns does a ship of the line pay?", receipt=False)
            first = tuple(item for item in found.evidence if item.chunk.section_number == "1")
            narrow, around = replace(found, evidence=first, beyond=()), surroundings_of(view, Filter())
            assert compose_answer(narrow, policy, around).refused
            answer = followed_answer(narrow, policy, around)
            nothing = followed_answer(replace(narrow, evidence=()), policy, around)
    assert texts(answer)[0] == "2.1: A ship of the line pays 12 crowns in winter."
    assert hops(answer) == ["1 refers to 2.1 -> p.1", "2.1 is referred to by 1 -> p.1"]
    assert nothing.refused


@pytest.mark.parametrize("from_hits", [False, True])
def test_a_followed_answer_is_replayed_and_restored(tmp_path: Path, *, from_hits: bool) -> None:
    with hashing_engine(tmp_path) as engine:
        engine.index_documents([(source("harbour.pdf"), document(HARBOUR))])
        answer = engine.ask(FEE, mode="follow")
        assert engine.session().audit.replay(answer.trace_id, from_hits=from_hits).same
        assert engine.session().audit.restored(engine.session().audit.receipt(answer.trace_id)) == answer
        again = engine.ask(FEE, mode="follow")
    assert again.to_dict(stable=True, explain=True) == answer.to_dict(stable=True, explain=True)
