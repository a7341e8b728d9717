"""`pincite eval triplets`: triplets against gold tuples by CaRB's protocol (Bhardwaj, Aggarwal, Mausam, EMNLP 2019; its
default "binary lenient": arguments after the first count as one, matching is by shared words as written), and names
against CoNLL04's persons, organisations and places."""

from __future__ import annotations

import string
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError
from pincite.evaluate.files import json_rows, open_text
from pincite.evaluate.measures import RESAMPLES, SEED
from pincite.evaluate.report import Evaluation, describe_machine
from pincite.graph.extraction import NamedPlace
from pincite.records.triplets import RawTriplet
from pincite.wiring import name_finder, triplet_extractor

_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_FORMS_OF_BE = frozenset("be is am are was were been being".split())
_REPORTING = ("said", "told", "added", "adds", "says")
Score = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tuple:
    """A relation with its arguments; `confidence` orders what a system found, only the order matters."""

    relation: str
    arguments: tuple[str, ...]
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Point:
    """Precision, recall and their harmonic mean where tuples below `threshold` are left out."""

    threshold: float
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """0 where precision and recall are both 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


@dataclass(frozen=True, slots=True)
class Curve:
    """The points of all thresholds, ascending, and the area under them."""

    points: tuple[Point, ...]
    auc: float

    @property
    def best(self) -> Point:
        """The point of the highest F1; of several the one with the lowest threshold."""
        return max(self.points, key=lambda point: point.f1)


@dataclass(frozen=True, slots=True)
class Share:
    """What one sentence adds at one threshold: a numerator and a denominator of precision and of recall."""

    right: float = 0.0
    found: int = 0
    recalled: float = 0.0
    wanted: int = 0


def sentence_key(sentence: str) -> str:
    """What joins a sentence of the gold with the same one of a system: no spaces, brackets plain, no punctuation."""
    key = sentence.replace(" ", "")
    for name, bracket in _BRACKETS.items():
        key = key.replace(name, bracket)
    return key.translate(_PUNCTUATION)


def read_gold(lines: Iterable[str]) -> dict[str, tuple[Tuple, ...]]:
    """The gold tuples by sentence, from lines `sentence, relation, arguments...`; context arguments are left out."""
    gold: dict[str, list[Tuple]] = {}
    for line in lines:
        sentence, relation, *arguments = _fields(line)
        kept = tuple(argument for argument in arguments if "C: " not in argument)
        gold.setdefault(sentence, []).append(Tuple(relation, kept))
    return {sentence: tuple(tuples) for sentence, tuples in gold.items()}


def score_pair(gold: Tuple, found: Tuple) -> Score:
    """Precision and recall of one found tuple against one gold tuple."""
    slots, gold_slots = _two_arguments(found.arguments), _two_arguments(gold.arguments)
    score = _score_slots(gold.relation, gold_slots, found.relation, slots)
    if len(slots) == 2 and any(word in gold.relation for word in _REPORTING):
        return max(score, _score_slots(gold.relation, gold_slots, found.relation, slots[::-1]))
    return score


def score_curve(gold: Mapping[str, Sequence[Tuple]], found: Mapping[str, Sequence[Tuple]]) -> Curve:
    """Precision and recall at every distinct confidence of the found tuples."""
    pairs = _paired(gold, found)
    changed: dict[float, set[int]] = {item.confidence: set() for tuples in found.values() for item in tuples}
    for number, (_, tuples) in enumerate(pairs):
        for item in tuples:
            changed[item.confidence].add(number)
    matrices = [_matrix(*pair) for pair in pairs]
    shares = [Share(wanted=len(golds)) for golds, _ in pairs]
    points: list[Point] = []
    for threshold in sorted(changed, reverse=True):
        for number in changed[threshold]:
            shares[number] = sentence_share(matrices[number], _kept(pairs[number][1], threshold))
        points.append(_point(threshold, shares))
    return Curve(tuple(reversed(points)) or (Point(0.0, 1.0, 0.0),), _area(points))


def shares_at(
    threshold: float, gold: Mapping[str, Sequence[Tuple]], found: Mapping[str, Sequence[Tuple]]
) -> list[Share]:
    """What each gold sentence adds where tuples below `threshold` are left out."""
    return [sentence_share(_matrix(golds, tuples), _kept(tuples, threshold)) for golds, tuples in _paired(gold, found)]


def sentence_share(matrix: Sequence[Sequence[Score]], kept: Sequence[int]) -> Share:
    """One sentence: precision by greedy one-to-one matching, recall by the best of all found for each gold tuple."""
    recalled = sum(max((row[index][1] for index in kept), default=0.0) for row in matrix)
    best_first = sorted((-row[index][0], wanted, index) for wanted, row in enumerate(matrix) for index in kept)
    right, used_gold, used_found = 0.0, set[int](), set[int]()
    for negative, wanted, index in best_first:
        if wanted not in used_gold and index not in used_found:
            used_gold.add(wanted)
            used_found.add(index)
            right -= negative
    return Share(right, len(kept), recalled, len(matrix))


def _matrix(golds: Sequence[Tuple], tuples: Sequence[Tuple]) -> list[list[Score]]:
    return [[score_pair(wanted, item) for item in tuples] for wanted in golds]


def _kept(tuples: Sequence[Tuple], threshold: float) -> list[int]:
    return [index for index, item in enumerate(tuples) if item.confidence >= threshold]


def _fields(line: str) -> list[str]:
    return [field.strip() for field in line.strip().split("\t")]


def _paired(
    gold: Mapping[str, Sequence[Tuple]], found: Mapping[str, Sequence[Tuple]]
) -> list[tuple[Sequence[Tuple], Sequence[Tuple]]]:
    by_key = {sentence_key(sentence): tuples for sentence, tuples in found.items()}
    return [(tuples, by_key.get(sentence_key(sentence), ())) for sentence, tuples in gold.items()]


def _two_arguments(arguments: Sequence[str]) -> list[list[str]]:
    if len(arguments) < 2:
        return [argument.split() for argument in arguments]
    return [arguments[0].split(), " ".join(arguments[1:]).split()]


def _score_slots(
    gold_relation: str, gold_slots: Sequence[Sequence[str]], relation: str, slots: Sequence[Sequence[str]]
) -> Score:
    wanted, present = gold_relation.split(), relation.split()
    matched = _overlap(wanted, present)
    left = Counter(present) - Counter(wanted)
    if left["be"] and _FORMS_OF_BE.intersection(wanted):
        matched += 1
    if not matched or len(slots) < len(gold_slots):
        return 0.0, 0.0
    compared = list(zip(gold_slots, slots, strict=False))
    matched += sum(_overlap(gold_slot, slot) for gold_slot, slot in compared)
    found_length = len(present) + sum(len(slot) for _, slot in compared)
    gold_length = len(wanted) + sum(len(gold_slot) for gold_slot, _ in compared)
    return matched / found_length, matched / gold_length


def _overlap(some: Sequence[str], others: Sequence[str]) -> int:
    return (Counter(some) & Counter(others)).total()


def _point(threshold: float, shares: Sequence[Share]) -> Point:
    found, wanted = sum(share.found for share in shares), sum(share.wanted for share in shares)
    precision = sum(share.right for share in shares) / found if found else 1.0
    return Point(threshold, precision, sum(share.recalled for share in shares) / wanted if wanted else 0.0)


def _area(points: Sequence[Point]) -> float:
    """Trapezoids under precision over recall, from recall 0 with precision 1; `points` by falling threshold."""
    corners = sorted([(0.0, 1.0), *((point.recall, point.precision) for point in points)], key=lambda corner: corner[0])
    steps = pairwise(corners)
    return sum((right[0] - left[0]) * (left[1] + right[1]) / 2 for left, right in steps)


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


KEY = "default"
TYPES = {"person": "Peop", "organisation": "Org", "place": "Loc", "group": "Other", "work": "Other"}
Entity = tuple[int, int, str]


Find = Callable[[Sequence[str]], Sequence[Sequence[NamedPlace]]]


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
        results={KEY: _figures("span", spans, ratios) | _figures("typed", typed, ratios)},
        intervals={KEY: _figures("span", spans, ratio_intervals) | _figures("typed", typed, ratio_intervals)},
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


Extract = Callable[[Sequence[str]], Sequence[Sequence[RawTriplet]]]


def evaluate_triplets(folder: Path, *, limit: int | None = None) -> Evaluation:
    """Measure a folder with gold tuples (`gold*.tsv`), or one with entities in CoNLL04's layout (`*.jsonl`).

    UsageError where it holds neither, or several of one.
    """
    if (tuples := _only_file(folder, "gold*.tsv")) is not None:
        return evaluate_tuples(folder, tuples, limit=limit)
    if (entities := _only_file(folder, "*.jsonl")) is not None:
        return evaluate_entities(folder, entities, limit=limit)
    raise UsageError(f"{folder} holds neither gold*.tsv nor *.jsonl: give a folder that holds one of them")


def _only_file(folder: Path, pattern: str) -> Path | None:
    """The file of this name, plain or gzipped, that is not for training; None where there is none. UsageError where
    there are several."""
    files = [path for name in (pattern, f"{pattern}.gz") for path in folder.glob(name)]
    found = sorted(path for path in files if not path.name.startswith("train."))
    if len(found) > 1:
        raise UsageError(f"{folder} holds {', '.join(path.name for path in found)}: give a folder that holds one")
    return found[0] if found else None


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
