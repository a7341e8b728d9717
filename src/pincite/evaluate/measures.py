"""How good results are: texts compared, measures of rankings, and their intervals."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

SHORT_ANSWER = 100
_SPACE = re.compile(r"\s+")


def fold(text: str) -> str:
    """NFKC, without case, white space runs as one space."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text)).strip().casefold()


def letters_and_digits(text: str) -> str:
    """The letters and digits alone as one run: NFKC, without case."""
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


def words(text: str) -> list[str]:
    """The words parted by white space, each as its letters and digits; what has none is left out."""
    return [word for word in map(letters_and_digits, text.split()) if word]


def holds_all(text: str, facts: Iterable[Sequence[str]]) -> bool:
    """Whether of each list of alternatives one string stands in the text."""
    folded = fold(text)
    return all(any(fold(alternative) in folded for alternative in alternatives) for alternatives in facts)


def holds_any(text: str, strings: Iterable[str]) -> bool:
    """Whether one of these strings stands in the text."""
    folded = fold(text)
    return any(fold(string) in folded for string in strings)


def holds_answer(texts: Iterable[str], answers: Iterable[str]) -> bool:
    """Whether one of the answers stands in one of the texts as whole words."""
    wanted = [f" {' '.join(words(answer))} " for answer in answers]
    return any(answer in f" {' '.join(words(text))} " for text in texts for answer in wanted)


def findable(answers: Iterable[str]) -> tuple[str, ...]:
    """Those answers that a passage can hold word for word: short ones, other than yes and no."""
    return tuple(
        answer
        for answer in answers
        if words(answer) and len(answer) <= SHORT_ANSWER and fold(answer) not in ("yes", "no")
    )


RESAMPLES = 2000
SEED = 20_261_122
DRAWS_AT_ONCE = 1_000_000


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 2.5 and 97.5 % points of the mean over 2000 resamples of `values`, at least one. The draws depend on how many
    there are, not on what they are: measures over the same questions are resampled alike."""
    array = np.asarray(values, dtype=np.float64)
    random = np.random.default_rng(SEED)
    at_once = max(1, DRAWS_AT_ONCE // len(array))
    means: list[float] = []
    while len(means) < RESAMPLES:
        count = min(at_once, RESAMPLES - len(means))
        drawn = random.integers(0, len(array), size=(count, len(array)))
        means.extend(array[drawn].mean(axis=1).tolist())
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


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
