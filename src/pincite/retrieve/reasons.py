"""Why a result was kept, in words: "near in meaning (0.81)", "referred to by 5.2(3)P, p.17"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pincite.graph.network import EntityNetwork
from pincite.records.chunks import ChunkRecord
from pincite.records.evidence import Scores
from pincite.retrieve.candidates import Candidates, SearchSpace
from pincite.retrieve.duplicates import Hit
from pincite.retrieve.features import FEATURES
from pincite.store.chunk_links import Adjacency

STRONGEST = 15
"""The best results, which may be named as a reason: as many as references are followed from. By eye."""
NAMED = 2
"""Names in a reason: it stands in a line. By eye."""
_ASKED = FEATURES.index("asked for")


def explain(
    space: SearchSpace, candidates: Candidates, hits: Sequence[Hit], scores: Sequence[Scores]
) -> list[tuple[str, ...]]:
    """The reasons of each hit, `scores` being theirs.

    References are named by the best results that refer to it, or that it refers to."""
    rank = {candidates.ordinals[hit.index]: position for position, hit in enumerate(hits[:STRONGEST])}
    reasons: list[tuple[str, ...]] = []
    for hit, given in zip(hits, scores, strict=True):
        found_by = candidates.found_by[hit.index]
        words = [*_plain(candidates, hit, given)]
        if "reference" in found_by:
            ordinal = candidates.ordinals[hit.index]
            words += _named(space.links.incoming, ordinal, rank, hits, "referred to by")
            words += _named(space.links.outgoing, ordinal, rank, hits, "refers to")
        if "graph" in found_by:
            words += _through(space.network, candidates, hit, hits[:STRONGEST])
        reasons.append(tuple(words))
    return reasons


def _plain(candidates: Candidates, hit: Hit, scores: Scores) -> Iterator[str]:
    found_by = candidates.found_by[hit.index]
    if "vector" in found_by and scores.vec is not None:
        yield f"near in meaning ({scores.vec:.2f})"
    if "keyword" in found_by and scores.bm25 is not None:
        yield f"shares words ({scores.bm25:.2f})"
    if "structure" in found_by:
        features = candidates.columns.features
        yield "the place that was asked for" if features is None or features[hit.index, _ASKED] else "beside a result"


def _named(adjacency: Adjacency, ordinal: int, rank: dict[int, int], hits: Sequence[Hit], verb: str) -> Iterator[str]:
    others = adjacency.of_chunk(ordinal)[0].tolist()
    for position in sorted(rank[other] for other in others if other in rank)[:NAMED]:
        yield f"{verb} {_place(hits[position].chunk)}"


def _through(network: EntityNetwork, candidates: Candidates, hit: Hit, better: Sequence[Hit]) -> Iterator[str]:
    """The entities of the question that a hit names; else the rarest one that it shares with the best result that
    names any."""
    own = _entities(network, candidates.ordinals[hit.index])
    if asked := sorted(own.intersection(candidates.concepts.tolist())):
        yield f"names {', '.join(network.name(entity) for entity in asked[:NAMED])}"
        return
    for other in better:
        shared = sorted(own & _entities(network, candidates.ordinals[other.index]))
        if other is not hit and shared:
            rarest = shared[np.argmin(network.chunk_counts(np.array(shared)))]
            yield f"shares {network.name(rarest)} with {_place(other.chunk)}"
            return


def _entities(network: EntityNetwork, ordinal: int) -> set[int]:
    return set(network.entities.of_node(ordinal).tolist())


def _place(chunk: ChunkRecord) -> str:
    """ "5.2(3)P, p.17": the section's number, else its title, and the page where there is one."""
    name = chunk.section_number or (chunk.section[-1] if chunk.section else chunk.filename)
    return f"{name}, p.{chunk.pages[0]}" if chunk.paged and chunk.pages else name
