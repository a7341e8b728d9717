"""Engine: the one door that command line, service and library users come through."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from pincite.answer.relations.entities import describe_entity
from pincite.answer.said.citations import ambiguous_filenames, printed_citation, printed_statement
from pincite.asking import Asker
from pincite.audit.chain import ChainReport
from pincite.audit.compare import Replay
from pincite.audit.receipts import Receipt
from pincite.build.changed import unchanged_file
from pincite.build.copies import Copies, find_copies
from pincite.build.pipeline import Indexer, Progress, ProgressListener
from pincite.build.plan import IndexPlan, Trial, Trials, make_plan
from pincite.build.sources import INSIDE, Found, Roots, find_all, read_manifest
from pincite.build.verify import verify_store
from pincite.errors import StoreError, UsageError
from pincite.graph_records import Triplet
from pincite.once import Once
from pincite.ports import Embedder
from pincite.read.registry import NO_READER, readable_suffixes
from pincite.records import (
    Anchor,
    Answer,
    Box,
    ChunkRecord,
    Citation,
    Document,
    EntityView,
    Filter,
    Forgotten,
    IndexReport,
    Outline,
    Page,
    Reference,
    ReferenceLink,
    Retrieval,
    RetrievalPolicy,
    Run,
    Section,
    Source,
    SourceState,
    Span,
)
from pincite.retrieve.places import resolve_words
from pincite.store.backup import write_backup
from pincite.store.locks import writer_lock
from pincite.structure.called import section_called
from pincite.text.names import counted, listed_names, nearest_names, printable, printed_name
from pincite.views import Parts, Views

LONGEST_QUESTION = 4_000
"""Characters: what is longer is a text and no question."""


class Engine:
    """A store that can be indexed into and asked. Use as a context manager, or call `close`."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._embedder = Once(lambda: self._that_of_store(parts.embedder()))
        self._bulk_embedder = Once(self._load_bulk_embedder)
        self._views = Views(parts, self._embedder, Once(parts.reranker))
        self._asker = Asker(parts, self._views)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the generation and of all connections; a question that is being answered may end first."""
        self._views.close()
        self._asker.close()
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
        exclude: Sequence[str] = (),
        progress: ProgressListener | None = None,
    ) -> IndexReport:
        """Read, store and publish what lies at and below `paths`, and what a manifest names.

        `incremental` leaves unchanged files alone, `full` reads all again; `prune` removes sources that are gone;
        `name` is the name of a second root (DESIGN.md section 4); `exclude` holds patterns of files that are not read.
        """
        if mode not in ("full", "incremental"):
            raise UsageError(f"the mode {mode!r} is not known: use full or incremental")
        entries = read_manifest(manifest) if manifest else []
        wanted = [Path(os.path.normpath(Path(path).absolute())) for path in paths]
        with writer_lock(self._parts.folder / "writer.lock"):
            roots = Roots.load(self._parts.folder).including_all([*wanted, *(item["path"] for item in entries)], name)
            roots.save(self._parts.folder)
            found = find_all(wanted, entries, roots, self._parts.folder, exclude)
            return self._index_files(found, wanted, roots, full=mode == "full", prune=prune, progress=progress)

    def plan(
        self,
        paths: Sequence[Path | str] = (),
        *,
        mode: str = "incremental",
        manifest: Path | None = None,
        name: str = "",
        exclude: Sequence[str] = (),
        trials: Trials | None = None,
    ) -> IndexPlan:
        """What `index` would do with these paths; nothing is stored. `trials` measure a sample of the files."""
        entries = read_manifest(manifest) if manifest else []
        wanted = [Path(os.path.normpath(Path(path).absolute())) for path in paths]
        roots = Roots.load(self._parts.folder).including_all([*wanted, *(item["path"] for item in entries)], name)
        found = find_all(wanted, entries, roots, self._parts.folder, exclude)
        embeds = self._embedder() is not None
        parts, graph = self._parts, self._parts.triplets().version
        full = mode == "full"
        return make_plan(found, self.sources(), parts.policy, graph, full=full, embeds=embeds, trials=trials)

    def index_documents(
        self, items: Iterable[tuple[Source, Document]], *, progress: ProgressListener | None = None
    ) -> IndexReport:
        """Store and publish documents that were read elsewhere (DESIGN.md section 5)."""
        with writer_lock(self._parts.folder / "writer.lock"):
            return self._indexer(progress).index_documents(items)

    def remove(self, source_id: str, *, purge: bool = False) -> None:
        """Take a source out of the store, and what lies inside it; UsageError where there is none of this id.

        `purge` takes its text out of the record's past, of receipts and of the cache too.
        """
        record = self._parts.record
        held = record.ever_held() if purge else [state.source.source_id for state in self.sources()]
        if not purge and source_id not in held:
            raise UsageError(f"the store holds no source {source_id!r}: pincite status lists them")
        names = [source_id, *(name for name in held if name.startswith(source_id + INSIDE))]
        with writer_lock(self._parts.folder / "writer.lock"):
            for name in names:
                (record.purge_source if purge else record.remove_source)(name)
            self._indexer(None).publish()
            if purge:
                for name in names:
                    self._asker.purge(name)
                self._views.collect()

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
        return self._asker.search(_readable(question), policy, filter, receipt=receipt)

    def ask(
        self,
        question: str,
        *,
        policy: RetrievalPolicy = RetrievalPolicy(),
        filter: Filter = Filter(),  # noqa: A002
        receipt: bool = True,
    ) -> Answer:
        """A deterministic answer, every statement of it pinned to its page.

        `filter.as_of` asks the store as it was. Without a `receipt` nothing is kept of it, and the answer is made
        anew.
        """
        return self._asker.ask(_readable(question), policy, filter, receipt=receipt)

    def runs(self, limit: int | None = None) -> list[Run]:
        """The questions that were answered, newest first."""
        return self._asker.runs(limit)

    def receipt(self, run_id: str) -> Receipt:
        """What is kept of an answered question, by its trace id or the beginning of it."""
        return self._asker.receipt(run_id)

    def restored(self, receipt: Receipt) -> Answer | None:
        """The answer of a receipt as it was given; None where it was purged."""
        return self._asker.restored(receipt)

    def replay(self, run_id: str, *, from_hits: bool = False) -> Replay:
        """Ask again of the same documents what a receipt says was asked, and compare; `from_hits` takes its hits
        instead of searching. A generation that is gone is built aside."""
        return self._asker.replay(run_id, from_hits=from_hits)

    def check_chain(self) -> ChainReport:
        """Whether all receipts are as they were written, and none is missing."""
        return self._asker.check_chain()

    def cache_counts(self) -> dict[str, int]:
        """How often an answer was found in the cache (`hits`) and how often not (`misses`); empty without a cache."""
        return self._asker.cache_counts()

    def boxes(self, citation: Citation) -> tuple[Box, ...]:
        """Where the cited words stand on their page, a box a line; none for what has no pages or changed since."""
        if citation.page is None:
            return ()
        with self._unchanged_file(citation.source_id) as path:
            return () if path is None else tuple(self._parts.boxes(path, [citation.span])[0])

    def file_of(self, source_id: str) -> Path | None:
        """The file that a source was read from; None where it is not there."""
        path = Roots.load(self._parts.folder).path_of(source_id)
        return path if path.is_file() else None

    def picture(self, source_id: str, page: int, marked: Sequence[Span] = ()) -> bytes:
        """A physical page as PNG, the words of these spans marked; UsageError where its file cannot be drawn."""
        is_paged = self.outline(source_id).paged
        with self._unchanged_file(source_id) as path:
            if path is None or not is_paged:
                raise UsageError(f"{source_id} cannot be drawn: it has no pages, or its file is not as it was indexed")
            found = self._parts.boxes(path, [span for span in marked if span.page == page])
            return self._parts.picture(path, page, [box for boxes in found for box in boxes])

    def entity(self, name: str) -> EntityView:
        """What the documents say of an entity; NotThereError, with the nearest names, where nothing is called so."""
        with self._views.at(None) as view:
            return describe_entity(name, view.space, view.space.allowed(Filter()), view.record, view.ontology)

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

    def triplets(self, source_id: str) -> list[Triplet]:
        """What the sentences and tables of a document say of the things that they name, in reading order."""
        return self._parts.record.triplets(source_id)

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

    def revision(self) -> int:
        """The number of the latest change of documents; 0 before the first."""
        return self._parts.record.revision()

    def verify(self) -> list[str]:
        """What is wrong with the record or the current generation; an empty list where all is well.

        The indexes are built once more aside and must give the same content.
        """
        with writer_lock(self._parts.folder / "writer.lock"):
            return verify_store(self._parts.record, self._parts.generations, self._embedder(), self._parts.indexes)

    def collect(self) -> list[str]:
        """Remove generations that nobody uses; their names."""
        with writer_lock(self._parts.folder / "writer.lock"):
            return self._views.collect()

    def forget(self, before: datetime) -> Forgotten:
        """Forget answers that were given before this moment, and what documents said before it: editions that no
        generation has, and that no answer since then was asked of. They can be asked and replayed no longer."""
        record = self._parts.record
        with writer_lock(self._parts.folder / "writer.lock"):
            latest = record.revision_at(f"{before:%Y-%m-%dT%H:%M:%S}")
            first = min([latest, *self._asker.revisions(before), *self._views.revisions()])
            return Forgotten(receipts=self._asker.forget(before), editions=record.forget_before(first))

    def copies(self) -> Copies:
        """Which documents are the same, and which are nearly so."""
        return find_copies(self._parts.record)

    def backup(self, target: Path) -> None:
        """Write the store into one tar file, as it is at this moment."""
        write_backup(self._parts.folder, self._parts.generations, target)

    # --- helpers

    @contextmanager
    def _unchanged_file(self, source_id: str) -> Iterator[Path | None]:
        with unchanged_file(self._views.sources().get(source_id), Roots.load(self._parts.folder)) as path:
            yield path

    def _that_of_store(self, embedder: Embedder | None) -> Embedder | None:
        """This embedder, which must be the one that the store was made with."""
        record = self._parts.record
        digest, name = ("none", "none") if embedder is None else (embedder.digest, embedder.name)
        stored = record.setting("model_digest")
        if stored is not None and stored != digest:
            raise StoreError(
                f"{self._parts.folder} was made with the model {record.setting('model_name')}, not {name}: "
                "ask with that --embedder, or index into another --store"
            )
        return embedder

    def _load_bulk_embedder(self) -> Embedder | None:
        """The embedder for many texts, which from now on is the only one that this store takes."""
        embedder, record = self._that_of_store(self._parts.bulk_embedder()), self._parts.record
        if record.setting("model_digest") is None:
            record.remember("model_name", "none" if embedder is None else embedder.name)
            record.remember("model_digest", "none" if embedder is None else embedder.digest)
        return embedder

    def _indexer(self, progress: ProgressListener | None) -> Indexer:
        parts = self._parts
        self._views.let_go()
        return Indexer(
            parts.record,
            parts.generations,
            self._bulk_embedder,
            parts.indexes,
            parts.triplets(),
            embedding_threads=parts.embedding_threads,
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
        closed = [item.path for item in found if item.reason is not None and item.path.is_dir()]

        def in_scope(source_id: str) -> bool:
            path, _ = roots.file_of(source_id)
            is_within = path.is_relative_to
            return any(map(is_within, scopes)) and not any(map(is_within, closed))

        reader = self._parts.reader()
        try:
            return self._indexer(progress).index_files(found, reader, full=full, prune=prune, in_scope=in_scope)
        finally:
            reader.close()


def _readable(question: str) -> str:
    """A question that is short enough to be one; UsageError where it is not."""
    if len(question) > LONGEST_QUESTION:
        raise UsageError(
            f"the question has {len(question):,} characters, more than the {LONGEST_QUESTION:,} that are read: "
            "ask it in fewer words"
        )
    return question


__all__ = [
    "NO_READER",
    "Engine",
    "IndexPlan",
    "Parts",
    "Progress",
    "Receipt",
    "Trial",
    "Trials",
    "ambiguous_filenames",
    "counted",
    "listed_names",
    "nearest_names",
    "printable",
    "printed_citation",
    "printed_name",
    "printed_statement",
    "readable_suffixes",
]
