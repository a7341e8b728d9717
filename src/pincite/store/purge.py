"""Taking text out of the record for good: all of a source, or the past that nobody needs any more."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, Select, delete, or_, select, update

from pincite.store import schema
from pincite.store.dialect import overwrite_deleted

_OF_EDITIONS = (
    *(schema.page, schema.block, schema.section, schema.document_name, schema.anchor, schema.chunk_anchor),
    *(schema.reference, schema.hyperlink, schema.place_name, schema.reference_link, schema.mention, schema.triplet),
    *(schema.edition_chunk, schema.membership, schema.masked_span),
)


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
    membership, edition, chunk = schema.membership.c, schema.edition, schema.chunk
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
    held = select(schema.edition_chunk.c.chunk_id)
    connection.execute(delete(chunk).where(chunk.c.chunk_id.not_in(held)))
    texts = select(chunk.c.content_sha256)
    connection.execute(delete(schema.vector).where(schema.vector.c.text_sha256.not_in(texts)))
    names = connection.execute(select(schema.source.c.source_key, schema.source.c.source_id)).all()
    return sorted(name for key, name in names if key in set(gone.values()))


def _policy_digest(versions_json: str) -> str:
    return str(json.loads(versions_json).get("policy", "")).rpartition("/")[2]


def purge_past(connection: Connection, first: int) -> int:
    """Delete the editions that are current at no revision from `first` on, with all that hangs on them, and the chunks
    and vectors that no edition has then; how many editions."""
    membership, edition, chunk = schema.membership.c, schema.edition, schema.chunk
    kept = select(membership.edition_key).where(or_(membership.until.is_(None), membership.until > first))
    gone = select(edition.c.edition_key).where(edition.c.edition_key.not_in(kept))
    _delete_parts(connection, gone)
    removed = connection.execute(delete(edition).where(edition.c.edition_key.not_in(kept))).rowcount
    if removed:
        held = select(schema.edition_chunk.c.chunk_id)
        connection.execute(delete(chunk).where(chunk.c.chunk_id.not_in(held)))
        texts = select(chunk.c.content_sha256)
        connection.execute(delete(schema.vector).where(schema.vector.c.text_sha256.not_in(texts)))
    return removed


def _delete_parts(connection: Connection, editions: Select[Any]) -> None:
    for table in _OF_EDITIONS:
        connection.execute(delete(table).where(table.c.edition_key.in_(editions)))
