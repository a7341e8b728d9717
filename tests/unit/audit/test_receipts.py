"""1. Every answer leaves a receipt from which it can be shown and made again. 2. The chain tells what was changed, and
stays whole where something was purged. 3. What is kept of a question never stops it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.audit.chain import canonical, check_chain, digest_of, sealed
from pincite.audit.compare import compare_environments, compare_outputs, describe_environment
from pincite.build import publish
from pincite.engine.engine import Engine
from pincite.errors import NotThereError, StoreError, UsageError
from pincite.graph.ontology import shipped_ontology
from pincite.records.questions import Filter, RetrievalPolicy
from pincite_testing.hashing_embedder import HashingEmbedder
from pincite_testing.memory_receipts import MemoryReceipts
from pincite_testing.memory_reranker import MemoryReranker
from pincite_testing.receipt_store_contract import hits, retrieval, run

TEXTS = {
    "a.pdf": "Snow lies on the roof. It shall be cleared by the owner.",
    "b.pdf": "Wind acts on the wall. The wall carries 0.4 kN.",
}
QUESTION = "Where does snow lie?"
REFUSED = "What does saffron cost in Reykjavik?"


def put(engine: Engine, texts: dict[str, str]) -> None:
    engine.index_documents([(source(name), document(text, title=name)) for name, text in texts.items()])


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    with hashing_engine(tmp_path) as made:
        put(made, TEXTS)
        yield made


# --- receipts ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("question", [QUESTION, REFUSED, "snow file:a.pdf"])
def test_a_receipt_holds_the_answer_and_all_that_it_was_made_from(engine: Engine, question: str) -> None:
    policy = RetrievalPolicy(top_k=3)
    answer = engine.ask(question, policy=policy, filter=Filter(types=("given",)))
    receipt = engine.session().audit.receipt(answer.trace_id)
    assert receipt.run.generation == engine.session().generation()
    assert receipt.run.revision == engine.session().revision()
    assert receipt.run.refused == answer.refused
    assert receipt.request is not None
    assert receipt.request["question"] == question
    assert receipt.request["filter"]["types"] == ["given"]
    assert receipt.request["policy"]["top_k"] == 3
    assert receipt.environment == describe_environment(HashingEmbedder(), shipped_ontology().digest)
    assert receipt.output == answer.to_dict(stable=True)
    assert receipt.answer is not None
    assert receipt.used is not None
    cited = {c.chunk_id for s in answer.statements for c in (*s.citations, *s.also)}
    assert receipt.used["used_chunk_ids"] == sorted(cited)
    assert [item["chunk_id"] for item in receipt.answer["evidence"]] == [e.chunk.chunk_id for e in answer.evidence]
    assert engine.session().audit.restored(receipt) == answer


def test_the_environment_names_model_libraries_and_processor() -> None:
    environment = describe_environment(HashingEmbedder(), shipped_ontology().digest)
    assert environment["model"]["digest"] == HashingEmbedder().digest
    assert {"pincite", "numpy", "faiss-cpu"} <= set(environment["libraries"])
    assert len(environment["code"]) == 64
    assert describe_environment(None, "none")["model"] is None


def test_the_environment_names_the_reranker(tmp_path: Path) -> None:
    with hashing_engine(tmp_path, reranker=MemoryReranker()) as engine:
        put(engine, TEXTS)
        receipt = engine.session().audit.receipt(engine.ask(QUESTION).trace_id)
    assert receipt.environment is not None
    assert receipt.environment["reranker"] == {"name": MemoryReranker.name, "digest": MemoryReranker.digest}
    assert describe_environment(None, "none")["reranker"] is None


def test_an_answer_with_another_reranker_is_not_taken_from_the_cache(tmp_path: Path) -> None:
    for reranker, cached in ((None, 0), (MemoryReranker(), 0), (None, 1)):
        with hashing_engine(tmp_path, reranker=reranker) as engine:
            put(engine, TEXTS)
            before = engine.cache_counts()["hits"]
            engine.ask(QUESTION)
            assert engine.cache_counts()["hits"] - before == cached


def test_a_receipt_from_before_there_were_rerankers_differs_only_where_there_is_one_now() -> None:
    before = {name: part for name, part in describe_environment(None, "none").items() if name != "reranker"}
    assert compare_environments(before, describe_environment(None, "none")) == []
    assert compare_environments(before, describe_environment(None, "none", MemoryReranker())) == [
        f"reranker digest: none before, {MemoryReranker.digest} now",
        "reranker name: none before, word overlap now",
    ]


def test_receipts_are_listed_newest_first_and_found_by_the_beginning_of_their_ids(engine: Engine) -> None:
    ids = [engine.ask(f"{QUESTION} {number}").trace_id for number in range(3)]
    assert [found.run_id for found in engine.session().audit.runs()] == ids[::-1]
    assert [found.run_id for found in engine.session().audit.runs(2)] == ids[:0:-1]
    assert engine.session().audit.receipt(ids[1][:12]).run.run_id == ids[1]
    with pytest.raises(NotThereError, match="no receipt 'x'"):
        engine.session().audit.receipt("x")
    with pytest.raises(UsageError, match="more than one"):
        engine.session().audit.receipt("")


def test_an_answer_without_a_receipt_leaves_none(engine: Engine, tmp_path: Path) -> None:
    engine.ask(QUESTION, receipt=False)
    engine.search(QUESTION, receipt=False)
    assert not (tmp_path / "audit.sqlite").exists()
    assert engine.session().audit.runs() == []


def test_a_search_is_kept_with_its_hits(engine: Engine, tmp_path: Path) -> None:
    found = engine.search(QUESTION)
    with closing(sqlite3.connect(tmp_path / "audit.sqlite")) as audit:
        rows = audit.execute("SELECT chunk_id, score FROM retrieval_hit ORDER BY rank").fetchall()
    assert rows == [(item.chunk.chunk_id, item.scores.final) for item in found.evidence]


# --- replay ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("from_hits", [False, True])
@pytest.mark.parametrize("question", [QUESTION, REFUSED])
def test_a_replay_gives_the_same_bytes(engine: Engine, question: str, *, from_hits: bool) -> None:
    answer = engine.ask(question)
    assert engine.session().audit.replay(answer.trace_id[:10], from_hits=from_hits).same


@pytest.mark.parametrize("from_hits", [False, True])
def test_a_replay_asks_the_documents_of_then(engine: Engine, *, from_hits: bool) -> None:
    answer = engine.ask(QUESTION)
    put(engine, {"a.pdf": "Snow lies on the ground, never on the roof.", "c.pdf": "Snow lies in the yard."})
    assert engine.ask(QUESTION, receipt=False).to_dict(stable=True) != answer.to_dict(stable=True)
    assert engine.session().audit.replay(answer.trace_id, from_hits=from_hits).same


@pytest.mark.parametrize("from_hits", [False, True])
def test_a_replay_shows_nothing_that_the_asker_may_not_see_any_more(engine: Engine, *, from_hits: bool) -> None:
    answer = engine.ask(QUESTION)
    (given,) = (state.source for state in engine.session().documents.sources() if state.source.source_id == "a.pdf")
    engine._parts.record.update_source(replace(given, acl=("board",)))
    with pytest.raises(NotThereError, match="there is no receipt"):
        engine.session().audit.replay(answer.trace_id, from_hits=from_hits)
    replay = engine.session(["board"]).audit.replay(answer.trace_id, from_hits=from_hits)
    assert "document a.pdf: no longer found" in replay.differences


@pytest.mark.parametrize("from_hits", [False, True])
def test_a_replay_shows_nothing_closed_of_what_was_looked_at_beyond_the_hits(
    engine: Engine, *, from_hits: bool
) -> None:
    put(engine, {"c.pdf": "Ice hangs in the yard until March."})
    question = "Where does snow lie and where does ice hang?"
    answer = engine.ask(question, policy=RetrievalPolicy(top_k=1))
    (beyond,) = {item.chunk.source_id for item in answer.beyond} - {"b.pdf"}
    assert beyond in {citation.source_id for said in answer.statements for citation in said.citations}
    (given,) = (state.source for state in engine.session().documents.sources() if state.source.source_id == beyond)
    engine._parts.record.update_source(replace(given, acl=("board",)))
    with pytest.raises(NotThereError, match="there is no receipt"):
        engine.session().audit.replay(answer.trace_id, from_hits=from_hits)
    replay = engine.session(["board"]).audit.replay(answer.trace_id, from_hits=from_hits)
    assert f"document {beyond}: no longer found" in replay.differences


@pytest.mark.parametrize("from_hits", [False, True])
def test_a_replay_names_the_document_that_was_taken_out_for_good(engine: Engine, *, from_hits: bool) -> None:
    answer = engine.ask(QUESTION)
    engine.remove("a.pdf")
    replay = engine.session().audit.replay(answer.trace_id, from_hits=from_hits)
    assert not replay.same
    assert "document a.pdf: no longer found" in replay.differences
    assert any(line.startswith("no longer said: Snow lies on the roof") for line in replay.differences)


def test_a_replay_by_a_pincite_that_cuts_tokens_otherwise_says_that_the_generation_is_another(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = engine.ask(QUESTION)
    put(engine, {"c.pdf": "Rain."})
    monkeypatch.setattr(publish, "TOKENS_VERSION", "another")
    replay = engine.session().audit.replay(answer.trace_id)
    assert len(replay.differences) == 1
    assert replay.differences[0].startswith(f"generation: {answer.generation} before, ")


def test_a_difference_names_the_setting_the_score_and_the_passage_that_moved(engine: Engine) -> None:
    before = engine.ask(QUESTION, receipt=False).to_dict(stable=True)
    after = json.loads(json.dumps(before))
    after["meta"]["profile"] = "llm"
    after["results"][0]["scores"]["vec"] = 0.5
    lines = compare_outputs("id", before, after).differences
    assert lines[0] == "profile: auto before, llm now"
    assert f"vec: {before['results'][0]['scores']['vec']} before, 0.5 now" in lines[1]
    assert lines[1].startswith(f"result {before['results'][0]['source_id']}, p.1 (")
    assert len(lines) == 2
    assert compare_outputs("id", before, before).same


def test_a_difference_names_the_library_and_the_model_that_are_others_now() -> None:
    now = {"model": {"name": "b", "digest": "2"}, "libraries": {"numpy": "2"}, "cpu_features": ["avx"]}
    then = {"model": None, "libraries": {"numpy": "1"}, "cpu_features": ["avx"]}
    assert compare_environments(then, now) == [
        "libraries numpy: 1 before, 2 now",
        "model digest: none before, 2 now",
        "model name: none before, b now",
    ]


# --- the chain ---------------------------------------------------------------------------------------------


def chained(count: int) -> MemoryReceipts:
    """Receipts of a chain whose artifacts `answer` have no hits."""
    store = MemoryReceipts()
    for number in range(1, count + 1):
        content = canonical({"evidence": [], "number": number})
        made = replace(run(number), artifacts={"answer": sha256(content).hexdigest()})
        query = replace(retrieval(number), run_id=made.run_id)
        store.put_run(lambda place, previous, made=made: sealed(made, place, previous), [content], query, [])  # type: ignore[misc]
    return store


def test_an_untouched_chain_is_whole_and_ends_in_its_head() -> None:
    store = chained(3)
    report = check_chain(store)
    assert (report.runs, report.purged, report.problems) == (3, 0, ())
    assert report.head == store.runs()[0].digest
    assert check_chain(MemoryReceipts()).runs == 0


def test_a_purged_payload_leaves_the_chain_whole() -> None:
    store = chained(3)
    store.purge(store.runs()[1].artifacts.values())
    report = check_chain(store)
    assert (report.purged, report.problems) == (1, ())


def test_the_chain_tells_which_receipt_was_changed() -> None:
    store = chained(3)
    store._runs[1] = replace(store._runs[1], query_text="Who sold the roof?")
    assert check_chain(store).problems == (f"receipt {run(2).run_id}: it was changed",)


def test_the_chain_tells_of_a_receipt_that_was_made_up_anew() -> None:
    store = chained(3)
    forged = replace(store._runs[1], query_text="Who sold the roof?")
    store._runs[1] = replace(forged, digest=digest_of(forged))
    assert check_chain(store).problems == (f"receipt {run(3).run_id}: what stood before it was changed",)


def test_the_chain_tells_of_receipts_that_are_missing() -> None:
    store = chained(3)
    del store._runs[1]
    assert check_chain(store).problems == (f"receipt {run(3).run_id}: 1 receipts or events before it are missing",)


def test_the_chain_tells_of_a_changed_payload_and_of_changed_hits() -> None:
    store = chained(2)
    (name,) = store._runs[0].artifacts.values()
    store._contents[name] = b'{"evidence":[]}'
    store._hits[retrieval(2).retrieval_id] = hits(2, 1)
    assert check_chain(store).problems == (
        f"receipt {run(2).run_id}: its hits were changed",
        f"receipt {run(1).run_id}: its answer was changed",
    )


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("UPDATE artifact SET content = x'00'", "its output was changed"),
        ("UPDATE run SET artifacts_json = '{}'", "it was changed"),
        ("UPDATE run SET artifacts_json = 'no JSON'", "a receipt or an event cannot be read"),
        ("UPDATE run SET created_utc = 'yesterday'", "a receipt or an event cannot be read"),
        ("DELETE FROM retrieval_hit", "its hits were changed"),
    ],
)
def test_whatever_was_done_to_a_receipt_is_told_in_a_line(
    engine: Engine, tmp_path: Path, damage: str, told: str
) -> None:
    answer = engine.ask(QUESTION)
    with closing(sqlite3.connect(tmp_path / "audit.sqlite")) as audit:
        audit.execute(damage)
        audit.commit()
    lines: list[str] = []
    with suppress(StoreError):
        lines += engine.check_chain().problems
    try:
        engine.session().audit.receipt(answer.trace_id)
    except StoreError as error:
        lines.append(str(error))
    assert any(told in line for line in lines)
    assert all("\n" not in line for line in lines)


def test_the_chain_of_a_store_is_whole_and_bites(engine: Engine, tmp_path: Path) -> None:
    for _ in range(2):
        engine.ask(QUESTION)
    assert engine.check_chain().problems == ()
    with closing(sqlite3.connect(tmp_path / "audit.sqlite")) as audit:
        audit.execute("UPDATE retrieval_hit SET score = 0.99 WHERE rank = 1")
        audit.commit()
    assert len(engine.check_chain().problems) == 2


# --- failures ----------------------------------------------------------------------------------------------


def test_a_damaged_cache_or_audit_file_never_stops_a_question(engine: Engine, tmp_path: Path) -> None:
    for name in ("audit.sqlite", "cache.sqlite"):
        (tmp_path / name).write_bytes(b"no database, but long enough to look like one" * 100)
    answer = engine.ask(QUESTION)
    assert not answer.refused
    assert answer.notices == ("receipt not stored",)
    assert engine.cache_counts() == {}
