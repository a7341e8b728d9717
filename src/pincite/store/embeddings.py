"""The views of the record, and the vectors of chunks as the specification names them (spec/phase3_rag.md)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

import numpy as np
from sqlalchemy import Connection, text

from pincite.records import EmbeddingRecord
from pincite.store import schema

_OF_CHUNKS = text(
    "SELECT embedding_id, chunk_id, embedding_model, vector_dim, vector, vector_sha256, created_utc FROM embedding "
    "WHERE chunk_id IN (SELECT value FROM json_each(:chunk_ids)) ORDER BY chunk_id, embedding_model, window"
)


def make_views(connection: Connection) -> None:
    """Make the views of the record, anew where an older pincite made them otherwise."""
    found = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'view'"))
    known = {str(name): str(definition) for name, definition in found}
    for name, definition in schema.VIEWS.items():
        if known.get(name) == definition.strip():
            continue
        connection.execute(text(f"DROP VIEW IF EXISTS {name}"))
        connection.execute(text(definition.strip()))


def embeddings_of(connection: Connection, chunk_ids: Sequence[str]) -> list[EmbeddingRecord]:
    """The vectors of these chunks, by chunk id, window by window."""
    return [
        EmbeddingRecord(
            embedding_id=row.embedding_id,
            chunk_id=row.chunk_id,
            embedding_model=row.embedding_model,
            vector_dim=row.vector_dim,
            vector=tuple(np.frombuffer(row.vector, "<f4").tolist()),
            vector_sha256=row.vector_sha256,
            created_utc=datetime.fromisoformat(row.created_utc),
        )
        for row in connection.execute(_OF_CHUNKS, {"chunk_ids": json.dumps(list(chunk_ids))})
    ]
