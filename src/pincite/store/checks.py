"""Whether a record is as it was written: the engine's own checks, and digests against what they were made of."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, select

from pincite.store import schema
from pincite.store.dialect import engine_problems


def record_problems(connection: Connection) -> list[str]:
    """What is wrong, a line each."""
    found = engine_problems(connection)
    chunk, vector = schema.chunk.c, schema.vector.c
    for chunk_id, content, digest in connection.execute(select(chunk.chunk_id, chunk.content, chunk.content_sha256)):
        if hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest() != digest:
            found.append(f"chunk {chunk_id}: content does not fit its SHA-256")
    for key, packed, digest in connection.execute(select(vector.text_sha256, vector.vector, vector.vector_sha256)):
        if hashlib.sha256(packed).hexdigest() != digest:
            found.append(f"vector of text {key}: does not fit its SHA-256")
    return found
