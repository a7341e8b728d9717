"""What the record knows of the names in documents."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, insert, select

from pincite.records import Edition, Mention
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
