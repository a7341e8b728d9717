"""What the record knows of one document, kept between questions: their evidence meets the same documents again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

from pincite.records.outlines import Reference, ReferenceLink, Section
from pincite.store.sql_record import SqlRecord
from pincite.store.sql_structure import ChunkPlace

KEPT_DOCUMENTS = 32


class KnownDocument:
    """A document of the current revision; each of its parts, in reading order, is read when it is first asked for."""

    def __init__(self, record: SqlRecord, source_id: str) -> None:
        self._record = record
        self._source_id = source_id

    @cached_property
    def sections(self) -> Sequence[Section]:
        """Its sections."""
        return self._record.sections(self._source_id)

    @cached_property
    def references(self) -> Sequence[Reference]:
        """Its references as written."""
        return self._record.references(self._source_id)

    @cached_property
    def links(self) -> list[ReferenceLink]:
        """Where its references lead."""
        return self._record.links(self._source_id)

    @cached_property
    def places(self) -> list[ChunkPlace]:
        """Where its chunks stand."""
        return self._record.chunk_places(self._source_id)


def documents_of(record: SqlRecord) -> Callable[[str], KnownDocument]:
    """A function that gives a document by its source id; the last 32 are kept until the record changes."""
    read = lru_cache(maxsize=KEPT_DOCUMENTS)(lambda _, source_id: KnownDocument(record, source_id))

    def document(source_id: str) -> KnownDocument:
        return read(record.stamp(), source_id)

    return document
