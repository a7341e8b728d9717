"""The network of what an asker sees is that of a store which holds nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pincite.graph.concepts import find_concepts
from pincite.graph.network import ChunkNames, EntityNetwork, NetworkBuilder
from pincite.graph.relations import NamesTold
from pincite.records.chunks import Mention
from pincite.records.sources import EVERYBODY, Readers

NAMES = ("aspen", "birch", "cedar mill", "dogwood", "elm", "fir house")
WORDS = ("aspen", "birch", "cedar", "mill", "dogwood", "elm", "fir", "house", "stands", "grows")
BOARD, STAFF = frozenset({frozenset({"board"})}), frozenset({frozenset({"staff"})})
BOTH = frozenset({frozenset({"board", "staff"})})
THEN = frozenset({frozenset({"board"}), frozenset({"staff"})})


def chunk(chance: random.Random) -> ChunkNames:
    """A chunk that names, is titled by and tells of a few of the same things, and may be closed to some."""
    named = chance.sample(NAMES, 3)
    titles = {name: tuple(name.split()) for name in chance.sample(NAMES, chance.randint(0, 1))}
    mentions = [Mention(chance.choice(("name", "opening")), 0, 1, name) for name in named]
    told = [NamesTold([named[0]], [named[1]], 0.5, "feeds")]
    readers = chance.choice((EVERYBODY, EVERYBODY, BOARD, STAFF, BOTH, THEN))
    return ChunkNames(titles, mentions, chance.choices(WORDS, k=12), told, readers)


def built(chunks: list[ChunkNames]) -> EntityNetwork:
    builder = NetworkBuilder()
    for item in chunks:
        builder.add(item)
    return builder.build()


def sees(readers: Readers, principals: set[str]) -> bool:
    return all(tags & principals for tags in readers)


def told(network: EntityNetwork, ordinals: list[int]) -> list[object]:
    """All that the network says of these chunks, by names."""
    entities = network.entities
    owned = [
        [
            (network.name(entity), weight)
            for entity, weight in zip(
                entities.of_node(ordinal).tolist(),
                entities.weights[entities.starts[ordinal] : entities.starts[ordinal + 1]].tolist(),
                strict=True,
            )
        ]
        for ordinal in ordinals
    ]
    place = {ordinal: index for index, ordinal in enumerate(ordinals)}
    found = network.find(NAMES).tolist()
    of_names = [
        (
            [(place[chunk], weight) for chunk, weight in zip(*of_entity(network, entity, "chunks"), strict=True)],
            [place[chunk] for chunk in of_entity(network, entity, "titles")[0]],
            float(network.entity_sums[entity]),
            [
                place[chunk]
                for chunk in network.triplets.chunks_of(
                    network.triplets.of_entities(np.array([entity]), 100)[1]
                ).tolist()
            ],
        )
        if entity >= 0
        else None
        for entity in found
    ]
    subjects, objects, weights = network.triplets.of_chunks(np.array(ordinals, np.int64))
    tokens = network.vocabulary.tolist(), network.token_counts.tolist()
    sums = network.chunk_sums[ordinals].tolist()
    names = [(network.name(s), network.name(o)) for s, o in zip(subjects.tolist(), objects.tolist(), strict=True)]
    return [owned, of_names, names, weights.tolist(), tokens, sums, network.size]


def of_entity(network: EntityNetwork, entity: int, rows: str) -> tuple[list[int], list[float]]:
    _, chunks, weights = getattr(network, rows).of_nodes(np.array([entity], np.int64))
    return chunks.tolist(), weights.tolist()


@pytest.mark.parametrize("principals", [set(), {"board"}, {"staff"}, {"board", "staff"}])
@pytest.mark.parametrize("seed", range(30))
def test_what_an_asker_sees_of_a_network_is_the_network_of_what_they_see(seed: int, principals: set[str]) -> None:
    chance = random.Random(seed)
    chunks = [chunk(chance) for _ in range(12)]
    visible = [index for index, item in enumerate(chunks) if sees(item.readers, principals)]
    allowed = np.isin(np.arange(len(chunks)), visible)
    seen, alone = built(chunks).seen(allowed), built([chunks[index] for index in visible])
    assert told(seen, visible) == told(alone, list(range(len(visible))))
    question = "Does the Aspen feed Birhc, or Dogwodo, at Cedar Mill and the Fir House?"
    concepts = [[(of.name(c.entity), c.start, c.misspelt) for c in find_concepts(of, question)] for of in (seen, alone)]
    assert concepts[0] == concepts[1]


def test_readers_learn_from_what_all_of_them_may_see_alone() -> None:
    title = {"fir house": ("fir", "house")}
    tokens = ("the", "fir", "house", "stands")
    for readers, is_told in ((EVERYBODY, False), (STAFF, False), (BOTH, False), (BOARD, True), (THEN, True)):
        network = built([ChunkNames(title, [], (), readers=BOARD), ChunkNames({}, [], tokens, readers=readers)])
        assert bool(len(network.entities.of_node(1))) is is_told
