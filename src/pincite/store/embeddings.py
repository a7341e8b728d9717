"""The views of the record, and the vectors of chunks as the specification names them (spec/phase3_rag.md)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np
from sqlalchemy import Connection, column, select, table

from pincite.ports import Vector
from pincite.records.chunks import EmbeddingRecord
from pincite.store import rows, schema
from pincite.store.dialect import begin_alone, known_views, listed_texts, make_view

_VIEW = table(
    "embedding",
    *map(column, ("embedding_id", "chunk_id", "embedding_model", "vector_dim", "vector", "vector_sha256")),
    *map(column, ("created_utc", "window")),
)
_OF_CHUNKS = (
    select(_VIEW)
    .where(_VIEW.c.chunk_id.in_(select(listed_texts("chunk_ids"))))
    .order_by(_VIEW.c.chunk_id, _VIEW.c.embedding_model, _VIEW.c.window)
)


def make_views(connection: Connection) -> None:
    """Make the views of the record, anew where an older pincite made them otherwise."""
    if not _outdated(connection):
        return
    begin_alone(connection, "views")
    for name, definition in _outdated(connection).items():
        make_view(connection, name, definition)


def _outdated(connection: Connection) -> dict[str, str]:
    """The views that are missing or made otherwise, with their definitions."""
    known = known_views(connection)
    wanted = {name: definition.strip() for name, definition in schema.VIEWS.items()}
    return {name: definition for name, definition in wanted.items() if known.get(name) != definition}


def vector_rows(model_digest: str, vectors: Mapping[str, Vector]) -> list[rows.Row]:
    """The rows of `vector` for the vectors of one model, by SHA-256 of their text; arrays are (windows, dimension)."""
    created = rows.now()
    return [
        {
            "model_digest": model_digest,
            "text_sha256": text_sha256,
            "window": window,
            "dimension": len(vector),
            "vector": packed,
            "vector_sha256": hashlib.sha256(packed).hexdigest(),
            "created_utc": created,
        }
        for text_sha256, array in vectors.items()
        for window, vector in enumerate(array)
        for packed in [vector.astype("<f4").tobytes()]
    ]


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
