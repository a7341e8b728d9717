"""What the documents say of one entity: the sentences that name it, their triplets, what is named beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from pincite.answer.passages import Passage, passages_of
from pincite.answer.statements import citations_of
from pincite.errors import NotThereError
from pincite.graph.names import normal_name
from pincite.graph.network import EntityNetwork
from pincite.graph.triplets import RawTriplet, extract_all
from pincite.records import ChunkRecord, EntityView, Triplet
from pincite.text.names import nearest_names

READ_CHUNKS = 50
BESIDE = 12


def describe_entity(
    name: str, network: EntityNetwork, visible: Callable[[Iterable[int]], list[ChunkRecord]]
) -> EntityView:
    """The view of an entity; `visible` reads chunks by ordinal, less those that the asker may not see.

    Triplets come from the sentences that name it, in at most READ_CHUNKS chunks, those under its title first. Raises
    NotThereError, with the nearest names, where nothing is called so.
    """
    normal = normal_name(name)
    (entity,) = network.find([normal])
    chunks = visible(_ordinals(network, int(entity))) if entity >= 0 else []
    if not chunks:
        known = [network.name(number) for number in range(len(network.name_ends))]
        raise NotThereError(f"no document names {name!r}: {nearest_names(normal, known)}")
    found = [(chunk, passage) for chunk in chunks[:READ_CHUNKS] for passage in passages_of(chunk)]
    naming = [(chunk, passage) for chunk, passage in found if _names(passage.text, normal)]
    readable = [(chunk, passage) for chunk, passage in naming if is_readable(chunk)]
    read = extract_all([passage.text for _, passage in readable])
    triplets = [
        triplet
        for (chunk, passage), raws in zip(readable, read, strict=True)
        for triplet in _about(normal, chunk, passage, raws)
    ]
    return EntityView(
        name=normal,
        chunk_count=len(chunks),
        beside=_beside(network, int(entity)),
        mentions=tuple(citation for chunk, passage in naming for citation in citations_of(passage, chunk)[:1]),
        triplets=tuple(sorted(triplets, key=lambda triplet: -round(triplet.confidence, 6))),
    )


def is_readable(chunk: ChunkRecord) -> bool:
    """Whether triplets can be read from a chunk: the parser knows English alone."""
    return chunk.language in (None, "en")


def _ordinals(network: EntityNetwork, entity: int) -> list[int]:
    """The chunks that name an entity, those under its title first."""
    node = np.array([entity], np.int64)
    titled = network.titles.of_nodes(node)[1].tolist()
    return list(dict.fromkeys([*titled, *network.chunks.of_nodes(node)[1].tolist()]))


def _names(text: str, normal: str) -> bool:
    return f" {normal} " in f" {normal_name(text)} " or f" {normal} " in f" {' '.join(_words(text))} "


def _words(text: str) -> list[str]:
    return [normal_name(word) for word in text.split()]


def _about(normal: str, chunk: ChunkRecord, passage: Passage, raws: Sequence[RawTriplet]) -> Iterator[Triplet]:
    """The triplets that have the entity as subject or object."""
    for raw in raws:
        target = raw.arguments[0] if raw.arguments else ""
        if raw.name and target and (_names(raw.subject_text, normal) or _names(target, normal)):
            citation = citations_of(passage, chunk)[0]
            yield Triplet(
                raw.subject_text, raw.name, target, raw.relation, raw.confidence, raw.extractor, raw.version, citation
            )


def _beside(network: EntityNetwork, entity: int) -> tuple[tuple[str, int], ...]:
    """The entities that are named in most of its chunks, those that are rarer elsewhere first among equals."""
    chunks = network.chunks.of_nodes(np.array([entity], np.int64))[1].astype(np.int64)
    counted = Counter(network.entities.of_nodes(chunks)[1].tolist())
    del counted[entity]
    others = np.array(list(counted), np.int64)
    elsewhere = dict(zip(others.tolist(), network.chunk_counts(others).tolist(), strict=True))
    best = sorted(counted, key=lambda other: (-counted[other], elsewhere[other], other))[:BESIDE]
    return tuple((network.name(other), counted[other]) for other in best)
