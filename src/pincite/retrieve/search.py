"""From a question to its evidence: channels side by side, merged, scored, duplicates put together."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError
from pincite.ports import Bitmap, Embedder, KeywordIndex, Ranked, Vector, VectorIndex
from pincite.records import (
    Channel,
    ChunkRecord,
    Evidence,
    Filter,
    Place,
    Query,
    Retrieval,
    RetrievalPolicy,
    Scores,
    Trace,
)
from pincite.retrieve.duplicates import STRICT_PROFILES, Groups, Hit
from pincite.retrieve.profiles import Columns, combine, normalised_bm25, normalised_cosine
from pincite.retrieve.query import parse_query

_NO_ROWS: Vector = np.empty((0, 0), np.float32)


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """The indexes of one generation, and what a question of this asker may see of it.

    `allowed` says which ordinals the filter lets through (None: all of them).
    """

    vectors: VectorIndex | None
    keywords: KeywordIndex
    embedder: Embedder | None
    languages: tuple[str | None, ...]
    chunk_id: Callable[[int], str]
    chunks: Callable[[Sequence[str]], list[ChunkRecord]]
    allowed: Callable[[Filter], Bitmap | None]


@dataclass(slots=True)
class _Stopwatch:
    """Milliseconds by step."""

    timings_ms: dict[str, float] = field(default_factory=dict)
    _last: float = field(default_factory=time.perf_counter)

    def lap(self, step: str) -> None:
        now = time.perf_counter()
        self.timings_ms[step] = round((now - self._last) * 1000, 3)
        self._last = now


@dataclass(frozen=True, slots=True)
class _Candidates:
    """All merged candidates in ascending order of ordinal, with raw scores and the channels that found each."""

    ordinals: list[int]
    found_by: list[tuple[Channel, ...]]
    columns: Columns
    final: NDArray[np.float64]

    def scores(self, index: int) -> Scores:
        cosine, bm25 = self.columns.cosine, self.columns.bm25
        return Scores(
            vec=None if cosine is None else round(float(normalised_cosine(cosine[index])), 6),
            bm25=None if bm25 is None else round(float(normalised_bm25(bm25[index])), 6),
            final=round(float(self.final[index]), 6),
        )


def search(space: SearchSpace, question: str, policy: RetrievalPolicy, given: Filter) -> Retrieval:
    """The evidence for a question, best first: at most `policy.top_k`, none below the minimum score."""
    watch = _Stopwatch()
    query = parse_query(question, space.languages, given)
    if not query.search_text:
        raise UsageError("the question holds filters alone: add the words to look for")
    allowed = space.allowed(query.filter)
    watch.lap("parse")
    degraded = []
    query_vector: Vector | None = None
    if "vector" in policy.channels:
        if space.embedder is None or space.vectors is None:
            degraded.append("no embedder: keywords alone were searched")
        else:
            query_vector = space.embedder.embed_query(query.search_text)
    watch.lap("embed")
    found = _run_channels(space, query, query_vector, policy, allowed)
    watch.lap("channels")
    candidates = _merge(space, query, query_vector, policy, found)
    order = _order(candidates, policy)
    watch.lap("score")
    evidence, merged = _evidence(space, candidates, order, policy)
    watch.lap("merge")
    counts = {channel: len(ranked) for channel, ranked in found.items()} | {"merged": len(candidates.ordinals)}
    return Retrieval(query, evidence, Trace(counts, merged, watch.timings_ms, tuple(degraded)))


def _run_channels(
    space: SearchSpace, query: Query, query_vector: Vector | None, policy: RetrievalPolicy, allowed: Bitmap | None
) -> dict[Channel, Ranked]:
    found: dict[Channel, Ranked] = {}
    if query_vector is not None and space.vectors is not None:
        found["vector"] = space.vectors.search(query_vector, policy.vector_limit, allowed)
    if "keyword" in policy.channels or query_vector is None:
        found["keyword"] = space.keywords.search(query.tokens, policy.keyword_limit, allowed)
    return found


def _merge(
    space: SearchSpace,
    query: Query,
    query_vector: Vector | None,
    policy: RetrievalPolicy,
    found: dict[Channel, Ranked],
) -> _Candidates:
    """All candidates of all channels, each with the scores of every channel that is on."""
    members: dict[int, list[Channel]] = {}
    for channel in sorted(found):
        for ordinal, _ in found[channel]:
            members.setdefault(ordinal, []).append(channel)
    ordinals = sorted(members)
    cosine = bm25 = None
    if query_vector is not None and space.vectors is not None:
        cosine = space.vectors.scores(query_vector, ordinals).astype(np.float64)
    if "keyword" in found:
        bm25 = space.keywords.scores(query.tokens, ordinals).astype(np.float64)
    sources = np.array([len(members[ordinal]) for ordinal in ordinals], np.float64)
    columns = Columns(cosine, bm25, None, None, sources)
    final = combine(policy.profile, columns) if ordinals else np.empty(0)
    return _Candidates(ordinals, [tuple(members[ordinal]) for ordinal in ordinals], columns, final)


def _order(candidates: _Candidates, policy: RetrievalPolicy) -> list[int]:
    """Positions of the best candidates: by score rounded to 6 decimals, then by chunk id (ordinals ascend with it)."""
    final = np.round(candidates.final, 6)
    order = np.lexsort((np.arange(len(final)), -final))
    limit = max(policy.prefilter, policy.top_k)
    return [int(index) for index in order[:limit] if final[index] >= policy.min_score_threshold]


def _evidence(
    space: SearchSpace, candidates: _Candidates, order: list[int], policy: RetrievalPolicy
) -> tuple[tuple[Evidence, ...], dict[str, str]]:
    """The best `top_k` after duplicates are put together, and for each merged chunk id the one that it went into."""
    position = 0
    groups = Groups(spec_rule=policy.profile not in STRICT_PROFILES, merging=policy.merge_duplicates)
    while position < len(order) and len(groups.kept) < policy.top_k:
        batch = order[position : position + policy.top_k]
        ordinals = [candidates.ordinals[index] for index in batch]
        chunks = space.chunks([space.chunk_id(ordinal) for ordinal in ordinals])
        rows = _rows(space, ordinals) if policy.merge_duplicates else [_NO_ROWS] * len(batch)
        for hit in map(Hit, batch, chunks, rows):
            groups.add(hit)
        position += len(batch)
    evidence = tuple(
        Evidence(
            chunk=group[0].chunk,
            rank=rank,
            scores=candidates.scores(group[0].index),
            retrieved_by=candidates.found_by[group[0].index],
            why=_why(candidates.scores(group[0].index), candidates.found_by[group[0].index]),
            also=tuple(place_of(hit.chunk) for hit in group[1:]),
        )
        for rank, group in enumerate(groups.kept[: policy.top_k], start=1)
    )
    merged = {hit.chunk.chunk_id: group[0].chunk.chunk_id for group in groups.kept for hit in group[1:]}
    return evidence, merged


def _rows(space: SearchSpace, ordinals: Sequence[int]) -> list[Vector]:
    return [_NO_ROWS] * len(ordinals) if space.vectors is None else space.vectors.rows(ordinals)


def _why(scores: Scores, found_by: tuple[Channel, ...]) -> tuple[str, ...]:
    reasons = {"vector": ("near in meaning", scores.vec), "keyword": ("shares words", scores.bm25)}
    return tuple(f"{text} ({score:.2f})" for name in found_by for text, score in [reasons[name]] if score is not None)


def place_of(chunk: ChunkRecord) -> Place:
    """Where a chunk begins."""
    page = chunk.pages[0] if chunk.paged and chunk.pages else None
    return Place(chunk.filename, chunk.source_id, page, chunk.chunk_id)
