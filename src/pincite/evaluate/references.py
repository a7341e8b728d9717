"""`pincite eval references`: are the references of documents found, and do they lead to the right place?"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from pincite.evaluate.beir import Place, load_set
from pincite.evaluate.files import existing, store_folder
from pincite.evaluate.pages import stage, store_name
from pincite.evaluate.reference_gold import Found, GoldReference, JoinedText, Judge, Verdict, corpus_gold, page_gold
from pincite.evaluate.report import Evaluation, Tally, describe_machine
from pincite.evaluate.retrieval import index_set
from pincite.settings import Settings
from pincite.wiring import open_engine

KEY = "default"
Namer = Callable[[Place], str]


@dataclass(slots=True)
class Measured:
    """What the comparison gave: figures, and a row for each reference."""

    tally: Tally = field(default_factory=Tally)
    derived: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)


def evaluate_references(
    folder: Path, *, settings: Settings, gold: Path, limit: int | None = None, store: Path | None = None
) -> Evaluation:
    """Index a set in BEIR layout, or a folder of documents, and compare its references with the gold.

    References need no vectors, so none are made. UsageError where set or gold is malformed.
    """
    machine, started = describe_machine(), time.perf_counter()
    is_corpus = any((folder / name).is_file() for name in ("corpus.jsonl", "corpus.jsonl.gz"))
    measure = measure_corpus if is_corpus else measure_folder
    measured = measure(folder, existing(gold), replace(settings, embedder="none"), limit, store)
    return Evaluation(
        command="eval references",
        set=folder.resolve().name,
        settings={"gold": gold.name, "limit": limit},
        counts=measured.counts,
        results={KEY: measured.tally.means() | measured.derived},
        intervals={KEY: measured.tally.intervals()},
        per_query=measured.rows,
        timings={"seconds": time.perf_counter() - started},
        machine=machine,
    )


def measure_corpus(folder: Path, gold: Path, settings: Settings, limit: int | None, store: Path | None) -> Measured:
    """The first form: SET is a BEIR folder, the gold names its rows."""
    loaded = load_set(folder)
    texts = {source.source_id: JoinedText(document.pages) for source, document in loaded.documents}
    with store_folder(store, f"references-{loaded.corpus_key}") as path:
        index_set(settings, path, loaded)
        with open_engine(settings, path) as engine:
            return score_corpus(
                Judge(engine.session().documents, texts.__getitem__), corpus_gold(gold, loaded)[:limit], loaded.rows
            )


def measure_folder(folder: Path, gold: Path, settings: Settings, limit: int | None, store: Path | None) -> Measured:
    """The second form: SET is a folder of documents, the gold names files and pages."""
    with (
        store_folder(store, f"references-{store_name(folder)}") as place,
        open_engine(settings, place / "store", create=True) as engine,
    ):
        stage(folder, place / "documents")
        engine.index([place / "documents"], prune=True)
        documents = engine.session().documents
        source_ids = [state.source.source_id for state in documents.sources()]
        text_of = cache(lambda source_id: JoinedText(documents.pages(source_id)))
        return score_pages(Judge(documents, text_of), page_gold(gold, source_ids, text_of)[:limit])


def score_corpus(judge: Judge, gold: Sequence[GoldReference], names: Mapping[Place, str]) -> Measured:
    """`precision` over what was found, `recall` over all rows, and `f1`."""
    measured = Measured(counts={"references": len(gold)})
    for row in gold:
        verdict = judge.judge(row)
        measured.tally.add("recall", verdict.right)
        if verdict.counts_as_found:
            measured.tally.add("precision", verdict.right)
        measured.rows.append(_row(verdict, names.__getitem__))
    means = measured.tally.means()
    precision, recall = means.get("precision", 0.0), means.get("recall", 0.0)
    measured.derived["f1"] = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return measured


def score_pages(judge: Judge, gold: Sequence[GoldReference]) -> Measured:
    """`resolved_precision` over what leads somewhere, `resolved_rate` over what exists; and both by kind.

    `right` is the share of all rows that lead to the right page, or have the right status.
    """
    verdicts = [judge.judge(row) for row in gold]
    unlisted = [_unlisted_row(*item) for item in judge.unlisted(gold)]
    measured = Measured(
        counts={"references": len(gold), "resolved ones without gold": len(unlisted)},
        rows=[*(_row(verdict, _page_name) for verdict in verdicts), *unlisted],
    )
    for verdict in verdicts:
        measured.tally.add("right", verdict.right)
    _tally_resolved(measured.tally, "", verdicts)
    for kind in sorted({verdict.gold.kind for verdict in verdicts}):
        _tally_resolved(measured.tally, f"{kind}_", [verdict for verdict in verdicts if verdict.gold.kind == kind])
    return measured


def mistakes(evaluation: Evaluation) -> list[str]:
    """One line for each row that is wrong: what the gold is, what was found, and where it led."""
    return [
        f"{row['id']}: gold {_shown(row['gold'])}, found {_shown(row['answer'])}"
        for row in evaluation.per_query
        if not row["right"]
    ]


def _tally_resolved(tally: Tally, prefix: str, verdicts: Sequence[Verdict]) -> None:
    for verdict in verdicts:
        if verdict.resolved:
            tally.add(f"{prefix}resolved_precision", verdict.right)
        if verdict.gold.status == "resolved":
            tally.add(f"{prefix}resolved_rate", verdict.resolved)


def _row(verdict: Verdict, name: Namer) -> dict[str, Any]:
    gold = verdict.gold
    return {
        "id": f"{name(gold.place)}: {gold.text}",
        "right": verdict.right,
        "gold": {"status": gold.status, "led_to": sorted(map(name, gold.targets)), "text": gold.marked or gold.text},
        "answer": {} if verdict.found is None else _answer(verdict.found, verdict.led_to, name),
    }


def _unlisted_row(place: Place, found: Found, led_to: Sequence[Place]) -> dict[str, Any]:
    return {"id": _page_name(place), "right": None, "gold": {}, "answer": _answer(found, led_to, _page_name)}


def _answer(found: Found, led_to: Sequence[Place], name: Namer) -> dict[str, Any]:
    reference, link = found
    return {"status": link.status, "led_to": [name(place) for place in led_to], "text": reference.text}


def _page_name(place: Place) -> str:
    return f"{place[0]}, p.{place[1]}"


def _shown(side: Mapping[str, Any]) -> str:
    if not side:
        return "nothing"
    return f"{side['text']!r} {side['status']}" + "".join(f" -> {place}" for place in side["led_to"])
