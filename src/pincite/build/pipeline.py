"""The indexing pipeline: one straight pass from sources to a published generation (DESIGN.md sections 2 and 5)."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from pincite.build.editions import GIVEN, content_digest, edition_versions, is_unchanged, make_edition
from pincite.build.publish import IndexMakers, publish
from pincite.build.sources import Found
from pincite.errors import ReadError
from pincite.ports import Embedder, ReadOptions, Vector
from pincite.read.registry import version_for
from pincite.read.sandbox import ReadJob, ReadOutcome
from pincite.records import (
    ChunkPolicy,
    Document,
    Edition,
    IndexReport,
    IndexStatus,
    Source,
    SourceReport,
    SourceState,
)
from pincite.store.generations import Generations
from pincite.store.sql_record import SqlRecord

TEXTS_AT_ONCE = 256
PUBLISH_DOCUMENTS = 500
PUBLISH_SECONDS = 600.0
PUBLISH_LEAST_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run of indexing is: bytes of sources done of all, chunks stored so far, what is being done."""

    stage: str
    done_bytes: int
    total_bytes: int
    chunks: int
    detail: str = ""


ProgressListener = Callable[[Progress], None]


class SourceReader(Protocol):
    """Reads files apart from this process, and yields what came of each as it is finished."""

    def read_all(self, jobs: Iterable[ReadJob]) -> Iterator[ReadOutcome]:
        """Outcomes in any order, one for each job; reading begins before the first is asked for."""
        ...

    def close(self) -> None:
        """End what reads."""
        ...


@dataclass(slots=True)
class _Pending:
    """Editions that wait for their vectors."""

    editions: list[Edition] = field(default_factory=list)
    texts: int = 0


class Indexer:
    """Writes editions and vectors into the record and publishes generations. One transaction a document.

    What is stored stays stored when a run is cut off at any moment: the next run finds the vectors and
    documents that are there and does the rest. `embedder` is called while the first files are being read, since
    loading a model takes a while; what it raises ends the run before a document is stored.
    """

    def __init__(
        self,
        record: SqlRecord,
        generations: Generations,
        embedder: Callable[[], Embedder | None],
        makers: IndexMakers,
        *,
        policy: ChunkPolicy,
        options: ReadOptions,
        listener: ProgressListener | None = None,
    ) -> None:
        self._record = record
        self._generations = generations
        self._embedder = embedder
        self._makers = makers
        self._policy = policy
        self._options = options
        self._listener = listener or (lambda _: None)
        self._states: dict[str, SourceState] = {}
        self._reports: list[SourceReport] = []
        self._pending = _Pending()
        self._done_bytes = self._total_bytes = self._chunks = self._since_publication = 0
        self._last_publication = time.monotonic()

    def index_files(
        self,
        found: Sequence[Found],
        reader: SourceReader,
        *,
        full: bool = False,
        prune: bool = False,
        in_scope: Callable[[str], bool] = lambda _: True,
    ) -> IndexReport:
        """Index these files. `full` reads unchanged ones again too; `prune` removes sources that `in_scope` holds
        true for and that were not found."""
        started = time.monotonic()
        self._start(sum(item.source.size for item in found if item.source))
        wanted = {
            item.path: item.source for item in found if self._needs_reading(item, full=full) and item.source is not None
        }
        jobs = [ReadJob(path, self._options) for path in wanted]
        outcomes = reader.read_all(jobs)
        self._embedder()
        for outcome in outcomes:
            self._take(wanted[outcome.job.path], outcome)
        self._flush()
        self._report_vanished({item.source_id for item in found}, in_scope, prune=prune)
        return self._finish(started)

    def index_documents(self, items: Iterable[tuple[Source, Document]]) -> IndexReport:
        """Index documents that were read elsewhere; the same id with other content gives a new edition."""
        started = time.monotonic()
        self._embedder()
        self._start(0)
        versions = edition_versions(GIVEN, self._policy)
        for given, document in items:
            source = replace(given, content_sha256=content_digest(document))
            self._total_bytes += source.size
            if is_unchanged(self._states.get(source.source_id), source, versions):
                self._report(source, "unchanged", chunks=self._states[source.source_id].chunk_count)
            else:
                self._add(make_edition(source, document, self._policy, versions))
        self._flush()
        return self._finish(started)

    # --- one source

    def _needs_reading(self, item: Found, *, full: bool) -> bool:
        """Whether this file has to be read; what needs no reading is reported here."""
        if item.source is None:
            self._refuse(Source(item.source_id, "file", ""), item.reason or "cannot be read", {})
            return False
        try:
            versions = edition_versions(version_for(item.path), self._policy)
        except ReadError as error:
            self._refuse(item.source, str(error), {})
            return False
        if full or not is_unchanged(self._states.get(item.source.source_id), item.source, versions):
            return True
        state = self._states[item.source.source_id]
        if state.status == "refused" and self._options.passwords:
            return True
        if state.source != item.source:
            self._record.update_source(item.source)
        if state.status == "refused":
            self._report(item.source, "refused", reason=state.reason)
        else:
            self._report(item.source, "unchanged", pages=state.page_count, chunks=state.chunk_count)
        return False

    def _take(self, source: Source, outcome: ReadOutcome) -> None:
        versions = edition_versions(version_for(outcome.job.path), self._policy)
        if outcome.document is None:
            self._refuse(source, outcome.reason or "cannot be read", versions)
            return
        self._add(make_edition(source, outcome.document, self._policy, versions))

    def _refuse(self, source: Source, reason: str, versions: dict[str, str]) -> None:
        self._record.put_refusal(source, reason, versions)
        self._report(source, "refused", reason=reason)

    def _report(
        self, source: Source, status: IndexStatus, *, reason: str | None = None, pages: int = 0, chunks: int = 0
    ) -> None:
        self._reports.append(SourceReport(source.source_id, status, reason, pages, chunks))
        self._advance(source, 0)

    # --- vectors and transactions

    def _add(self, edition: Edition) -> None:
        """Queue an edition; as soon as a batch of texts has come together, embed and store all that wait."""
        self._pending.editions.append(edition)
        self._pending.texts += len(edition.chunks)
        if self._pending.texts >= TEXTS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        editions, self._pending = self._pending.editions, _Pending()
        self._embed({chunk.content_sha256: chunk.content for edition in editions for chunk in edition.chunks})
        for edition in editions:
            self._record.put_edition(edition)
            status: IndexStatus = "warned" if edition.warnings else "indexed"
            pages, chunks = len(edition.document.pages), len(edition.chunks)
            self._reports.append(SourceReport(edition.source.source_id, status, None, pages, chunks, edition.warnings))
            self._advance(edition.source, chunks)
        self._since_publication += len(editions)
        waited = time.monotonic() - self._last_publication
        enough = self._since_publication >= PUBLISH_DOCUMENTS and waited > PUBLISH_LEAST_SECONDS
        if enough or (self._since_publication and waited > PUBLISH_SECONDS):
            self.publish()

    def _embed(self, texts: dict[str, str]) -> None:
        """Embed those texts that have no vectors yet, the longest first, and store them batch by batch."""
        embedder = self._embedder()
        if embedder is None:
            return
        known = self._record.known_vectors(embedder.digest, list(texts))
        missing = sorted(set(texts) - known, key=lambda digest: (-len(texts[digest]), digest))
        for start in range(0, len(missing), TEXTS_AT_ONCE):
            batch = missing[start : start + TEXTS_AT_ONCE]
            arrays: list[Vector] = embedder.embed([texts[digest] for digest in batch])
            self._record.put_vectors(embedder.digest, dict(zip(batch, arrays, strict=True)))
            self._tell("embedding", f"{start + len(batch)} of {len(missing)} texts")

    # --- the run as a whole

    def _start(self, total_bytes: int) -> None:
        self._states = {state.source.source_id: state for state in self._record.sources()}
        self._reports, self._pending = [], _Pending()
        self._done_bytes, self._total_bytes = 0, total_bytes
        self._chunks = self._since_publication = 0
        self._last_publication = time.monotonic()

    def _report_vanished(self, found: set[str], in_scope: Callable[[str], bool], *, prune: bool) -> None:
        for source_id, state in self._states.items():
            given = state.source.source_type == GIVEN
            if source_id in found or given or not in_scope(source_id):
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
        return IndexReport(tuple(reports), dict(sorted(counts.items())) | totals, seconds, generation)

    def publish(self) -> str:
        """Publish what the record holds now; the digest of the generation."""
        self._tell("publishing", "")
        digest = publish(self._record, self._generations, self._embedder(), self._makers)
        self._since_publication, self._last_publication = 0, time.monotonic()
        return digest

    def _advance(self, source: Source, chunks: int) -> None:
        self._done_bytes += source.size
        self._chunks += chunks
        self._tell("reading", source.source_id)

    def _tell(self, stage: str, detail: str) -> None:
        self._listener(Progress(stage, self._done_bytes, self._total_bytes, self._chunks, detail))
