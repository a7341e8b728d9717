"""Personalised PageRank over chunks, entities and triplets, on the part of the network near its seeds.

Haveliwala, Topic-sensitive PageRank (2002); over chunks and entities as in HippoRAG (Gutierrez et al. 2024).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.graph.network import EntityNetwork

DAMPING = 0.7
TO_TRIPLETS = 0.2
ROUNDS = 12
MOST_CHUNKS = 1000
CHUNKS_OF_ENTITY = 100

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
) -> Walked:
    """Where a walk stands that starts from these seeds (nodes with their masses, all together 1), and that begins anew
    there with a chance of 1 - DAMPING at each step."""
    near = _near(network, entities[0], chunks[0], allowed)
    owners, targets, weights = network.entities.of_nodes(near)
    inner, columns = np.unique(targets, return_inverse=True)
    to_entity = (weights / network.chunk_sums[near][owners]).astype(np.float64)
    to_chunk = (weights / network.entity_sums[inner][columns]).astype(np.float64)
    triplets = _TripletNodes.of(network, near, inner)
    start_chunks = _placed(near, *chunks)
    start_entities = _placed(inner, *entities)
    at_chunks, at_entities = start_chunks, start_entities
    for _ in range(ROUNDS):
        moved = np.bincount(columns, at_chunks.take(owners) * to_entity, len(inner)) + triplets.pass_on(at_entities)
        back = np.bincount(owners, (triplets.kept * at_entities).take(columns) * to_chunk, len(near))
        at_chunks = (1 - DAMPING) * start_chunks + DAMPING * back
        at_entities = (1 - DAMPING) * start_entities + DAMPING * moved
    return Walked(near, at_chunks)


@dataclass(frozen=True, slots=True)
class _TripletNodes:
    """The triplets of some chunks as nodes between the two entities of each. An entity of any sends TO_TRIPLETS of its
    mass to them by their confidence, and `kept` the rest to chunks; a triplet gives half of it to each of its ends."""

    ends: Nodes
    shares: Masses
    kept: Masses

    @classmethod
    def of(cls, network: EntityNetwork, chunks: Nodes, entities: NDArray[np.int32]) -> _TripletNodes:
        """Those of these chunks, whose entities these are, ascending; ends by their places among them."""
        subjects, objects, weights = network.triplets.of_chunks(chunks)
        ends = np.searchsorted(entities, np.stack([subjects, objects]))
        sums = np.bincount(ends.ravel(), np.tile(weights, 2), len(entities))
        share = np.where(sums > 0, TO_TRIPLETS, 0.0)
        return cls(ends, weights * (share / np.maximum(sums, 1e-9))[ends], 1 - share)

    def pass_on(self, masses: Masses) -> Masses:
        """What entities of these masses get through their triplets."""
        held = (self.shares * masses[self.ends]).sum(axis=0)
        return np.bincount(self.ends.ravel(), np.tile(held / 2, 2), len(masses)).astype(np.float64)


def _near(network: EntityNetwork, entities: Nodes, chunks: Nodes, allowed: NDArray[np.bool_] | None) -> Nodes:
    """The seeds' chunks, those of the seeding entities, and those that share an entity with these; at most MOST_CHUNKS,
    the most linked first, ties by ordinal."""
    first = np.union1d(chunks, network.chunks.of_nodes(entities, CHUNKS_OF_ENTITY)[1]).astype(np.int64)
    shared = np.unique(network.entities.of_nodes(_visible(first, allowed))[1]).astype(np.int64)
    _, second, weights = network.chunks.of_nodes(shared, CHUNKS_OF_ENTITY)
    sums = np.bincount(second, weights)
    found = np.flatnonzero(sums)
    order = np.argsort(-np.round(sums[found], 4), kind="stable")[:MOST_CHUNKS]
    return _visible(np.union1d(first, found[order]).astype(np.int64), allowed)


def _visible(ordinals: Nodes, allowed: NDArray[np.bool_] | None) -> Nodes:
    return ordinals if allowed is None else ordinals[allowed[ordinals]]


def _placed(nodes: NDArray[np.int64] | NDArray[np.int32], wanted: Nodes, masses: Masses) -> Masses:
    """The masses of the wanted nodes at their places among all nodes (ascending); 0 elsewhere."""
    found = np.zeros(len(nodes))
    places = np.searchsorted(nodes, wanted)
    here = places < len(nodes)
    here[here] = nodes[places[here]] == wanted[here]
    np.add.at(found, places[here], masses[here])
    return found
