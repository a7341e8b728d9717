"""`pincite eval triplets`: do the triplets of sentences agree with gold tuples, by CaRB's protocol?"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from pincite.errors import UsageError
from pincite.evaluate.carb import Share, Tuple, read_gold, score_curve, shares_at
from pincite.evaluate.entities import entity_file, evaluate_entities
from pincite.evaluate.files import open_text
from pincite.evaluate.machine import describe_machine
from pincite.evaluate.ratios import ratio_intervals
from pincite.evaluate.report import Evaluation
from pincite.wiring import triplet_extractor

KEY = "default"


class Said(Protocol):
    """What a triplet must tell to be compared: its words, and how sure it is."""

    @property
    def relation(self) -> str:
        """The relation as it is said."""
        ...

    @property
    def subject_text(self) -> str:
        """The words of the subject."""
        ...

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words of the object, then what is said besides."""
        ...

    @property
    def confidence(self) -> float:
        """Between 0 and 1."""
        ...


Extract = Callable[[Sequence[str]], Sequence[Sequence[Said]]]


def evaluate_triplets(folder: Path, *, limit: int | None = None) -> Evaluation:
    """Measure a folder with gold tuples (`gold*.tsv`), or one with entities in CoNLL04's layout (`*.jsonl`).

    UsageError where it holds neither, or several of one.
    """
    gold_file = _gold_file(folder)
    if gold_file is not None:
        return evaluate_tuples(folder, gold_file, limit=limit)
    entities = entity_file(folder)
    if entities is None:
        raise UsageError(f"{folder} holds neither gold*.tsv nor *.jsonl: give a folder that holds one of them")
    return evaluate_entities(folder, entities, limit=limit)


def evaluate_tuples(folder: Path, gold_file: Path, *, limit: int | None = None) -> Evaluation:
    """Extract from the sentences of the gold file and compare.

    `precision`, `recall` and `f1` are those of the confidence with the best F1.
    """
    with open_text(gold_file) as stream:
        gold = dict(islice(read_gold(stream).items(), limit))
    machine, started = describe_machine(), time.perf_counter()
    found = extract_tuples(list(gold), triplet_extractor())
    seconds = time.perf_counter() - started
    curve = score_curve(gold, found)
    best, last = curve.best, curve.points[0]
    shares = shares_at(best.threshold, gold, found)
    return Evaluation(
        command="eval triplets",
        set=folder.resolve().name,
        settings={"gold": gold_file.name, "limit": limit},
        counts={
            "sentences": len(gold),
            "gold tuples": sum(map(len, gold.values())),
            "tuples found": sum(map(len, found.values())),
            "of them counted": sum(share.found for share in shares),
        },
        results={
            KEY: {
                "precision": best.precision,
                "recall": best.recall,
                "f1": best.f1,
                "auc": curve.auc,
                "threshold": best.threshold,
                "last_f1": last.f1,
            }
        },
        intervals={KEY: ratio_intervals(shares)},
        per_query=[_row(sentence, found[sentence], share) for sentence, share in zip(gold, shares, strict=True)],
        timings={"seconds": seconds, "sentences_per_second": len(gold) / seconds},
        machine=machine,
    )


def extract_tuples(sentences: Sequence[str], extract: Extract) -> dict[str, tuple[Tuple, ...]]:
    """The triplets of each sentence as the scorer reads them."""
    return {
        sentence: tuple(
            Tuple(said.relation, (said.subject_text, *said.arguments), said.confidence) for said in triplets
        )
        for sentence, triplets in zip(sentences, extract(sentences), strict=True)
    }


def _gold_file(folder: Path) -> Path | None:
    found = sorted(path for pattern in ("gold*.tsv", "gold*.tsv.gz") for path in folder.glob(pattern))
    if len(found) > 1:
        raise UsageError(f"{folder} holds {', '.join(path.name for path in found)}: give a folder that holds one")
    return found[0] if found else None


def _row(sentence: str, tuples: Sequence[Tuple], share: Share) -> dict[str, Any]:
    return {
        "id": sentence,
        "precision": share.right / share.found if share.found else None,
        "recall": share.recalled / share.wanted,
        "found": [
            {"relation": item.relation, "arguments": list(item.arguments), "confidence": item.confidence}
            for item in tuples
        ],
    }
