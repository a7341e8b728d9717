"""What the learned combination looks at: for each candidate its own scores, and those of what it is linked to."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pincite.graph.network import EntityNetwork, Rows
from pincite.graph.relations import positions
from pincite.records.evidence import BM25_HALF
from pincite.retrieve.graph_features import GRAPH_FEATURES, QuestionInGraph, graph_features
from pincite.retrieve.word_features import WORD_FEATURES, word_features
from pincite.store.chunk_links import NONE, Adjacency, ChunkLinks

Column = NDArray[np.float64]
FEATURES = (
    "near",
    "standard cosine",
    "behind nearest",
    "rank by cosine",
    "rank by bm25",
    "rank by context",
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
    "near the nearest",
    "near before",
    "near after",
    "near on page",
    "near in section",
    "near in document",
    "best standard cosine",
    "lead of nearest",
    "agreement",
    "lead of words",
    *WORD_FEATURES,
    *GRAPH_FEATURES,
)
STRONG = 40
"""The best candidates, whose references give others a score. By eye; the trees (0106) are trained with it."""
STRONG_IN_DOCUMENT = 20
"""The same, for the shares of documents among the best. By eye; the trees (0106) are trained with it."""
LEAD_OVER = 4
"""The place of the fifth best, from 0."""
AGREEING = 10
"""Best by vectors and best by words, for how many are both. By eye; the trees (0109) are trained with it."""
MOST_EDGES = 30
"""References of one chunk that are followed; more are a register. By eye; the trees (0106) are trained with it."""
MOST_PAGES = 2**32
"""Above any number of a page: what a document's number is multiplied by, so that pages of two never share a number."""
LEAST_SPREAD = 1e-6
"""Of a column: below, nothing differs, as scores are compared to six decimals."""
FLOOR = -1.0
"""Standard deviations from the mean at which nearness is 0 (0109)."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of a question by ascending ordinal; all arrays have one entry each. `documents` numbers their
    documents; `asked`: 1 over the number of places that the question may mean, where it names this one; `near`: the
    cosine on the pool's own scale, 0 at its middle and 1 at its best, whatever the embedder; `first`: the score before
    structure counts, the mean of `near` and BM25 in context, each over the best candidate's."""

    ordinals: NDArray[np.int64]
    cosine: Column
    bm25: Column
    context: Column
    documents: NDArray[np.int32]
    asked: Column
    near: Column = field(init=False)
    first: Column = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "near", nearness(self.cosine))
        object.__setattr__(self, "first", (self.near + over_best(self.context)) / 2)

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
        return _order(self.first)[:count]


def over_best(column: Column) -> Column:
    """Each value over the largest; negative values count 0."""
    positive = np.maximum(column, 0.0)
    best = positive.max(initial=0.0)
    return positive / best if best > 0 else positive


def nearness(cosine: Column) -> Column:
    """Cosines from 0, at FLOOR standard deviations from the pool's mean, to 1, the best; what lies below counts 0."""
    if not len(cosine):
        return cosine
    return over_best(cosine - (cosine.mean() + FLOOR * cosine.std()))


def feature_matrix(
    pool: Pool,
    links: ChunkLinks,
    network: EntityNetwork,
    *,
    tokens: NDArray[np.uint64],
    kin: Column,
    graph: QuestionInGraph | None,
    follow: bool,
) -> NDArray[np.float64]:
    """One row of FEATURES for each candidate; `tokens` are those of the question, `kin` the cosine of each to the mean
    of those nearest to the question. Without `follow`, references and
    neighbours are left at 0; without `graph`, its features are."""
    count = len(pool.ordinals)
    if not count:
        return np.empty((0, len(FEATURES)))
    columns = [
        *_own(pool),
        *(_linked(pool, links) if follow else [np.zeros(count)] * 9),
        _best_other(_sections(pool, links), np.where(_is_strong(pool), pool.first, 0.0)),
        *_of_document(pool),
        *(_counted(pool, links) if follow else [np.zeros(count)] * 2),
        np.log1p(links.sizes[pool.ordinals]),
        np.full(count, pool.first.max()),
        np.full(count, _lead(pool.first)),
        pool.asked,
        nearness(kin),
        *_nearness_around(pool, links),
        *_of_question(pool),
    ]
    own = np.column_stack(columns).astype(np.float64)
    words = word_features(network, tokens, pool.ordinals, pool.cosine)
    reached = np.zeros((count, len(GRAPH_FEATURES)))
    if graph is not None:
        reached = graph_features(network, graph, pool.ordinals, pool.first)
    return np.hstack([own, words, reached])


def _own(pool: Pool) -> list[Column]:
    """What each candidate has of itself."""
    standard = _standardised(pool.cosine)
    return [
        pool.near,
        standard,
        standard.max() - standard,
        *(1 / (1 + _ranks(column)) for column in (pool.cosine, pool.bm25, pool.context)),
        over_best(pool.bm25),
        pool.bm25 / (pool.bm25 + BM25_HALF),
        over_best(pool.context),
        pool.context / (pool.context + BM25_HALF),
        pool.first,
    ]


def _linked(pool: Pool, links: ChunkLinks) -> list[Column]:
    """What references and neighbours lend to each."""
    received, given = (_along(pool, links, direction) for direction in ("incoming", "outgoing"))
    lent = [received[0], given[0], received[1], given[1], received[2], given[2]]
    return lent + [_of_neighbour(pool, array, pool.first) for array in (links.previous, links.following, links.parents)]


def _counted(pool: Pool, links: ChunkLinks) -> list[Column]:
    """How many references come in and go out."""
    return [np.log1p(side.counts(pool.ordinals.tolist())) for side in (links.incoming, links.outgoing)]


def _nearness_around(pool: Pool, links: ChunkLinks) -> list[Column]:
    """How near in meaning its neighbours are, and the best other candidate of its page, section and document."""
    pages = pool.documents.astype(np.int64) * MOST_PAGES + links.first_pages[pool.ordinals]
    return [
        *(_of_neighbour(pool, array, pool.near) for array in (links.previous, links.following)),
        *(_best_other(groups, pool.near) for groups in (pages, _sections(pool, links), pool.documents)),
    ]


def _of_question(pool: Pool) -> list[Column]:
    """How far vectors and words stand out, and whether they agree: the same for every candidate."""
    by_cosine, by_words = (_order(column)[:AGREEING].tolist() for column in (pool.cosine, pool.context))
    agreement = len(set(by_cosine) & set(by_words)) / AGREEING if pool.cosine.any() else 0.0
    standard = _standardised(pool.cosine)
    values = (standard.max(), _lead(standard), agreement, _lead(over_best(pool.context)))
    return [np.full(len(pool.ordinals), value) for value in values]


def _standardised(column: Column) -> Column:
    """Mean 0, standard deviation 1; all 0 where nothing differs."""
    spread = column.std()
    return (column - column.mean()) / spread if spread > LEAST_SPREAD else np.zeros_like(column)


def _order(column: Column) -> NDArray[np.int64]:
    """Positions, the largest value first, ties by position."""
    return np.lexsort((np.arange(len(column)), -np.round(column, 6)))


def _ranks(column: Column) -> Column:
    """How many are larger than each."""
    rounded = np.round(column, 6)
    return len(column) - np.searchsorted(np.sort(rounded), rounded, side="right").astype(np.float64)


def _lead(column: Column) -> float:
    """By how much the best leads over the fifth."""
    ranked = np.sort(column)[::-1]
    return float(ranked[0] - ranked[min(LEAD_OVER, len(column) - 1)])


def _is_strong(pool: Pool) -> NDArray[np.bool_]:
    strong = np.zeros(len(pool.ordinals), bool)
    strong[pool.best(STRONG)] = True
    return strong


def _sections(pool: Pool, links: ChunkLinks) -> NDArray[np.int64]:
    """A number for what each stands under: its parent, or its document where there is none."""
    parents = np.asarray(links.parents[pool.ordinals], np.int64)
    return np.where(parents == NONE, -2 - pool.documents.astype(np.int64), parents)


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


def _of_neighbour(pool: Pool, neighbours: NDArray[np.int32], values: Column) -> Column:
    """The value of the one neighbour that each candidate has; 0 where it is no candidate."""
    ordinals = np.asarray(neighbours[pool.ordinals])
    here, found = positions(pool.ordinals, ordinals)
    lent = np.zeros(len(pool.ordinals))
    lent[here] = values[found]
    return lent


def _best_other(groups: NDArray[np.integer], values: Column) -> Column:
    """The best value of another member of each one's group; 0 where it is alone."""
    order = np.lexsort((-values, groups))
    sorted_groups, sorted_values = groups[order], values[order]
    opens = np.flatnonzero(np.diff(sorted_groups, prepend=sorted_groups[0] - 1))
    sizes = np.diff(opens, append=len(order))
    others = np.repeat(sorted_values[opens], sizes)
    others[opens] = np.where(sizes > 1, sorted_values[np.minimum(opens + 1, len(order) - 1)], 0.0)
    found = np.empty(len(order))
    found[order] = others
    return found


def _of_document(pool: Pool) -> tuple[Column, Column]:
    """The share of each candidate's document among the strongest, and the best score there."""
    strong = pool.best(STRONG_IN_DOCUMENT)
    count = int(pool.documents.max(initial=0)) + 1
    share, best = np.zeros(count), np.zeros(count)
    np.add.at(share, pool.documents[strong], 1 / STRONG_IN_DOCUMENT)
    np.maximum.at(best, pool.documents[strong], pool.first[strong])
    return share[pool.documents], best[pool.documents]
