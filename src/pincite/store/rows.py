"""Records to rows of the tables, and back."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import RowMapping, Table

from pincite.records.chunks import ChunkRecord, Edition, MaskedSpan
from pincite.records.outlines import Outline, ReferenceLink
from pincite.records.pages import Page, Span
from pincite.records.plain import field_makers, to_plain
from pincite.records.sources import Source, SourceState
from pincite.records.triplets import Triplet
from pincite.store import schema
from pincite.structure.places import place_key
from pincite.structure.works import numbers_in_work

Row = dict[str, Any]

JSON = "_json"
_Record = TypeVar("_Record")
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


def row_of(table: Table, record: object, **others: Any) -> Row:
    """The row of a table for a record: each column holds the field of its name, NAME_json that as JSON; `others` are
    the columns that are no field of it."""
    names = table.columns.keys()
    return {name: others[name] if name in others else _stored(record, name) for name in names}


def record_of(kind: type[_Record], row: Mapping[str, Any] | RowMapping, **others: Any) -> _Record:
    """The record that a row holds; `others` are the fields that are no column of it."""
    wanted: Any = kind
    places, makers = _fields_in(wanted, tuple(row))
    values = tuple(row.values())
    for name, place in places:
        if name not in others:
            maker = makers.get(name)
            others[name] = maker(values[place]) if maker else values[place]
    return kind(**others)


@lru_cache(maxsize=64)
def _fields_in(kind: Any, columns: tuple[str, ...]) -> tuple[list[tuple[str, int]], dict[str, Callable[[Any], Any]]]:
    """Which fields of a kind of record stand where in rows of these columns, and what makes them of what stands
    there."""
    fields = {item.name for item in dataclass_fields(kind)}
    makers = field_makers(kind)
    found = [(column.removesuffix(JSON), place) for place, column in enumerate(columns)]
    for column in columns:
        if column.endswith(JSON):
            name = column.removesuffix(JSON)
            makers[name] = partial(_from_json, makers.get(name))
    return [(name, place) for name, place in found if name in fields], makers


def _from_json(maker: Callable[[Any], Any] | None, text: str | None) -> Any:
    if text is None:
        return None
    plain = json.loads(text)
    return maker(plain) if maker else plain


def _stored(record: object, column: str) -> Any:
    value = getattr(record, column.removesuffix(JSON))
    if column.endswith(JSON):
        return None if value is None else dump(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return int(value) if isinstance(value, bool) else value


def _numbered(
    table: Table, records: Sequence[Any], edition_key: int, others: Callable[[Any], Row] = lambda _: {}
) -> list[Row]:
    """The rows of a table of an edition for these records, counted from 0."""
    return [
        row_of(table, record, edition_key=edition_key, ordinal=ordinal, **others(record))
        for ordinal, record in enumerate(records)
    ]


def source_row(
    source: Source, status: str, versions: Mapping[str, str], *, reason: str | None = None, chunk_count: int = 0
) -> Row:
    """The row of `source` for one source."""
    return row_of(
        schema.source,
        source,
        source_key=source_key(source.source_id),
        source_ref_json=_source_ref(source),
        tags_json=dump(sorted(source.tags)),
        acl_json=dump(sorted(source.acl)),
        status=status,
        reason=reason,
        versions_json=dump(dict(sorted(versions.items()))),
        last_indexed_utc=now(),
        chunk_count=chunk_count,
    )


def _source_ref(source: Source) -> str:
    plain = {"source_id": source.source_id, "filename": source.filename, "uri": source.uri}
    return dump(plain | ({"stamp": source.stamp} if source.stamp else {}))


def source_of(row: Mapping[str, Any]) -> Source:
    """The Source that a row of `source` holds."""
    ref = json.loads(row["source_ref_json"])
    return record_of(Source, row, uri=ref.get("uri"), stamp=ref.get("stamp", ""))


def source_state_of(
    row: Mapping[str, Any], masked: Mapping[str, int], acl_then: Iterable[tuple[str, ...]]
) -> SourceState:
    """The SourceState of a row of `source` joined with its current edition (whose columns may be None), with the number
    of masked places, and who could see it then."""
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


def masked_of(row: Mapping[str, Any]) -> MaskedSpan:
    """The MaskedSpan of a row."""
    return MaskedSpan(row["kind"], Span(row["page"], row["start"], row["end"]))


def page_of(row: Mapping[str, Any]) -> Page:
    """The Page of a row, without blocks and tables."""
    return record_of(Page, row, tables=())


def chunk_row(chunk: ChunkRecord) -> Row:
    """The row of `chunk`: what is the same in every edition that shares it."""
    created = chunk.created_utc.isoformat(timespec="seconds")
    return row_of(schema.chunk, chunk, created_utc=created, source_key=source_key(chunk.source_id))


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


def rows_of_edition(edition: Edition, key: int) -> list[tuple[Table, list[Row]]]:
    """By table the rows of all that hangs on an edition, its chunks apart."""
    pages, outline = edition.document.pages, edition.outline
    blocks = [block for page in pages for block in page.blocks]
    names = [{"edition_key": key, "ordinal": ordinal, "name": name} for ordinal, name in enumerate(outline.names)]
    return [
        (schema.page, [row_of(schema.page, page, edition_key=key) for page in pages]),
        (schema.block, _numbered(schema.block, blocks, key, lambda block: to_plain(block.span))),
        (schema.masked_span, _numbered(schema.masked_span, edition.masked, key, lambda item: to_plain(item.span))),
        (schema.section, _section_rows(outline, key)),
        (schema.document_name, names),
        (schema.anchor, [row_of(schema.anchor, item, edition_key=key) for item in outline.anchors]),
        (schema.reference, [row_of(schema.reference, item, edition_key=key) for item in outline.references]),
        (schema.hyperlink, _numbered(schema.hyperlink, outline.hyperlinks, key)),
        (schema.place_name, _numbered(schema.place_name, outline.place_names, key)),
        (schema.chunk_anchor, chunk_anchor_rows(edition, key)),
        (schema.mention, _numbered(schema.mention, edition.mentions, key)),
        (schema.triplet, _numbered(schema.triplet, edition.triplets, key, _places_of_triplet)),
    ]


def _section_rows(outline: Outline, key: int) -> list[Row]:
    sections = outline.sections
    places = numbers_in_work(sections) if outline.hyperlinks else [place_key(item.number or "") for item in sections]
    return [
        row_of(schema.section, section, edition_key=key, place=place)
        for section, place in zip(sections, places, strict=True)
    ]


def _places_of_triplet(triplet: Triplet) -> Row:
    names = ("subject_start", "subject_end", "object_start", "object_end")
    return dict(zip(names, (*triplet.subject_place, *triplet.object_place), strict=True))


def chunk_anchor_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `chunk_anchor`: which anchors begin or go on in a chunk."""
    starts, ends = [chunk.start for chunk in edition.chunks], [chunk.end for chunk in edition.chunks]
    return [
        {"edition_key": edition_key, "chunk_index": chunk.index, "anchor_ordinal": anchor.ordinal}
        for anchor in edition.outline.anchors
        for chunk in edition.chunks[bisect_right(ends, anchor.start) : bisect_left(starts, anchor.end)]
    ]


def link_row(link: ReferenceLink, edition_key: int, since: int) -> Row:
    """The row of `reference_link`."""
    return row_of(schema.reference_link, link, edition_key=edition_key, ordinal=link.reference, since=since, until=None)


def link_of(row: Mapping[str, Any], source_id: str) -> ReferenceLink:
    """The ReferenceLink of a row."""
    return record_of(ReferenceLink, row, source_id=source_id, reference=row["ordinal"])
