"""What the documents say of one entity: the sentences that name it, their triplets, what is named beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pincite.answer.material.passages import Passage, passages_of
from pincite.answer.said.statements import citations_of
from pincite.errors import NotThereError
from pincite.graph.names import holds_name, may_only_open, normal_name
from pincite.graph.network import EntityNetwork
from pincite.graph.ontology import Ontology
from pincite.graph.triplets import extract_all
from pincite.ports import Bitmap
from pincite.printing import nearest_names
from pincite.records.chunks import ChunkRecord
from pincite.records.citations import CitedTriplet, EntityView
from pincite.records.pages import Span
from pincite.records.triplets import Triplet
from pincite.retrieve.candidates import SearchSpace
from pincite.store.sql_record import SqlRecord
from pincite.text.tokens import tokenise_for

READ_CHUNKS = 50
"""A page of mentions; reading each costs a look at the record. By eye, not measured."""
BESIDE = 12
"""Neighbours that fit on one line or two. By eye."""
MOST_WORDS = 4
"""Of a name that is shown without being asked for: longer ones are titles. By eye, like what follows."""
LEAST_LETTERS = 3
Told = tuple[ChunkRecord, Passage]
Stored = Mapping[str, Sequence[Triplet]]


def describe_entity(
    name: str, space: SearchSpace, allowed: Bitmap | None, record: SqlRecord, ontology: Ontology
) -> EntityView:
    """The view of an entity, from the chunks that are `allowed` alone (None: all of them).

    Triplets come from the sentences that name it, in at most READ_CHUNKS chunks, those under its title first: as the
    record has them; sentences of which it has none are read by the rules. What is no name, as terms in small letters,
    quantities, dates and codes, is found by its words. Raises NotThereError, with the nearest names, where nothing is
    called so.
    """
    network, normal = space.network, normal_name(name)
    (entity,) = network.find([normal]).tolist()
    named = _visible(_naming(network, entity), allowed) if entity >= 0 else []
    ordinals = named or _holding(normal, space, allowed)
    chunks = space.chunks([space.chunk_id(ordinal) for ordinal in ordinals[:READ_CHUNKS]])
    found = [(chunk, passage) for chunk in chunks for passage in passages_of(chunk)]
    naming = [(chunk, passage) for chunk, passage in found if holds_name(passage.text, normal)]
    if not named:
        telling = {chunk.chunk_id for chunk, _ in naming}
        ordinals = [ordinal for ordinal in ordinals if space.chunk_id(ordinal) in telling]
    if not ordinals:
        known = [network.name(number) for number in _visible_entities(network, allowed)]
        raise NotThereError(f"no document names {name!r}: {nearest_names(normal, known)}")
    stored = record.triplets_of_chunks(chunks)
    triplets = [*_stored(normal, found, stored), *_read(normal, naming, stored, ontology)]
    unique = {(t.citation.source_id, t.citation.span, t.subject, t.predicate, t.object): t for t in triplets}
    return EntityView(
        name=normal,
        chunk_count=len(ordinals),
        beside=_beside(network, entity, ordinals),
        mentions=tuple(citation for chunk, passage in naming for citation in citations_of(passage, chunk)[:1]),
        triplets=tuple(
            replace(triplet, inverse=ontology.inverse(triplet.predicate))
            for triplet in sorted(unique.values(), key=lambda triplet: -round(triplet.confidence, 6))
        ),
    )


@dataclass(frozen=True, slots=True)
class NamedOften:
    """A name as it is written, in how many chunks it stands, and whether it is a `term`, in small letters."""

    name: str
    chunk_count: int
    is_term: bool


def most_named(space: SearchSpace, allowed: Bitmap | None, limit: int) -> list[NamedOften]:
    """The names of which something is said that stand in most of the chunks which are `allowed` (None: all of them);
    no long titles, no numbers, no words that only open sentences."""
    network = space.network
    numbers = _visible_entities(network, allowed)
    counts = {number: len(_visible(_naming(network, number), allowed)) for number in numbers}
    found = list[NamedOften]()
    for number in sorted(numbers, key=lambda number: (-counts[number], number)):
        if len(found) == limit:
            break
        name = network.name(number)
        if not _is_shown(name) or not _is_told(network, number, allowed):
            continue
        ordinal = _visible(network.chunks.of_node(number).tolist(), allowed)[0]
        written = _written(name, space.chunks([space.chunk_id(ordinal)])[0].content)
        found.append(NamedOften(written, counts[number], is_term=written == written.lower()))
    return found


def _is_shown(name: str) -> bool:
    words = name.split()
    return (
        len(words) <= MOST_WORDS
        and not all(map(may_only_open, words))
        and not any(len(word) == 1 or word.isdigit() for word in words)
        and sum(map(str.isalpha, name)) >= max(LEAST_LETTERS, len(name) / 2)
    )


def _is_told(network: EntityNetwork, entity: int, allowed: Bitmap | None) -> bool:
    """Whether a chunk says something of it and of another name."""
    told = network.triplets.of_entities(np.array([entity], np.int64), READ_CHUNKS)[1]
    return bool(_visible(network.triplets.chunks_of(told).tolist(), allowed))


def _written(name: str, text: str) -> str:
    """A normal name as this text writes it first, if it does."""
    found = re.search(r"\W+".join(map(re.escape, name.split())), text, re.IGNORECASE)
    return " ".join(found[0].split()) if found else name


def is_readable(chunk: ChunkRecord) -> bool:
    """Whether triplets can be read from a chunk: the parser knows English alone."""
    return chunk.language in (None, "en")


def _naming(network: EntityNetwork, entity: int) -> list[int]:
    """The ordinals of the chunks that name an entity, those under its title first."""
    node = np.array([entity], np.int64)
    titled = network.titles.of_nodes(node)[1].tolist()
    return list(dict.fromkeys([*titled, *network.chunks.of_nodes(node)[1].tolist()]))


def _holding(normal: str, space: SearchSpace, allowed: Bitmap | None) -> list[int]:
    """The ordinals of the chunks that say most of these words, at most READ_CHUNKS."""
    tokens = tokenise_for(normal, space.languages)
    return [ordinal for ordinal, _ in space.keywords.search(tokens, READ_CHUNKS, allowed)] if tokens else []


def _visible(ordinals: Sequence[int], allowed: Bitmap | None) -> list[int]:
    return [ordinal for ordinal in ordinals if allowed is None or allowed[ordinal]]


def _visible_entities(network: EntityNetwork, allowed: Bitmap | None) -> list[int]:
    """The entities that visible chunks name."""
    shown = np.flatnonzero(np.ones(len(network.chunk_sums), bool) if allowed is None else allowed)
    found: list[int] = np.unique(network.entities.of_nodes(shown)[1]).tolist()
    return found


def _stored(normal: str, found: Sequence[Told], stored: Stored) -> Iterator[CitedTriplet]:
    """The triplets of the record that have the entity as subject or object."""
    for chunk, passage in found:
        for triplet in told_in(passage, stored[chunk.chunk_id]):
            if holds_name(triplet.subject, normal) or holds_name(triplet.object, normal):
                yield CitedTriplet(
                    *(triplet.subject, triplet.name, triplet.object, triplet.predicate, triplet.confidence),
                    *(triplet.extractor, triplet.version, citations_of(passage, chunk)[0]),
                )


def _read(normal: str, naming: Sequence[Told], stored: Stored, ontology: Ontology) -> Iterator[CitedTriplet]:
    """The triplets about the entity that the rules find in sentences of which the record has none."""
    readable = [
        (chunk, passage)
        for chunk, passage in naming
        if is_readable(chunk) and passage.kind != "table" and not told_in(passage, stored[chunk.chunk_id])
    ]
    read = extract_all([passage.text for _, passage in readable], ontology)
    for (chunk, passage), raws in zip(readable, read, strict=True):
        for raw in raws:
            target = raw.arguments[0] if raw.arguments else ""
            if raw.name and target and (holds_name(raw.subject_text, normal) or holds_name(target, normal)):
                yield CitedTriplet(
                    *(raw.subject_text, raw.name, target, raw.relation, raw.confidence),
                    *(raw.extractor, raw.version, citations_of(passage, chunk)[0]),
                )


def told_in(passage: Passage, triplets: Sequence[Triplet]) -> list[Triplet]:
    """Those of a chunk's triplets whose sentence begins in this passage of it."""
    return [triplet for triplet in triplets if any(begins_in(triplet, span) for span in passage.spans[:1])]


def begins_in(triplet: Triplet, span: Span) -> bool:
    """Whether the sentence of a triplet begins in this place of its document."""
    return span.page == triplet.page and span.start <= triplet.start < span.end


def _beside(network: EntityNetwork, entity: int, ordinals: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """The entities that are named in most of these chunks, in the order of their names among equals."""
    counted = Counter(network.entities.of_nodes(np.array(ordinals, np.int64))[1].tolist())
    del counted[entity]
    best = sorted(counted, key=lambda other: (-counted[other], other))[:BESIDE]
    return tuple((network.name(other), counted[other]) for other in best)
