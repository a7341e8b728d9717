"""What the learned combination looks at: for each candidate its own scores, and those of what it is linked to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pincite.graph.network import EntityNetwork, Rows, positions
from pincite.retrieve.graph_features import GRAPH_FEATURES, QuestionInGraph, graph_features
from pincite.store.chunk_links import NONE, Adjacency, ChunkLinks

Column = NDArray[np.float64]
FEATURES = (
    "cosine",
    "cosine over best",
    "bm25 over best",
    "bm25",
    "context over best",
    "context",
    "first score",
    "referred to by",
    "refers to",
    "count of referring",
    "count of referred",
    "sum of referring",
    "sum of referred",
    "previous",
    "following",
    "parent",
    "sibling",
    "share of document",
    "best of document",
    "incoming references",
    "outgoing references",
    "size",
    "best of all",
    "lead",
    "asked for",
    *GRAPH_FEATURES,
)
STRONG = 40
STRONG_IN_DOCUMENT = 20
LEAD_OVER = 4
BM25_HALF = 10.0
MOST_EDGES = 30


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of a question, ordinals ascending; all arrays have one entry each.

    `documents`: a number for the document of each; `asked`: 1 over the number of places that the question may mean,
    where it names this one. `first`: the score before structure is looked at, the mean of cosine and BM25 in context,
    each over the best candidate's.
    """

    ordinals: NDArray[np.int64]
    cosine: Column
    bm25: Column
    context: Column
    documents: NDArray[np.int32]
    asked: Column
    first: Column = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", (over_best(self.cosine) + over_best(self.context)) / 2)

    def joined(self, other: Pool) -> Pool:
        """Both pools in one."""
        order = np.argsort(np.concatenate([self.ordinals, other.ordinals]))
        return Pool(
            np.concatenate([self.ordinals, other.ordinals])[order],
            np.concatenate([self.cosine, other.cosine])[order],
            np.concatenate([self.bm25, other.bm25])[order],
            np.concatenate([self.context, other.context])[order],
            np.concatenate([self.documents, other.documents])[order],
            np.concatenate([self.asked, other.asked])[order],
        )

    def best(self, count: int) -> NDArray[np.int64]:
        """Positions of the best candidates by the first score, ties by ordinal."""
        return np.lexsort((self.ordinals, -np.round(self.first, 6)))[:count]


def over_best(column: Column) -> Column:
    """Each value over the largest; negative values count 0."""
    positive = np.maximum(column, 0.0)
    best = positive.max(initial=0.0)
    return positive / best if best > 0 else positive


def feature_matrix(
    pool: Pool, links: ChunkLinks, network: EntityNetwork, graph: QuestionInGraph | None, *, follow: bool
) -> NDArray[np.float64]:
    """One row of FEATURES for each candidate. Without `follow`, references and neighbours are left at 0; without
    `graph`, its features are."""
    count, first = len(pool.ordinals), pool.first
    zero = np.zeros(count)
    ranked = np.sort(first)[::-1]
    lead = ranked[0] - ranked[min(LEAD_OVER, count - 1)] if count else 0.0
    own = [
        pool.cosine,
        over_best(pool.cosine),
        over_best(pool.bm25),
        pool.bm25 / (pool.bm25 + BM25_HALF),
        over_best(pool.context),
        pool.context / (pool.context + BM25_HALF),
        first,
    ]
    around = [zero] * 9
    counted = [zero, zero]
    if follow:
        received, given = (_along(pool, links, direction) for direction in ("incoming", "outgoing"))
        around = [received[0], given[0], received[1], given[1], received[2], given[2]]
        around += [_of_neighbour(pool, array) for array in (links.previous, links.following, links.parents)]
        counted = [np.log1p(side.counts(pool.ordinals.tolist())) for side in (links.incoming, links.outgoing)]
    share, best = _of_document(pool)
    sizes = np.log1p(links.sizes[pool.ordinals])
    constant = [np.full(count, ranked[0] if count else 0.0), np.full(count, lead)]
    columns = [*own, *around, _of_siblings(pool, links), share, best, *counted, sizes, *constant, pool.asked]
    own_columns = np.column_stack(columns).astype(np.float64)
    if graph is None or not count:
        return np.hstack([own_columns, np.zeros((count, len(GRAPH_FEATURES)))])
    return np.hstack([own_columns, graph_features(network, graph, pool.ordinals, first)])


def _along(pool: Pool, links: ChunkLinks, direction: str) -> tuple[Column, Column, Column]:
    """Largest, number and sum of the scores of the strong candidates that refer to a candidate ("incoming"), or that
    it refers to; each weighted by its reference."""
    adjacency: Adjacency = links.outgoing if direction == "incoming" else links.incoming
    edges, strong = Rows(adjacency.starts, adjacency.targets, adjacency.weights), pool.best(STRONG)
    owners, targets, weights = edges.of_nodes(pool.ordinals[strong], MOST_EDGES)
    here, found = positions(pool.ordinals, targets)
    scores = pool.first[strong][owners[here]] * weights[here]
    largest, number, total = (np.zeros(len(pool.ordinals)) for _ in range(3))
    np.maximum.at(largest, found, scores)
    np.add.at(total, found, scores)
    np.add.at(number, found, 1.0)
    return largest, number, total


def _of_neighbour(pool: Pool, neighbours: NDArray[np.int32]) -> Column:
    """The first score of the one neighbour that each candidate has; 0 where it is no candidate."""
    ordinals = np.asarray(neighbours[pool.ordinals])
    here, found = positions(pool.ordinals, ordinals)
    scores = np.zeros(len(pool.ordinals))
    scores[here] = pool.first[found]
    return scores


def _of_siblings(pool: Pool, links: ChunkLinks) -> Column:
    """The best score of another strong candidate below the same parent, or of a document where there is none."""
    parents = np.asarray(links.parents[pool.ordinals], np.int64)
    groups = np.where(parents == NONE, -2 - pool.documents.astype(np.int64), parents)
    best: dict[int, list[float]] = {}
    strong = set(pool.best(STRONG).tolist())
    for position in strong:
        best.setdefault(int(groups[position]), []).append(float(pool.first[position]))
    tops = {group: sorted(scores, reverse=True)[:2] for group, scores in best.items()}
    own = [float(pool.first[index]) if index in strong else None for index in range(len(groups))]
    return np.array([_other(tops.get(int(group), []), score) for group, score in zip(groups, own, strict=True)])


def _other(tops: Sequence[float], own: float | None) -> float:
    """The best of a group apart from the member with this score."""
    if tops and tops[0] == own:
        tops = tops[1:]
    return tops[0] if tops else 0.0


def _of_document(pool: Pool) -> tuple[Column, Column]:
    """The share of each candidate's document among the strongest, and the best score there."""
    strong = pool.best(STRONG_IN_DOCUMENT)
    count = int(pool.documents.max(initial=0)) + 1
    share, best = np.zeros(count), np.zeros(count)
    np.add.at(share, pool.documents[strong], 1 / STRONG_IN_DOCUMENT)
    np.maximum.at(best, pool.documents[strong], pool.first[strong])
    return share[pool.documents], best[pool.documents]
