"""The learned combination: a small sum of decision trees over channel scores and structure (DESIGN.md section 6).

Trained by `tools/train_combination.py` on the development sets; one for all kinds of question.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pincite.retrieve.features import FEATURES

WEIGHTS = "combination.json"
Combination = Literal["default", "hybrid", "keywords"]
"""All channels; vectors and keywords alone; all channels but vectors."""


@dataclass(frozen=True, slots=True)
class Trees:
    """The nodes of regression trees one after another; `roots` says where each tree starts. A node sends a row left
    where its feature is at most the threshold; a leaf leads to itself and has its `value`."""

    roots: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float64]
    depth: int

    def predict(self, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of all trees for each row of `matrix` (rows, features)."""
        rows = (np.arange(len(matrix), dtype=np.int32) * matrix.shape[1])[:, None]
        values = np.ascontiguousarray(matrix).ravel()
        nodes = np.broadcast_to(self.roots, (len(matrix), len(self.roots)))
        for _ in range(self.depth):
            goes_left = values.take(rows + self.feature.take(nodes)) <= self.threshold.take(nodes)
            nodes = np.where(goes_left, self.left.take(nodes), self.right.take(nodes))
        return np.asarray(self.value.take(nodes).sum(axis=1))


def relevance(matrix: NDArray[np.float64], combination: Combination) -> NDArray[np.float64]:
    """How well each candidate answers, in 0..1: rows of `features.feature_matrix`."""
    return 1 / (1 + np.exp(-_shipped()[combination].predict(matrix)))


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Trees]:
    stored = json.loads((files("pincite.retrieve") / WEIGHTS).read_text(encoding="utf-8"))
    return {name: read_trees(trees) for name, trees in stored.items()}


def read_trees(stored: dict[str, Any]) -> Trees:
    """The trees of the weights file; ValueError where they were trained on other features."""
    if tuple(stored["features"]) != FEATURES:
        raise ValueError(f"{WEIGHTS} was trained on other features: run tools/train_combination.py")
    sizes = [len(tree["value"]) for tree in stored["trees"]]
    roots = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int32)

    def joined(name: str, kind: type[Any]) -> NDArray[Any]:
        return np.concatenate([np.array(tree[name], kind) for tree in stored["trees"]])

    own_root = np.repeat(roots, sizes)
    return Trees(
        roots,
        joined("feature", np.int32),
        joined("threshold", np.float64),
        joined("left", np.int32) + own_root,
        joined("right", np.int32) + own_root,
        joined("value", np.float64),
        int(stored["depth"]),
    )
