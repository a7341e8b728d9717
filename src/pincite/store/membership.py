"""Which editions belong to which revisions, and who could see which source when. For a reader of the past a source is
closed by its access then and by its access now."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from sqlalchemy import Column, Connection, TextClause, and_, func, insert, select, text, update

from pincite.records.chunks import Edition
from pincite.store import rows, schema
from pincite.store.dialect import counted_up, everybodys, upsert


def new_revision(connection: Connection, change: str, key: str) -> int:
    """The number of a new revision."""
    row = {"change": change, "source_key": key, "created_utc": rows.now()}
    return inserted(connection, schema.revision.c.number, row)


def upsert_source(connection: Connection, row: rows.Row) -> None:
    """Store what is known of a source now."""
    statement = upsert(schema.source).values(**row)
    connection.execute(statement.on_conflict_do_update(index_elements=["source_key"], set_=row))


def _of_source(key: str) -> Any:
    editions = select(schema.edition.c.edition_key).where(schema.edition.c.source_key == key)
    return and_(schema.membership.c.until.is_(None), schema.membership.c.edition_key.in_(editions))


def has_membership(connection: Connection, key: str) -> bool:
    """Whether a source has a current edition."""
    return connection.scalar(select(schema.membership.c.edition_key).where(_of_source(key))) is not None


def end_membership(connection: Connection, key: str, number: int) -> None:
    """From this revision on the source has no current edition."""
    connection.execute(update(schema.membership).where(_of_source(key)).values(until=number))


def inserted(connection: Connection, key: Column[int], row: rows.Row) -> int:
    """Insert a row, with the number that comes next as its key; that number."""
    number = connection.scalar(insert(key.table).values(row | {key.name: counted_up(key)}).returning(key))
    return int(number or 0)


def store_edition(connection: Connection, edition: Edition) -> int:
    """Insert the edition with all that hangs on it, unless the very same reading is kept already; its key."""
    row = rows.edition_row(edition)
    known = connection.scalar(
        select(schema.edition.c.edition_key).where(schema.edition.c.edition_id == row["edition_id"])
    )
    if known is not None:
        return int(known)
    key = inserted(connection, schema.edition.c.edition_key, row)
    for table, values in rows.rows_of_edition(edition, key):
        if values:
            connection.execute(insert(table), values)
    if edition.chunks:
        connection.execute(
            upsert(schema.chunk).on_conflict_do_nothing(), [rows.chunk_row(chunk) for chunk in edition.chunks]
        )
        held = schema.edition_chunk
        places = [rows.row_of(held, chunk, edition_key=key, chunk_index=chunk.index) for chunk in edition.chunks]
        connection.execute(insert(held), places)
    return key


def masked_counts(connection: Connection) -> dict[int, dict[str, int]]:
    """How many places of each kind are masked, by edition key."""
    table = schema.masked_span.c
    counted = select(table.edition_key, table.kind, func.count()).group_by(table.edition_key, table.kind)
    found: dict[int, dict[str, int]] = {}
    for key, kind, count in connection.execute(counted.order_by(table.edition_key, table.kind)):
        found.setdefault(key, {})[kind] = count
    return found


OPEN = "[]"


# The tags that the editions of a revision had from then until they were replaced; the tables of `main`, since those of
# a reader of the past have no end.
_THEN = """
    SELECT DISTINCT e.source_key, a.acl_json
    FROM {everybodys}.membership AS m
    JOIN {everybodys}.edition AS e ON e.edition_key = m.edition_key
    JOIN {everybodys}.access AS a ON a.source_key = e.source_key
    WHERE m.since <= :revision AND (m.until IS NULL OR m.until > :revision)
      AND (m.until IS NULL OR a.since < m.until) AND (a.until IS NULL OR a.until > :revision)
    ORDER BY e.source_key, a.acl_json"""


_OF_CHUNK = """
    SELECT DISTINCT a.acl_json
    FROM {everybodys}.edition_chunk AS c
    JOIN {everybodys}.membership AS m ON m.edition_key = c.edition_key
    JOIN {everybodys}.edition AS e ON e.edition_key = m.edition_key
    JOIN {everybodys}.access AS a ON a.source_key = e.source_key
    WHERE c.chunk_id = :chunk_id AND (m.until IS NULL OR a.since < m.until) AND (a.until IS NULL OR a.until > m.since)
      AND NOT EXISTS (SELECT 1 FROM {everybodys}.edition_chunk AS o
                      JOIN {everybodys}.membership AS n ON n.edition_key = o.edition_key
                      WHERE o.chunk_id = c.chunk_id AND n.until IS NULL)
    ORDER BY a.acl_json"""


def _of_all(connection: Connection, statement: str) -> TextClause:
    """A statement about the tables that all see."""
    return text(statement.format(everybodys=everybodys(connection)))


def note_access(connection: Connection, row: rows.Row, number: int | None = None) -> None:
    """Note the access of a source that is about to be stored, where it changes: from this revision on, by default from
    a new one that only this makes."""
    key, acl = row["source_key"], row["acl_json"]
    stored = connection.scalar(select(schema.source.c.acl_json).where(schema.source.c.source_key == key))
    if acl == (OPEN if stored is None else stored):
        return
    since = number if number is not None else _own_revision(connection, key)
    table = schema.access.c
    connection.execute(update(schema.access).where(table.source_key == key, table.until.is_(None)).values(until=since))
    if acl != OPEN:
        row = {"source_key": key, "since": since, "until": None, "acl_json": acl}
        inserted(connection, schema.access.c.ordinal, row)


def _own_revision(connection: Connection, key: str) -> int:
    """A new revision; the latest where the source has no edition that could be seen."""
    if has_membership(connection, key):
        return new_revision(connection, "access", key)
    return connection.scalar(select(func.max(schema.revision.c.number))) or 0


def access_then(connection: Connection, revision: int) -> dict[str, list[tuple[str, ...]]]:
    """The tags of those who could see the editions of a revision, from then on, by the key of their source."""
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for key, acl in connection.execute(_of_all(connection, _THEN), {"revision": revision}):
        found[key].append(tuple(json.loads(acl)))
    return found


def access_of_chunk(connection: Connection, chunk_id: str) -> list[tuple[str, ...]]:
    """The tags of those who could see a chunk that no current edition has, while one had it."""
    return [
        tuple(json.loads(acl)) for acl in connection.scalars(_of_all(connection, _OF_CHUNK), {"chunk_id": chunk_id})
    ]


def once_closed(connection: Connection) -> list[tuple[str, int, tuple[str, ...]]]:
    """(source id, revision, tags): up to which revision a source was closed to everybody without one of these tags."""
    columns: list[Any] = [schema.source.c.source_id, schema.access.c.until, schema.access.c.acl_json]
    statement = select(*columns).join(schema.source, schema.source.c.source_key == schema.access.c.source_key)
    ended = statement.where(schema.access.c.until.is_not(None)).order_by(schema.access.c.ordinal)
    return [(source_id, until, tuple(json.loads(acl))) for source_id, until, acl in connection.execute(ended)]
