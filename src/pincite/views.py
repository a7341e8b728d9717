"""One generation as one reader sees it: its indexes, the record of its revision, and who may see what."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from pincite.build.pipeline import SourceReader
from pincite.build.publish import IndexMakers, generation_digest, publish
from pincite.build.triplets import TripletStage
from pincite.errors import StoreError, UsageError
from pincite.graph.network import EntityNetwork
from pincite.graph.ontology import Ontology
from pincite.ports import Bitmap, Embedder, ReadOptions, ReceiptStore, Reranker
from pincite.records import Box, ChunkPolicy, Filter, Source, Span
from pincite.retrieve.asked import asked_chunks
from pincite.retrieve.candidates import SearchSpace
from pincite.retrieve.visible import is_visible
from pincite.store.answer_cache import AnswerCache
from pincite.store.arrays import load_arrays
from pincite.store.chunk_links import ChunkLinks
from pincite.store.database import translated
from pincite.store.generations import Generations, Pinned, damaged
from pincite.store.known_document import KnownDocument, documents_of
from pincite.store.locks import writer_lock
from pincite.store.sql_record import SqlRecord

PAST = "past"
LOCK = "writer.lock"
KEPT_FILTERS = 16
KEPT_QUESTIONS = 16
_REVISION = re.compile(r"\d{1,12}")
_MOMENT = re.compile(r"\d{4}-\d\d(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d)?)?)?)?")


@dataclass(frozen=True, slots=True)
class Parts:
    """The adapters that an Engine works with, made by `wiring`. An embedder is loaded when it is first needed.

    `embedder` has all threads for each call; `bulk_embedder`, with one thread for each call, is called from
    `embedding_threads` threads at once.
    """

    folder: Path
    record: SqlRecord
    generations: Generations
    receipts: Callable[[], ReceiptStore]
    cache: Callable[[], AnswerCache | None]
    embedder: Callable[[], Embedder | None]
    bulk_embedder: Callable[[], Embedder | None]
    reranker: Callable[[], Reranker | None]
    embedding_threads: int
    triplets: Callable[[], TripletStage]
    ontology: Callable[[], Ontology]
    reader: Callable[[], SourceReader]
    boxes: Callable[[Path, Sequence[Span]], list[list[Box]]]
    picture: Callable[[Path, int, Sequence[Box]], bytes]
    indexes: IndexMakers
    policy: ChunkPolicy
    options: ReadOptions


@dataclass(frozen=True, slots=True)
class View:
    """A pinned generation, open for questions. `sources` gives those that its record knows, by id, as they are now;
    `documents` what it knows of one of them; `ontology` says which predicates are the inverse of which; `reranker` how
    well texts answer, where there is one."""

    pinned: Pinned
    space: SearchSpace
    record: SqlRecord
    sources: Callable[[], dict[str, Source]]
    documents: Callable[[str], KnownDocument]
    ontology: Ontology
    reranker: Reranker | None

    @property
    def generation(self) -> str:
        """The digest of the generation."""
        return str(self.pinned.manifest["generation"])

    @property
    def revision(self) -> int:
        """The revision that the generation was made of."""
        return int(self.pinned.manifest["revision"])

    def close(self) -> None:
        """Let go of the indexes and of the generation."""
        self.space.keywords.close()
        if self.space.vectors is not None:
            self.space.vectors.close()
        self.pinned.release()


class Views:
    """The views on one store: the current one is kept open between questions until another is published."""

    def __init__(
        self, parts: Parts, embedder: Callable[[], Embedder | None], reranker: Callable[[], Reranker | None]
    ) -> None:
        self._parts = parts
        self._embedder = embedder
        self._reranker = reranker
        self._current: View | None = None
        self.sources = sources_of(parts.record)

    @contextmanager
    def at(self, as_of: str | None) -> Iterator[View]:
        """The view on the current generation, or on the one of an earlier revision or moment (`Filter.as_of`)."""
        if as_of is None:
            yield self._latest()
            return
        with self.past(self._revision(as_of)) as view:
            yield view

    @contextmanager
    def past(self, revision: int) -> Iterator[View]:
        """The view on the store as it was at this revision.

        Its generation is the current one where that holds the same; else it is built aside from the editions that the
        record keeps, and stays until `pincite gc`. StoreError where the record keeps them no longer.
        """
        if revision < (first := self._parts.record.first_revision()):
            raise StoreError(
                f"what the store held at revision {revision} was removed (retention_days): "
                f"ask as of revision {first} or a later one"
            )
        record = self._parts.record.past(revision)
        try:
            pinned = self._pin_past(record)
            with _released_on_error(pinned):
                view = self._open(pinned, record, sources_of(record))
            try:
                yield view
            finally:
                view.close()
        finally:
            record.close()

    def let_go(self) -> None:
        """Close what is open."""
        if self._current is not None:
            self._current.close()
            self._current = None

    def collect(self) -> list[str]:
        """Remove generations that nobody uses, those of the past among them; their names."""
        removed = self._parts.generations.collect()
        for root in sorted((self._parts.folder / PAST).glob("*")):
            with suppress(StoreError), writer_lock(root / LOCK):
                removed += Generations(root).collect(keep_current=False)
        return removed

    def revisions(self) -> list[int]:
        """The revisions of all generations, those of the past among them, that are not collected."""
        folders = (
            *self._parts.folder.glob("generations/[0-9]*"),
            *self._parts.folder.glob(f"{PAST}/*/generations/[0-9]*"),
        )
        return [int(folder.name.partition("-")[0]) for folder in folders]

    def _latest(self) -> View:
        if self._current is not None and self._current.pinned.folder.name != self._parts.generations.current():
            self.let_go()
        if self._current is None:
            pinned = self._parts.generations.pin()
            if pinned is None:
                raise StoreError(f"{self._parts.folder} holds no index yet: run pincite index FOLDER")
            with _released_on_error(pinned):
                self._current = self._open(pinned, self._parts.record, self.sources)
        return self._current

    def _revision(self, as_of: str) -> int:
        """The number of the revision that was the latest then; UsageError where there was none."""
        record = self._parts.record
        latest = record.revision()
        if _REVISION.fullmatch(as_of):
            if not 1 <= int(as_of) <= latest:
                raise UsageError(f"the store has no revision {as_of}: its revisions are 1 to {latest}")
            return int(as_of)
        if not _MOMENT.fullmatch(as_of):
            raise UsageError(f"as of {as_of!r} is neither a date such as 2024-05-01 nor the number of a revision")
        found = record.revision_at(as_of)
        if found == 0:
            raise UsageError(f"the store held nothing on {as_of}: ask as of a later date, or of a revision from 1")
        return found

    def _pin_past(self, record: SqlRecord) -> Pinned:
        embedder, makers = self._embedder(), self._parts.indexes
        digest = generation_digest(record, embedder)
        current = self._parts.generations.pin()
        if current is not None and current.manifest["generation"] == digest:
            return current
        if current is not None:
            current.release()
        root = self._parts.folder / PAST / digest[:16]
        kept = Generations(root)
        with translated(root):
            root.mkdir(parents=True, exist_ok=True)
        with writer_lock(root / LOCK):
            publish(record, kept, embedder, makers)
        pinned = kept.pin()
        if pinned is None:
            raise StoreError(f"the past generation in {root} is gone: ask again")
        return pinned

    def _open(self, pinned: Pinned, record: SqlRecord, sources: Callable[[], dict[str, Source]]) -> View:
        embedder, makers = self._embedder(), self._parts.indexes
        dimension = int(pinned.manifest["dimension"])
        has_vectors = embedder is not None and dimension > 0
        ordinals = pinned.ordinals
        with _told_as_damaged(pinned.folder):
            links, network = _arrays_of(pinned)
            vectors = makers.vectors(pinned.folder / "vectors", dimension) if has_vectors else None
            keywords = makers.keywords(pinned.folder / "keywords")

        def chunks_of_page(number: int) -> list[tuple[str, int]]:
            found = np.flatnonzero((links.first_pages <= number) & (number <= links.last_pages)).tolist()
            return [(ordinals.sources[ordinals.chunk_sources[ordinal]], ordinal) for ordinal in found]

        space = SearchSpace(
            vectors=vectors,
            keywords=keywords,
            links=links,
            network=network,
            documents=ordinals.chunk_sources,
            source_ids=ordinals.sources,
            embed=None if embedder is None else lru_cache(maxsize=KEPT_QUESTIONS)(embedder.embed_query),
            languages=tuple(language or None for language in pinned.manifest["languages"]),
            chunk_id=ordinals.chunk_id,
            chunks=record.chunks,
            allowed=_allowed_of(pinned, record, sources),
            asked=lambda question: asked_chunks(question, record, ordinals.find, chunks_of_page),
        )
        return View(pinned, space, record, sources, documents_of(record), self._parts.ontology(), self._reranker())


@contextmanager
def _released_on_error(pinned: Pinned) -> Iterator[None]:
    """Let go of a generation where it cannot be opened."""
    with ExitStack() as undo:
        undo.callback(pinned.release)
        yield
        undo.pop_all()


@contextmanager
def _told_as_damaged(folder: Path) -> Iterator[None]:
    """What an index says of bytes that it cannot read is a StoreError."""
    try:
        yield
    except (ValueError, OSError, EOFError, RuntimeError, TypeError, IndexError) as error:
        raise damaged(folder, str(error)) from error


def _arrays_of(pinned: Pinned) -> tuple[ChunkLinks, EntityNetwork]:
    """The links and the graph of a generation; StoreError where it is of a version that wrote others."""
    try:
        links = ChunkLinks.load(pinned.folder / "links")
        return links, EntityNetwork.from_arrays(load_arrays(pinned.folder / "graph"))
    except (FileNotFoundError, KeyError) as error:
        raise StoreError(
            f"the generation {pinned.folder.name} was written by another version of pincite: run pincite index FOLDER"
        ) from error


def sources_of(record: SqlRecord) -> Callable[[], dict[str, Source]]:
    """A function that gives the sources of a record by id, read again only where somebody wrote to it."""
    read = lru_cache(maxsize=1)(lambda _: {state.source.source_id: state.source for state in record.sources()})
    return lambda: read(record.stamp())


def _allowed_of(
    pinned: Pinned, record: SqlRecord, sources: Callable[[], dict[str, Source]]
) -> Callable[[Filter], Bitmap | None]:
    """A function that says what a filter lets through, worked out again only where somebody wrote to the record."""
    read = lru_cache(maxsize=KEPT_FILTERS)(lambda _, wanted: _allowed(pinned, sources(), wanted))
    return lambda wanted: read(record.stamp(), wanted)


def _allowed(pinned: Pinned, known: dict[str, Source], wanted: Filter) -> Bitmap | None:
    """Which ordinals a filter lets through, by what the record says of their sources now; None for all."""
    sources = [known.get(source_id) for source_id in pinned.ordinals.sources]
    visible = np.array([source is not None and is_visible(source, wanted) for source in sources], np.bool_)
    return None if visible.all() else visible[pinned.ordinals.chunk_sources]
