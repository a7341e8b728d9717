"""From a question to its evidence: channels side by side, merged, scored, duplicates put together, each result with
why it was kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.errors import UsageError
from pincite.graph.network import EntityNetwork
from pincite.ports import Bitmap, Vector
from pincite.records.chunks import ChunkRecord
from pincite.records.evidence import Evidence, Place, Retrieval, Scores, Trace
from pincite.records.questions import Filter, Query, RetrievalPolicy
from pincite.retrieve.asked import asked_places
from pincite.retrieve.candidates import Candidates, SearchSpace, gather
from pincite.retrieve.duplicates import STRICT_PROFILES, Groups, Hit
from pincite.retrieve.features import FEATURES
from pincite.retrieve.query import is_named, parse_query, plain_query, with_compound_parts, with_names_mended
from pincite.store.chunk_links import Adjacency
from pincite.text.tokens import hashes_of, tokenise

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


EMBEDDER_SILENT = "the embedder does not answer: the other channels were searched"
_NO_ROWS: Vector = np.empty((0, 0), np.float32)
"""For a hit whose vectors are not looked at."""


def search(space: SearchSpace, question: str, policy: RetrievalPolicy, given: Filter) -> Retrieval:
    """The evidence for a question, best first: at most `policy.top_k`, none below the minimum score."""
    with space.watch.timing("parse"):
        parsed = parse_query(question, space.languages, given, space.visible_sources)
    if not parsed.search_text:
        raise UsageError("the question holds filters alone: add the words to look for")
    return _found(space, parsed, policy)


def search_plain(space: SearchSpace, words: str, policy: RetrievalPolicy, given: Filter) -> Retrieval:
    """The same for words of a language model, which neither narrow nor widen the filter that is given."""
    return _found(space, plain_query(words, space.languages, given), policy)


def _found(space: SearchSpace, parsed: Query, policy: RetrievalPolicy) -> Retrieval:
    """The evidence for a question that was read."""
    watch = space.watch
    with watch.timing("parse"):
        query, allowed = _mended(space, parsed, policy)
    with watch.timing("embed"):
        query_vector, degraded = _embedded(space, query, policy)
    with watch.timing("channels"):
        candidates = gather(space, query, query_vector, policy, allowed)
        order = _order(candidates, policy)
    with watch.timing("merge"):
        found, merged = _evidence(space, candidates, order, policy)
    trace = Trace(
        counts=candidates.counts,
        best=candidates.best_scores(),
        names=_seen_names(space.network, candidates.concepts, allowed),
        places=asked_places(query.search_text),
        related=_related_words(candidates.related, found),
        merged=merged,
        timings_ms=dict(watch.timings_ms),
        degraded=degraded,
    )
    return Retrieval(query, found[: policy.top_k], trace, found[policy.top_k :], policy=policy)


def _mended(space: SearchSpace, parsed: Query, policy: RetrievalPolicy) -> tuple[Query, Bitmap | None]:
    """A question as it is searched for, with names as the documents spell them, and which chunks may be found."""
    allowed = space.allowed(parsed.filter)
    if "graph" in policy.channels:
        parsed = with_names_mended(parsed, space.network, allowed)
    return with_compound_parts(
        parsed, space.languages, lambda token: bool(space.keywords.search([token], 1, allowed))
    ), allowed


def _embedded(space: SearchSpace, query: Query, policy: RetrievalPolicy) -> tuple[Vector | None, tuple[str, ...]]:
    """The vector of a question, or why there is none."""
    if "vector" not in policy.channels:
        return None, ()
    if space.embed is None or space.vectors is None:
        return None, ("no embedder: keywords alone were searched",)
    vector = space.embed(query.search_text)
    return vector, (EMBEDDER_SILENT,) if vector is None else ()


def _related_words(related: NDArray[np.uint64], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """These words as the evidence has them, those left out of which it says nothing."""
    wanted, words = related.tolist(), dict[int, str]()
    for item in evidence:
        if len(words) == len(wanted):
            break
        tokens = list(dict.fromkeys(tokenise(item.chunk.content, item.chunk.language)))
        held = zip(hashes_of(tokens).tolist(), tokens, strict=True)
        words |= {digest: token for digest, token in held if digest in wanted}
    return tuple(words[digest] for digest in wanted if digest in words)


def _seen_names(network: EntityNetwork, entities: NDArray[np.int64], allowed: Bitmap | None) -> tuple[str, ...]:
    """The names of those entities that a visible chunk names."""
    return tuple(network.name(entity) for entity in entities.tolist() if is_named(network, entity, allowed))


def _order(candidates: Candidates, policy: RetrievalPolicy) -> list[int]:
    """Positions of the best candidates: by score rounded to 6 decimals, then by ordinal."""
    final = np.round(candidates.final, 6)
    order = np.lexsort((np.arange(len(final)), -final))
    limit = max(policy.prefilter, policy.top_k)
    return [int(index) for index in order[:limit] if final[index] >= policy.min_score_threshold]


def _evidence(
    space: SearchSpace, candidates: Candidates, order: list[int], policy: RetrievalPolicy
) -> tuple[tuple[Evidence, ...], dict[str, str]]:
    """The best that are results or looked at, after duplicates are put together, and for each merged chunk id the one
    that it went into."""
    position, wanted = 0, max(policy.top_k, policy.looked_at)
    own = policy.weights
    spec_rule = policy.profile not in STRICT_PROFILES if own is None else own.merge_near_copies
    groups = Groups(spec_rule=spec_rule, merging=policy.merge_duplicates)
    while position < len(order) and len(groups.kept) < wanted:
        batch = order[position : position + wanted]
        ordinals = [candidates.ordinals[index] for index in batch]
        chunks = space.chunks([space.chunk_id(ordinal) for ordinal in ordinals])
        rows = _rows(space, ordinals) if policy.merge_duplicates else [_NO_ROWS] * len(batch)
        for hit in map(Hit, batch, chunks, rows):
            groups.add(hit)
        position += len(batch)
    kept = groups.kept[:wanted]
    first = [group[0] for group in kept]
    scores = candidates.scores([hit.index for hit in first])
    reasons = explain(space, candidates, first, scores)
    evidence = tuple(
        Evidence(
            chunk=group[0].chunk,
            rank=rank,
            scores=given,
            retrieved_by=candidates.found_by[group[0].index],
            why=why,
            also=tuple(place_of(hit.chunk) for hit in group[1:]),
        )
        for rank, (group, given, why) in enumerate(zip(kept, scores, reasons, strict=True), start=1)
    )
    merged = {hit.chunk.chunk_id: group[0].chunk.chunk_id for group in groups.kept for hit in group[1:]}
    return evidence, merged


def _rows(space: SearchSpace, ordinals: Sequence[int]) -> list[Vector]:
    return [_NO_ROWS] * len(ordinals) if space.vectors is None else space.vectors.rows(ordinals)


def place_of(chunk: ChunkRecord) -> Place:
    """Where a chunk begins."""
    page = chunk.pages[0] if chunk.paged and chunk.pages else None
    return Place(chunk.filename, chunk.source_id, page, chunk.chunk_id)
