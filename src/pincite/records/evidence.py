"""What was found for a question, and how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.records.chunks import ChunkRecord
from pincite.records.citations import SupportingTriplet
from pincite.records.plain import to_plain
from pincite.records.questions import Channel, Query, RetrievalPolicy

BM25_HALF = 10.0
"""The score that becomes one half, s / (s + 10): the specification's (spec/llmless_retrieval.md 6)."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Scores of one chunk; None where it was not computed. Each lies in 0..1."""

    vec: float | None = None
    bm25: float | None = None
    graph: float | None = None
    gear: float | None = None
    reference: float | None = None
    rerank: float | None = None
    final: float = 0.0

    def raw(self) -> dict[str, float]:
        """The cosine and the BM25 score that `vec` and `bm25` were made of."""
        vec, bm25 = self.vec, self.bm25
        cosine = {} if vec is None else {"vec": round(2 * vec - 1, 6)}
        return cosine if bm25 is None else {**cosine, "bm25": round(BM25_HALF * bm25 / (1 - bm25), 6)}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chunk stands, for `also` lists and for what was looked in."""

    filename: str
    source_id: str
    page: int | None
    chunk_id: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A hit that was kept: its chunk, rank from 1, scores, and why. `also`: duplicates merged into it."""

    chunk: ChunkRecord
    rank: int
    scores: Scores
    retrieved_by: tuple[Channel, ...]
    why: tuple[str, ...] = ()
    also: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What a rule of composition did with one statement that it made: kept it, or dropped it for a reason. A rule that
    made none has one decision without a text."""

    rule: str
    kept: bool
    text: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Hop:
    """A reference that was followed, in words ("5.2(3)P refers to Annex B -> p.33"), and the source where it leads."""

    text: str
    source_id: str


@dataclass(frozen=True, slots=True)
class Trace:
    """What was done for a question: how it was read, counts by channel and best scores, the names, places and documents
    that it asks for, the words that the passages nearest in meaning have for it, what was merged away and into what,
    what the rules decided, which references were followed, milliseconds by step, what was degraded."""

    query: Query | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    best: Mapping[str, float] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    merged: Mapping[str, str] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    hops: tuple[Hop, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The evidence for one question, best first, and how it came about. `beyond` is what comes next: no evidence yet,
    but an answer may look at it. `triplets` are what the evidence says of the names of the question, `policy` how it
    was searched for."""

    query: Query
    evidence: tuple[Evidence, ...]
    trace: Trace
    beyond: tuple[Evidence, ...] = ()
    triplets: tuple[SupportingTriplet, ...] = ()
    policy: RetrievalPolicy = RetrievalPolicy()

    def to_dict(self) -> dict[str, Any]:
        """`SearchResult` of the specification: `results` as in an answer, `degraded` and `meta`."""
        policy = self.policy
        return {
            "query": self.query.text,
            "degraded": list(self.trace.degraded),
            "results": [result_dict(item, self.triplets) for item in self.evidence],
            "meta": {
                "returned": len(self.evidence),
                "topM": policy.prefilter,
                "topK": policy.top_k,
                "profile": policy.profile,
            },
        }


def result_dict(evidence: Evidence, triplets: Sequence[SupportingTriplet]) -> dict[str, Any]:
    """One of the `results` of an answer: a passage with those of the triplets that it supports."""
    chunk = evidence.chunk
    scores = {name: score for name, score in to_plain(evidence.scores).items() if score is not None}
    own = [triplet for triplet in triplets if triplet.source_chunk_id == chunk.chunk_id]
    uri = chunk.source_ref.get("uri")
    return {
        "id": chunk.chunk_id,
        "type": "chunk",
        "text": chunk.content,
        "filename": chunk.filename,
        "source_id": chunk.source_id,
        "page": chunk.pages[0] if chunk.paged else None,
        "pages": list(chunk.pages) if chunk.paged else [],
        "locator": chunk.locator,
        **({"s3_path": uri} if uri else {}),
        "section": list(chunk.section),
        "scores": scores,
        "raw_scores": evidence.scores.raw(),
        "retrieved_by": list(evidence.retrieved_by),
        "sources_count": len(evidence.retrieved_by),
        "why": list(evidence.why),
        "also": [to_plain(place) for place in evidence.also],
        "supporting_triplets": [{"triplet_id": item.triplet_id, **to_plain(item)} for item in own],
    }
