"""Which editions belong to which revisions: the number of a change, and the rows that begin and end with it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, CursorResult, and_, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from pincite.store import rows, schema


def new_revision(connection: Connection, change: str, key: str) -> int:
    """The number of a new revision."""
    row = {"change": change, "source_key": key, "created_utc": rows.now()}
    return inserted_key(connection.execute(insert(schema.revision), row))


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


def inserted_key(result: CursorResult[Any]) -> int:
    """The key that a new row was given."""
    (key,) = result.inserted_primary_key or (0,)
    return int(key)


def masked_counts(connection: Connection) -> dict[int, dict[str, int]]:
    """How many places of each kind are masked, by edition key."""
    table = schema.masked_span.c
    counted = select(table.edition_key, table.kind, func.count()).group_by(table.edition_key, table.kind)
    found: dict[int, dict[str, int]] = {}
    for key, kind, count in connection.execute(counted.order_by(table.edition_key, table.kind)):
        found.setdefault(key, {})[kind] = count
    return found
