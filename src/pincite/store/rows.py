"""Records to rows of the tables, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from pincite.records.chunks import ChunkRecord, Edition, MaskedSpan
from pincite.records.pages import Page, Span
from pincite.records.plain import to_plain
from pincite.records.sources import Source, SourceState

Row = dict[str, Any]

_COMPACT = json.JSONEncoder(default=to_plain, ensure_ascii=False, separators=(",", ":"))


def source_key(source_id: str) -> str:
    """The SQL key of a source: SHA-256 of its id."""
    return hashlib.sha256(source_id.encode("utf-8", "surrogateescape")).hexdigest()


def edition_id(source: Source, versions: Mapping[str, str]) -> str:
    """SHA-256 over source id, content and versions: one id for each reading that may differ."""
    parts = [source.source_id, source.content_sha256, dump(dict(sorted(versions.items())))]
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()


def dump(value: Any) -> str:
    """Compact JSON of a record or plain value."""
    return _COMPACT.encode(value)


def now() -> str:
    """The present moment as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def source_row(
    source: Source, status: str, versions: Mapping[str, str], *, reason: str | None = None, chunk_count: int = 0
) -> Row:
    """The row of `source` for one source."""
    return {
        "source_key": source_key(source.source_id),
        "source_id": source.source_id,
        "source_type": source.source_type,
        "source_ref_json": _source_ref(source),
        "content_sha256": source.content_sha256,
        "size": source.size,
        "modified_ns": source.modified_ns,
        "date": source.date,
        "tags_json": dump(sorted(source.tags)),
        "acl_json": dump(sorted(source.acl)),
        "status": status,
        "reason": reason,
        "versions_json": dump(dict(sorted(versions.items()))),
        "last_indexed_utc": now(),
        "chunk_count": chunk_count,
    }


def _source_ref(source: Source) -> str:
    plain = {"source_id": source.source_id, "filename": source.filename, "uri": source.uri}
    return dump(plain | ({"stamp": source.stamp} if source.stamp else {}))


def source_of(row: Mapping[str, Any]) -> Source:
    """The Source that a row of `source` holds."""
    ref = json.loads(row["source_ref_json"])
    return Source(
        source_id=row["source_id"],
        source_type=row["source_type"],
        content_sha256=row["content_sha256"],
        size=row["size"],
        modified_ns=row["modified_ns"],
        tags=tuple(json.loads(row["tags_json"])),
        acl=tuple(json.loads(row["acl_json"])),
        date=row["date"],
        uri=ref.get("uri"),
        stamp=ref.get("stamp", ""),
    )


def source_state_of(
    row: Mapping[str, Any], masked: Mapping[str, int], acl_then: Iterable[tuple[str, ...]]
) -> SourceState:
    """The SourceState of a row of `source` joined with its current edition (whose columns may be None), how much of
    that is masked, and who might see it then."""
    source = source_of(row)
    return SourceState(
        source=replace(source, acl_then=tuple(acl for acl in acl_then if acl != source.acl)),
        status=row["status"],
        versions=_shared(row["versions_json"]),
        reason=row["reason"],
        page_count=row["page_count"] or 0,
        chunk_count=row["chunk_count"],
        warnings=tuple(json.loads(row["warnings_json"] or "[]")),
        masked=masked,
    )


def edition_row(edition: Edition) -> Row:
    """The row of `edition` for one edition."""
    document = edition.document
    return {
        "edition_id": edition_id(edition.source, edition.versions),
        "source_key": source_key(edition.source.source_id),
        "content_sha256": edition.source.content_sha256,
        "versions_json": dump(dict(sorted(edition.versions.items()))),
        "title": document.title,
        "language": document.language,
        "paged": int(document.paged),
        "locators": document.locators,
        "outline_json": dump(document.outline),
        "metadata_json": dump(dict(sorted(document.metadata.items()))),
        "warnings_json": dump(edition.warnings),
        "page_count": len(document.pages),
        "chunk_count": len(edition.chunks),
    }


def masked_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `masked_span`, in the order of the text."""
    return [
        {
            "edition_key": edition_key,
            "ordinal": ordinal,
            "kind": item.kind,
            "page": item.span.page,
            "start": item.span.start,
            "end": item.span.end,
        }
        for ordinal, item in enumerate(edition.masked)
    ]


def masked_of(row: Mapping[str, Any]) -> MaskedSpan:
    """The MaskedSpan of a row."""
    return MaskedSpan(row["kind"], Span(row["page"], row["start"], row["end"]))


def page_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `page`."""
    return [
        {
            "edition_key": edition_key,
            "number": page.number,
            "label": page.label,
            "section": page.section,
            "width": page.width,
            "height": page.height,
            "origin": page.origin,
            "text": page.text,
            "tables_json": dump(page.tables),
        }
        for page in edition.document.pages
    ]


def page_of(row: Mapping[str, Any]) -> Page:
    """The Page of a row, without blocks and tables."""
    return Page(
        row["number"],
        row["text"],
        label=row["label"],
        width=row["width"],
        height=row["height"],
        origin=row["origin"],
        section=row["section"],
    )


def block_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `block`, counted through the document in reading order."""
    blocks = [block for page in edition.document.pages for block in page.blocks]
    return [
        {
            "edition_key": edition_key,
            "ordinal": ordinal,
            "kind": block.kind,
            "page": block.span.page,
            "start": block.span.start,
            "end": block.span.end,
            "level": block.level,
            "locator": block.locator,
            "box_json": None if block.box is None else dump(block.box),
        }
        for ordinal, block in enumerate(blocks)
    ]


def chunk_row(chunk: ChunkRecord) -> Row:
    """The row of `chunk`: what is the same in every edition that shares it."""
    return {
        "chunk_id": chunk.chunk_id,
        "source_type": chunk.source_type,
        "source_ref_json": dump(chunk.source_ref),
        "offsets_json": dump(chunk.offsets),
        "content": chunk.content,
        "content_sha256": chunk.content_sha256,
        "byte_count": chunk.byte_count,
        "policy_json": dump(chunk.policy),
        "created_utc": chunk.created_utc.isoformat(timespec="seconds"),
        "raw_content": chunk.raw_content,
        "source_key": source_key(chunk.source_id),
    }


def edition_chunk_row(chunk: ChunkRecord, edition_key: int) -> Row:
    """The row of `edition_chunk`."""
    return {
        "edition_key": edition_key,
        "chunk_index": chunk.index,
        "chunk_id": chunk.chunk_id,
        "section_ordinal": chunk.section_ordinal,
        "section_number": chunk.section_number,
        "section_json": dump(chunk.section),
        "locator": chunk.locator,
    }


class ChunkRow(NamedTuple):
    """A row of `chunk` joined with `edition_chunk` and `edition`; `offsets` is decoded."""

    offsets: Mapping[str, Any]
    edition_key: int
    chunk_id: str
    source_type: str
    source_ref_json: str
    content: str
    content_sha256: str
    byte_count: int
    policy_json: str
    created_utc: str
    raw_content: str
    section_json: str
    section_ordinal: int | None
    section_number: str | None
    locator: str | None
    language: str | None
    title: str | None
    paged: int


def chunk_of(row: ChunkRow, labels: Mapping[int, str]) -> ChunkRecord:
    """The ChunkRecord of a row; `labels` are those of its edition's pages."""
    offsets, reference = row.offsets, _shared(row.source_ref_json)
    spans = tuple([Span(*span) for span in offsets["spans"]])
    return ChunkRecord(
        chunk_id=row.chunk_id,
        source_type=row.source_type,
        source_ref=reference,
        offsets=offsets,
        content=row.content,
        content_sha256=row.content_sha256,
        byte_count=row.byte_count,
        policy=_shared(row.policy_json),
        created_utc=datetime.fromisoformat(row.created_utc),
        source_id=reference["source_id"],
        filename=reference["filename"],
        index=offsets["index"],
        start=offsets["start"],
        end=offsets["end"],
        raw_content=row.raw_content,
        spans=spans,
        section=_section(row.section_json),
        section_ordinal=row.section_ordinal,
        section_number=row.section_number,
        language=row.language,
        title=row.title,
        paged=bool(row.paged),
        locator=row.locator,
        labels=tuple([labels.get(span.page) for span in spans]),
    )


@lru_cache(maxsize=1024)
def _shared(text: str) -> Mapping[str, Any]:
    """Chunks of one store share a policy or two, chunks of one source its reference, sources the versions that read
    them."""
    return MappingProxyType(json.loads(text))


@lru_cache(maxsize=1024)
def _section(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))
