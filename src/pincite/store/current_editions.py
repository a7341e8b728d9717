"""Which readings of the sources are current: a statement of their own, made once, since every look needs it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, bindparam, select

from pincite.store import rows, schema

CURRENT = (
    select(schema.edition)
    .join(schema.membership, schema.membership.c.edition_key == schema.edition.c.edition_key)
    .where(schema.membership.c.until.is_(None))
    .subquery("current")
)
"""The rows of `edition` that the record stands for now."""


def _make_editions_statement() -> Select[Any]:
    """Key and source id of every current edition."""
    source = schema.source.c
    return select(CURRENT.c.edition_key, source.source_id).join(
        schema.source, source.source_key == CURRENT.c.source_key
    )


_EDITIONS = _make_editions_statement()
_EDITION_OF = _EDITIONS.where(CURRENT.c.source_key == bindparam("source_key"))


def current_editions(connection: Connection, source_id: str | None = None) -> dict[int, str]:
    """The source id of every current edition, or of that of one source, by its key."""
    if source_id is None:
        found = connection.execute(_EDITIONS)
    else:
        found = connection.execute(_EDITION_OF, {"source_key": rows.source_key(source_id)})
    return {int(key): str(name) for key, name in found}
