"""The indexing pipeline: one straight pass from sources to a published generation (docs/design.md sections 2 and 5)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from pincite.build.editions import GIVEN, content_digest, edition_versions, is_unchanged, make_edition
from pincite.build.faults import DocumentError, each_alone, working_on
from pincite.build.inside import Unpacked, as_inside, with_patterns
from pincite.build.objects import FetchedFiles
from pincite.build.publish import IndexMakers, publish
from pincite.build.redaction import redacted_text
from pincite.build.sources import INSIDE, Found, StoredAccess, examine
from pincite.build.stages import Step, TripletStage, Turns, VectorStage
from pincite.errors import ReadError, ServiceError, StoreError
from pincite.ports import Embedder, ReadOptions
from pincite.read.registry import NO_READER, version_for, version_of_none
from pincite.read.sandbox import ReadJob, ReadOutcome, Sandbox
from pincite.records.chunks import ChunkPolicy, Edition
from pincite.records.pages import Document
from pincite.records.sources import IndexReport, IndexStatus, Source, SourceReport, SourceState
from pincite.store.generations import Generations
from pincite.store.sql_record import SqlRecord

CHUNKS_AT_ONCE = 256
PUBLISH_DOCUMENTS = 500
PUBLISH_SECONDS = 600.0
PUBLISH_LEAST_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run of indexing is: bytes of sources done of all, chunks stored so far, what is being done; the `error`
    for which the source `detail` was given up, though it could be read."""

    stage: str
    done_bytes: int
    total_bytes: int
    chunks: int
    detail: str = ""
    error: Exception | None = None


WAITING = "waiting"
"""The stage until another writer has finished: `detail` names it."""
ProgressListener = Callable[[Progress], None]


@dataclass(slots=True)
class _Pending:
    """Editions that wait to be stored together."""

    editions: list[Edition] = field(default_factory=list)
    chunks: int = 0


class Indexer:
    """Writes editions and vectors into the record, one transaction a document, and publishes generations. Texts are
    embedded in parallel, from the cutting of their document until the vectors are published; documents are stored in
    the order of their `Turns`. What is stored survives a run that is cut off: the next run does the rest. `embedder` is
    called while the first files are read, since models load slowly; its errors end the run before a document is stored.
    `fetched` has copies of objects, if any."""

    def __init__(
        self,
        record: SqlRecord,
        generations: Generations,
        embedder: Callable[[], Embedder | None],
        makers: IndexMakers,
        triplets: TripletStage,
        *,
        embedding_threads: int,
        policy: ChunkPolicy,
        options: ReadOptions,
        fetched: FetchedFiles | None = None,
        listener: ProgressListener | None = None,
    ) -> None:
        self._record = record
        self._generations = generations
        self._embedder = embedder
        self._makers = makers
        self._triplets = triplets
        self._policy = policy
        self._options = options
        self._fetched = fetched
        self._listener = listener or (lambda _: None)
        self._vectors = VectorStage(record, embedder, embedding_threads, self._report_embedded)
        self._states: dict[str, SourceState] = {}
        self._access = StoredAccess({})
        self._reports: list[SourceReport] = []
        self._pending = _Pending()
        self._turns = Turns()
        self._under_way: dict[ReadJob, Found] = {}
        self._found: set[str] = set()
        self._full = False
        self._unpacked = Unpacked()
        self._done_bytes = self._total_bytes = self._chunks = self._since_publication = 0
        self._last_publication = time.monotonic()

    def index_files(
        self,
        found: Sequence[Found],
        reader: Sandbox,
        *,
        full: bool = False,
        prune: bool = False,
        in_scope: Callable[[str], bool] = lambda _: True,
    ) -> IndexReport:
        """Index these files. `full` reads unchanged ones again too; `prune` removes sources that `in_scope` holds
        true for and that were not found."""
        started = time.monotonic()
        self._start(sum(item.source.size for item in found if item.source))
        self._full = full
        for item in found:
            self._consider(item)
        outcomes = reader.read_all(self._jobs())
        self._embedder()
        with self._vectors:
            self._take_all(outcomes)
            while self._turns:
                self._take_all(reader.read_all(self._jobs()))
            self._flush()
            self._report_vanished(in_scope, prune=prune)
            return self._finish(started)

    def index_documents(self, items: Iterable[tuple[Source, Document]]) -> IndexReport:
        """Index documents that were read elsewhere; the same id with other content gives a new edition."""
        started = time.monotonic()
        self._embedder()
        self._start(0)
        versions = edition_versions(GIVEN, self._policy, self._triplets.version)
        with self._vectors:
            for given, document in items:
                source = self._access.of_source(replace(given, content_sha256=content_digest(document)))
                self._total_bytes += source.size
                state = self._states.get(source.source_id)
                if state is not None and is_unchanged(state, source, versions):
                    if state.source != source:
                        self._record.update_source(source)
                    self._report(source, "unchanged", chunks=state.chunk_count)
                    continue
                try:
                    self._add(make_edition(source, document, self._policy, versions))
                except DocumentError as error:
                    self._give_up(source, error)
            self._flush()
            return self._finish(started)

    # --- one source

    def _jobs(self) -> Iterator[ReadJob]:
        """What waits to be read and may be read now."""
        while (item := self._turns.next_unread()) is not None:
            here = self._with_copy(item) if item.is_to_be_fetched else item
            if isinstance(here, Found):
                job = ReadJob(here.path, self._options, here.inside)
                self._under_way[job] = here
                yield job
            else:
                self._turns.ready(item.source_id, here)

    def _consider(self, given: Found) -> None:
        """Have this file read where it has to be; else report it."""
        item = self._access.of_file(given)
        self._found.add(item.source_id)
        if item.source is None:
            self._refuse(Source(item.source_id, "file", "", acl=item.acl), item.reason or "cannot be read", {})
        elif item.source.content_sha256 and (unread := self._unread(item, item.source)):
            unread()
        else:
            self._turns.add(item)
            if item.inside and item.stored and self._fetched:
                self._fetched.use(item.path)

    def _unread(self, item: Found, source: Source) -> Step | None:
        """What becomes of a file that does not have to be read; None for one that has to."""
        try:
            versions = self._versions(item)
        except ReadError as error:
            is_no_kind = item.stored is not None and str(error).startswith(NO_READER)
            reader = edition_versions(version_of_none(), self._policy, self._triplets.version)
            return partial(self._refuse, source, str(error), reader if is_no_kind else {})
        state = self._states.get(item.source_id)
        known = [] if state is None else [state, *self._unpacked.states(item.source_id)]
        again = bool(self._options.passwords) and any(state.status == "refused" for state in known)
        if self._full or again or not is_unchanged(state, source, versions):
            return None
        return partial(self._keep_all, known, item, source)

    def _with_copy(self, item: Found) -> Found | Step:
        """An object with its local copy to be read; or its final state, if it cannot be fetched or need not be read
        after all."""
        if self._fetched is None or item.stored is None or item.source is None:
            raise StoreError(f"{item.source_id} cannot be fetched")
        try:
            path = self._fetched.fetch(item.stored)
        except (ReadError, ServiceError) as error:
            return partial(self._not_fetched, item.source, str(error))
        copy = examine(path, item.source_id)
        if copy.source is None:
            raise StoreError(f"{path} {copy.reason}")
        source = replace(item.source, content_sha256=copy.source.content_sha256)
        here = replace(item, path=path, source=source, reader=None)
        unread = self._unread(here, source)
        if unread:
            self._fetched.done(path)
        return unread or here

    def _not_fetched(self, source: Source, reason: str) -> None:
        """Report an object that cannot be fetched now. What was read of it before stays, since it may still be
        there."""
        state = self._states.get(source.source_id)
        self._found |= {inside.source.source_id for inside in self._unpacked.states(source.source_id)}
        if state is None:
            self._refuse(source, reason, {})
            return
        stays = "" if state.status == "refused" else "; what was read of it before stays"
        self._report(source, "refused", reason=reason + stays)

    def _keep_all(self, states: Iterable[SourceState], item: Found, holder: Source) -> None:
        for state in states:
            self._keep(state, item, holder)

    def _keep(self, state: SourceState, item: Found, holder: Source) -> None:
        """Report what did not change: a file, or what lies inside it."""
        name = state.source.source_id
        is_inside = name != holder.source_id
        if is_inside and item.ignored.holds_inside(item.place, "/".join(name.split(INSIDE)[1:])):
            return
        source = self._access.of_member(as_inside(state.source, holder), item) if is_inside else holder
        self._found.add(name)
        if state.source != source:
            self._record.update_source(source)
        if state.status == "refused":
            self._report(source, "refused", reason=state.reason)
        else:
            self._report(source, "unchanged", pages=state.page_count, chunks=state.chunk_count)
        self._release(name)

    def _versions(self, item: Found) -> dict[str, str]:
        reader = with_patterns(item.reader or version_for(item.path), item.ignored)
        return edition_versions(reader, self._policy, self._triplets.version)

    def _take_all(self, outcomes: Iterable[ReadOutcome]) -> None:
        for outcome in outcomes:
            item = self._under_way.pop(outcome.job)
            self._turns.ready(item.source_id, partial(self._take, item, outcome))

    def _take(self, item: Found, outcome: ReadOutcome) -> None:
        self._take_in(item, outcome)
        if item.stored and self._fetched:
            self._fetched.done(item.path)

    def _take_in(self, item: Found, outcome: ReadOutcome) -> None:
        if item.source is None:
            return
        versions, document = self._versions(item), outcome.document
        if document is None:
            self._refuse(item.source, outcome.reason or "cannot be read", versions)
            return
        try:
            edition = make_edition(item.source, document, self._policy, versions)
        except DocumentError as error:
            self._give_up(item.source, error)
            return
        members = self._unpacked.members(item, document)
        for state in self._unpacked.gone(item, document):
            self._found.add(state.source.source_id)
            self._record.remove_source(state.source.source_id)
            self._report(state.source, "removed", chunks=state.chunk_count)
        if not members:
            self._add(edition)
            return
        self._total_bytes += sum(member.source.size for member in members if member.source)
        self._unpacked.wait(edition, members)
        for member in reversed(members):
            self._consider(member)

    def _refuse(self, source: Source, reason: str, versions: dict[str, str]) -> None:
        reason = redacted_text(reason, self._policy)
        self._record.put_refusal(source, reason, versions)
        self._report(source, "refused", reason=reason)
        self._release(source.source_id)

    def _give_up(self, source: Source, error: DocumentError) -> None:
        """Refuse a source that could be read; it is tried again in the next run."""
        self._tell("failed", source.source_id, error.errors[source.source_id])
        self._refuse(source, str(error), {})

    def _report(
        self, source: Source, status: IndexStatus, *, reason: str | None = None, pages: int = 0, chunks: int = 0
    ) -> None:
        self._reports.append(SourceReport(source.source_id, status, reason, pages, chunks))
        self._advance(source, 0)

    # --- vectors and transactions

    def _add(self, edition: Edition) -> None:
        """Queue an edition; as soon as enough chunks have come together, embed and store all that wait."""
        self._pending.editions.append(edition)
        self._pending.chunks += len(edition.chunks)
        if self._pending.chunks >= CHUNKS_AT_ONCE:
            self._flush()
        self._release(edition.source.source_id)

    def _release(self, source_id: str) -> None:
        """Now that this source is done: queue the edition of what it lies in, if that waited for it alone."""
        holder = self._unpacked.done(source_id)
        if holder is not None:
            self._add(holder)

    def _flush(self) -> None:
        editions, self._pending = self._pending.editions, _Pending()
        self._vectors.add({chunk.content_sha256: chunk.content for edition in editions for chunk in edition.chunks})
        for edition, told in zip(editions, each_alone(self._triplets.add, editions), strict=True):
            try:
                self._store(edition.source, told)
            except DocumentError as error:
                self._give_up(edition.source, error)
        self._since_publication += len(editions)
        waited = time.monotonic() - self._last_publication
        enough = self._since_publication >= PUBLISH_DOCUMENTS and waited > PUBLISH_LEAST_SECONDS
        if enough or (self._since_publication and waited > PUBLISH_SECONDS):
            self.publish()

    def _store(self, source: Source, told: Edition | Exception) -> None:
        if isinstance(told, Exception):
            raise DocumentError("finding triplets", {source.source_id: told})
        with working_on(source.source_id, "storing"):
            self._record.put_edition(told)
        status: IndexStatus = "warned" if told.warnings else "indexed"
        pages, chunks = len(told.document.pages), len(told.chunks)
        masked = Counter(item.kind for item in told.masked)
        self._reports.append(SourceReport(source.source_id, status, None, pages, chunks, told.warnings, dict(masked)))
        self._advance(source, chunks)

    # --- the run as a whole

    def _start(self, total_bytes: int) -> None:
        self._states = {state.source.source_id: state for state in self._record.sources()}
        self._unpacked = Unpacked(self._states.values())
        self._access = StoredAccess(self._record.ever_held())
        self._reports, self._pending, self._found, self._full = [], _Pending(), set(), False
        self._done_bytes, self._total_bytes = 0, total_bytes
        self._chunks = self._since_publication = 0
        self._last_publication = time.monotonic()

    def _report_vanished(self, in_scope: Callable[[str], bool], *, prune: bool) -> None:
        for source_id, state in self._states.items():
            given = state.source.source_type == GIVEN
            if source_id in self._found or given or not in_scope(source_id):
                continue
            if prune:
                self._record.remove_source(source_id, vanished=True)
            self._report(state.source, "removed" if prune else "vanished", chunks=state.chunk_count)

    def _finish(self, started: float) -> IndexReport:
        generation = self.publish()
        reports = sorted(self._reports, key=lambda report: report.source)
        counts = Counter(report.status for report in reports)
        totals = {"pages": sum(r.pages for r in reports), "chunks": sum(r.chunks for r in reports)}
        seconds = round(time.monotonic() - started, 3)
        counted = dict(sorted(counts.items())) | totals
        return IndexReport(tuple(reports), counted, seconds, generation, self._access.kept_closed)

    def publish(self) -> str:
        """Publish what the record holds now, but for documents that cannot be published: these are refused. The digest
        of the generation."""
        digest = None
        while digest is None:
            self._tell("publishing", "")
            try:
                digest = publish(self._record, self._generations, self._embedder(), self._makers, self._embed_all)
            except DocumentError as error:
                self._take_back(error)
        self._since_publication, self._last_publication = 0, time.monotonic()
        return digest

    def _take_back(self, error: DocumentError) -> None:
        """Refuse documents that were stored already."""
        states = {state.source.source_id: state for state in self._record.sources()}
        for source_id, cause in error.errors.items():
            if states[source_id].status == "refused":
                raise cause
            self._tell("failed", source_id, cause)
            self._record.put_refusal(states[source_id].source, str(error), {})
            self._reports = [report for report in self._reports if report.source != source_id]
            self._reports.append(SourceReport(source_id, "refused", str(error)))

    def _embed_all(self) -> None:
        """Wait for all vectors; a run that was cut off may have left chunks without them."""
        embedder = self._embedder()
        if embedder is None:
            return
        self._vectors.finish()
        chunks = self._record.live_chunks(without_vectors_of=embedder.digest)
        while part := list(islice(chunks, CHUNKS_AT_ONCE)):
            self._vectors.add({chunk.content_sha256: chunk.content for chunk in part})
        self._vectors.finish()
        failed = self._vectors.failed
        left = self._record.live_chunks(without_vectors_of=embedder.digest) if failed else ()
        faulty = {chunk.source_id: failed[key] for chunk in left if (key := chunk.content_sha256) in failed}
        if faulty:
            raise DocumentError("embedding", faulty)

    def _advance(self, source: Source, chunks: int) -> None:
        self._done_bytes += source.size
        self._chunks += chunks
        self._tell("reading", source.source_id)

    def _report_embedded(self, done: int, total: int) -> None:
        self._tell("embedding", f"{done} of {total} texts")

    def _tell(self, stage: str, detail: str, error: Exception | None = None) -> None:
        self._listener(Progress(stage, self._done_bytes, self._total_bytes, self._chunks, detail, error))
