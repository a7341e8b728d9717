"""What the record knows of the names in documents, and of what is said of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, func, insert, or_, select

from pincite.graph_records import Triplet
from pincite.records import ChunkRecord, Edition, Mention
from pincite.store import schema


def store_mentions(connection: Connection, edition: Edition, edition_key: int) -> None:
    """Insert the mentions of a new edition."""
    values = [
        {
            "edition_key": edition_key,
            "ordinal": ordinal,
            "kind": mention.kind,
            "start": mention.start,
            "end": mention.end,
            "name": mention.name,
            "full": mention.full,
        }
        for ordinal, mention in enumerate(edition.mentions)
    ]
    if values:
        connection.execute(insert(schema.mention), values)


def mentions(connection: Connection, editions: Mapping[int, str]) -> dict[str, list[Mention]]:
    """The mentions of these live editions (edition key to source id) in reading order, by source id."""
    table = schema.mention.c
    live = select(schema.membership.c.edition_key).where(schema.membership.c.until.is_(None))
    statement = (
        select(table.edition_key, table.kind, table.start, table.end, table.name, table.full)
        .where(table.edition_key.in_(live))
        .order_by(table.edition_key, table.ordinal)
    )
    found: dict[str, list[Mention]] = {}
    for key, kind, start, end, name, full in connection.execute(statement):
        if key in editions:
            found.setdefault(editions[key], []).append(Mention(kind, start, end, name, full))
    return found


def store_triplets(connection: Connection, edition: Edition, edition_key: int) -> None:
    """Insert the triplets of a new edition."""
    values = [
        {
            "edition_key": edition_key,
            "ordinal": ordinal,
            "page": triplet.page,
            "start": triplet.start,
            "end": triplet.end,
            "subject": triplet.subject,
            "predicate": triplet.predicate,
            "name": triplet.name,
            "object": triplet.object,
            "subject_start": triplet.subject_place[0],
            "subject_end": triplet.subject_place[1],
            "object_start": triplet.object_place[0],
            "object_end": triplet.object_place[1],
            "confidence": triplet.confidence,
            "extractor": triplet.extractor,
            "version": triplet.version,
        }
        for ordinal, triplet in enumerate(edition.triplets)
    ]
    if values:
        connection.execute(insert(schema.triplet), values)


def triplets(connection: Connection, editions: Sequence[int]) -> list[Triplet]:
    """The triplets of these editions in reading order."""
    return [_triplet_of(row) for row in connection.execute(_select().where(_column("edition_key").in_(editions)))]


def triplets_of_chunks(connection: Connection, chunks: Sequence[ChunkRecord]) -> dict[str, list[Triplet]]:
    """By chunk id the triplets whose sentence begins in the chunk, as the latest edition with the chunk has them."""
    held = schema.edition_chunk.c
    latest = (
        select(held.chunk_id, func.max(held.edition_key))
        .where(held.chunk_id.in_([chunk.chunk_id for chunk in chunks]))
        .group_by(held.chunk_id)
    )
    editions = {str(chunk_id): int(key) for chunk_id, key in connection.execute(latest)}
    found: dict[str, list[Triplet]] = {}
    for chunk in chunks:
        inside = or_(
            *(
                and_(_column("page") == span.page, _column("start") >= span.start, _column("start") < span.end)
                for span in chunk.spans
            )
        )
        statement = _select().where(_column("edition_key") == editions.get(chunk.chunk_id), inside)
        found[chunk.chunk_id] = [_triplet_of(row) for row in connection.execute(statement)]
    return found


def _column(name: str) -> Any:
    return schema.triplet.c[name]


def _select() -> Any:
    table = schema.triplet.c
    return select(
        *(table.page, table.start, table.end, table.subject, table.predicate, table.name, table.object),
        *(table.subject_start, table.subject_end, table.object_start, table.object_end),
        *(table.confidence, table.extractor, table.version),
    ).order_by(table.edition_key, table.page, table.start, table.ordinal)


def _triplet_of(row: Any) -> Triplet:
    page, start, end, subject, predicate, name, target, *places, confidence, extractor, version = row
    return Triplet(
        *(page, start, end, subject, predicate, name, target),
        (places[0], places[1]),
        (places[2], places[3]),
        *(confidence, extractor, version),
    )
