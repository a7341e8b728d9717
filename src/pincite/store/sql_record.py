"""The system of record in SQL (SQLAlchemy Core; SQLite, or PostgreSQL)."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from sqlalchemy import Connection, and_, func, insert, select, text, update

from pincite.errors import StoreError, UsageError
from pincite.ports import Vector
from pincite.records.chunks import ChunkRecord, Edition, EmbeddingRecord, MaskedSpan
from pincite.records.outlines import Outline, Reference, ReferenceLink, Section
from pincite.records.pages import Page
from pincite.records.sources import Source, SourceState
from pincite.records.triplets import Triplet
from pincite.store import live, rows, schema, sql_structure
from pincite.store.chunk_reader import ChunkReader, embeddings_of, make_views, record_problems, vector_rows
from pincite.store.database import Place
from pincite.store.dialect import upsert
from pincite.store.live import LiveChunk, LiveDocument, LivePart
from pincite.store.membership import (
    access_of_chunk,
    access_then,
    end_membership,
    has_membership,
    masked_counts,
    new_revision,
    note_access,
    once_closed,
    store_edition,
    upsert_source,
)
from pincite.store.opening import open_database
from pincite.store.past import CURRENT, current_editions, past_views, purge_other_policies, purge_past, purge_source
from pincite.store.sql_structure import ChunkPlace

PARAMETERS_AT_ONCE = 500
_Found = TypeVar("_Found")
FIRST_REVISION = "first_revision"


class SqlRecord:
    """Sources, editions, chunks and vectors; every change of documents is one transaction and one revision.

    With a `revision` it is the record as it was then, for reading; its links may be made anew where it is `to_link`.
    """

    def __init__(self, place: Place, revision: int | None = None, *, to_link: bool = False) -> None:
        self._place = place
        self._revision = revision
        views = () if revision is None else past_views(revision, to_link=to_link)
        self._database = open_database(place, schema.record, views, has_own_tables=to_link)
        if revision is None:
            with self._database.transaction() as connection:
                make_views(connection)
            self._check_schema()
        self._chunks = ChunkReader()

    def close(self) -> None:
        """Let go of the connections."""
        self._database.close()

    def writer_lock(self) -> AbstractContextManager[None]:
        """Take the store's only writer lock; StoreError names its holder."""
        return self._database.writer_lock()

    def left_by_purge(self) -> str:
        """What a purge cannot reach, and who can; empty where it reaches everything."""
        return self._database.left_by_purge()

    # --- what the store remembers of itself

    def setting(self, name: str) -> str | None:
        """A value that the store remembers (schema version, models, policy)."""
        with self._database.reading() as connection:
            value: str | None = connection.scalar(select(schema.meta.c.value).where(schema.meta.c.name == name))
            return value

    def remember(self, name: str, value: str) -> None:
        """Store such a value."""
        statement = upsert(schema.meta).values(name=name, value=value)
        with self._writing() as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))

    def stamp(self) -> tuple[int, ...]:
        """A value that changes whenever anybody has committed to the record."""
        return self._database.stamp()

    def past(self, revision: int, *, to_link: bool = False) -> SqlRecord:
        """The record as it was at this revision; the caller closes it."""
        return SqlRecord(self._place, revision, to_link=to_link)

    def revision_at(self, moment: str) -> int:
        """The number of the last change until the end of a day, month or second in UTC (an ISO date or its beginning);
        0 where there was none."""
        table = schema.revision.c
        until = func.substr(table.created_utc, 1, len(moment)) <= moment
        with self._database.reading() as connection:
            return connection.scalar(select(func.max(table.number)).where(until)) or 0

    def revision(self) -> int:
        """The number of the latest change of documents; 0 for an empty store."""
        with self._database.reading() as connection:
            return connection.scalar(select(func.max(schema.revision.c.number))) or 0

    def changed_utc(self) -> str | None:
        """When documents changed last; None for an empty store."""
        with self._database.reading() as connection:
            found: str | None = connection.scalar(select(func.max(schema.revision.c.created_utc)))
            return found

    def first_revision(self) -> int:
        """The number of the first revision of which all is still kept."""
        return int(self.setting(FIRST_REVISION) or 1)

    def forget_before(self, first: int) -> int:
        """Delete the editions that only revisions before this one have; how many."""
        if first > self.first_revision():
            self.remember(FIRST_REVISION, str(first))
        with self._writing() as connection:
            return purge_past(connection, first)

    # --- sources and editions

    def sources(self) -> list[SourceState]:
        """All sources that were handed in and not removed, by source id."""
        columns = [CURRENT.c.edition_key, CURRENT.c.page_count, CURRENT.c.warnings_json]
        statement = (
            select(schema.source, *columns)
            .outerjoin(CURRENT, CURRENT.c.source_key == schema.source.c.source_key)
            .where(schema.source.c.status.not_in(("removed", "vanished")))
            .order_by(schema.source.c.source_id)
        )
        with self._database.reading() as connection:
            masked = masked_counts(connection)
            then = {} if self._revision is None else access_then(connection, self._revision)
            found = connection.execute(statement).mappings().all()
        return [
            rows.source_state_of(dict(row), masked.get(row["edition_key"], {}), then.get(row["source_key"], ()))
            for row in found
        ]

    def put_edition(self, edition: Edition) -> None:
        """Make this edition the current one of its source, in one transaction."""
        status = "warned" if edition.warnings else "indexed"
        with self._writing() as connection:
            key = rows.source_key(edition.source.source_id)
            number = new_revision(connection, "put", key)
            row = rows.source_row(edition.source, status, edition.versions, chunk_count=len(edition.chunks))
            note_access(connection, row, number)
            upsert_source(connection, row)
            end_membership(connection, key, number)
            edition_key = store_edition(connection, edition)
            connection.execute(insert(schema.membership), {"edition_key": edition_key, "since": number, "until": None})

    def put_refusal(self, source: Source, reason: str, versions: Mapping[str, str]) -> None:
        """Remember that this source was refused; an earlier edition of it is no longer current."""
        with self._writing() as connection:
            key = rows.source_key(source.source_id)
            row = rows.source_row(source, "refused", versions, reason=reason)
            number = new_revision(connection, "refuse", key) if has_membership(connection, key) else None
            note_access(connection, row, number)
            upsert_source(connection, row)
            if number is not None:
                end_membership(connection, key, number)

    def update_source(self, source: Source) -> None:
        """Store changed tags, acl, date, size or time of a source whose content is unchanged."""
        changed = rows.source_row(source, "indexed", {})
        kept = ("source_key", "source_id", "status", "reason", "versions_json", "last_indexed_utc", "chunk_count")
        values = {name: value for name, value in changed.items() if name not in kept}
        with self._writing() as connection:
            note_access(connection, changed)
            where = schema.source.c.source_key == changed["source_key"]
            connection.execute(update(schema.source).where(where).values(**values))

    def remove_source(self, source_id: str, *, vanished: bool = False) -> None:
        """End the membership of this source. One whose file has `vanished` stays visible in the store's past."""
        key = rows.source_key(source_id)
        status = "vanished" if vanished else "removed"
        with self._writing() as connection:
            where = schema.source.c.source_key == key
            connection.execute(update(schema.source).where(where).values(status=status, chunk_count=0))
            if has_membership(connection, key):
                end_membership(connection, key, new_revision(connection, "remove", key))

    def ever_held(self) -> dict[str, tuple[str, ...]]:
        """The `acl` of all sources that were ever handed in, of removed ones too, by their ids, sorted."""
        columns = schema.source.c.source_id, schema.source.c.acl_json
        with self._database.reading() as connection:
            found = connection.execute(select(*columns).order_by(schema.source.c.source_id)).all()
        return {source_id: tuple(json.loads(acl)) for source_id, acl in found}

    def once_closed(self) -> list[tuple[str, int, tuple[str, ...]]]:
        """(source id, revision, tags): up to which revision a source was closed to everybody without one of these
        tags."""
        return self._read(once_closed)

    def access_of_chunk(self, chunk_id: str) -> list[tuple[str, ...]]:
        """The tags of those who could see a chunk that no current edition has, while one had it."""
        return self._read(access_of_chunk, chunk_id)

    def purge_source(self, source_id: str) -> None:
        """Forget all text of this source, of earlier revisions too; UsageError where it was never handed in."""
        key = rows.source_key(source_id)
        with self._writing() as connection:
            if connection.scalar(select(schema.source.c.source_key).where(schema.source.c.source_key == key)) is None:
                raise UsageError(f"the store never held a source {source_id!r}: pincite status lists them")
            if has_membership(connection, key):
                end_membership(connection, key, new_revision(connection, "remove", key))
            purge_source(connection, key)

    # --- vectors

    def put_vectors(self, model_digest: str, vectors: Mapping[str, Vector]) -> None:
        """Store vectors by SHA-256 of their exact text; arrays are (windows, dimension)."""
        if values := vector_rows(model_digest, vectors):
            with self._writing() as connection:
                connection.execute(upsert(schema.vector).on_conflict_do_nothing(), values)

    def known_vectors(self, model_digest: str, text_hashes: Sequence[str]) -> set[str]:
        """Those of these texts that have vectors of this model."""
        found: set[str] = set()
        with self._database.reading() as connection:
            for part in _parts(text_hashes):
                where = and_(schema.vector.c.model_digest == model_digest, schema.vector.c.text_sha256.in_(part))
                found.update(connection.scalars(select(schema.vector.c.text_sha256).where(where).distinct()))
        return found

    def chunk_vectors(self, model_digest: str) -> Iterator[list[bytes]]:
        """For each chunk of the current revision, in the order of `live_chunks`, its packed vectors of this model,
        window by window."""
        for part in live.parts(self.documents()):
            yield from self._read(live.vectors_of, part, model_digest)

    def embeddings(self, chunk_ids: Sequence[str]) -> list[EmbeddingRecord]:
        """The vectors of these chunks, by chunk id."""
        return self._read(embeddings_of, chunk_ids)

    # --- chunks

    def documents(self) -> list[LiveDocument]:
        """The documents of the current revision that have chunks, by source id."""
        return self._read(live.documents)

    def live_chunks(self, without_vectors_of: str | None = None) -> Iterator[LiveChunk]:
        """The chunks of the current revision by source id, and within a source in reading order; those alone of whose
        text there is no vector of this model, where one is given."""
        for part in live.parts(self.documents()):
            yield from self._read(live.chunks_of, part, without_vectors_of)

    def passages(self, among: Container[str]) -> Iterator[tuple[str, str]]:
        """(source id, SHA-256 of the text) of the chunks of these sources that are in the current revision."""
        for part in live.parts(document for document in self.documents() if document.source_id in among):
            yield from self._read(live.passages_of, part)

    def live_parts(self) -> Iterator[LivePart]:
        """The same chunks, some documents at a time, with where they stand and what their documents mention and
        tell."""
        for part in live.parts(self.documents()):
            yield self._read(live.part_of, part)

    def chunks(self, chunk_ids: Sequence[str]) -> list[ChunkRecord]:
        """These chunks as their latest edition has them, in the order asked for; StoreError for an unknown id."""
        stamp = self.stamp()
        found = self._chunks.kept(chunk_ids, stamp)
        missing = [chunk_id for chunk_id in chunk_ids if chunk_id not in found]
        if missing:
            with self._database.reading() as connection:
                found |= self._chunks.read(connection, missing, stamp)
        try:
            return [found[chunk_id] for chunk_id in chunk_ids]
        except KeyError as error:
            raise StoreError(f"the record holds no chunk {error.args[0]}: run pincite verify") from error

    def chunk_places(self, source_id: str | None = None) -> list[ChunkPlace]:
        """Where the chunks of the current revision, or of one source, stand; by source id and index."""
        return self._read_editions(sql_structure.chunk_places, source_id)

    # --- structure

    def outlines(self, source_id: str | None = None) -> list[Outline]:
        """Sections, anchors, references and names of all current documents, or of one, by source id."""
        return self._read_editions(sql_structure.outlines, source_id)

    def is_paged(self, source_id: str) -> bool | None:
        """Whether a current document has pages; None for one that the record does not hold."""
        with self._database.reading() as connection:
            paged = connection.scalar(select(CURRENT.c.paged).where(CURRENT.c.source_key == rows.source_key(source_id)))
        return None if paged is None else bool(paged)

    def sections(self, source_id: str) -> Sequence[Section]:
        """The sections of a current document, in reading order."""
        return self._read_editions(sql_structure.sections, source_id)

    def references(self, source_id: str) -> Sequence[Reference]:
        """The references of a current document as written, in reading order."""
        return self._read_editions(sql_structure.references, source_id)

    def links(self, source_id: str | None = None) -> list[ReferenceLink]:
        """Where references lead, by source id and ordinal."""
        return self._read_editions(sql_structure.links, source_id)

    def put_links(self, links: Iterable[ReferenceLink]) -> None:
        """Make these the links of the current revision."""
        with self._writing() as connection:
            number = connection.scalar(select(func.max(schema.revision.c.number))) or 0
            sql_structure.put_links(connection, current_editions(connection), links, number)

    def chunks_of_sections(self, place: str) -> list[tuple[str, str]]:
        """(source id, chunk id) of the chunk that opens each section of this place (`structure.places.place_key`)."""
        return self._read(sql_structure.chunks_of_sections, place)

    def chunks_of_anchors(self, kinds: Sequence[str], number: str) -> list[tuple[str, str]]:
        """(source id, chunk id) of the chunk in which each anchor of these kinds with this number begins."""
        return self._read(sql_structure.chunks_of_anchors, kinds, number)

    def document_names(self) -> list[tuple[str, str]]:
        """(source id, name) of all current documents."""
        return self._read(sql_structure.document_names)

    def languages(self) -> dict[str, str | None]:
        """The language of each current document, by source id."""
        return self._read(sql_structure.languages)

    def triplets(self, source_id: str) -> list[Triplet]:
        """The triplets of the current edition of a source, in reading order."""
        with self._database.reading() as connection:
            return sql_structure.triplets(connection, list(current_editions(connection, source_id)))

    def triplets_of_chunks(self, chunks: Sequence[ChunkRecord]) -> dict[str, list[Triplet]]:
        """The triplets whose sentence begins in each of these chunks, by chunk id."""
        return self._read(sql_structure.triplets_of_chunks, chunks)

    def pages(self, source_id: str) -> list[Page]:
        """The pages of the current edition of a source, without blocks and tables."""
        with self._database.reading() as connection:
            where = schema.page.c.edition_key.in_(current_editions(connection, source_id))
            found = connection.execute(select(schema.page).where(where).order_by(schema.page.c.number)).mappings()
            return [rows.page_of(dict(row)) for row in found]

    def masked(self, source_id: str) -> list[MaskedSpan]:
        """Where the pages of the current edition of a source are masked, in reading order."""
        table = schema.masked_span
        with self._database.reading() as connection:
            chosen = select(table).where(table.c.edition_key.in_(current_editions(connection, source_id)))
            found = connection.execute(chosen.order_by(table.c.ordinal)).mappings()
            return [rows.masked_of(dict(row)) for row in found]

    def forget_other_policies(self, digest: str) -> list[str]:
        """Forget the readings by a policy of another digest that are no longer current; the ids of their sources."""
        with self._writing() as connection:
            return purge_other_policies(connection, digest)

    def unreadable_pages(self) -> list[tuple[str, int]]:
        """(source id, page) of the current pages without any readable text."""
        statement = (
            select(schema.source.c.source_id, schema.page.c.number)
            .join(CURRENT, CURRENT.c.edition_key == schema.page.c.edition_key)
            .join(schema.source, schema.source.c.source_key == CURRENT.c.source_key)
            .where(schema.page.c.origin == "none")
            .order_by(schema.source.c.source_id, schema.page.c.number)
        )
        with self._database.reading() as connection:
            return [(source_id, number) for source_id, number in connection.execute(statement)]

    def section_titles(self) -> list[str]:
        """The titles of all sections of the current revision, each once, sorted."""
        current = select(CURRENT.c.edition_key)
        titles = select(schema.section.c.title).where(schema.section.c.edition_key.in_(current)).distinct()
        with self._database.reading() as connection:
            return sorted(connection.scalars(titles))

    def counts(self) -> dict[str, int]:
        """How many sources, pages, sections and chunks the current revision has."""
        current = select(CURRENT.c.edition_key)
        counted = {"pages": schema.page, "sections": schema.section, "chunks": schema.edition_chunk}
        with self._database.reading() as connection:
            found = {
                name: connection.scalar(select(func.count()).select_from(table).where(table.c.edition_key.in_(current)))
                for name, table in counted.items()
            }
            sources = connection.scalar(select(func.count()).select_from(current.subquery()))
        return {"sources": sources or 0} | {name: count or 0 for name, count in found.items()}

    def problems(self) -> list[str]:
        """What is wrong with the record: the engine's own checks, and digests that do not fit their content."""
        return self._read(record_problems)

    # --- helpers

    def _read(self, look: Callable[..., _Found], *given: object) -> _Found:
        """What a look into the record finds."""
        with self._database.reading() as connection:
            return look(connection, *given)

    def _read_editions(self, look: Callable[[Connection, dict[int, str]], _Found], source_id: str | None) -> _Found:
        """What a look finds of the current editions, or of that of one source."""
        with self._database.reading() as connection:
            return look(connection, current_editions(connection, source_id))

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that changes the record; what is written to one of the past nobody else sees."""
        with self._database.transaction() as connection:
            if self._revision is None:
                self._database.note_change(connection)
            yield connection

    def _migrate(self, version: int) -> None:
        """Bring a record of an older version to this one, in one transaction."""
        with self._writing() as connection:
            for number in range(version + 1, schema.SCHEMA_VERSION + 1):
                for statement in schema.MIGRATIONS[number]:
                    connection.execute(text(statement))

    def _check_schema(self) -> None:
        stored = self.setting("schema_version")
        if stored is not None and int(stored) < schema.SCHEMA_VERSION:
            self._migrate(int(stored))
        if stored is None or int(stored) < schema.SCHEMA_VERSION:
            self.remember("schema_version", str(schema.SCHEMA_VERSION))
        elif int(stored) > schema.SCHEMA_VERSION:
            raise StoreError(
                f"{self._database.name} was written by a newer pincite (schema {stored}, this one knows "
                f"{schema.SCHEMA_VERSION}): install a newer pincite, or index into another --store"
            )


def _parts(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), PARAMETERS_AT_ONCE):
        yield values[start : start + PARAMETERS_AT_ONCE]
