"""The record as it was at one revision: temporary views of one connection, in place of its tables.

A name without a schema means the temporary one first, so all that reads the record reads it as it was. Links that are
written there end with the connection.
"""

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


MEMBERSHIP = """
    CREATE TEMP VIEW membership AS
    SELECT edition_key, since, CAST(NULL AS INTEGER) AS until FROM {everybodys}.membership
    WHERE since <= {revision} AND (until IS NULL OR until > {revision})"""


# What was taken out with `pincite remove` stays out, and access goes by the tags of today, and by those of then
# (`access_then`). It has no source to ask, but a question that began before goes on reading it.
SOURCE = """
    CREATE TEMP VIEW source AS
    SELECT s.source_key, s.source_id, s.source_type, s.source_ref_json, e.content_sha256, s.size, s.modified_ns, s.date,
           s.tags_json, s.acl_json,
           CASE WHEN s.status = 'removed' THEN s.status WHEN e.warnings_json = '[]' THEN 'indexed' ELSE 'warned' END
           AS status, CAST(NULL AS TEXT) AS reason, e.versions_json, s.last_indexed_utc, e.chunk_count
    FROM {everybodys}.source AS s
    JOIN {everybodys}.edition AS e ON e.source_key = s.source_key
    JOIN {temporary}.membership AS m ON m.edition_key = e.edition_key"""


WITHOUT_REMOVED = " WHERE s.status <> 'removed'"
"""Of what a generation of the past is made of: nothing of it is taken up again."""
EDITION_CHUNK = """
    CREATE TEMP VIEW edition_chunk AS
    SELECT c.* FROM {everybodys}.edition_chunk AS c JOIN {temporary}.membership AS m ON m.edition_key = c.edition_key"""
REVISION = "CREATE TEMP VIEW revision AS SELECT * FROM {everybodys}.revision WHERE number <= {revision}"
REFERENCE_LINK = """
    CREATE TEMP {kind} reference_link AS
    SELECT edition_key, ordinal, since, CAST(NULL AS INTEGER) AS until, status, reason, targets_json
    FROM {everybodys}.reference_link
    WHERE since <= {revision} AND (until IS NULL OR until > {revision})"""


def past_views(revision: int, *, to_link: bool) -> tuple[str, ...]:
    """The statements that make a connection see the record as it was at this revision, open for the names of schemas;
    where it is `to_link`, its links are a copy that can be written."""
    source = SOURCE + WITHOUT_REMOVED if to_link else SOURCE
    parts = (MEMBERSHIP, source, EDITION_CHUNK, REVISION, REFERENCE_LINK)
    kind = "TABLE" if to_link else "VIEW"
    return tuple(part.replace("{revision}", str(revision)).replace("{kind}", kind) for part in parts)
