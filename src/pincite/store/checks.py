"""Whether a record is as it was written: SQLite's own checks, and digests against what they were made of."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, select, text

from pincite.store import schema


def record_problems(connection: Connection) -> list[str]:
    """What is wrong, a line each."""
    found = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check")) if row[0] != "ok"]
    found += [f"foreign key of {row[0]}" for row in connection.execute(text("PRAGMA foreign_key_check"))]
    chunk, vector = schema.chunk.c, schema.vector.c
    for chunk_id, content, digest in connection.execute(select(chunk.chunk_id, chunk.content, chunk.content_sha256)):
        if hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest() != digest:
            found.append(f"chunk {chunk_id}: content does not fit its SHA-256")
    for key, packed, digest in connection.execute(select(vector.text_sha256, vector.vector, vector.vector_sha256)):
        if hashlib.sha256(packed).hexdigest() != digest:
            found.append(f"vector of text {key}: does not fit its SHA-256")
    return found
