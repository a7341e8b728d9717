"""A RecordStore in dictionaries: the oracle of the contract kit. Nothing of it survives the process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pincite.errors import StoreError
from pincite.ports import Vector
from pincite.records.chunks import ChunkRecord, Edition
from pincite.records.sources import Source, SourceState


class MemoryRecord:
    """States by source id, chunks by chunk id, vectors by model and text. A chunk is kept when its source goes."""

    def __init__(self) -> None:
        self._states: dict[str, SourceState] = {}
        self._chunks: dict[str, ChunkRecord] = {}
        self._vectors: dict[tuple[str, str], Vector] = {}

    def sources(self) -> list[SourceState]:
        """All sources that were ever handed in and not removed, by source id."""
        return [self._states[source_id] for source_id in sorted(self._states)]

    def put_edition(self, edition: Edition) -> None:
        """Make this edition the current one of its source."""
        self._chunks.update({chunk.chunk_id: chunk for chunk in edition.chunks})
        self._states[edition.source.source_id] = SourceState(
            source=edition.source,
            status="warned" if edition.warnings else "indexed",
            versions=dict(edition.versions),
            page_count=len(edition.document.pages),
            chunk_count=len(edition.chunks),
            warnings=edition.warnings,
        )

    def put_refusal(self, source: Source, reason: str, versions: Mapping[str, str]) -> None:
        """Remember that this source was refused; an earlier edition of it stays current no longer."""
        self._states[source.source_id] = SourceState(source, "refused", dict(versions), reason)

    def update_source(self, source: Source) -> None:
        """Store changed tags, acl, date, size or time of a source whose content is unchanged."""
        self._states[source.source_id] = replace(self._states[source.source_id], source=source)

    def remove_source(self, source_id: str) -> None:
        """End the membership of this source."""
        self._states.pop(source_id, None)

    def put_vectors(self, model_digest: str, vectors: Mapping[str, Vector]) -> None:
        """Store vectors by SHA-256 of their exact text; arrays are (windows, dimension)."""
        self._vectors.update({(model_digest, text_hash): rows for text_hash, rows in vectors.items()})

    def known_vectors(self, model_digest: str, text_hashes: Sequence[str]) -> set[str]:
        """Those of these texts that have vectors of this model."""
        return {text_hash for text_hash in text_hashes if (model_digest, text_hash) in self._vectors}

    def chunks(self, chunk_ids: Sequence[str]) -> list[ChunkRecord]:
        """These chunks, in the order asked for; StoreError for an unknown id."""
        try:
            return [self._chunks[chunk_id] for chunk_id in chunk_ids]
        except KeyError as error:
            raise StoreError(f"the record holds no chunk {error.args[0]}: run pincite verify") from error

    def close(self) -> None:
        """Nothing to let go of."""
