"""What the record holds of documents beside their text: sections, anchors, references and their targets, names, and
triplets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from sqlalchemy import (
    Column,
    Connection,
    MappingResult,
    Select,
    Table,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    tuple_,
    update,
)

from pincite.records.chunks import ChunkRecord, Mention
from pincite.records.outlines import Anchor, Hyperlink, Outline, PageStart, Reference, ReferenceLink, Section
from pincite.records.pages import PlaceName
from pincite.records.triplets import RelationStated, Triplet
from pincite.store import rows, schema
from pincite.store.database import Prepared
from pincite.store.dialect import TEXT_TYPE, item, listed
from pincite.store.past import CURRENT
from pincite.structure.lines import page_starts

PARAMETERS_AT_ONCE = 400
_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """Where a chunk of the current revision stands: its section, offsets in the joined text, and its spans as page,
    start and end."""

    chunk_id: str
    source_id: str
    section: int | None
    start: int
    end: int
    spans: Sequence[tuple[int, int, int]]


def outlines(connection: Connection, editions: Mapping[int, str]) -> list[Outline]:
    """The outlines of these editions (edition key to source id), by source id."""
    sections = _by_edition(connection, schema.section, editions, Section)
    anchors = _by_edition(connection, schema.anchor, editions, Anchor)
    references = _by_edition(connection, schema.reference, editions, Reference)
    hyperlinks = _by_edition(connection, schema.hyperlink, editions, Hyperlink)
    place_names = _by_edition(connection, schema.place_name, editions, PlaceName)
    names: dict[int, list[str]] = {}
    for row in _rows(connection, schema.document_name, editions):
        names.setdefault(row["edition_key"], []).append(row["name"])
    edition = schema.edition.c
    pageless = select(edition.edition_key).where(edition.paged == 0, _belongs_to(schema.edition, editions))
    running = set(connection.scalars(pageless))
    pages = _page_starts(connection, editions)
    return [
        Outline(
            source_id,
            tuple(names.get(key, ())),
            tuple(sections.get(key, ())),
            tuple(anchors.get(key, ())),
            tuple(references.get(key, ())),
            key not in running,
            () if key in running else pages.get(key, ()),
            tuple(hyperlinks.get(key, ())),
            tuple(place_names.get(key, ())),
        )
        for key, source_id in sorted(editions.items(), key=lambda item: item[1])
    ]


def sections(connection: Connection, editions: Mapping[int, str]) -> Sequence[Section]:
    """The sections of these editions, by edition in reading order."""
    return _of_all(_by_edition(connection, schema.section, editions, Section))


def references(connection: Connection, editions: Mapping[int, str]) -> Sequence[Reference]:
    """The references of these editions, by edition in reading order."""
    return _of_all(_by_edition(connection, schema.reference, editions, Reference))


def chunk_places(connection: Connection, editions: Mapping[int, str]) -> list[ChunkPlace]:
    """Where the chunks of these editions stand, by source id and index."""
    held, chunk = schema.edition_chunk, schema.chunk
    statement = (
        select(held.c.edition_key, held.c.chunk_id, held.c.section_ordinal, chunk.c.offsets_json)
        .join(chunk, chunk.c.chunk_id == held.c.chunk_id)
        .where(_belongs_to(held, editions))
        .order_by(held.c.edition_key, held.c.chunk_index)
    )
    found = [
        ChunkPlace(chunk_id, editions[key], section, at["start"], at["end"], at["spans"])
        for key, chunk_id, section, offsets in connection.execute(statement)
        for at in [json.loads(offsets)]
    ]
    return sorted(found, key=lambda place: place.source_id)


def _page_starts(connection: Connection, editions: Mapping[int, str]) -> dict[int, tuple[PageStart, ...]]:
    """Where the pages of these editions start."""
    page = schema.page.c
    columns = select(page.edition_key, page.number, func.length(page.text), page.label, page.section)
    wanted = columns.where(_belongs_to(schema.page, editions)).order_by(page.edition_key, page.number)
    found: dict[int, list[Any]] = {}
    for key, *part in connection.execute(wanted):
        found.setdefault(key, []).append(part)
    return {key: page_starts(parts) for key, parts in found.items()}


def links(connection: Connection, editions: Mapping[int, str]) -> list[ReferenceLink]:
    """Where the references of these editions lead now, by source id and ordinal."""
    table = schema.reference_link
    statement = select(table).where(table.c.until.is_(None), _belongs_to(table, editions))
    found = [
        rows.link_of(dict(row), editions[row["edition_key"]])
        for row in connection.execute(statement.order_by(table.c.edition_key, table.c.ordinal)).mappings()
    ]
    return sorted(found, key=lambda link: (link.source_id, link.reference))


def put_links(
    connection: Connection, editions: Mapping[int, str], wanted: Iterable[ReferenceLink], revision: int
) -> None:
    """Make these the links of these editions: what changed ends with this revision, what is new begins with it.
    What began and ended with it was never there."""
    keys = {source_id: key for key, source_id in editions.items()}
    new = {(keys[link.source_id], link.reference): link for link in wanted}
    old = {(keys[link.source_id], link.reference): link for link in links(connection, editions)}
    table = schema.reference_link
    ended = [key for key, link in old.items() if new.get(key) != link]
    for start in range(0, len(ended), PARAMETERS_AT_ONCE):
        place = tuple_(table.c.edition_key, table.c.ordinal)
        where = and_(table.c.until.is_(None), place.in_(ended[start : start + PARAMETERS_AT_ONCE]))
        connection.execute(update(table).where(where).values(until=revision))
    connection.execute(delete(table).where(table.c.since == revision, table.c.until == revision))
    begun = [
        rows.link_row(link, key, revision) for (key, _), link in new.items() if old.get((key, link.reference)) != link
    ]
    if begun:
        connection.execute(insert(table), begun)


def chunks_of_sections(connection: Connection, place: str) -> list[tuple[str, str]]:
    """(source id, chunk id) of the chunk that opens each current section of this place (`place_key`)."""
    return _pairs(connection, _OF_SECTIONS, place=place)


def chunks_of_anchors(connection: Connection, kinds: Sequence[str], number: str) -> list[tuple[str, str]]:
    """(source id, chunk id) of the chunk in which each current anchor of this number begins."""
    return _pairs(connection, _OF_ANCHORS, kinds=kinds, number=number)


def languages(connection: Connection) -> dict[str, str | None]:
    """The language of each current document, by source id."""
    columns = schema.source.c.source_id, CURRENT.c.language
    found = connection.execute(select(*columns).join(CURRENT, CURRENT.c.source_key == schema.source.c.source_key))
    return {row.source_id: row.language for row in found}


def document_names(connection: Connection) -> list[tuple[str, str]]:
    """(source id, name) of all current documents."""
    return _pairs(connection, _NAMES)


def _pairs(connection: Connection, statement: Select[Any], **asked: str | Sequence[str]) -> list[tuple[str, str]]:
    return [(source_id, found) for source_id, found in connection.execute(statement, asked)]


def _make_sections_statement() -> Select[Any]:
    """The chunks that open the sections of `place`."""
    section, held = schema.section.c, schema.edition_chunk.alias().c
    first = (
        select(held.chunk_index)
        .where(held.edition_key == section.edition_key, held.section_ordinal >= section.ordinal)
        .order_by(held.chunk_index)
        .limit(1)
    )
    return _current(_opening(schema.section, first).where(section.place == bindparam("place")))


def _make_anchors_statement() -> Select[Any]:
    """The chunks in which the anchors of these `kinds` and this `number` begin."""
    anchor, held = schema.anchor.c, schema.chunk_anchor.c
    first = (
        select(held.chunk_index)
        .where(held.edition_key == anchor.edition_key, held.anchor_ordinal == anchor.ordinal)
        .order_by(held.chunk_index)
        .limit(1)
    )
    wanted = and_(anchor.kind.in_(bindparam("kinds", expanding=True)), func.lower(anchor.number) == bindparam("number"))
    return _current(_opening(schema.anchor, first).where(wanted))


def _opening(table: Table, first: Select[Any]) -> Select[Any]:
    """Edition key and chunk id for each row of `table`, `first` being the index of its chunk."""
    piece = schema.edition_chunk.c
    found = and_(piece.edition_key == table.c.edition_key, piece.chunk_index == first.scalar_subquery())
    return select(piece.edition_key, piece.chunk_id).where(found)


def _current(chosen: Select[Any]) -> Select[Any]:
    """Rows (edition key, value) as (source id, value), those of current editions, in order."""
    rows_of = chosen.subquery()
    key, value = rows_of.c
    return (
        select(schema.source.c.source_id, value)
        .join(schema.edition, schema.edition.c.edition_key == key)
        .join(schema.membership, schema.membership.c.edition_key == key)
        .join(schema.source, schema.source.c.source_key == schema.edition.c.source_key)
        .where(schema.membership.c.until.is_(None))
        .order_by(schema.source.c.source_id, value)
    )


_OF_SECTIONS, _OF_ANCHORS = _make_sections_statement(), _make_anchors_statement()
_NAMES = _current(select(schema.document_name.c.edition_key, schema.document_name.c.name))


def _by_edition(
    connection: Connection, table: Table, editions: Mapping[int, str], kind: type[_Record]
) -> dict[int, list[_Record]]:
    found: dict[int, list[_Record]] = {}
    for row in _rows(connection, table, editions):
        found.setdefault(row["edition_key"], []).append(rows.record_of(kind, row))
    return found


def _rows(connection: Connection, table: Table, editions: Mapping[int, str]) -> MappingResult:
    statement = select(table).where(_belongs_to(table, editions)).order_by(table.c.edition_key, table.c.ordinal)
    return connection.execute(statement).mappings()


def _of_all(found: Mapping[int, list[_Record]]) -> Sequence[_Record]:
    return list(chain.from_iterable(found.values()))


def _belongs_to(table: Table, editions: Mapping[int, str]) -> Any:
    """A condition for rows of these editions, which are live ones: few are listed, of many all live ones are taken."""
    if len(editions) <= PARAMETERS_AT_ONCE:
        return table.c.edition_key.in_(editions)
    live = select(schema.membership.c.edition_key).where(schema.membership.c.until.is_(None))
    return table.c.edition_key.in_(live)


_Made = TypeVar("_Made")


def mentions(connection: Connection, editions: Mapping[int, str]) -> dict[str, list[Mention]]:
    """The mentions of these editions (edition key to source id) in reading order, by source id."""
    table = schema.mention.c
    columns = (table.kind, table.start, table.end, table.name, table.full)
    return _by_source(connection, editions, columns, (table.ordinal,), Mention)


def relations_stated(connection: Connection, editions: Mapping[int, str]) -> dict[str, list[RelationStated]]:
    """What the triplets of these editions (edition key to source id) tell, in reading order, by source id."""
    table = schema.triplet.c
    columns = (table.page, table.start, table.subject, table.object, table.confidence, table.name)
    return _by_source(connection, editions, columns, (table.page, table.start, table.ordinal), RelationStated)


def _by_source(
    connection: Connection,
    editions: Mapping[int, str],
    columns: Sequence[Column[Any]],
    order: Sequence[Column[Any]],
    make: Callable[..., _Made],
) -> dict[str, list[_Made]]:
    """What the rows of a table say of these editions, by source id."""
    key = columns[0].table.c.edition_key
    statement = select(key, *columns).where(key.in_(editions)).order_by(key, *order)
    found: dict[str, list[_Made]] = {}
    for edition, *row in connection.execute(statement):
        found.setdefault(editions[edition], []).append(make(*row))
    return found


def triplets(connection: Connection, editions: Sequence[int]) -> list[Triplet]:
    """The triplets of these editions in reading order."""
    table = schema.triplet.c
    statement = (
        select(*(table[name] for name in _COLUMNS))
        .where(table.edition_key.in_(editions))
        .order_by(table.edition_key, table.page, table.start, table.ordinal)
    )
    return [_triplet_of(row) for row in connection.execute(statement)]


def triplets_of_chunks(connection: Connection, chunks: Sequence[ChunkRecord]) -> dict[str, list[Triplet]]:
    """By chunk id the triplets whose sentence begins in the chunk, as the latest edition with the chunk has them."""
    spans = [[chunk.chunk_id, span.page, span.start, span.end] for chunk in chunks for span in chunk.spans]
    found: dict[str, list[Triplet]] = {chunk.chunk_id: [] for chunk in chunks}
    for chunk_id, *row in _OF_SPANS.rows(connection, spans=json.dumps(spans)):
        found[chunk_id].append(_triplet_of(row))
    return found


_COLUMNS = (
    *("page", "start", "end", "subject", "predicate", "name", "object"),
    *("subject_start", "subject_end", "object_start", "object_end", "confidence", "extractor", "version"),
)


def _make_spans_statement() -> Select[Any]:
    """Chunk id and triplet for each (chunk id, page, start, end) in the JSON array `spans`."""
    table, held = schema.triplet.c, schema.edition_chunk.c
    span = listed("spans")
    chunk_id, (page, start, end) = item(span, 0, TEXT_TYPE), (item(span, place) for place in range(1, 4))
    latest = select(func.max(held.edition_key)).where(held.chunk_id == chunk_id).scalar_subquery()
    return (
        select(chunk_id, *(table[name] for name in _COLUMNS))
        .where(table.edition_key == latest, table.page == page, table.start >= start, table.start < end)
        .order_by(table.page, table.start, table.ordinal)
    )


_OF_SPANS = Prepared(_make_spans_statement())


def _triplet_of(row: Sequence[Any]) -> Triplet:
    page, start, end, subject, predicate, name, target, *places, confidence, extractor, version = row
    return Triplet(
        *(page, start, end, subject, predicate, name, target),
        (places[0], places[1]),
        (places[2], places[3]),
        *(confidence, extractor, version),
    )
