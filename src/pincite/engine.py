"""Engine: the one door that command line, service and library users come through."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

from pincite.answer.citations import ambiguous_filenames, printed_citation, printed_statement
from pincite.answer.compose import compose_answer
from pincite.answer.entities import describe_entity
from pincite.answer.surroundings import Surroundings
from pincite.audit.receipts import store_receipt
from pincite.build.changed import change_notices, unchanged_file
from pincite.build.copies import Copies, find_copies
from pincite.build.pipeline import Indexer, Progress, ProgressListener, SourceReader
from pincite.build.plan import IndexPlan, make_plan
from pincite.build.publish import IndexMakers
from pincite.build.sources import Found, Roots, find_all, read_manifest
from pincite.build.verify import verify_store
from pincite.errors import PinciteError, StoreError, UsageError
from pincite.graph.network import EntityNetwork
from pincite.ports import Bitmap, Embedder, ReadOptions, ReceiptStore
from pincite.records import (
    Anchor,
    Answer,
    Box,
    ChunkPolicy,
    ChunkRecord,
    Citation,
    Document,
    EntityView,
    Filter,
    IndexReport,
    Outline,
    Page,
    Reference,
    ReferenceLink,
    Retrieval,
    RetrievalPolicy,
    Section,
    Source,
    SourceState,
    Span,
)
from pincite.retrieve.asked import asked_chunks
from pincite.retrieve.candidates import SearchSpace
from pincite.retrieve.named import search_naming
from pincite.retrieve.places import resolve_words
from pincite.retrieve.search import search
from pincite.retrieve.visible import is_visible
from pincite.store.arrays import load_arrays
from pincite.store.backup import write_backup
from pincite.store.chunk_links import ChunkLinks
from pincite.store.generations import Generations, Pinned
from pincite.store.locks import writer_lock
from pincite.store.sql_record import SqlRecord
from pincite.structure.called import section_called
from pincite.text.names import listed_names, nearest_names, printable, printed_name


@dataclass(frozen=True, slots=True)
class Parts:
    """The adapters that an Engine works with, made by `wiring`. The embedder is loaded when it is first needed."""

    folder: Path
    record: SqlRecord
    generations: Generations
    receipts: Callable[[], ReceiptStore]
    embedder: Callable[[], Embedder | None]
    reader: Callable[[], SourceReader]
    boxes: Callable[[Path, Sequence[Span]], list[list[Box]]]
    picture: Callable[[Path, int, Sequence[Box]], bytes]
    indexes: IndexMakers
    policy: ChunkPolicy
    options: ReadOptions


class Engine:
    """A store that can be indexed into and asked. Use as a context manager, or call `close`."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._embedder = lru_cache(maxsize=1)(self._load_embedder)
        self._space: tuple[Pinned, SearchSpace] | None = None
        self._sources: tuple[tuple[int, ...], dict[str, Source]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the generation and of all connections."""
        self._let_go()
        self._parts.record.close()

    # --- indexing

    def index(
        self,
        paths: Sequence[Path | str] = (),
        *,
        mode: str = "incremental",
        prune: bool = False,
        manifest: Path | None = None,
        name: str = "",
        progress: ProgressListener | None = None,
    ) -> IndexReport:
        """Read, store and publish what lies at and below `paths`, and what a manifest names.

        `incremental` leaves unchanged files alone, `full` reads all again; `prune` removes sources that are gone;
        `name` is the name of a second root (DESIGN.md section 4).
        """
        if mode not in ("full", "incremental"):
            raise UsageError(f"the mode {mode!r} is not known: use full or incremental")
        entries = read_manifest(manifest) if manifest else []
        wanted = [Path(os.path.normpath(Path(path).absolute())) for path in paths]
        with writer_lock(self._parts.folder / "writer.lock"):
            roots = Roots.load(self._parts.folder).including_all([*wanted, *(item["path"] for item in entries)], name)
            roots.save(self._parts.folder)
            found = find_all(wanted, entries, roots, self._parts.folder)
            return self._index_files(found, wanted, roots, full=mode == "full", prune=prune, progress=progress)

    def plan(
        self,
        paths: Sequence[Path | str] = (),
        *,
        mode: str = "incremental",
        manifest: Path | None = None,
        name: str = "",
    ) -> IndexPlan:
        """What `index` would do with these paths; nothing is read and nothing is stored."""
        entries = read_manifest(manifest) if manifest else []
        wanted = [Path(os.path.normpath(Path(path).absolute())) for path in paths]
        roots = Roots.load(self._parts.folder).including_all([*wanted, *(item["path"] for item in entries)], name)
        found = find_all(wanted, entries, roots, self._parts.folder)
        embeds = self._embedder() is not None
        return make_plan(found, self.sources(), self._parts.policy, full=mode == "full", embeds=embeds)

    def index_documents(
        self, items: Iterable[tuple[Source, Document]], *, progress: ProgressListener | None = None
    ) -> IndexReport:
        """Store and publish documents that were read elsewhere (DESIGN.md section 5)."""
        with writer_lock(self._parts.folder / "writer.lock"):
            return self._indexer(progress).index_documents(items)

    def remove(self, source_id: str) -> None:
        """Take a source out of the store; UsageError where there is none of this id."""
        if source_id not in {state.source.source_id for state in self.sources()}:
            raise UsageError(f"the store holds no source {source_id!r}: pincite status lists them")
        with writer_lock(self._parts.folder / "writer.lock"):
            self._parts.record.remove_source(source_id)
            self._indexer(None).publish()

    # --- asking

    def search(
        self,
        question: str,
        *,
        policy: RetrievalPolicy = RetrievalPolicy(),
        filter: Filter = Filter(),  # noqa: A002
        receipt: bool = True,
    ) -> Retrieval:
        """The evidence for a question, best first."""
        with self._searching() as (space, _):
            retrieval = search(space, _asked(question), policy, filter)
        if receipt:
            self._store_receipt(retrieval, policy)
        return retrieval

    def ask(
        self,
        question: str,
        *,
        policy: RetrievalPolicy = RetrievalPolicy(),
        filter: Filter = Filter(),  # noqa: A002
        receipt: bool = True,
    ) -> Answer:
        """A deterministic answer, every statement of it pinned to its page."""
        with self._searching() as (space, generation):
            retrieval = search_naming(space, _asked(question), policy, filter, self._known_sources())
            allowed = space.allowed(retrieval.query.filter)
            around = Surroundings(generation, space, self._parts.record, allowed)
            answer = compose_answer(retrieval, policy, around)
        notices = self._store_receipt(retrieval, policy) if receipt else ()
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        return replace(
            answer, notices=(*notices, *self._change_notices(answer)), trace_id=uuid.uuid4().hex, timestamp=moment
        )

    def boxes(self, citation: Citation) -> tuple[Box, ...]:
        """Where the cited words stand on their page, a box a line; none for what has no pages or changed since."""
        path = None if citation.page is None else self._unchanged_file(citation.source_id)
        return () if path is None else tuple(self._parts.boxes(path, [citation.span])[0])

    def file_of(self, source_id: str) -> Path | None:
        """The file that a source was read from; None where it is not there."""
        path = Roots.load(self._parts.folder).path_of(source_id)
        return path if path.is_file() else None

    def picture(self, source_id: str, page: int, marked: Sequence[Span] = ()) -> bytes:
        """A physical page as PNG, the words of these spans marked; UsageError where its file cannot be drawn."""
        path = self._unchanged_file(source_id) if self.outline(source_id).paged else None
        if path is None:
            raise UsageError(f"{source_id} cannot be drawn: it has no pages, or its file is not as it was indexed")
        found = self._parts.boxes(path, [span for span in marked if span.page == page])
        return self._parts.picture(path, page, [box for boxes in found for box in boxes])

    def entity(self, name: str) -> EntityView:
        """What the documents say of an entity; NotThereError, with the nearest names, where nothing is called so."""
        with self._searching() as (space, _):
            return describe_entity(name, space, space.allowed(Filter()))

    # --- looking after the store

    def sources(self) -> list[SourceState]:
        """All sources with their status, by id."""
        return self._parts.record.sources()

    def counts(self) -> dict[str, int]:
        """How many sources, pages, sections and chunks the store holds."""
        return self._parts.record.counts()

    def outline(self, source_id: str) -> Outline:
        """The sections, anchors and references of a document; UsageError for one that the store does not hold."""
        found = self._parts.record.outlines(source_id)
        if not found:
            raise UsageError(f"the store holds no document {source_id!r}: pincite status lists them")
        return found[0]

    def sections(self, source_id: str) -> list[Section]:
        """The section tree of a document, in reading order."""
        return list(self.outline(source_id).sections)

    def section(self, source_id: str, number_or_title: str) -> Section:
        """The section that is called so ("5.2", "Annex B", "Snow loads"); NotThereError names the nearest numbers."""
        return section_called(self.sections(source_id), number_or_title)

    def anchors(self, source_id: str) -> list[Anchor]:
        """Tables, figures, equations, definitions and the like of a document, in reading order."""
        return list(self.outline(source_id).anchors)

    def references(self, source_id: str) -> list[tuple[Reference, ReferenceLink]]:
        """The references of a document with what became of each, in reading order."""
        written = {reference.ordinal: reference for reference in self.outline(source_id).references}
        return [(written[link.reference], link) for link in self._parts.record.links(source_id)]

    def neighbours(self, chunk_id: str, count: int = 1) -> list[ChunkRecord]:
        """A chunk with up to `count` neighbours before and after it, in reading order."""
        (chunk,) = self._parts.record.chunks([chunk_id])
        places = self._parts.record.chunk_places(chunk.source_id)
        index = next(number for number, place in enumerate(places) if place.chunk_id == chunk_id)
        chosen = places[max(0, index - count) : index + count + 1]
        return self._parts.record.chunks([place.chunk_id for place in chosen])

    def chunks_at(self, source_id: str, start: int, end: int) -> list[ChunkRecord]:
        """The chunks that touch `[start, end)` of the joined text of a document, in reading order."""
        places = self._parts.record.chunk_places(source_id)
        found = [place.chunk_id for place in places if place.start < end and start < place.end]
        return self._parts.record.chunks(found)

    def resolve(self, reference: str, from_chunk: str) -> list[ReferenceLink]:
        """Where the references in these words lead, read as if they stood in this chunk ("see 5.3.2 and Table 4.1")."""
        (chunk,) = self._parts.record.chunks([from_chunk])
        return resolve_words(reference, self._parts.record.outlines(), chunk.source_id, chunk.start)

    def pages(self, source_id: str) -> list[Page]:
        """The pages of a document: their text, labels and sizes."""
        return self._parts.record.pages(source_id)

    def section_titles(self) -> list[str]:
        """The titles of all sections, each once, sorted."""
        return self._parts.record.section_titles()

    def generation(self) -> str | None:
        """The digest of the current generation; None before the first."""
        pinned = self._parts.generations.pin()
        if pinned is None:
            return None
        with pinned.held():
            return str(pinned.manifest["generation"])

    def verify(self) -> list[str]:
        """What is wrong with the record or the current generation; an empty list where all is well.

        The indexes are built once more aside and must give the same content.
        """
        with writer_lock(self._parts.folder / "writer.lock"):
            return verify_store(self._parts.record, self._parts.generations, self._embedder(), self._parts.indexes)

    def collect(self) -> list[str]:
        """Remove generations that nobody uses; their names."""
        with writer_lock(self._parts.folder / "writer.lock"):
            return self._parts.generations.collect()

    def copies(self) -> Copies:
        """Which documents are the same, and which are nearly so."""
        return find_copies(self._parts.record)

    def backup(self, target: Path) -> None:
        """Write the store into one tar file, as it is at this moment."""
        write_backup(self._parts.folder, self._parts.generations, target)

    # --- helpers

    def _unchanged_file(self, source_id: str) -> Path | None:
        source = self._known_sources().get(source_id)
        return None if source is None else unchanged_file(source, Roots.load(self._parts.folder))

    def _load_embedder(self) -> Embedder | None:
        """The embedder of the settings, which must be the one that the store was made with."""
        embedder, record = self._parts.embedder(), self._parts.record
        digest, name = ("none", "none") if embedder is None else (embedder.digest, embedder.name)
        stored = record.setting("model_digest")
        if stored is not None and stored != digest:
            raise StoreError(
                f"{self._parts.folder} was made with the model {record.setting('model_name')}, not {name}: "
                "ask with that --embedder, or index into another --store"
            )
        return embedder

    def _embedder_of_store(self) -> Embedder | None:
        """The embedder, which from now on is the only one that this store takes."""
        embedder, record = self._embedder(), self._parts.record
        if record.setting("model_digest") is None:
            record.remember("model_name", "none" if embedder is None else embedder.name)
            record.remember("model_digest", "none" if embedder is None else embedder.digest)
        return embedder

    def _indexer(self, progress: ProgressListener | None) -> Indexer:
        parts = self._parts
        self._let_go()
        return Indexer(
            parts.record,
            parts.generations,
            self._embedder_of_store,
            parts.indexes,
            policy=parts.policy,
            options=parts.options,
            listener=progress,
        )

    def _index_files(
        self,
        found: Sequence[Found],
        scopes: Sequence[Path],
        roots: Roots,
        *,
        full: bool,
        prune: bool,
        progress: ProgressListener | None,
    ) -> IndexReport:
        def in_scope(source_id: str) -> bool:
            path = roots.path_of(source_id)
            return any(path.is_relative_to(scope) for scope in scopes)

        reader = self._parts.reader()
        try:
            return self._indexer(progress).index_files(found, reader, full=full, prune=prune, in_scope=in_scope)
        finally:
            reader.close()

    @contextmanager
    def _searching(self) -> Iterator[tuple[SearchSpace, str]]:
        """The indexes of the current generation, kept open between questions until another is published."""
        if self._space is not None and self._space[0].folder.name != self._parts.generations.current():
            self._let_go()
        if self._space is None:
            pinned = self._parts.generations.pin()
            if pinned is None:
                raise StoreError(f"{self._parts.folder} holds no index yet: run pincite index FOLDER")
            self._space = (pinned, self._open_space(pinned))
        pinned, space = self._space
        yield space, str(pinned.manifest["generation"])

    def _open_space(self, pinned: Pinned) -> SearchSpace:
        embedder = self._embedder()
        dimension = int(pinned.manifest["dimension"])
        has_vectors = embedder is not None and dimension > 0
        ordinals, links = pinned.ordinals, ChunkLinks.load(pinned.folder / "links")

        def chunks_of_page(number: int) -> list[tuple[str, int]]:
            found = np.flatnonzero((links.first_pages <= number) & (number <= links.last_pages)).tolist()
            return [(ordinals.sources[ordinals.chunk_sources[ordinal]], ordinal) for ordinal in found]

        return SearchSpace(
            vectors=self._parts.indexes.vectors(pinned.folder / "vectors", dimension) if has_vectors else None,
            keywords=self._parts.indexes.keywords(pinned.folder / "keywords"),
            links=links,
            network=EntityNetwork.from_arrays(load_arrays(pinned.folder / "graph")),
            documents=ordinals.chunk_sources,
            source_ids=ordinals.sources,
            embedder=embedder,
            languages=tuple(language or None for language in pinned.manifest["languages"]),
            chunk_id=ordinals.chunk_id,
            chunks=self._parts.record.chunks,
            allowed=lambda wanted: self._allowed(pinned, wanted),
            asked=lambda question: asked_chunks(question, self._parts.record, ordinals.find, chunks_of_page),
        )

    def _allowed(self, pinned: Pinned, wanted: Filter) -> Bitmap | None:
        """Which ordinals a filter lets through, by what the record says of their sources now; None for all."""
        known = self._known_sources()
        sources = [known.get(source_id) for source_id in pinned.ordinals.sources]
        visible = np.array([source is not None and is_visible(source, wanted) for source in sources], np.bool_)
        return None if visible.all() else visible[pinned.ordinals.chunk_sources]

    def _known_sources(self) -> dict[str, Source]:
        """The sources by id as the record has them now, read again only where somebody wrote to it."""
        stamp = self._parts.record.stamp()
        if self._sources is None or self._sources[0] != stamp:
            self._sources = (stamp, {state.source.source_id: state.source for state in self.sources()})
        return self._sources[1]

    def _change_notices(self, answer: Answer) -> list[str]:
        cited = sorted({item.source_id for statement in answer.statements for item in statement.citations})
        known = self._known_sources()
        return change_notices([known[name] for name in cited if name in known], Roots.load(self._parts.folder))

    def _let_go(self) -> None:
        if self._space is not None:
            pinned, space = self._space
            space.keywords.close()
            if space.vectors is not None:
                space.vectors.close()
            pinned.release()
            self._space = None

    def _store_receipt(self, retrieval: Retrieval, policy: RetrievalPolicy) -> tuple[str, ...]:
        embedder = self._embedder()
        try:
            receipts = self._parts.receipts()
            try:
                store_receipt(receipts, retrieval, policy, "none" if embedder is None else embedder.name)
            finally:
                receipts.close()
        except PinciteError:
            return ("receipt not stored",)
        return ()


def _asked(question: str) -> str:
    """The question; bytes of it that the locale could not decode are read as UTF-8."""
    if not question.strip():
        raise UsageError("the question is empty: ask one in words")
    try:
        return question.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError as error:
        raise UsageError(f"the question holds no text at character {error.start}: ask one in words") from error


__all__ = [
    "Engine",
    "IndexPlan",
    "Parts",
    "Progress",
    "ambiguous_filenames",
    "listed_names",
    "nearest_names",
    "printable",
    "printed_citation",
    "printed_name",
    "printed_statement",
]
