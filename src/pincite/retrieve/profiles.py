"""How channel scores become one score: named profiles, and the learned combination, a small sum of decision trees
(docs/design.md section 6)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError
from pincite.records.evidence import BM25_HALF
from pincite.records.questions import Profile
from pincite.retrieve.features import FEATURES, Column, over_best

WEIGHTS, ABOUT = "combination.json", "combination.about.json"
"""The weights, and beside them what they were trained on and what they reach."""
MOST_TESTS = 8
"""Of a tree, a bit each: those of 8 leaves (0402) have 7. Each more doubles the table of values of every tree."""
Combination = Literal["default", "hybrid", "keywords"]
"""All channels; vectors and keywords alone; all channels but vectors."""


@dataclass(frozen=True, slots=True)
class Trees:
    """Regression trees of at most MOST_TESTS tests each. A test holds where its `feature` is at most its `threshold`
    (trees, tests); what a tree's tests say are the bits of a number, the first the highest, and `values` (trees, 256)
    has the tree's value for each. After QuickScorer (Lucchese et al. 2015): no tree is walked down.
    """

    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]
    values: NDArray[np.float64]

    def predict(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of all trees for each row of `matrix` (rows, features)."""
        said = np.packbits(matrix.take(self.feature.ravel(), axis=1) <= self.threshold.ravel(), axis=1)
        places = said + np.arange(0, self.values.size, self.values.shape[1])
        return np.asarray(self.values.take(places).sum(axis=1))


def relevance(matrix: NDArray[np.float64], combination: Combination) -> NDArray[np.float64]:
    """How well each candidate answers, in 0..1: rows of `features.feature_matrix`."""
    return 1 / (1 + np.exp(-_shipped(combination).predict(matrix)))


@lru_cache(maxsize=3)
def _shipped(combination: Combination) -> Trees:
    stored = json.loads((files("pincite.retrieve") / WEIGHTS).read_text(encoding="utf-8"))
    return read_trees(stored[combination], FEATURES)


def read_trees(stored: dict[str, Any], features: Sequence[str]) -> Trees:
    """The trees of a file of weights, where a node sends a row left if its feature is at most its threshold, and a leaf
    leads to itself; ValueError where they were trained on other features than these, or have too many tests."""
    if tuple(stored["features"]) != tuple(features):
        raise ValueError("the weights were trained on other features: run their training script in tools again")
    sizes = [len(tree["value"]) for tree in stored["trees"]]
    roots = np.cumsum([0, *sizes[:-1]])
    feature, threshold, left, right, value = (
        np.concatenate([tree[name] for tree in stored["trees"]])
        for name in ("feature", "threshold", "left", "right", "value")
    )
    left, right = left + np.repeat(roots, sizes), right + np.repeat(roots, sizes)
    is_test = left != np.arange(len(left))
    number = np.cumsum(is_test) - is_test - np.repeat((np.cumsum(is_test) - is_test)[roots], sizes)
    if number[is_test].max(initial=0) >= MOST_TESTS:
        raise ValueError(f"a tree has more than {MOST_TESTS} tests: train with fewer leaves")
    places = np.repeat(np.arange(len(roots)), sizes)[is_test], number[is_test]
    tested = np.zeros((len(roots), MOST_TESTS), np.int32)
    thresholds = np.full((len(roots), MOST_TESTS), -np.inf)
    tested[places], thresholds[places] = feature[is_test], threshold[is_test]
    said = np.arange(2**MOST_TESTS)
    bit = np.where(is_test, 2 ** (MOST_TESTS - 1) >> number, 0)
    nodes = np.broadcast_to(roots[:, None], (len(roots), len(said)))
    for _ in range(stored["depth"]):
        nodes = np.where(said & bit.take(nodes), left.take(nodes), right.take(nodes))
    return Trees(tested, thresholds, value.take(nodes).astype(np.float64))


@dataclass(frozen=True, slots=True)
class Columns:
    """The raw scores of all candidates; None for a channel that is off. `cosine` is in -1..1, `bm25` from 0, `graph`
    and `gear` in 0..1, `sources` the number of channels that found it; `features` the rows of
    `features.feature_matrix`, where several channels are on; `linked`: references were followed, or the graph
    walked."""

    cosine: Column | None
    bm25: Column | None
    graph: Column | None
    gear: Column | None
    sources: Column
    features: NDArray[np.float64] | None = None
    linked: bool = False


def normalised_cosine(cosine: Column) -> Column:
    """(cos + 1) / 2."""
    return (cosine + 1) / 2


def normalised_bm25(bm25: Column) -> Column:
    """s / (s + 10)."""
    return bm25 / (bm25 + BM25_HALF)


def combine(profile: str, columns: Columns, own: Profile | None = None) -> Column:
    """The final score of each candidate, in 0..1, by the weights of a user's `own` profile where there are any;
    UsageError for a profile that is not known."""
    if own is not None:
        weights = {"vec": own.vec, "bm25": own.bm25, "graph": own.graph, "gear": own.gear, "sources": own.sources}
        return _weighted(columns, **weights)
    try:
        return PROFILES[profile](columns)
    except KeyError:
        raise UsageError(f"the profile {profile!r} is not known: use one of {', '.join(sorted(PROFILES))}") from None


def weighs_paths(profile: str, own: Profile | None = None) -> bool:
    """Whether a profile gives weight to the paths of triplets (`gear`); for the others nobody follows them."""
    return profile == "llm" if own is None else own.gear > 0


def _llmless(columns: Columns) -> Column:
    """0.40 vec + 0.30 graph + 0.20 bm25 + 0.10 min(1, sources / 3)."""
    return _weighted(columns, vec=0.40, bm25=0.20, graph=0.30, gear=0.0, sources=0.10)


def _llm(columns: Columns) -> Column:
    """0.45 vec + 0.20 bm25 + 0.20 graph + 0.15 gear."""
    return _weighted(columns, vec=0.45, bm25=0.20, graph=0.20, gear=0.15, sources=0.0)


def _weighted(columns: Columns, *, vec: float, bm25: float, graph: float, gear: float, sources: float) -> Column:
    """The weighted mean of the columns that are on; the weights of those that are off go to the others. 0 where none
    of those that weigh is on."""
    terms = [
        (vec, None if columns.cosine is None else normalised_cosine(columns.cosine)),
        (bm25, None if columns.bm25 is None else normalised_bm25(columns.bm25)),
        (graph, columns.graph),
        (gear, columns.gear),
        (sources, np.minimum(1.0, columns.sources / 3)),
    ]
    present = [(weight, column) for weight, column in terms if column is not None and weight]
    if not present:
        return np.zeros_like(columns.sources)
    return np.asarray(sum(weight * column for weight, column in present) / sum(weight for weight, _ in present))


def _auto(columns: Columns) -> Column:
    """The learned combination for the channels that are on (docs/decisions/0106-learned-combination.md), else the one
    score that there is, over the best candidate's."""
    if columns.features is not None:
        if columns.cosine is None:
            return relevance(columns.features, "keywords")
        return relevance(columns.features, "default" if columns.linked else "hybrid")
    parts = [column for column in (columns.cosine, columns.bm25) if column is not None]
    if not parts:
        return np.zeros_like(columns.sources)
    return np.asarray(sum(over_best(column) for column in parts) / len(parts))


PROFILES: dict[str, Callable[[Columns], Column]] = {"auto": _auto, "llm": _llm, "llmless": _llmless}
"""The known profiles by name."""
