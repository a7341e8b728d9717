"""An answer tells what was found for it and what the rules did."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine import Engine


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
    assert [decision.rule for decision in answer.trace.decisions if decision.kept] == ["refusal"]


def test_the_trace_tells_what_each_channel_found_and_what_was_merged_into_what(engine: Engine) -> None:
    answer = engine.ask("Where does snow lie on the roof, after section 5.2?", receipt=False)
    trace = answer.trace
    assert trace.counts["vector"] >= trace.counts["keyword"] == 2
    assert set(trace.best) >= {"vec", "bm25", "final"}
    assert all(0 <= score <= 1 for score in trace.best.values())
    assert trace.places == ("section 5.2",)
    assert trace.merged == {place.chunk_id: item.chunk.chunk_id for item in answer.evidence for place in item.also}
    assert len(trace.merged) == 1
