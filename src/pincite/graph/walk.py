"""Personalised PageRank over chunks, entities, triplets and references, on the part of the network near its seeds.

Haveliwala, Topic-sensitive PageRank (2002); over chunks and entities as in HippoRAG (Gutierrez et al. 2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.graph.network import EntityNetwork, Rows
from pincite.graph.relations import Ints, positions

DAMPING = 0.7
TO_TRIPLETS = 0.2
TO_REFERENCES = 0.2
ROUNDS = 12
MOST_CHUNKS = 1000
CHUNKS_OF_ENTITY = 100
REFERENCES_OF_CHUNK = 30

Masses = NDArray[np.float64]
Nodes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Walked:
    """The chunks that were reached, ordinals ascending, with the mass of each."""

    ordinals: Nodes
    masses: Masses


def walk(
    network: EntityNetwork,
    entities: tuple[Nodes, Masses],
    chunks: tuple[Nodes, Masses],
    allowed: NDArray[np.bool_] | None = None,
    references: Sequence[Rows] = (),
) -> Walked:
    """Where a walk stands that starts from these seeds (nodes with their masses, all together 1), and that begins anew
    there with a chance of 1 - DAMPING at each step. `references` lead from chunks to chunks."""
    near = _near(network, entities[0], chunks[0], allowed)
    owners, targets, weights = network.entities.of_nodes(near)
    inner, places = _numbered(targets, len(network.entity_sums))
    columns, firsts = places[targets], np.flatnonzero(np.diff(owners, prepend=-1))
    reached = owners[firsts]
    to_entity = (weights / network.chunk_sums[near][owners]).astype(np.float64)
    to_chunk = (weights / network.entity_sums[inner][columns]).astype(np.float64)
    triplets = _through_triplets(network, near, places, len(inner))
    along = _along_references(references, near)
    start_chunks = _placed(near, *chunks)
    start_entities = _placed(inner, *entities)
    at_chunks, at_entities, sent = start_chunks, start_entities, np.empty(len(owners))
    for _ in range(ROUNDS):
        moved = np.bincount(columns, _sent(along.kept * at_chunks, owners, to_entity, sent), len(inner))
        back = np.add.reduceat(_sent(triplets.kept * at_entities, columns, to_chunk, sent), firsts)
        in_entities, in_chunks = triplets.pass_on(at_entities), along.pass_on(at_chunks)
        in_chunks[reached] += back
        at_chunks = (1 - DAMPING) * start_chunks + DAMPING * in_chunks
        at_entities = (1 - DAMPING) * start_entities + DAMPING * (moved + in_entities)
    return Walked(near, at_chunks)


def _sent(masses: Masses, sources: Nodes, shares: Masses, sent: Masses) -> Masses:
    """The masses at these sources times their shares, in `sent`: room that is made once for all rounds."""
    np.take(masses, sources, out=sent, mode="clip")
    return np.multiply(sent, shares, out=sent)


@dataclass(frozen=True, slots=True)
class _Aside:
    """Links between nodes of one kind, one a column: each takes from all its `sources`, by `shares`, and gives as much
    to each of its `targets`. A node that has any sends a part of its mass along them, by their weights, and `kept` the
    rest to nodes of the other kind."""

    sources: Nodes
    targets: Nodes
    shares: Masses
    kept: Masses

    @classmethod
    def of(cls, count: int, sources: Nodes, targets: Nodes, weights: Masses, part: float) -> _Aside:
        """Among `count` nodes these links: sources (ends, links), targets (ends, links), weights (links)."""
        sums = np.bincount(sources.ravel(), np.tile(weights, len(sources)), count) * len(targets)
        sent = np.where(sums > 0, part, 0.0)
        return cls(sources, targets, (sent / np.where(sums > 0, sums, 1.0)).take(sources) * weights, 1 - sent)

    def pass_on(self, masses: Masses) -> Masses:
        """What nodes of these masses get along the links."""
        carried = (masses.take(self.sources) * self.shares).sum(axis=0)
        return np.bincount(self.targets.ravel(), np.tile(carried, len(self.targets)), len(masses)).astype(np.float64)


def _through_triplets(network: EntityNetwork, chunks: Nodes, places: Nodes, count: int) -> _Aside:
    """From entity to entity through the triplets of these chunks, by confidence: a triplet gives half of what it gets
    to each of its two ends. `places` numbers the `count` entities of these chunks."""
    subjects, objects, confidences = network.triplets.of_chunks(chunks)
    ends = places[np.stack([subjects, objects])]
    return _Aside.of(count, ends, ends, confidences.astype(np.float64), TO_TRIPLETS)


def _along_references(references: Sequence[Rows], chunks: Nodes) -> _Aside:
    """From chunk to chunk along these references; `chunks` ascend."""
    no_edges = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    edges = [no_edges, *(_within(rows, chunks) for rows in references)]
    sources, targets, weights = (np.concatenate(parts) for parts in zip(*edges, strict=True))
    return _Aside.of(len(chunks), sources[None], targets[None], weights, TO_REFERENCES)


def _within(rows: Rows, nodes: Nodes) -> tuple[Nodes, Nodes, Masses]:
    """The edges among these nodes, both ends by their places there."""
    owners, targets, weights = rows.of_nodes(nodes, REFERENCES_OF_CHUNK)
    here, places = positions(nodes, targets)
    return owners[here], places, weights[here].astype(np.float64)


def _near(network: EntityNetwork, entities: Nodes, chunks: Nodes, allowed: NDArray[np.bool_] | None) -> Nodes:
    """The seeds' chunks, those of the seeding entities, and those that share an entity with these; at most MOST_CHUNKS,
    the most linked first, ties by ordinal."""
    first = np.union1d(chunks, network.chunks.of_nodes(entities, CHUNKS_OF_ENTITY)[1]).astype(np.int64)
    shared, _ = _numbered(network.entities.of_nodes(_visible(first, allowed))[1], len(network.entity_sums))
    _, second, weights = network.chunks.of_nodes(shared, CHUNKS_OF_ENTITY)
    sums = np.bincount(second, weights)
    found = np.flatnonzero(sums)
    best = found[_largest(np.round(sums[found], 4), MOST_CHUNKS)]
    return _visible(np.union1d(first, best).astype(np.int64), allowed)


def _largest(values: Masses, count: int) -> Nodes:
    """The places of the `count` largest values in no order, ties by place."""
    if len(values) <= count:
        return np.arange(len(values))
    least = np.partition(values, -count)[-count]
    above, equal = np.flatnonzero(values > least), np.flatnonzero(values == least)
    return np.concatenate([above, equal[: count - len(above)]])


def _visible(ordinals: Nodes, allowed: NDArray[np.bool_] | None) -> Nodes:
    return ordinals if allowed is None else ordinals[allowed[ordinals]]


def _placed(nodes: NDArray[np.int64] | NDArray[np.int32], wanted: Nodes, masses: Masses) -> Masses:
    """The masses of the wanted nodes at their places among all nodes (ascending); 0 elsewhere."""
    found = np.zeros(len(nodes))
    here, places = positions(nodes, wanted)
    np.add.at(found, places, masses[here])
    return found


def _numbered(numbers: Ints, count: int) -> tuple[Nodes, Nodes]:
    """These numbers below `count`, ascending and each once; and for each of them, by itself, its place among them."""
    held = np.zeros(count, np.bool_)
    held[numbers] = True
    distinct = np.flatnonzero(held)
    places = np.empty(count, np.int64)
    places[distinct] = np.arange(len(distinct))
    return distinct, places
