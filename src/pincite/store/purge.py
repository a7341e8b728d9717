"""Taking all text of a source out of the record, its past included."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, text, update

from pincite.store import schema

_OF_EDITIONS = (
    *(schema.page, schema.block, schema.section, schema.document_name, schema.anchor, schema.chunk_anchor),
    *(schema.reference, schema.reference_link, schema.mention, schema.triplet, schema.edition_chunk, schema.membership),
)


def purge_source(connection: Connection, key: str) -> None:
    """Delete the editions of a source with all that hangs on them, its chunks, and vectors of texts that no other chunk
    has; what is deleted is overwritten. Its row stays."""
    connection.execute(text("PRAGMA secure_delete = ON"))
    editions = select(schema.edition.c.edition_key).where(schema.edition.c.source_key == key)
    texts = select(schema.chunk.c.content_sha256).where(schema.chunk.c.source_key == key)
    others = select(schema.chunk.c.content_sha256).where(schema.chunk.c.source_key != key)
    stored = schema.vector.c.text_sha256
    connection.execute(delete(schema.vector).where(stored.in_(texts), stored.not_in(others)))
    for table in _OF_EDITIONS:
        connection.execute(delete(table).where(table.c.edition_key.in_(editions)))
    connection.execute(delete(schema.chunk).where(schema.chunk.c.source_key == key))
    connection.execute(delete(schema.edition).where(schema.edition.c.source_key == key))
    gone = {"status": "removed", "content_sha256": "", "versions_json": "{}", "reason": None, "chunk_count": 0}
    connection.execute(update(schema.source).where(schema.source.c.source_key == key).values(**gone))
