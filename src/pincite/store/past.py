"""The record as it was at one revision: temporary views of one connection, in place of its tables; and taking text out
of the record for good.

A name without a schema means the temporary one first, so all that reads the record reads it as it was. Links that are
written there end with the connection.
"""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, or_, select, update

from pincite.store import rows, schema
from pincite.store.dialect import overwrite_deleted

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


_OF_EDITIONS = [
    table for table in schema.record.sorted_tables if "edition_key" in table.c and table is not schema.edition
]


def purge_source(connection: Connection, key: str) -> None:
    """Delete the editions of a source with all that hangs on them, its chunks, and vectors of texts that no other chunk
    has; what is deleted is overwritten where it can be. Its row stays."""
    overwrite_deleted(connection)
    editions = select(schema.edition.c.edition_key).where(schema.edition.c.source_key == key)
    texts = select(schema.chunk.c.content_sha256).where(schema.chunk.c.source_key == key)
    others = select(schema.chunk.c.content_sha256).where(schema.chunk.c.source_key != key)
    stored = schema.vector.c.text_sha256
    connection.execute(delete(schema.vector).where(stored.in_(texts), stored.not_in(others)))
    _delete_parts(connection, editions)
    connection.execute(delete(schema.chunk).where(schema.chunk.c.source_key == key))
    connection.execute(delete(schema.edition).where(schema.edition.c.source_key == key))
    gone = {"status": "removed", "content_sha256": "", "versions_json": "{}", "reason": None, "chunk_count": 0}
    connection.execute(update(schema.source).where(schema.source.c.source_key == key).values(**gone))


def purge_other_policies(connection: Connection, digest: str) -> list[str]:
    """Delete the editions that are no longer current and were made by a policy of another digest, with all that hangs
    on them, and the chunks and vectors that no edition has then; what is deleted is overwritten where it can
    be. Their sources."""
    membership, edition = schema.membership.c, schema.edition
    current = select(membership.edition_key).where(membership.until.is_(None))
    past = select(edition.c.edition_key, edition.c.source_key, edition.c.versions_json)
    found = connection.execute(past.where(edition.c.edition_key.not_in(current))).all()
    gone = {key: source for key, source, versions in found if _policy_digest(versions) != digest}
    if not gone:
        return []
    overwrite_deleted(connection)
    for key in gone:
        _delete_parts(connection, select(edition.c.edition_key).where(edition.c.edition_key == key))
        connection.execute(delete(edition).where(edition.c.edition_key == key))
    _delete_unheld(connection)
    names = connection.execute(select(schema.source.c.source_key, schema.source.c.source_id)).all()
    return sorted(name for key, name in names if key in set(gone.values()))


def _policy_digest(versions_json: str) -> str:
    return str(json.loads(versions_json).get("policy", "")).rpartition("/")[2]


def purge_past(connection: Connection, first: int) -> int:
    """Delete the editions that are current at no revision from `first` on, with all that hangs on them, and the chunks
    and vectors that no edition has then; how many editions."""
    membership, edition = schema.membership.c, schema.edition
    kept = select(membership.edition_key).where(or_(membership.until.is_(None), membership.until > first))
    gone = select(edition.c.edition_key).where(edition.c.edition_key.not_in(kept))
    _delete_parts(connection, gone)
    removed = connection.execute(delete(edition).where(edition.c.edition_key.not_in(kept))).rowcount
    if removed:
        _delete_unheld(connection)
    return removed


def _delete_unheld(connection: Connection) -> None:
    held, texts = select(schema.edition_chunk.c.chunk_id), select(schema.chunk.c.content_sha256)
    connection.execute(delete(schema.chunk).where(schema.chunk.c.chunk_id.not_in(held)))
    connection.execute(delete(schema.vector).where(schema.vector.c.text_sha256.not_in(texts)))


def _delete_parts(connection: Connection, editions: Select[Any]) -> None:
    for table in _OF_EDITIONS:
        connection.execute(delete(table).where(table.c.edition_key.in_(editions)))
