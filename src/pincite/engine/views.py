"""The views on one store: which generation is current, who uses it, and when it is closed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock

from pincite.build.objects import KeptFiles
from pincite.build.publish import IndexMakers, generation_digest, publish
from pincite.build.stages import TripletStage
from pincite.deadline import Deadline
from pincite.engine.view import Adapters, MissingReader, OpenGeneration, View, open_generation, sources_of
from pincite.errors import ClosedError, ServiceError, StoreError, UsageError
from pincite.graph.ontology import Ontology
from pincite.ports import (
    AnswerStore,
    Embedder,
    LanguageModel,
    ObjectStore,
    Reader,
    ReadOptions,
    ReceiptStore,
    Telemetry,
)
from pincite.read.sandbox import Drawer, Sandbox
from pincite.records.chunks import ChunkPolicy
from pincite.records.questions import RetrievalPolicy
from pincite.records.sources import Source, SourceState
from pincite.store.database import translated
from pincite.store.generations import Generations, Pinned
from pincite.store.locks import writer_lock
from pincite.store.opening import LOCK
from pincite.store.sql_record import SqlRecord
from pincite.threads import Lazy

PAST = "past"
REDACT, REDACT_PATTERNS = "redact", "redact_patterns"
"""Names under which a store remembers what it masks: kinds, and a user's own patterns by their names."""
COPIES = "objects"
"""The folder of a store with copies of objects that lie elsewhere."""
SETTLED_SECONDS = 30
"""How long a purge waits for one question that may still tell of what is purged."""
_REVISION = re.compile(r"\d{1,12}")
_MOMENT = re.compile(r"\d{4}-\d\d(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d)?)?)?)?")


@dataclass(frozen=True, slots=True)
class Objects:
    """The object store of the settings, opened when it is first asked; the largest object that is fetched from it, in
    bytes; copies of those that were looked at; how many seconds a link to one opens it."""

    store: Callable[[], ObjectStore]
    most_bytes: int
    copies: KeptFiles
    link_seconds: int


@dataclass(frozen=True, slots=True)
class Parts:
    """The adapters of an Engine, made by `wiring`; models are loaded when first needed. `embedder` uses all threads for
    a call; `bulk_embedder` uses one, and is called from `embedding_threads` threads at once. `telemetry` gets the cost
    of each question. `ask_mode`, `retrieval` and `ask_seconds` (0: no limit) are defaults for questions."""

    folder: Path
    record: SqlRecord
    generations: Generations
    receipts: Callable[[], ReceiptStore]
    cache: Callable[[], AnswerStore | None]
    embedder: Callable[[], Embedder | None]
    bulk_embedder: Callable[[], Embedder | None]
    answer_reader: Callable[[], Reader | None]
    language_model: Callable[[], LanguageModel | None]
    embedding_threads: int
    triplets: Callable[[], TripletStage]
    ontology: Callable[[], Ontology]
    reader: Callable[[], Sandbox]
    drawer: Drawer
    indexes: IndexMakers
    policy: ChunkPolicy
    options: ReadOptions
    telemetry: Telemetry
    objects: Objects
    ask_seconds: float = 0
    ask_mode: str = "extract"
    retrieval: Callable[[], RetrievalPolicy] = RetrievalPolicy


class _Shared:
    """An open generation and how many questions use it: it is closed when no further one will, and the last of them is
    done."""

    def __init__(self, opened: OpenGeneration) -> None:
        self.opened = opened
        self.is_closed = Event()
        self._users = 0
        self._is_replaced = False
        self._lock = Lock()

    @contextmanager
    def used(self, deadline: Deadline, principals: Sequence[str]) -> Iterator[View]:
        """The view for a question that was counted with `enter`."""
        try:
            yield self.opened.asked(deadline, principals)
        finally:
            with self._lock:
                self._users -= 1
            self._close_unused()

    def enter(self) -> None:
        """One question more uses it."""
        with self._lock:
            self._users += 1

    def replace(self) -> None:
        """No further question will use it."""
        with self._lock:
            self._is_replaced = True
        self._close_unused()

    def _close_unused(self) -> None:
        with self._lock:
            if self._is_replaced and not self._users and not self.is_closed.is_set():
                self.opened.close()
                self.is_closed.set()


class Views:
    """The views on one store: the current one is kept open between questions until another is published."""

    def __init__(
        self, parts: Parts, embedder: Callable[[], Embedder | None], reader: Callable[[], Reader | None]
    ) -> None:
        self._parts = parts
        self._embedder = embedder
        self._reader = reader
        self._language_model = Lazy(parts.language_model)
        self._current: _Shared | None = None
        self._replaced: list[_Shared] = []
        self._is_closed = False
        self._lock = Lock()
        self._past_lock = Lock()
        self._known = sources_of(parts.record)

    def sources(self) -> Mapping[str, Source]:
        """The sources of the store by id, as they are now."""
        return self._known().by_id

    def states(self) -> Sequence[SourceState]:
        """The same with their states, in the order of their ids."""
        return self._known().states

    @contextmanager
    def at(
        self, as_of: str | None, deadline: Deadline = Deadline.never(), principals: Sequence[str] = ()
    ) -> Iterator[View]:
        """The view on the current generation, or on that of an earlier revision or moment (`Filter.as_of`), for this
        asker and deadline. Sources are read after the generation is pinned: if another was published in between, that
        one is opened, since what was removed for it would be missing here."""
        if as_of is not None:
            with self.past(self._revision(as_of), deadline, principals) as view:
                yield view
            return
        while True:
            with self._entered().used(deadline, principals) as view:
                if view.pinned.folder.name == self._parts.generations.current():
                    yield view
                    return

    @contextmanager
    def past(
        self, revision: int, deadline: Deadline = Deadline.never(), principals: Sequence[str] = ()
    ) -> Iterator[View]:
        """The view on the store at this revision: the current generation where it holds the same, else one built from
        the editions that the record keeps, whatever the deadline, and kept until `pincite gc`. StoreError where they
        are gone."""
        if revision < (first := self._parts.record.first_revision()):
            raise StoreError(
                f"what the store held at revision {revision} was removed (retention_days): "
                f"ask as of revision {first} or a later one"
            )
        with ExitStack() as undo:
            record = self._parts.record.past(revision, to_link=True)
            undo.callback(record.close)
            pinned = self._pin_past(record)
            undo.callback(pinned.release)
            opened = self._open(pinned, record)
            undo.pop_all()
        shared = _Shared(opened)
        shared.enter()
        with self._lock:
            self._replace(shared)
        with shared.used(deadline, principals) as view:
            yield view

    def let_go(self) -> None:
        """Close what is open, as soon as no question uses it."""
        with self._lock:
            self._let_go()

    def settle(self) -> None:
        """The same, and wait for the questions that are being answered, up to SETTLED_SECONDS for each view."""
        with self._lock:
            self._let_go()
            used = list(self._replaced)
        for shared in used:
            shared.is_closed.wait(SETTLED_SECONDS)

    def close(self) -> None:
        """Close everything open, as soon as no question uses it; later questions raise a ClosedError."""
        with self._lock:
            self._is_closed = True
            self._let_go()

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

    def _entered(self) -> _Shared:
        """The current generation, open, with one question more that uses it."""
        with self._lock:
            if self._is_closed:
                raise ClosedError.of(f"the store in {self._parts.folder}")
            if self._current is not None and self._current.opened.name != self._parts.generations.current():
                self._let_go()
            if self._current is None:
                self._current = _Shared(self._open_current())
            self._current.enter()
            return self._current

    def _open_current(self) -> OpenGeneration:
        pinned = self._parts.generations.pin()
        if pinned is None:
            raise StoreError(f"{self._parts.folder} holds no index yet: run pincite index FOLDER")
        with ExitStack() as undo:
            undo.callback(pinned.release)
            record = self._parts.record.past(int(pinned.manifest["revision"]))
            undo.callback(record.close)
            opened = self._open(pinned, record)
            undo.pop_all()
        return opened

    def _let_go(self) -> None:
        if self._current is not None:
            self._replace(self._current)
            self._current = None

    def _replace(self, shared: _Shared) -> None:
        """Remember a view, to which no further question comes, while questions use it."""
        shared.replace()
        self._replaced = [item for item in (*self._replaced, shared) if not item.is_closed.is_set()]

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
        """The generation of a record of the past. Of several threads that ask for it one builds it."""
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
        with self._past_lock, writer_lock(root / LOCK):
            publish(record, kept, embedder, makers)
        pinned = kept.pin()
        if pinned is None:
            raise StoreError(f"the past generation in {root} is gone: ask again")
        return pinned

    def _open(self, pinned: Pinned, record: SqlRecord) -> OpenGeneration:
        parts = self._parts
        adapters = Adapters(
            parts.indexes, self._embedder, self._usable_reader(), self._language_model(), parts.ontology()
        )
        return open_generation(pinned, record, adapters)

    def _usable_reader(self) -> Reader | None:
        try:
            return self._reader()
        except ServiceError as error:
            return MissingReader(error)
