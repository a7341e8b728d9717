"""`pincite eval triplets`: triplets against gold tuples by CaRB's protocol, and names against CoNLL04's persons,
organisations and places."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError
from pincite.evaluate.carb import Share, Tuple, read_gold, score_curve, shares_at
from pincite.evaluate.files import json_rows, open_text
from pincite.evaluate.measures import RESAMPLES, SEED
from pincite.evaluate.report import Evaluation, describe_machine
from pincite.wiring import name_finder, triplet_extractor

Values = NDArray[np.float64]


def ratios(shares: Sequence[Share]) -> dict[str, float]:
    """`precision` (1 where nothing was found), `recall` and `f1`."""
    return {name: float(value) for name, value in _measured(_table(shares).sum(axis=0)).items()}


def ratio_intervals(shares: Sequence[Share]) -> dict[str, tuple[float, float]]:
    """The 95 % interval of each: sentences drawn anew (Efron 1979), by percentiles."""
    table = _table(shares)
    drawn = np.random.default_rng(SEED).integers(0, len(table), size=(RESAMPLES, len(table)))
    return {
        name: (float(np.percentile(values, 2.5)), float(np.percentile(values, 97.5)))
        for name, values in _measured(table[drawn].sum(axis=1)).items()
    }


def _table(shares: Sequence[Share]) -> Values:
    rows = [(share.right, share.found, share.recalled, share.wanted) for share in shares]
    return np.array(rows, dtype=np.float64)


def _measured(sums: Values) -> dict[str, Values]:
    right, found, recalled, wanted = np.moveaxis(sums, -1, 0)
    precision = np.divide(right, found, out=np.ones_like(right), where=found > 0)
    recall = np.divide(recalled, wanted, out=np.zeros_like(right), where=wanted > 0)
    total = precision + recall
    f1 = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    return {"precision": precision, "recall": recall, "f1": f1}


NAMES = "default"
TYPES = {"person": "Peop", "organisation": "Org", "place": "Loc", "group": "Other", "work": "Other"}
Entity = tuple[int, int, str]


class Named(Protocol):
    """What a name must tell to be compared."""

    @property
    def kind(self) -> str:
        """What it names: "person", "place"."""
        ...

    @property
    def start(self) -> int:
        """Where it begins in the sentence."""
        ...

    @property
    def end(self) -> int:
        """Where it ends, exclusive."""
        ...


Find = Callable[[Sequence[str]], Sequence[Sequence[Named]]]


def entity_file(folder: Path) -> Path | None:
    """The file of a folder in CoNLL04 layout that is measured: the one beside `train.jsonl`; None where there is none.

    UsageError where there are several.
    """
    files = [path for pattern in ("*.jsonl", "*.jsonl.gz") for path in folder.glob(pattern)]
    found = sorted(path for path in files if not path.name.startswith("train."))
    if len(found) > 1:
        raise UsageError(f"{folder} holds {', '.join(path.name for path in found)}: give a folder that holds one")
    return found[0] if found else None


def evaluate_entities(folder: Path, file: Path, *, limit: int | None = None) -> Evaluation:
    """`span_f1`: the same characters; `typed_f1`: the same characters and type (person, organisation, place, other)."""
    rows = list(islice(json_rows(file), limit))
    machine, started = describe_machine(), time.perf_counter()
    found = find_entities([row["text"] for row in rows], name_finder())
    seconds = time.perf_counter() - started
    gold = [{(entity["start"], entity["end"], entity["type"]) for entity in row["entities"]} for row in rows]
    typed = [_share(*pair) for pair in zip(gold, found, strict=True)]
    spans = [_share(_untyped(wanted), _untyped(named)) for wanted, named in zip(gold, found, strict=True)]
    return Evaluation(
        command="eval triplets",
        set=folder.resolve().name,
        settings={"gold": file.name, "limit": limit},
        counts={"sentences": len(rows), "gold entities": sum(map(len, gold)), "entities found": sum(map(len, found))},
        results={NAMES: _figures("span", spans, ratios) | _figures("typed", typed, ratios)},
        intervals={NAMES: _figures("span", spans, ratio_intervals) | _figures("typed", typed, ratio_intervals)},
        per_query=[
            {"id": row["id"], "missed": sorted(wanted - named), "wrong": sorted(named - wanted)}
            for row, wanted, named in zip(rows, gold, found, strict=True)
        ],
        timings={"seconds": seconds},
        machine=machine,
    )


def find_entities(sentences: Sequence[str], find: Find) -> list[set[Entity]]:
    """The names of each sentence with CoNLL04's types. Dates and quantities, of which it has a few, are left out."""
    return [
        {(name.start, name.end, TYPES[name.kind]) for name in names if name.kind in TYPES} for names in find(sentences)
    ]


def _untyped(entities: set[Entity]) -> set[Entity]:
    return {(start, end, "") for start, end, _ in entities}


def _share(wanted: set[Entity], found: set[Entity]) -> Share:
    right = len(wanted & found)
    return Share(right, len(found), right, len(wanted))


def _figures(
    name: str, shares: Sequence[Share], measure: Callable[[Sequence[Share]], dict[str, Any]]
) -> dict[str, Any]:
    return {f"{name}_{figure}": value for figure, value in measure(shares).items()}


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
