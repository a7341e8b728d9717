"""How well paths of triplets lead from a question's entities to what chunks say (GeAR, Shen et al. 2024;
spec/llm_retrieval.md 2.3)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.graph.network import EntityNetwork
from pincite.graph.relations import Ints, Triplets
from pincite.text.tokens import tokenise

MOST_STEPS = 3
"""As in the specification: longer paths join what has nothing to do with each other."""
MOST_TRIPLETS = 50_000
"""Triplets of one step, those of the best entities first: a few milliseconds, whatever the size of the store."""
MOST_ENTITIES = 5_000
"""Entities that a step starts from, the best first: what lies behind these scores next to nothing."""
UNASKED = 0.5
"""The worth of a step whose predicate the question does not name: it may lead to one that it names, and states nothing
itself."""
PER_STEP = 0.9
"""A step more counts as a tenth less, as in the paths of an answer."""
LEAST_KIN = 4
"""Letters of a stem that another may begin with and be of its family ("found", "founder")."""
DECIMALS = 6
"""To which scores are compared, so that ties fall alike on every machine."""
PREDICATES = "en"
"""The language in which predicates are normalised."""

Nodes = NDArray[np.int64]
Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PathScores:
    """The chunks that a path leads to, ordinals ascending, with the score of the best path to each, in 0..1."""

    ordinals: Nodes
    scores: Column

    def of(self, ordinals: Nodes) -> Column:
        """The scores of these chunks; 0 where no path leads."""
        found = np.zeros(len(ordinals))
        if len(self.ordinals):
            places = np.minimum(np.searchsorted(self.ordinals, ordinals), len(self.ordinals) - 1)
            here = self.ordinals[places] == ordinals
            found[here] = self.scores[places[here]]
        return found


def path_scores(
    network: EntityNetwork, entities: Nodes, worth: PredicateWorth, allowed: NDArray[np.bool_] | None = None
) -> PathScores:
    """The best paths of up to MOST_STEPS triplets from any of these entities, in either direction. A path is worth the
    product of its triplets' confidences and of what their predicates are worth to the question, less for each further
    step and for common names on the way. As the product only falls, each step needs just the best way to each entity:
    the work is linear in the triplets. Chunks outside `allowed` lead nowhere."""
    triplets, best = network.triplets, np.zeros(len(network.chunk_sums))
    at = np.zeros(len(network.name_ends))
    at[entities] = 1.0
    starting = entities
    for step in range(MOST_STEPS):
        starting = starting[np.lexsort((starting, -at[starting]))[:MOST_ENTITIES]]
        owners, told = triplets.of_entities(starting, MOST_TRIPLETS)
        chunks = triplets.chunks_of(told)
        if allowed is not None:
            owners, told, chunks = owners[allowed[chunks]], told[allowed[chunks]], chunks[allowed[chunks]]
        sources = starting[owners]
        asked = worth.of_labels(triplets, triplets.labels[told])
        scores = np.round(at[sources] * triplets.weights[told] * asked * (PER_STEP if step else 1.0), DECIMALS)
        np.maximum.at(best, chunks, scores)
        targets = np.where(triplets.subjects[told] == sources, triplets.objects[told], triplets.subjects[told])
        starting = _raised(at, targets.astype(np.int64), np.round(scores * _rarity(network, targets), DECIMALS))
    reached = np.flatnonzero(best)
    return PathScores(reached, best[reached])


class PredicateWorth:
    """The worth of predicates for a question: 1 where the question names one or its inverse ("has_founder": "Which
    founders …"), else UNASKED; a predicate of meaningless words counts as not named. Only those on paths are read."""

    def __init__(self, question: str, inverse: Callable[[str], str | None] = lambda _: None) -> None:
        self._asked = tokenise(question, PREDICATES)
        self._inverse = inverse

    def of(self, predicate: str) -> float:
        """What one predicate is worth."""
        words = tokenise(f"{predicate} {self._inverse(predicate) or ''}".replace("_", " "), PREDICATES)
        return 1.0 if any(_are_kin(word, other) for word in words for other in self._asked) else UNASKED

    def of_labels(self, triplets: Triplets, labels: Ints) -> Column:
        """What the predicates of these numbers are worth."""
        distinct, places = np.unique(labels, return_inverse=True)
        worth = np.array([self.of(triplets.label(number)) for number in distinct.tolist()], np.float64)
        return np.asarray(worth[places])


def _are_kin(first: str, second: str) -> bool:
    """Whether two stems are the same, or one begins with the other."""
    short, long = sorted((first, second), key=len)
    return short == long or (len(short) >= LEAST_KIN and long.startswith(short))


def _raised(at: Column, targets: Nodes, scores: Column) -> Nodes:
    """Raise these entities to their best scores; those that were raised, ascending."""
    before = at[targets]
    np.maximum.at(at, targets, scores)
    return np.unique(targets[at[targets] > before])


def _rarity(network: EntityNetwork, entities: NDArray[np.integer]) -> Column:
    """How much a path says that leads through each of these: 1 for one that a single chunk names, less for others."""
    count = max(network.size, 1)
    named_in = np.maximum(network.chunk_counts(entities.astype(np.int64)), 1)
    return np.asarray(np.log1p(count / named_in) / np.log1p(count))
