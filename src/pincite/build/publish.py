"""From the record to a published generation: all derived indexes of one revision, built aside (DESIGN.md section 5)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pincite.ports import Embedder, KeywordIndex, VectorIndex
from pincite.store.generations import Generations, Ordinals
from pincite.store.sql_record import LiveChunk, SqlRecord, stack_vectors
from pincite.text.tokens import tokenise

TOKENS_VERSION = "4"


@dataclass(frozen=True, slots=True)
class IndexMakers:
    """How the empty indexes of a folder are made."""

    vectors: Callable[[Path, int], VectorIndex]
    keywords: Callable[[Path], KeywordIndex]


def publish(record: SqlRecord, generations: Generations, embedder: Embedder | None, makers: IndexMakers) -> str:
    """Publish the record's current revision, unless the current generation is of the very same content.

    Returns the digest of the generation.
    """
    digest = generation_digest(record, embedder)
    current = generations.current()
    if current is not None and current.endswith(digest[:16]) and not generations.problems():
        return digest
    chunks = list(record.live_chunks())
    ordinals = Ordinals.of([chunk.chunk_id for chunk in chunks], [chunk.source_id for chunk in chunks])
    facts = {
        "model": None if embedder is None else embedder.digest,
        "dimension": 0 if embedder is None else embedder.dimension,
        "languages": sorted({chunk.language or "" for chunk in chunks}),
    }

    def fill(folder: Path) -> None:
        _fill_keywords(makers.keywords(folder / "keywords"), chunks)
        if embedder is not None:
            _fill_vectors(makers.vectors(folder / "vectors", embedder.dimension), record, embedder, chunks)

    generations.publish(record.revision(), digest, ordinals, facts, fill)
    generations.collect()
    return digest


def generation_digest(record: SqlRecord, embedder: Embedder | None) -> str:
    """A digest of the sorted (source id, content SHA-256, versions) and the model: never a counter or a time."""
    states = [state for state in record.sources() if state.status in ("indexed", "warned")]
    content: dict[str, Any] = {
        "sources": sorted((s.source.source_id, s.source.content_sha256, sorted(s.versions.items())) for s in states),
        "model": None if embedder is None else embedder.digest,
        "tokens": TOKENS_VERSION,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def keyword_fields(chunk: LiveChunk) -> Mapping[str, Sequence[str]]:
    """What the keyword index holds of a chunk: its own words, and those of the headings above that it lacks."""
    content = " ".join(chunk.content.split())
    above = " ".join(heading for heading in chunk.section if heading not in content)
    return {"body": tokenise(chunk.content, chunk.language), "heading": tokenise(above, chunk.language)}


def _fill_keywords(index: KeywordIndex, chunks: Iterable[LiveChunk]) -> None:
    index.replace(keyword_fields(chunk) for chunk in chunks)
    index.close()


def _fill_vectors(index: VectorIndex, record: SqlRecord, embedder: Embedder, chunks: Sequence[LiveChunk]) -> None:
    known = record.vectors(embedder.digest)
    packed = [known.get(chunk.content_sha256, []) for chunk in chunks]
    vectors, owners = stack_vectors(packed, embedder.dimension)
    index.replace(vectors, owners.astype(np.int32))
    index.close()
