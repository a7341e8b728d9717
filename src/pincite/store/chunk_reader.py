"""Chunks out of the record, fast, since a question looks at more than a hundred of them; their vectors as the
specification names them; and whether they are as they were written."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from threading import Lock
from typing import Any

import numpy as np
from sqlalchemy import Connection, Select, and_, column, select, table

from pincite.ports import Vector
from pincite.records.chunks import ChunkRecord, EmbeddingRecord
from pincite.store import rows, schema
from pincite.store.database import Prepared
from pincite.store.dialect import begin_alone, engine_problems, item, known_views, listed, listed_texts, make_view

KEPT_CHUNKS = 8192
Stamp = tuple[int, ...]


class ChunkReader:
    """Reads chunks as their latest edition has them, and keeps the last 8192 (30 to 70 MB): questions to one store meet
    the same chunks again. A chunk's text never changes, but its latest edition may: what is kept is forgotten with the
    next commit."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, ChunkRecord] = OrderedDict()
        self._stamp: Stamp = ()
        self._lock = Lock()

    def kept(self, chunk_ids: Sequence[str], stamp: Stamp) -> dict[str, ChunkRecord]:
        """Those of these chunks that need no reading while the record has this stamp."""
        with self._lock:
            if stamp != self._stamp:
                self._kept.clear()
                self._stamp = stamp
            found = {chunk_id: self._kept[chunk_id] for chunk_id in chunk_ids if chunk_id in self._kept}
            for chunk_id in found:
                self._kept.move_to_end(chunk_id)
            return found

    def read(self, connection: Connection, chunk_ids: Sequence[str], stamp: Stamp) -> dict[str, ChunkRecord]:
        """Those of these chunks that the record holds; `stamp` was taken before the connection was."""
        found = _read(connection, chunk_ids)
        with self._lock:
            if stamp == self._stamp:
                self._kept |= found
            while len(self._kept) > KEPT_CHUNKS:
                self._kept.popitem(last=False)
        return found


def _read(connection: Connection, chunk_ids: Sequence[str]) -> dict[str, ChunkRecord]:
    read = _CHUNKS.rows(connection, ids=json.dumps(chunk_ids))
    found = [rows.ChunkRow(json.loads(offsets), *row) for offsets, *row in read]
    found.sort(key=lambda row: row.edition_key)
    labels = _labels(connection, {(row.edition_key, span[0]) for row in found for span in row.offsets["spans"]})
    return {row.chunk_id: rows.chunk_of(row, labels.get(row.edition_key, {})) for row in found}


def _labels(connection: Connection, pages: Iterable[tuple[int, int]]) -> dict[int, dict[int, str]]:
    """The printed labels of these pages (edition, number), where they have one."""
    labels: dict[int, dict[int, str]] = {}
    for key, number, label in _LABELS.rows(connection, pages=json.dumps(sorted(pages))):
        labels.setdefault(key, {})[number] = label
    return labels


def _make_chunks_statement() -> Select[Any]:
    """The columns of a ChunkRow, in its order, its offsets as JSON, for the chunk ids in the JSON array `ids`."""
    chunk, place, edition = schema.chunk, schema.edition_chunk, schema.edition
    wanted = select(listed_texts("ids"))
    return (
        select(
            *(chunk.c.offsets_json, edition.c.edition_key, chunk.c.chunk_id, chunk.c.source_type),
            *(chunk.c.source_ref_json, chunk.c.content, chunk.c.content_sha256, chunk.c.byte_count),
            *(chunk.c.policy_json, chunk.c.created_utc, chunk.c.raw_content, place.c.section_json),
            *(place.c.section_ordinal, place.c.section_number, place.c.locator),
            *(edition.c.language, edition.c.title, edition.c.paged),
        )
        .join_from(chunk, place, place.c.chunk_id == chunk.c.chunk_id)
        .join(edition, edition.c.edition_key == place.c.edition_key)
        .where(chunk.c.chunk_id.in_(wanted))
    )


def _make_labels_statement() -> Select[Any]:
    """Edition, page and label for the pairs (edition, page) in the JSON array `pages`."""
    page = schema.page.c
    pair = listed("pages")
    place = and_(page.edition_key == item(pair, 0), page.number == item(pair, 1))
    return select(page.edition_key, page.number, page.label).where(place, page.label.is_not(None))


_CHUNKS, _LABELS = Prepared(_make_chunks_statement()), Prepared(_make_labels_statement())
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
    found = connection.execute(_OF_CHUNKS, {"chunk_ids": json.dumps(list(chunk_ids))}).mappings()
    return [
        rows.record_of(EmbeddingRecord, row, vector=tuple(np.frombuffer(row["vector"], "<f4").tolist()))
        for row in found
    ]


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
