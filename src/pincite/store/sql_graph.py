"""What the record knows of the names in documents, and of what is said of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Select, func, select

from pincite.records.chunks import ChunkRecord, Mention
from pincite.records.triplets import Told, Triplet
from pincite.store import schema
from pincite.store.database import Prepared
from pincite.store.dialect import TEXT_TYPE, item, listed

_Made = TypeVar("_Made")


def mentions(connection: Connection, editions: Mapping[int, str]) -> dict[str, list[Mention]]:
    """The mentions of these editions (edition key to source id) in reading order, by source id."""
    table = schema.mention.c
    columns = (table.kind, table.start, table.end, table.name, table.full)
    return _by_source(connection, editions, columns, (table.ordinal,), Mention)


def told(connection: Connection, editions: Mapping[int, str]) -> dict[str, list[Told]]:
    """What the triplets of these editions (edition key to source id) tell, in reading order, by source id."""
    table = schema.triplet.c
    columns = (table.page, table.start, table.subject, table.object, table.confidence, table.name)
    return _by_source(connection, editions, columns, (table.page, table.start, table.ordinal), Told)


def _by_source(
    connection: Connection,
    editions: Mapping[int, str],
    columns: Sequence[Column[Any]],
    order: Sequence[Column[Any]],
    make: Callable[..., _Made],
) -> dict[str, list[_Made]]:
    """What the rows of a table say of these editions, by source id."""
    key = columns[0].table.c.edition_key
    statement = select(key, *columns).where(key.in_(editions)).order_by(key, *order)
    found: dict[str, list[_Made]] = {}
    for edition, *row in connection.execute(statement):
        found.setdefault(editions[edition], []).append(make(*row))
    return found


def triplets(connection: Connection, editions: Sequence[int]) -> list[Triplet]:
    """The triplets of these editions in reading order."""
    table = schema.triplet.c
    statement = (
        select(*(table[name] for name in _COLUMNS))
        .where(table.edition_key.in_(editions))
        .order_by(table.edition_key, table.page, table.start, table.ordinal)
    )
    return [_triplet_of(row) for row in connection.execute(statement)]


def triplets_of_chunks(connection: Connection, chunks: Sequence[ChunkRecord]) -> dict[str, list[Triplet]]:
    """By chunk id the triplets whose sentence begins in the chunk, as the latest edition with the chunk has them."""
    spans = [[chunk.chunk_id, span.page, span.start, span.end] for chunk in chunks for span in chunk.spans]
    found: dict[str, list[Triplet]] = {chunk.chunk_id: [] for chunk in chunks}
    for chunk_id, *row in _OF_SPANS.rows(connection, spans=json.dumps(spans)):
        found[chunk_id].append(_triplet_of(row))
    return found


_COLUMNS = (
    *("page", "start", "end", "subject", "predicate", "name", "object"),
    *("subject_start", "subject_end", "object_start", "object_end", "confidence", "extractor", "version"),
)


def _make_spans_statement() -> Select[Any]:
    """Chunk id and triplet for each (chunk id, page, start, end) in the JSON array `spans`."""
    table, held = schema.triplet.c, schema.edition_chunk.c
    span = listed("spans")
    chunk_id, (page, start, end) = item(span, 0, TEXT_TYPE), (item(span, place) for place in range(1, 4))
    latest = select(func.max(held.edition_key)).where(held.chunk_id == chunk_id).scalar_subquery()
    return (
        select(chunk_id, *(table[name] for name in _COLUMNS))
        .where(table.edition_key == latest, table.page == page, table.start >= start, table.start < end)
        .order_by(table.page, table.start, table.ordinal)
    )


_OF_SPANS = Prepared(_make_spans_statement())


def _triplet_of(row: Sequence[Any]) -> Triplet:
    page, start, end, subject, predicate, name, target, *places, confidence, extractor, version = row
    return Triplet(
        *(page, start, end, subject, predicate, name, target),
        (places[0], places[1]),
        (places[2], places[3]),
        *(confidence, extractor, version),
    )
