"""What is purged is nowhere in the store any more; the rest stays, and the chain of receipts is whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine.engine import Engine
from pincite.errors import StoreError, UsageError
from pincite.records.questions import Filter, RetrievalPolicy

QUESTION = "Where does snow lie?"


def put(engine: Engine, name: str, text: str) -> None:
    engine.index_documents([(source(name), document(text, title=name))])


def holding(folder: Path, word: str) -> list[str]:
    """The files of a store in which this word stands."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path.name for path in paths if word.encode() in path.read_bytes()]


def test_a_purged_source_is_nowhere_in_the_store(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine, "a.pdf", "Snow lies on the zyzzyva.")
        put(engine, "b.pdf", "Wind acts on the wall of the quay.")
        put(engine, "a.pdf", "Snow lies on the quokka.")
        asked = [engine.ask(QUESTION, filter=Filter(as_of=when)) for when in ("1", None)]
        assert ["zyzzyva" in asked[0].summary, "quokka" in asked[1].summary] == [True, True]
        other = engine.ask("What acts on the wall?", filter=Filter(sources=("b.pdf",)))
        engine.remove("a.pdf", purge=True)
        for answer in asked:
            with pytest.raises(StoreError, match="was purged"):
                engine.session().audit.replay(answer.trace_id)
        assert engine.session().audit.replay(other.trace_id).same is False
        report = engine.check_chain()
        assert report.problems == ()
        assert report.purged > 0
        assert engine.session().audit.restored(engine.session().audit.receipt(other.trace_id)) == other
        assert engine.verify() == []
        assert {item.chunk.source_id for item in engine.ask(QUESTION).evidence} == {"b.pdf"}
    assert holding(tmp_path, "zyzzyva") == holding(tmp_path, "quokka") == []
    assert "record.sqlite" in holding(tmp_path, "quay")


def test_an_answer_that_looked_at_a_purged_source_beyond_its_hits_is_purged_with_it(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine, "a.pdf", "Snow lies on the roof.")
        put(engine, "b.pdf", "Wind acts on the wall of the quay.")
        answer = engine.ask(QUESTION, policy=RetrievalPolicy(top_k=1))
        assert {item.chunk.source_id for item in answer.evidence} == {"a.pdf"}
        assert {item.chunk.source_id for item in answer.beyond} == {"b.pdf"}
        engine.remove("b.pdf", purge=True)
        assert engine.session().audit.restored(engine.session().audit.receipt(answer.trace_id)) is None
        with pytest.raises(StoreError, match="was purged"):
            engine.session().audit.replay(answer.trace_id)
        assert engine.check_chain().problems == ()


def test_a_source_that_was_removed_before_can_still_be_purged(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as engine:
        put(engine, "a.pdf", "Snow lies on the zyzzyva.")
        put(engine, "b.pdf", "Wind acts on the wall.")
        engine.remove("a.pdf")
        engine.remove("a.pdf", purge=True)
        with pytest.raises(UsageError, match="never held"):
            engine.remove("c.pdf", purge=True)
        put(engine, "a.pdf", "Snow lies on the roof.")
        assert "roof" in engine.ask(QUESTION).summary
    assert holding(tmp_path, "zyzzyva") == []
