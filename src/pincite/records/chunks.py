"""What a document is cut into, and all that is derived from one reading of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from pincite.records.outlines import Outline
from pincite.records.pages import Document, Span
from pincite.records.sources import Source
from pincite.records.triplets import Triplet

MentionKind = Literal["name", "opening", "term"]


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a document names something: `[start, end)` of its pages' texts joined by form feeds.

    `name` is in normal form (`graph.names.normal_name`); `full` is the longer name that it is short for. `opening`:
    one word that opens a sentence, so that its capital may mean nothing.
    """

    kind: MentionKind
    start: int
    end: int
    name: str
    full: str | None = None


@dataclass(frozen=True, slots=True)
class ChunkPolicy:
    """The settings of chunking (spec/phase3_rag.md) and of redaction; sizes in characters. `max_chunks_per_source` 0:
    no limit. `redact` are kinds of what is masked, `redact_patterns` a user's own: names and regular expressions.
    `keep_original` lets readings of before stay that masked less; it makes no other reading."""

    chunk_size: int = 2000
    overlap: int = 200
    max_chunks_per_source: int = 0
    version: str = "1.0"
    redact: tuple[str, ...] = ()
    redact_patterns: tuple[tuple[str, str], ...] = ()
    keep_original: bool = False

    @property
    def redacts(self) -> bool:
        """Whether anything is masked."""
        return bool(self.redact or self.redact_patterns)


@dataclass(frozen=True, slots=True)
class MaskedSpan:
    """Characters of a page that were masked before anything else saw them, and of which kind they were: never what."""

    kind: str
    span: Span


@dataclass(frozen=True, slots=True)
class ChunkRecord:
    """A bounded piece of text inside one section (spec/phase3_rag.md).

    `raw_content` is the canonical text, `content` the same with line ends and hyphenation mended;
    `start` and `end` are offsets in the joined text; `spans` has one span for each page touched.
    """

    chunk_id: str
    source_type: str
    source_ref: Mapping[str, Any]
    offsets: Mapping[str, Any]
    content: str
    content_sha256: str
    byte_count: int
    policy: Mapping[str, Any]
    created_utc: datetime
    source_id: str
    filename: str
    index: int
    start: int
    end: int
    raw_content: str
    spans: tuple[Span, ...]
    section: tuple[str, ...] = ()
    section_ordinal: int | None = None
    section_number: str | None = None
    language: str | None = None
    title: str | None = None
    paged: bool = True
    locator: str | None = None
    labels: tuple[str | None, ...] = ()

    def __hash__(self) -> int:
        return hash(self.chunk_id)

    @property
    def pages(self) -> tuple[int, ...]:
        """The parts touched, in order."""
        return tuple(span.page for span in self.spans)


@dataclass(frozen=True, slots=True)
class EmbeddingRecord:
    """The vector of one window of a chunk (spec/phase3_rag.md)."""

    embedding_id: str
    chunk_id: str
    embedding_model: str
    vector_dim: int
    vector: tuple[float, ...]
    vector_sha256: str
    created_utc: datetime


@dataclass(frozen=True, slots=True)
class Edition:
    """One reading of a source with all that was derived from it alone. `versions` decide what "unchanged" means."""

    source: Source
    document: Document
    versions: Mapping[str, str]
    outline: Outline
    chunks: tuple[ChunkRecord, ...]
    warnings: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    triplets: tuple[Triplet, ...] = ()
    masked: tuple[MaskedSpan, ...] = ()
