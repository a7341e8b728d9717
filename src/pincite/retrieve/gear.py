"""The paths of triplets from what a question names, as one more score of a chunk (spec/llm_retrieval.md 2.3, 3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.graph.gear import PathScores, PredicateWorth, path_scores
from pincite.graph.network import EntityNetwork
from pincite.ports import Bitmap

MOST_BROUGHT = 40
"""Chunks that paths bring in: as many as the walk."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Where paths lead."""

    scores: PathScores

    def best(self) -> list[int]:
        """The ordinals of the chunks that the best paths lead to, ties by ordinal."""
        order = np.lexsort((self.scores.ordinals, -self.scores.scores))
        found: list[int] = self.scores.ordinals[order[:MOST_BROUGHT]].tolist()
        return found


def follow_paths(
    network: EntityNetwork,
    inverse: Callable[[str], str | None],
    question: str,
    entities: NDArray[np.int64],
    allowed: Bitmap | None,
) -> Paths:
    """The paths from the entities that a question names, its predicates weighed as it names them; `inverse` gives the
    inverse of a predicate."""
    return Paths(path_scores(network, entities, PredicateWorth(question, inverse), allowed))
