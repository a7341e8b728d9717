"""`pincite eval retrieval`: how well does search find the relevant rows of a BEIR set?"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from pincite.evaluate.beir import BeirSet, Place, Question, load_set
from pincite.evaluate.files import bytes_below, store_folder
from pincite.evaluate.measures import RANKING_MEASURES, findable, holds_answer, percentile
from pincite.evaluate.report import Evaluation, Tally, describe_machine
from pincite.records.evidence import Evidence, Retrieval
from pincite.records.plain import to_plain
from pincite.records.questions import Channel, RetrievalPolicy
from pincite.settings import Settings
from pincite.wiring import open_engine

TOP_CHUNKS = 200
RANKED_ROWS = 100
ANSWER_ROWS = 5
CHANNELS: Mapping[str, tuple[Channel, ...]] = {
    "keyword": ("keyword",),
    "vector": ("vector",),
    "hybrid": ("vector", "keyword"),
    "default": RetrievalPolicy().channels,
}


class Searcher(Protocol):
    """What this measurement asks of the engine."""

    def search(self, question: str, *, policy: RetrievalPolicy, receipt: bool) -> Retrieval:
        """Evidence for a question, best first."""
        ...


def evaluate_retrieval(
    folder: Path,
    *,
    settings: Settings,
    split: str | None = None,
    keys: Sequence[str] = tuple(CHANNELS),
    limit: int | None = None,
    store: Path | None = None,
) -> Evaluation:
    """Index the set (or take the store of an earlier run from the folder `store`), ask its questions, measure.

    `keys` are names of CHANNELS; `limit` takes the first questions only. `index_seconds` is reported where the
    store was made in this run. UsageError where the set is malformed, StoreError where the store does not fit.
    """
    machine, started = describe_machine(), time.perf_counter()
    loaded = load_set(folder, split)
    questions = loaded.questions[:limit]
    timings = {"load_seconds": time.perf_counter() - started}
    wanted = dict.fromkeys(CHANNELS[key] for key in keys)
    with store_folder(store, f"beir-{loaded.corpus_key}") as path:
        costs = index_set(settings, path, loaded)
        with open_engine(settings, path) as engine:
            runs = {channels: measure(engine, loaded, questions, channels) for channels in wanted}
    measured = {key: runs[CHANNELS[key]] for key in keys}
    results = {key: {**run.tally.means(), **run.times(), **costs} for key, run in measured.items()}
    intervals = {key: run.tally.intervals() for key, run in measured.items()}
    for key, run in measured.items():
        results |= run.tally.means_held_out(key)
        intervals |= run.tally.intervals_held_out(key)
    return Evaluation(
        command="eval retrieval",
        set=loaded.name,
        settings={
            "embedder": settings.embedder,
            "split": loaded.split,
            "limit": limit,
            "policy": to_plain(policy_of(CHANNELS["default"])),
        },
        counts={"documents": len(loaded.documents), "rows": len(loaded.rows), "questions": len(questions)},
        results=results,
        intervals=intervals,
        per_query=_per_query(questions, measured),
        timings=timings | {f"{key}_seconds": sum(run.milliseconds) / 1000 for key, run in measured.items()},
        machine=machine,
    )


class Run:
    """What one choice of channels gave: measures, the ranked rows of each question, milliseconds a question."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.ranked: list[list[str]] = []
        self.milliseconds: list[float] = []

    def times(self) -> dict[str, float]:
        """The percentiles of the time a question takes, its embedding included."""
        shares = (50, 95, 99)
        return {f"query_ms_p{share}": percentile(self.milliseconds, share / 100) for share in shares if self.ranked}


def index_set(settings: Settings, path: Path, loaded: BeirSet) -> dict[str, float]:
    """Index the set's documents; the bytes of the closed store, and the seconds where it is a new one."""
    fresh = not path.exists()
    with open_engine(settings, path, create=True) as engine:
        report = engine.index_documents(loaded.documents)
    return ({"index_seconds": report.seconds} if fresh else {}) | {"bytes": bytes_below(path)}


def policy_of(channels: tuple[Channel, ...]) -> RetrievalPolicy:
    """The policy that these channels are measured with: as shipped, but deeper and with duplicates kept apart."""
    return RetrievalPolicy(top_k=TOP_CHUNKS, merge_duplicates=False, channels=channels)


def measure(engine: Searcher, loaded: BeirSet, questions: Sequence[Question], channels: tuple[Channel, ...]) -> Run:
    """Ask all questions through these channels. The first is asked once more beforehand, so that no file is cold."""
    run, policy = Run(), policy_of(channels)
    for question in questions[:1]:
        engine.search(question.text, policy=policy, receipt=False)
    for question in questions:
        started = time.perf_counter()
        retrieval = engine.search(question.text, policy=policy, receipt=False)
        run.milliseconds.append((time.perf_counter() - started) * 1000)
        best = best_chunks(retrieval.evidence, loaded.rows)
        ranked = list(best)[:RANKED_ROWS]
        run.ranked.append(ranked)
        run.tally.turn_to(question.id)
        for name, value in RANKING_MEASURES.items():
            run.tally.add(name, value(ranked, question.gold))
        if answers := findable(question.answers):
            texts = [best[row].chunk.content for row in ranked[:ANSWER_ROWS]]
            run.tally.add(f"answer_in_evidence@{ANSWER_ROWS}", holds_answer(texts, answers))
    return run


def best_chunks(evidence: Iterable[Evidence], rows: Mapping[Place, str]) -> dict[str, Evidence]:
    """The best chunk of each corpus row, rows in the order of their best chunks."""
    best: dict[str, Evidence] = {}
    for item in evidence:
        best.setdefault(rows[item.chunk.source_id, item.chunk.spans[0].page], item)
    return best


def _per_query(questions: Sequence[Question], measured: Mapping[str, Run]) -> list[dict[str, Any]]:
    return [
        {"id": question.id, "ranked": {key: run.ranked[position] for key, run in measured.items()}}
        for position, question in enumerate(questions)
    ]
