"""Which editions belong to which revisions: the number of a change, and the rows that begin and end with it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Connection, and_, func, insert, select, update

from pincite.records.chunks import Edition
from pincite.store import rows, schema
from pincite.store.dialect import counted_up, upsert
from pincite.store.sql_graph import store_mentions, store_triplets
from pincite.store.sql_structure import store_structure


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
    parts = (
        (schema.page, rows.page_rows(edition, key)),
        (schema.block, rows.block_rows(edition, key)),
        (schema.masked_span, rows.masked_rows(edition, key)),
    )
    for table, values in parts:
        if values:
            connection.execute(insert(table), values)
    store_structure(connection, edition, key)
    store_mentions(connection, edition, key)
    store_triplets(connection, edition, key)
    if edition.chunks:
        connection.execute(
            upsert(schema.chunk).on_conflict_do_nothing(), [rows.chunk_row(chunk) for chunk in edition.chunks]
        )
        connection.execute(
            insert(schema.edition_chunk), [rows.edition_chunk_row(chunk, key) for chunk in edition.chunks]
        )
    return key


def masked_counts(connection: Connection) -> dict[int, dict[str, int]]:
    """How many places of each kind are masked, by edition key."""
    table = schema.masked_span.c
    counted = select(table.edition_key, table.kind, func.count()).group_by(table.edition_key, table.kind)
    found: dict[int, dict[str, int]] = {}
    for key, kind, count in connection.execute(counted.order_by(table.edition_key, table.kind)):
        found.setdefault(key, {})[kind] = count
    return found
