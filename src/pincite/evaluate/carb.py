"""How well do extracted tuples agree with the gold ones? CaRB's protocol (Bhardwaj, Aggarwal, Mausam, EMNLP 2019).

Default setting, "binary lenient": arguments after the first count as one; matching is by shared words, as written.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

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


def read_system(lines: Iterable[str]) -> dict[str, tuple[Tuple, ...]]:
    """What a system found by sentence, from lines `sentence, confidence, relation, arguments...`."""
    found: dict[str, list[Tuple]] = {}
    for line in lines:
        sentence, confidence, relation, *arguments = _fields(line)
        found.setdefault(sentence, []).append(Tuple(relation, tuple(arguments), float(confidence)))
    return {sentence: tuple(tuples) for sentence, tuples in found.items()}


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
