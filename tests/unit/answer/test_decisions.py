"""An answer tells what was found for it and what the rules did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine.engine import Engine
from pincite.records.questions import Filter


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with hashing_engine(tmp_path) as made:
        text = "Snow lies on the roof. It shall be cleared by the owner."
        made.index_documents([(source(name), document(text)) for name in ("a.pdf", "b.pdf")])
        yield made


def test_every_statement_is_a_decision_to_keep_it_and_a_rule_without_any_says_so(engine: Engine) -> None:
    answer = engine.ask("Where does snow lie?", receipt=False)
    said = [statement.text for statement in answer.statements if statement.kind != "missing"]
    kept = [decision for decision in answer.trace.decisions if decision.kept]
    assert [decision.text for decision in kept] == said
    assert {decision.reason for decision in answer.trace.decisions if not decision.text} == {"found nothing"}
    assert not any(decision.kept for decision in answer.trace.decisions if decision.reason)


def test_a_refusal_is_a_decision_too(engine: Engine) -> None:
    answer = engine.ask("What does saffron cost in Reykjavik?", receipt=False)
    assert answer.refused
    assert {decision.rule for decision in answer.trace.decisions if decision.kept} == {"refusal"}


def test_the_trace_tells_what_each_channel_found_and_what_was_merged_into_what(engine: Engine) -> None:
    answer = engine.ask("Where does snow lie on the roof, after section 5.2?", receipt=False)
    trace = answer.trace
    assert trace.counts["vector"] >= trace.counts["keyword"] == 2
    assert set(trace.best) >= {"vec", "bm25", "final"}
    assert all(0 <= score <= 1 for score in trace.best.values())
    assert trace.places == ("section 5.2",)
    assert trace.merged == {place.chunk_id: item.chunk.chunk_id for item in answer.evidence for place in item.also}
    assert len(trace.merged) == 1


def test_the_documents_that_a_question_names_are_told(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as named:
        texts = {"Acme_2022.pdf": "Acme clears snow.", "Bolt_2022.pdf": "Bolt clears snow.", "c.pdf": "Snow melts."}
        named.index_documents([(source(name), document(text)) for name, text in texts.items()])
        trace = named.ask("Does Acme clear snow?", receipt=False).trace
        assert trace.documents == ("Acme_2022.pdf",)
        assert named.ask("Who clears snow?", receipt=False).trace.documents == ()


def test_the_trace_names_nothing_that_the_asker_may_not_see(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        hidden, shown = source("Acme_2022.pdf", acl=("board",)), source("b.pdf")
        engine.index_documents([(hidden, document("Anna Berg clears snow.")), (shown, document("Snow melts in May."))])
        question = "Does Anna Berg of Acme clear snow?"
        trace = engine.ask(question, receipt=False).trace
        assert (trace.names, trace.documents) == ((), ())
        seen = engine.ask(question, filter=Filter(principals=("board",)), receipt=False).trace
        assert "anna berg" in seen.names
        assert seen.documents == ("Acme_2022.pdf",)
