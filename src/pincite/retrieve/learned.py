"""The learned combination: a small sum of decision trees over channel scores and structure (docs/design.md section 6).

Trained by `tools/train_combination.py` on the development sets; one for all kinds of question.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pincite.retrieve.features import FEATURES

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
