"""Measures of a ranking against gold: pure functions of ids in rank order and of gold scores.

`ranked` holds each id once, best first; `gold` maps the relevant ids to scores above 0 and is never empty.
All values lie in 0..1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

Gold = Mapping[str, float]
Measure = Callable[[Sequence[str], Gold], float]


def ndcg(ranked: Sequence[str], gold: Gold, k: int) -> float:
    """Discounted cumulative gain, linear: the sum of score / log2(rank + 1), over the best possible one."""
    return _dcg(gold.get(item, 0.0) for item in ranked[:k]) / _dcg(sorted(gold.values(), reverse=True)[:k])


def recall(ranked: Sequence[str], gold: Gold, k: int) -> float:
    """The share of the gold ids that stand in the top k."""
    return sum(item in gold for item in ranked[:k]) / len(gold)


def average_precision(ranked: Sequence[str], gold: Gold, k: int) -> float:
    """Sum of the precisions at the ranks of gold ids in the top k, divided by the number of gold ids."""
    hits, total = 0, 0.0
    for rank, item in enumerate(ranked[:k], start=1):
        if item in gold:
            hits += 1
            total += hits / rank
    return total / len(gold)


def reciprocal_rank(ranked: Sequence[str], gold: Gold, k: int) -> float:
    """One over the rank of the first gold id in the top k; 0 where there is none."""
    return next((1 / rank for rank, item in enumerate(ranked[:k], start=1) if item in gold), 0.0)


def all_gold(ranked: Sequence[str], gold: Gold, k: int) -> float:
    """1 where all gold ids stand in the top k, else 0."""
    return float(set(gold) <= set(ranked[:k]))


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0..1) of the values do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def _at(measure: Callable[[Sequence[str], Gold, int], float], k: int) -> Measure:
    return lambda ranked, gold: measure(ranked, gold, k)


def _dcg(gains: Iterable[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


RANKING_MEASURES: Mapping[str, Measure] = {
    "ndcg@10": _at(ndcg, 10),
    "recall@2": _at(recall, 2),
    "recall@5": _at(recall, 5),
    "recall@10": _at(recall, 10),
    "map@10": _at(average_precision, 10),
    "mrr@10": _at(reciprocal_rank, 10),
    "all_gold@2": _at(all_gold, 2),
    "all_gold@5": _at(all_gold, 5),
    "all_gold@10": _at(all_gold, 10),
}
