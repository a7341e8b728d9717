"""1. A row ranks as its best chunk. 2. A set is indexed, asked and measured through every channel. 3. Time to index is
reported only where this run indexed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.evaluate.report import write_json
from pincite.evaluate.retrieval import CHANNELS, best_chunks, evaluate_retrieval, policy_of
from pincite.records.evidence import Evidence, Scores
from pincite.settings import Settings
from pincite_testing.samples import sample_edition

RANKING = {"ndcg@10", "recall@2", "recall@5", "recall@10", "map@10", "mrr@10"}
ALL_GOLD = {"all_gold@2", "all_gold@5", "all_gold@10"}
COSTS = {"query_ms_p50", "query_ms_p95", "query_ms_p99", "bytes"}
BY_WORDS = Settings(embedder="none")
TOPICS = ("snow", "wind", "fire", "rain", "ice", "heat")


def write_set(folder: Path) -> Path:
    """One document of six pages and six rows of their own, each about one topic; a question for each row."""
    shared = [
        {"_id": f"p{n}", "text": f"Rule on {topic}: {topic} loads count.", "metadata": {"document": "Rules"}}
        for n, topic in enumerate(TOPICS)
    ]
    single = [
        {"_id": f"s{n}", "title": f"City {n}", "text": f"The city number{n} lies on the river r{n}."} for n in range(6)
    ]
    queries = [{"_id": f"q{n}", "text": f"Which rule is on {topic}?"} for n, topic in enumerate(TOPICS)]
    queries.append({"_id": "q6", "text": "Where is number3?", "metadata": {"answer": "river r3"}})
    judged = [f"q{n}\tp{n}\t1" for n in range(6)] + ["q6\ts3\t1"]
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, [*shared, *single])), encoding="utf-8")
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)), encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text("\n".join(judged), encoding="utf-8")
    return folder


def test_a_row_ranks_as_its_best_chunk() -> None:
    first, second, third = sample_edition("rules", ["one", "two", "three"]).chunks
    (other,) = sample_edition("alone", ["four"]).chunks
    evidence = [Evidence(chunk, n, Scores(), ()) for n, chunk in enumerate([third, first, other, first, third], 1)]
    rows = {("rules", 1): "r1", ("rules", 2): "r2", ("rules", 3): "r3", ("alone", 1): "a"}
    best = best_chunks(evidence, rows)
    assert list(best) == ["r3", "r1", "a"]
    assert best["r3"].rank == 1
    assert second not in [item.chunk for item in best.values()]


def test_every_key_keeps_duplicates_apart_and_names_its_channels() -> None:
    for key, channels in CHANNELS.items():
        policy = policy_of(channels)
        assert not policy.merge_duplicates, key
        assert policy.top_k >= 100
        assert policy.channels == channels


def test_a_set_is_measured_from_its_folder(tmp_path: Path) -> None:
    evaluation = evaluate_retrieval(write_set(tmp_path / "small"), settings=BY_WORDS, keys=("keyword",))
    results = evaluation.results["keyword"]
    assert set(results) == RANKING | ALL_GOLD | COSTS | {"index_seconds", "answer_in_evidence@5"}
    assert results["ndcg@10"] == results["all_gold@2"] == results["answer_in_evidence@5"] == 1.0
    assert results["bytes"] > 1000
    assert 0 < results["query_ms_p50"] <= results["query_ms_p95"] <= results["query_ms_p99"]
    assert evaluation.counts == {"documents": 7, "rows": 12, "questions": 7}
    assert evaluation.per_query[2]["id"] == "q2"
    assert evaluation.per_query[2]["ranked"]["keyword"][0] == "p2"
    assert set(evaluation.intervals["keyword"]) == set(results) - COSTS - {"index_seconds"}


def test_a_kept_store_is_asked_again_without_indexing(tmp_path: Path) -> None:
    folder, store = write_set(tmp_path / "small"), tmp_path / "stores"
    first = evaluate_retrieval(folder, settings=BY_WORDS, keys=("keyword",), store=store)
    again = evaluate_retrieval(folder, settings=BY_WORDS, keys=("keyword",), store=store, limit=3)
    assert "index_seconds" in first.results["keyword"]
    assert "index_seconds" not in again.results["keyword"]
    assert again.counts["questions"] == 3
    assert [row["ranked"] for row in again.per_query] == [row["ranked"] for row in first.per_query[:3]]


def test_the_json_has_the_shape_that_the_design_names(tmp_path: Path) -> None:
    evaluation = evaluate_retrieval(write_set(tmp_path / "small"), settings=BY_WORDS, keys=("keyword",), limit=2)
    write_json(evaluation, tmp_path / "out" / "small.json")
    written = json.loads((tmp_path / "out" / "small.json").read_text(encoding="utf-8"))
    assert list(written) == (
        ["command", "set", "settings", "counts", "results", "intervals", "per_query", "timings", "machine", "versions"]
    )
    assert (written["command"], written["set"]) == ("eval retrieval", "small")
    low, high = written["intervals"]["keyword"]["recall@10"]
    assert low <= written["results"]["keyword"]["recall@10"] <= high
    assert written["machine"]["cores"] >= 1
    assert "numpy" in written["versions"]


@pytest.mark.parametrize("keys", [("hybrid", "default"), ("default", "hybrid")])
def test_keys_come_in_the_order_asked_for(tmp_path: Path, keys: tuple[str, ...]) -> None:
    evaluation = evaluate_retrieval(write_set(tmp_path / "small"), settings=BY_WORDS, keys=keys, limit=1)
    assert tuple(evaluation.results) == keys
