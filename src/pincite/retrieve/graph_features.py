"""What the learned combination sees of the graph: how the walk, the question's names and paths of triplets reach
each candidate (spec/llm_retrieval.md 2.3, 3).

A *strong* candidate is one of the best by the mean of its first score and its mass in the walk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.graph.gear import PathScores, PredicateWorth, path_scores
from pincite.graph.network import EntityNetwork
from pincite.graph.relations import positions
from pincite.graph.walk import Walked
from pincite.ports import Bitmap
from pincite.retrieve.word_features import held_tokens, rarity

Column = NDArray[np.float64]
GRAPH_FEATURES = (
    "mass over best",
    "log of mass",
    "rank by mass",
    "titled by a concept",
    "names concepts",
    "named by a strong one",
    "names a strong one",
    "shares an entity",
    "concepts",
    "rest covered",
    "left after first",
    "left after second",
)
LINKING = 15
"""The strongest chunks whose names and titles link others. By eye; the trees (0402) are trained with it."""
SHARING = 10
"""The strongest chunks that others share a rare name with. By eye; the trees (0402) are trained with it."""
MOST_EDGES = 100
"""Chunks under one title, or that name one: more are no link. By eye; the trees (0402) are trained with it."""
TOO_COMMON = 0.1
"""Of all chunks: a name in more of them links nothing. By eye; the trees (0402) are trained with it."""
RARE_ENOUGH = 5
"""Chunks: a name in so few is not common, however small the store. By eye; the trees (0402) are trained with it."""
LEAST_MASS = 1e-6
"""Added before the logarithm, which 0 has none of: a millionth of the best, as scores have six decimals."""


@dataclass(frozen=True, slots=True)
class QuestionInGraph:
    """A question against the network: its tokens and those of the entities that it names (`text.hashes`), these
    entities, ascending, and where the walk from them led."""

    tokens: NDArray[np.uint64]
    concept_tokens: NDArray[np.uint64]
    concepts: NDArray[np.int64]
    walked: Walked


def graph_features(
    network: EntityNetwork, asked: QuestionInGraph, ordinals: NDArray[np.int64], first: Column
) -> NDArray[np.float64]:
    """One row of GRAPH_FEATURES for each candidate; `ordinals` ascend, `first` are their first scores."""
    mass = masses_of(asked.walked, ordinals)
    by_mass = np.lexsort((ordinals, -np.round(mass, 6)))
    rank = np.empty(len(ordinals))
    rank[by_mass] = np.arange(len(ordinals))
    strength = (first + mass) / 2
    strong = np.lexsort((ordinals, -np.round(strength, 6)))
    named_by, names = _links(network, ordinals, strength, strong[:LINKING])
    columns = [
        mass,
        np.log(mass + LEAST_MASS),
        1 / (1 + rank),
        _of_concepts(network.titles.of_nodes(asked.concepts), network, asked.concepts, ordinals, np.maximum),
        _of_concepts(network.chunks.of_nodes(asked.concepts), network, asked.concepts, ordinals, np.add),
        named_by,
        names,
        _shared(network, asked.concepts, ordinals, strength, strong[:SHARING]),
        np.full(len(ordinals), float(len(asked.concepts))),
        *_coverage(network, asked, ordinals, by_mass),
    ]
    return np.column_stack(columns)


def masses_of(walked: Walked, ordinals: NDArray[np.int64]) -> Column:
    """The mass of each of these chunks over the largest; 0 where the walk did not come."""
    found = np.zeros(len(ordinals))
    here, places = positions(walked.ordinals, ordinals)
    found[here] = walked.masses[places]
    best = walked.masses.max(initial=0.0)
    return found / best if best > 0 else found


def _of_concepts(
    edges: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]],
    network: EntityNetwork,
    concepts: NDArray[np.int64],
    ordinals: NDArray[np.int64],
    gather: np.ufunc,
) -> Column:
    """For each candidate, what the concepts at the other ends of these edges are worth: 1 / sqrt(chunks with it)."""
    found = np.zeros(len(ordinals))
    owners, targets, _ = edges
    here, places = positions(ordinals, targets)
    worth = 1 / np.sqrt(np.maximum(network.chunk_counts(concepts), 1))
    gather.at(found, places, worth[owners[here]])
    return found


def _links(
    network: EntityNetwork, ordinals: NDArray[np.int64], strength: Column, strong: NDArray[np.int64]
) -> tuple[Column, Column]:
    """For each candidate the best strength of a strong one that names a title over it, and of one whose title it
    names."""
    named_by, names = np.zeros(len(ordinals)), np.zeros(len(ordinals))
    sources = ordinals[strong]
    owners, entities, _ = network.entities.of_nodes(sources)
    along, titled, _ = network.titles.of_nodes(entities.astype(np.int64), MOST_EDGES)
    source = owners[along]
    is_own = titled == sources[source]
    _raise_to(named_by, ordinals, titled[~is_own], strength[strong[source[~is_own]]])
    own_titles, title_owners = entities[along[is_own]].astype(np.int64), source[is_own]
    back, naming, _ = network.chunks.of_nodes(own_titles, MOST_EDGES)
    others = naming != sources[title_owners[back]]
    _raise_to(names, ordinals, naming[others], strength[strong[title_owners[back[others]]]])
    return named_by, names


def _raise_to(column: Column, ordinals: NDArray[np.int64], targets: NDArray[np.int32], values: Column) -> None:
    here, places = positions(ordinals, targets)
    np.maximum.at(column, places, values[here])


def _shared(
    network: EntityNetwork,
    concepts: NDArray[np.int64],
    ordinals: NDArray[np.int64],
    strength: Column,
    strong: NDArray[np.int64],
) -> Column:
    """For each candidate the best of: strength of a strong one times rarity of an entity that both name, one that the
    question does not name and that is not too common."""
    count = network.size
    owners, entities, _ = network.entities.of_nodes(ordinals)
    distinct, places = np.unique(entities, return_inverse=True)
    frequency = network.chunk_counts(distinct.astype(np.int64))
    rarity = np.log1p(count / np.maximum(frequency, 1)) / np.log1p(count)
    rarity[(frequency > max(TOO_COMMON * count, RARE_ENOUGH)) | np.isin(distinct, concepts)] = 0.0
    best = np.zeros((2, len(distinct)))
    source = np.full(len(distinct), -1)
    for position in strong.tolist():
        held = places[owners == position]
        value = strength[position]
        leads = value > best[0, held]
        best[1, held] = np.where(leads, best[0, held], np.maximum(best[1, held], value))
        source[held[leads]] = position
        best[0, held[leads]] = value
    from_other = np.where(source[places] == owners, best[1, places], best[0, places]) * rarity[places]
    found = np.zeros(len(ordinals))
    np.maximum.at(found, owners, from_other)
    return found


def _coverage(
    network: EntityNetwork, asked: QuestionInGraph, ordinals: NDArray[np.int64], by_mass: NDArray[np.int64]
) -> list[Column]:
    """The share of the question's words that each candidate holds, weighted by rarity: of those that name no concept,
    of those that the best by mass lacks, and of those that the best two lack."""
    held = held_tokens(network, asked.tokens, ordinals)
    weights = rarity(network, asked.tokens)
    rest = np.where(np.isin(asked.tokens, asked.concept_tokens), 0.0, weights)
    columns = [held @ rest / max(rest.sum(), 1e-9)]
    left = weights.copy()
    for position in by_mass[:2].tolist():
        left[held[position]] = 0.0
        columns.append(held @ left / max(weights.sum(), 1e-9))
    return columns + [np.zeros(len(ordinals))] * (3 - len(columns))


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
