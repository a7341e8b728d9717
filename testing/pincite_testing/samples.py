"""Editions and chunks made up for tests: consistent, deterministic, without any reading."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime

from pincite.records.chunks import ChunkRecord, Edition
from pincite.records.outlines import Outline, Section
from pincite.records.pages import Block, Document, Page, Span
from pincite.records.sources import Source

CREATED = datetime(2026, 1, 1, tzinfo=UTC)


def sha256(text: str) -> str:
    """The hex digest of a text's UTF-8 bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def sample_source(source_id: str, content: str, tags: Sequence[str] = ()) -> Source:
    """A source whose bytes are this text."""
    return Source(source_id, "text/plain", sha256(content), size=len(content), tags=tuple(sorted(tags)))


def sample_edition(
    source_id: str, pages: Sequence[str], *, tags: Sequence[str] = (), warnings: Sequence[str] = ()
) -> Edition:
    """A paged document with one paragraph, one section and one chunk a page; pages are labelled i, ii, ..."""
    source = sample_source(source_id, "\f".join(pages), tags)
    document = Document(
        pages=tuple(_page(number, text) for number, text in enumerate(pages, start=1)),
        reader="sample 1",
        title=f"About {source_id}",
        language="en",
        metadata={"author": "nobody"},
        warnings=tuple(warnings),
    )
    starts = [sum(len(text) + 1 for text in pages[:index]) for index in range(len(pages))]
    placed = list(enumerate(zip(starts, pages, strict=True)))
    return Edition(
        source=source,
        document=document,
        versions={"reader": "sample 1", "policy": "1.0"},
        outline=Outline(source_id, sections=tuple(_section(index, start, text) for index, (start, text) in placed)),
        chunks=tuple(_chunk(source, document, index, start, text) for index, (start, text) in placed),
        warnings=tuple(warnings),
    )


def _page(number: int, text: str) -> Page:
    return Page(number, text, (Block("paragraph", Span(number, 0, len(text))),), label="i" * number)


def _section(ordinal: int, start: int, text: str) -> Section:
    number = str(ordinal + 1)
    return Section(
        ordinal, number, f"Part {number}", 1, None, (number,), ordinal + 1, ordinal + 1, start, start + len(text)
    )


def _chunk(source: Source, document: Document, index: int, start: int, text: str) -> ChunkRecord:
    end, page = start + len(text), index + 1
    lines = [f"{source.source_id}@{source.content_sha256}", str(index), str(start), str(end), "1.0"]
    return ChunkRecord(
        chunk_id=sha256("\n".join(lines)),
        source_type=source.source_type,
        source_ref={"source_id": source.source_id, "filename": source.filename, "uri": None},
        offsets={"index": index, "start": start, "end": end, "spans": [[page, 0, len(text)]]},
        content=text,
        content_sha256=sha256(text),
        byte_count=len(text.encode("utf-8", "surrogateescape")),
        policy={"version": "1.0"},
        created_utc=CREATED,
        source_id=source.source_id,
        filename=source.filename,
        index=index,
        start=start,
        end=end,
        raw_content=text,
        spans=(Span(page, 0, len(text)),),
        section=(str(page),),
        section_ordinal=index,
        language=document.language,
        title=document.title,
        labels=("i" * page,),
    )
