"""The current documents part by part, so that what is done with all chunks of a store never holds them all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, exists, select

from pincite.records.chunks import Mention
from pincite.records.triplets import RelationStated
from pincite.store import schema, sql_structure
from pincite.store.past import CURRENT
from pincite.store.sql_structure import ChunkPlace

CHUNKS_AT_ONCE = 2_000
DOCUMENTS_AT_ONCE = sql_structure.PARAMETERS_AT_ONCE


@dataclass(frozen=True, slots=True)
class LiveDocument:
    """A document of the current revision, by the key of its edition."""

    edition_key: int
    source_id: str
    title: str | None
    language: str | None
    chunk_count: int


@dataclass(frozen=True, slots=True)
class LiveChunk:
    """What the derived indexes need of a chunk of the current revision."""

    chunk_id: str
    source_id: str
    content_sha256: str
    content: str
    section: tuple[str, ...]
    title: str | None
    language: str | None


@dataclass(frozen=True, slots=True)
class LivePart:
    """Some documents as a whole: their chunks by source id and in reading order, where each of these stands, and by
    source id what the documents mention and tell."""

    chunks: Sequence[LiveChunk]
    places: Sequence[ChunkPlace]
    mentions: Mapping[str, Sequence[Mention]]
    told: Mapping[str, Sequence[RelationStated]]


def documents(connection: Connection) -> list[LiveDocument]:
    """The current documents that have chunks, by source id."""
    columns = (schema.source.c.source_id, *(CURRENT.c[name] for name in ("title", "language", "chunk_count")))
    statement = (
        select(CURRENT.c.edition_key, *columns)
        .join(schema.source, schema.source.c.source_key == CURRENT.c.source_key)
        .where(CURRENT.c.chunk_count > 0)
        .order_by(schema.source.c.source_id)
    )
    return [LiveDocument(*row) for row in connection.execute(statement)]


def parts(found: Iterable[LiveDocument]) -> Iterator[list[LiveDocument]]:
    """Documents one after the other, together about so many chunks as are handled at once."""
    part: list[LiveDocument] = []
    chunks = 0
    for document in found:
        part.append(document)
        chunks += document.chunk_count
        if chunks >= CHUNKS_AT_ONCE or len(part) >= DOCUMENTS_AT_ONCE:
            yield part
            part, chunks = [], 0
    if part:
        yield part


def part_of(connection: Connection, found: Sequence[LiveDocument]) -> LivePart:
    """All that is needed of these documents."""
    editions = {document.edition_key: document.source_id for document in found}
    return LivePart(
        chunks_of(connection, found),
        sql_structure.chunk_places(connection, editions),
        sql_structure.mentions(connection, editions),
        sql_structure.relations_stated(connection, editions),
    )


def chunks_of(
    connection: Connection, found: Sequence[LiveDocument], without_vectors_of: str | None = None
) -> list[LiveChunk]:
    """The chunks of these documents by source id and in reading order; given a model, only those without a vector of
    it."""
    held, chunk, vector = schema.edition_chunk.c, schema.chunk.c, schema.vector.c
    statement = _held_by(
        select(held.edition_key, chunk.chunk_id, chunk.content_sha256, chunk.content, held.section_json), found
    )
    if without_vectors_of is not None:
        known = and_(vector.model_digest == without_vectors_of, vector.text_sha256 == chunk.content_sha256)
        statement = statement.where(~exists().where(known))
    by_edition: dict[int, list[LiveChunk]] = {document.edition_key: [] for document in found}
    known_by_key = {document.edition_key: document for document in found}
    for key, chunk_id, digest, content, section in connection.execute(statement):
        of = known_by_key[key]
        path = tuple(json.loads(section))
        by_edition[key].append(LiveChunk(chunk_id, of.source_id, digest, content, path, of.title, of.language))
    return [chunk for chunks in by_edition.values() for chunk in chunks]


def vectors_of(connection: Connection, found: Sequence[LiveDocument], model_digest: str) -> list[list[bytes]]:
    """For each chunk of these documents, in the same order, its packed vectors of this model, window by window."""
    held, chunk, vector = schema.edition_chunk.c, schema.chunk.c, schema.vector.c
    is_of_chunk = and_(vector.text_sha256 == chunk.content_sha256, vector.model_digest == model_digest)
    statement = (
        _held_by(select(held.edition_key, held.chunk_index, vector.vector), found)
        .outerjoin(schema.vector, is_of_chunk)
        .order_by(vector.window)
    )
    by_edition: dict[int, dict[int, list[bytes]]] = {document.edition_key: {} for document in found}
    for key, index, packed in connection.execute(statement):
        rows = by_edition[key].setdefault(index, [])
        if packed is not None:
            rows.append(packed)
    return [rows for chunks in by_edition.values() for rows in chunks.values()]


def passages_of(connection: Connection, found: Sequence[LiveDocument]) -> list[tuple[str, str]]:
    """(source id, SHA-256 of the text) of each chunk of these documents."""
    sources = {document.edition_key: document.source_id for document in found}
    statement = _held_by(select(schema.edition_chunk.c.edition_key, schema.chunk.c.content_sha256), found)
    return [(sources[key], digest) for key, digest in connection.execute(statement)]


def _held_by(chosen: Select[Any], found: Sequence[LiveDocument]) -> Select[Any]:
    """These columns of the chunks that these documents hold, in reading order."""
    held = schema.edition_chunk.c
    return (
        chosen.select_from(schema.edition_chunk)
        .join(schema.chunk, schema.chunk.c.chunk_id == held.chunk_id)
        .where(held.edition_key.in_([document.edition_key for document in found]))
        .order_by(held.edition_key, held.chunk_index)
    )
