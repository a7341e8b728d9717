"""All candidates of a question: channels side by side, what they hang together with, and the scores of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from pincite.graph.concepts import named_concepts
from pincite.graph.network import EntityNetwork, Rows
from pincite.graph.walk import walk
from pincite.ports import Bitmap, KeywordField, KeywordIndex, Vector, VectorIndex
from pincite.records.chunks import ChunkRecord
from pincite.records.evidence import Scores
from pincite.records.questions import Channel, Filter, Query, RetrievalPolicy
from pincite.retrieve.features import FEATURES, MOST_EDGES, Column, Pool, feature_matrix, over_best
from pincite.retrieve.graph_features import QuestionInGraph, follow_paths, masses_of
from pincite.retrieve.profiles import Columns, combine, normalised_bm25, normalised_cosine, weighs_paths
from pincite.retrieve.word_features import words_of_nearest
from pincite.stopwatch import Stopwatch
from pincite.store.chunk_links import NONE, ChunkLinks
from pincite.text.tokens import hashes_of, tokenise_for

FOLLOWED = 15
"""The best candidates, whose references are followed both ways. By eye; the trees (0106) are trained with it."""
NEIGHBOURED = 10
"""The best candidates, whose neighbours come in. By eye; the trees (0106) are trained with it."""
WALKED = 40
"""Chunks that the walk brings in. By eye; the trees (0402) are trained with it."""
SEEDS = 50
"""The best candidates from which the walk starts, too; their mass was measured with 50 of them alone (0402)."""
SEEDED_BY_CHUNKS = 0.1
"""Of the mass, where the question names something: three tenths found less (0402)."""
SHARPNESS = 2.0
"""The power of nearness, for a mass of which the best take most. By eye; the trees (0109) are trained with it."""
KINDRED = 3
"""The nearest, whose mean represents the question's topic. By eye; the trees (0109) are trained with it."""
RELATED = 5
"""Words of other passages that are shown."""
LINKING = frozenset(("reference", "graph"))
_REFERRED_TO, _REFERS_TO = FEATURES.index("referred to by"), FEATURES.index("refers to")

Embed = Callable[[str], Vector | None]


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """The indexes of one generation, and what a question of this asker may see of it. `allowed` gives the ordinals that
    a filter lets through (None: all); `documents` numbers the document of each ordinal by its place in `source_ids`;
    `find` gives the ordinal of a chunk id, `embed` the vector of a question (None: the embedder does not answer),
    `asked` the chunks of places that a question names, weighted; `inverse` the inverse of a predicate, `titles` (source
    id, name) of long documents; `known` are the visible documents, sorted. `watch` times the question."""

    vectors: VectorIndex | None
    keywords: KeywordIndex
    links: ChunkLinks
    network: EntityNetwork
    documents: NDArray[np.int32]
    source_ids: Sequence[str]
    embed: Embed | None
    languages: tuple[str | None, ...]
    chunk_id: Callable[[int], str]
    find: Callable[[str], int | None]
    chunks: Callable[[Sequence[str]], list[ChunkRecord]]
    allowed: Callable[[Filter], Bitmap | None]
    asked: Callable[[str], dict[int, float]]
    inverse: Callable[[str], str | None]
    titles: Callable[[], Sequence[tuple[str, str]]] = tuple
    known: Sequence[str] = ()
    watch: Stopwatch = field(default_factory=Stopwatch)

    def sources_of(self, allowed: Bitmap | None) -> list[str]:
        """The ids of the documents that have one of these chunks (None: any), sorted."""
        numbers = self.documents if allowed is None else self.documents[allowed]
        return [self.source_ids[number] for number in np.unique(numbers)]

    def visible_sources(self, wanted: Filter) -> list[str]:
        """The ids of the documents that have a chunk which a filter lets through, sorted."""
        return self.sources_of(self.allowed(wanted))


@dataclass(slots=True)
class Candidates:
    """Candidates in ascending order of ordinal, with raw scores and the channels that found each. `counts` gives the
    hits of each channel; `concepts` are the entities in the question, `related` the words (`text.hashes`) for its topic
    in the passages nearest in meaning, the best first."""

    ordinals: list[int]
    found_by: list[tuple[Channel, ...]]
    columns: Columns
    final: NDArray[np.float64]
    counts: dict[str, int] = field(default_factory=dict)
    concepts: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    related: NDArray[np.uint64] = field(default_factory=lambda: np.empty(0, np.uint64))

    def scores(self, indexes: Sequence[int]) -> list[Scores]:
        """The scores of these candidates as they are shown."""
        chosen = np.array(indexes, np.int64)
        rounded = {name: [round(score, 6) for score in of[chosen].tolist()] for name, of in self._computed().items()}
        rows = zip(*rounded.values(), strict=True)
        return [
            Scores(reference=self._reference(index), **dict(zip(rounded, row, strict=True)))
            for index, row in zip(indexes, rows, strict=True)
        ]

    def best_scores(self) -> dict[str, float]:
        """The best score of all candidates by its name in `Scores`, those that were computed."""
        return {name: round(float(scores.max()), 6) for name, scores in self._computed().items() if len(scores)}

    def _computed(self) -> dict[str, Column]:
        """The scores that were computed by their names in `Scores`."""
        cosine, bm25 = self.columns.cosine, self.columns.bm25
        scores = {
            "vec": None if cosine is None else normalised_cosine(cosine),
            "bm25": None if bm25 is None else normalised_bm25(bm25),
            "graph": self.columns.graph,
            "gear": self.columns.gear,
            "final": self.final,
        }
        return {name: column for name, column in scores.items() if column is not None}

    def _reference(self, index: int) -> float | None:
        features = self.columns.features
        if features is None or "reference" not in self.found_by[index]:
            return None
        return round(float(max(features[index, _REFERRED_TO], features[index, _REFERS_TO])), 6)


class _Members:
    """Ordinals with the channels that found them; what the asker may not see stays out."""

    def __init__(self, allowed: Bitmap | None) -> None:
        self.found: dict[int, list[Channel]] = {}
        self.allowed = allowed

    def add(self, channel: Channel, ordinals: Iterable[int]) -> None:
        """Note that a channel found these."""
        for ordinal in ordinals:
            if self.allowed is None or self.allowed[ordinal]:
                channels = self.found.setdefault(ordinal, [])
                if channel not in channels:
                    channels.append(channel)

    def channels(self, ordinals: Sequence[int]) -> NDArray[np.float64]:
        """How many channels found each of these."""
        return np.array([len(self.found[ordinal]) for ordinal in ordinals], np.float64)


def gather(
    space: SearchSpace, query: Query, query_vector: Vector | None, policy: RetrievalPolicy, allowed: Bitmap | None
) -> Candidates:
    """The candidates of all channels that are on, each with its score."""
    members = _Members(allowed)
    has_keywords = "keyword" in policy.channels or query_vector is None
    if query_vector is not None and space.vectors is not None:
        with space.watch.timing("vector"):
            found = space.vectors.search(query_vector, policy.vector_limit, allowed)
        members.add("vector", (ordinal for ordinal, _ in found))
    body = _by_keywords(space, query, policy, allowed, "body") if has_keywords else {}
    members.add("keyword", body)
    asked: dict[int, float] = {}
    if "structure" in policy.channels:
        with space.watch.steps.taking("structure"):
            asked = space.asked(query.search_text)
    members.add("structure", asked)
    if not has_keywords or (query_vector is None and not LINKING.intersection(policy.channels)):
        return _plain(space, query, query_vector, policy, members)
    context = _by_keywords(space, query, policy, allowed, "context")
    members.add("keyword", context)
    known: dict[KeywordField, dict[int, float]] = {"body": body, "context": context}
    return _combined(_Scorer(space, query, query_vector, asked, known), policy, members)


def _by_keywords(
    space: SearchSpace, query: Query, policy: RetrievalPolicy, allowed: Bitmap | None, field: KeywordField
) -> dict[int, float]:
    """What the keyword index finds in one field, with its scores."""
    with space.watch.timing("keyword"):
        return dict(space.keywords.search(query.tokens, policy.keyword_limit, allowed, field=field))


def _plain(
    space: SearchSpace, query: Query, query_vector: Vector | None, policy: RetrievalPolicy, members: _Members
) -> Candidates:
    """Candidates of one channel, and of asked places."""
    ordinals = sorted(members.found)
    cosine = bm25 = None
    if query_vector is not None and space.vectors is not None:
        cosine = space.vectors.scores(query_vector, ordinals).astype(np.float64)
    else:
        bm25 = space.keywords.scores(query.tokens, ordinals).astype(np.float64)
    return _made(policy, members, ordinals, Columns(cosine, bm25, None, None, members.channels(ordinals)))


@dataclass(frozen=True, slots=True)
class _Scorer:
    """Gives any chunk the scores of vectors and keywords for one question; cosines are 0 where there is no vector.

    `known`: the scores of chunks that were found by keywords, which are not asked for again.
    """

    space: SearchSpace
    query: Query
    query_vector: Vector | None
    asked: Mapping[int, float]
    known: Mapping[KeywordField, Mapping[int, float]]

    @property
    def tokens(self) -> NDArray[np.uint64]:
        """The question's keyword tokens (`text.hashes`)."""
        return hashes_of(self.query.tokens)

    def pool(self, ordinals: Sequence[int]) -> Pool:
        """These chunks, ordinals ascending."""
        chosen = np.array(ordinals, np.int64)
        return Pool(
            ordinals=chosen,
            cosine=self._cosine(ordinals),
            bm25=self._bm25(ordinals, "body"),
            context=self._bm25(ordinals, "context"),
            documents=np.asarray(self.space.documents[chosen]),
            asked=np.array([self.asked.get(ordinal, 0.0) for ordinal in ordinals]),
        )

    def kin(self, pool: Pool) -> NDArray[np.float64]:
        """The cosine of each candidate to the mean of the KINDRED nearest to the question."""
        if self.query_vector is None or self.space.vectors is None or not len(pool.ordinals):
            return np.zeros(len(pool.ordinals))
        ordinals = pool.ordinals.tolist()
        nearest = np.lexsort((pool.ordinals, -np.round(pool.cosine, 6)))[:KINDRED]
        rows = self.space.vectors.rows([ordinals[position] for position in nearest])
        mean = np.concatenate(rows).mean(axis=0)
        return self.space.vectors.scores(mean, ordinals).astype(np.float64)

    def _bm25(self, ordinals: Sequence[int], field: KeywordField) -> NDArray[np.float64]:
        known = self.known[field]
        others = [ordinal for ordinal in ordinals if ordinal not in known]
        scores = self.space.keywords.scores(self.query.tokens, others, field=field)
        scored = {**known, **dict(zip(others, scores.tolist(), strict=True))}
        return np.array([scored[ordinal] for ordinal in ordinals], np.float32).astype(np.float64)

    def _cosine(self, ordinals: Sequence[int]) -> NDArray[np.float64]:
        if self.query_vector is None or self.space.vectors is None:
            return np.zeros(len(ordinals))
        return self.space.vectors.scores(self.query_vector, ordinals).astype(np.float64)


def _combined(scorer: _Scorer, policy: RetrievalPolicy, members: _Members) -> Candidates:
    """Candidates of vectors and keywords; with them where the graph leads, and what the best refer to, are referred to
    by, and stand beside."""
    links, follow, graph = scorer.space.links, "reference" in policy.channels, None
    watch, paths = scorer.space.watch, None
    pool = scorer.pool(sorted(members.found))
    if "graph" in policy.channels:
        with watch.timing("graph"):
            graph = _walk(scorer, pool, members.allowed)
        members.add("graph", _best_walked(graph))
    if graph is not None and weighs_paths(policy.profile, policy.weights):
        space, question = scorer.space, scorer.query.search_text
        with watch.timing("gear_time_ms"):
            paths = follow_paths(space.network, space.inverse, question, graph.concepts, members.allowed)
        members.add("graph", paths.best())
    if follow:
        with watch.steps.taking("reference"):
            members.add("reference", _referred(pool, links))
        with watch.steps.taking("structure"):
            members.add("structure", _beside(pool, links))
    known = set(pool.ordinals.tolist())
    if others := sorted(set(members.found) - known):
        pool = pool.joined(scorer.pool(others))
    ordinals = pool.ordinals.tolist()
    features = feature_matrix(
        pool,
        links,
        scorer.space.network,
        tokens=scorer.tokens,
        kin=scorer.kin(pool),
        graph=graph,
        follow=follow,
    )
    columns = Columns(
        cosine=None if scorer.query_vector is None else pool.cosine,
        bm25=pool.bm25,
        graph=None if graph is None else masses_of(graph.walked, pool.ordinals),
        gear=None if paths is None else paths.scores.of(pool.ordinals),
        sources=members.channels(ordinals),
        features=features,
        linked=follow or graph is not None,
    )
    made = replace(_made(policy, members, ordinals, columns), related=_related(scorer, pool))
    return made if graph is None else replace(made, concepts=graph.concepts)


def _related(scorer: _Scorer, pool: Pool) -> NDArray[np.uint64]:
    """The words of the passages nearest in meaning that are worth most, those of the question left out."""
    if scorer.query_vector is None or not len(pool.ordinals):
        return np.empty(0, np.uint64)
    words, worth = words_of_nearest(scorer.space.network, pool.ordinals, pool.cosine)
    is_other = ~np.isin(words, scorer.tokens)
    order = np.lexsort((words[is_other], -np.round(worth[is_other], 6)))
    return np.asarray(words[is_other][order[:RELATED]])


def _walk(scorer: _Scorer, pool: Pool, allowed: Bitmap | None) -> QuestionInGraph:
    """Walk from the entities that the question names, and from the best candidates."""
    network, links, text = scorer.space.network, scorer.space.links, scorer.query.search_text
    concepts = named_concepts(network, text)
    entities = np.array(sorted({concept.entity for concept in concepts}), np.int64)
    worth = 1 / np.sqrt(np.maximum(network.chunk_counts(entities), 1))
    strength = pool.near**SHARPNESS + 0.5 * over_best(pool.context) ** 2
    best = np.sort(np.lexsort((pool.ordinals, -np.round(strength, 6)))[:SEEDS])
    share = SEEDED_BY_CHUNKS if len(entities) else 1.0
    walked = walk(
        network,
        (entities, (1 - share) * _normalised(worth)),
        (pool.ordinals[best], share * _normalised(strength[best])),
        allowed,
        [Rows(found.starts, found.targets, found.weights) for found in (links.outgoing, links.incoming)],
    )
    named = [
        token
        for concept in concepts
        for token in tokenise_for(text[concept.start : concept.end], scorer.space.languages)
    ]
    return QuestionInGraph(scorer.tokens, hashes_of(named), entities, walked)


def _normalised(masses: NDArray[np.float64]) -> NDArray[np.float64]:
    total = masses.sum()
    return masses / total if total > 0 else masses


def _best_walked(graph: QuestionInGraph) -> list[int]:
    """The chunks where the walk stands most often."""
    walked = graph.walked
    order = np.lexsort((walked.ordinals, -np.round(masses_of(walked, walked.ordinals), 6)))
    found: list[int] = walked.ordinals[order[:WALKED]].tolist()
    return found


def _made(policy: RetrievalPolicy, members: _Members, ordinals: list[int], columns: Columns) -> Candidates:
    final = combine(policy.profile, columns, policy.weights) if ordinals else np.empty(0)
    found_by = [tuple(members.found[ordinal]) for ordinal in ordinals]
    counts: Counter[str] = Counter(channel for channels in found_by for channel in channels)
    return Candidates(ordinals, found_by, columns, final, dict(counts) | {"merged": len(ordinals)})


def _referred(pool: Pool, links: ChunkLinks) -> list[int]:
    """What the best candidates refer to, and what refers to them."""
    found: list[int] = []
    for position in pool.best(FOLLOWED):
        for adjacency in (links.outgoing, links.incoming):
            found += adjacency.of_chunk(int(pool.ordinals[position]), MOST_EDGES)[0].tolist()
    return found


def _beside(pool: Pool, links: ChunkLinks) -> list[int]:
    """The neighbours of the best candidates in reading order, and the chunks that open the sections above them."""
    best = pool.ordinals[pool.best(NEIGHBOURED)]
    around = np.concatenate([links.previous[best], links.following[best], links.parents[best]])
    return [int(ordinal) for ordinal in around if ordinal != NONE]
