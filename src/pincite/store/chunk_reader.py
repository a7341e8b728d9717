"""Chunks out of the record, fast: a question looks at more than a hundred of them."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Select, and_, select

from pincite.records.chunks import ChunkRecord
from pincite.store import rows, schema
from pincite.store.database import Prepared
from pincite.store.dialect import item, listed, listed_texts

KEPT_CHUNKS = 8192

Stamp = tuple[int, ...]


class ChunkReader:
    """Reads chunks as their latest edition has them, and keeps the last 8192 that were read: 30 to 70 MB.

    Questions to one store meet the same chunks again and again. A chunk's text never changes, but its latest
    edition may: what is kept holds for one stamp of the record, and is forgotten with the next commit.
    """

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
