"""Engine: the one door that command line, service and library users come through."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self, Unpack

from pincite.answer.said.citations import ambiguous_filenames, printed_citation, printed_statement
from pincite.audit.chain import ChainReport, check_chain
from pincite.audit.receipts import Receipt, forget_receipts
from pincite.build.editions import is_given_up
from pincite.build.faults import each_alone, internal_error
from pincite.build.objects import FetchedFiles, ObjectTerms, find_objects, is_at_or_below, is_object
from pincite.build.pipeline import WAITING, Indexer, Progress, ProgressListener
from pincite.build.plan import IndexPlan, Trial, Trials, make_plan
from pincite.build.publish import verify_store
from pincite.build.redaction import policy_digest
from pincite.build.sources import INSIDE, UPLOADS, Found, Roots, StoredAccess, find_all, read_manifest
from pincite.build.uploads import Upload, Uploads
from pincite.engine.asking import Asker
from pincite.engine.session import LONGEST_QUESTION, AskTerms, SearchTerms, Session
from pincite.engine.views import COPIES, REDACT, REDACT_PATTERNS, Parts, Views
from pincite.engine.visibility import Sight
from pincite.errors import StoreError, UsageError
from pincite.ports import Embedder
from pincite.read.registry import NO_READER, readable_suffixes
from pincite.records.answers import Answer
from pincite.records.audit import Forgotten
from pincite.records.evidence import Retrieval
from pincite.records.pages import Document
from pincite.records.questions import Filter
from pincite.records.sources import IndexReport, Source
from pincite.store.copying import move_record, write_backup
from pincite.store.locks import waited_for
from pincite.text.personal import masked_line, masked_sum
from pincite.threads import Lazy


class Engine:
    """A store that can be indexed into and asked. Use as a context manager, or call `close`.

    `session` gives what an asker may see, `ask` and `search` ask for whoever the principals of the filter are.
    """

    def __init__(self, parts: Parts) -> None:
        self._embedder = Lazy(lambda: self._that_of_store(parts.embedder()))
        self._bulk_embedder = Lazy(self._load_bulk_embedder)
        self._reader = Lazy(parts.answer_reader)
        self._parts = parts
        self._views = Views(parts, self._embedder, self._reader)
        self._asker = Asker(parts, self._views)
        self._uploads = Uploads(parts.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the generation, of all models and connections, and end what draws pages; a question that is being
        answered may end first."""
        self._views.close()
        for model in (self._embedder, self._bulk_embedder, self._reader):
            model.taken()
        self._asker.close()
        self._parts.drawer.close()
        self._parts.record.close()

    def session(self, principals: Iterable[str] = (), who: str = "") -> Session:
        """The store as an asker with these principals sees it (by default with none); `who` is their name in the audit
        chain."""
        if isinstance(principals, str):
            raise UsageError(f"principals are several: [{principals!r}]")
        return Session(Sight(self._parts, self._views, tuple(sorted(set(principals))), who), self._asker)

    def ask(self, question: str, *, filter: Filter = Filter(), **terms: Unpack[AskTerms]) -> Answer:  # noqa: A002
        """`Session.ask` of a session of the principals in the filter."""
        return self.session(filter.principals).ask(question, filter=filter, **terms)

    def search(self, question: str, *, filter: Filter = Filter(), **terms: Unpack[SearchTerms]) -> Retrieval:  # noqa: A002
        """`Session.search` of a session of the principals in the filter."""
        return self.session(filter.principals).search(question, filter=filter, **terms)

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
        """Read, store and publish what lies at and below `paths`, and what a manifest names: files, and objects by
        address (`s3://BUCKET/PREFIX`, an object or a folder). Mode `incremental` skips unchanged files, `full` reads
        all again; `prune` removes sources that are gone; `name` is that of a second root (docs/design.md section 4);
        `exclude` has patterns of files to leave out. Whoever else is making this store is waited for; StoreError where
        somebody writes into a store that is made."""
        if mode not in ("full", "incremental"):
            raise UsageError(f"the mode {mode!r} is not known: use full or incremental")
        wanted = _Wanted.of(paths, manifest)
        with self._writing(progress):
            roots = Roots.load(self._parts.folder).including_all(wanted.all_files(), name)
            roots.save(self._parts.folder)
            found = self._found(wanted, roots, exclude)
            return self._index_files(found, wanted, roots, full=mode == "full", prune=prune, progress=progress)

    def index_uploads(self, *, progress: ProgressListener | None = None) -> IndexReport | None:
        """Read, store and publish what was put in and is not indexed yet, or not published; the report of the last run
        that this took, None where there is nothing. A document on which a run fails in a way that nobody meant is
        refused, and the others are indexed."""
        self._uploads.clean()
        if not self.waiting_uploads() and not self._is_behind():
            return None
        with self._parts.record.writer_lock():
            found = self._uploads.found(of=self.waiting_uploads())
            roots, nothing = Roots.load(self._parts.folder), _Wanted.of((), None)
            reports: list[IndexReport] = []

            def run(some: Sequence[Found]) -> Sequence[None]:
                made = self._index_files(some, nothing, roots, full=False, prune=False, progress=progress)
                reports.append(made)
                return [None] * len(some)

            failed = [(item, error) for item, error in zip(found, each_alone(run, found), strict=True) if error]
            for item, error in failed:
                self._give_up(item, error, progress)
            if failed or not found:
                run(())
            return reports[-1]

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
        wanted = _Wanted.of(paths, manifest)
        roots = Roots.load(self._parts.folder).including_all(wanted.all_files(), name)
        found = self._found(wanted, roots, exclude)
        embeds = self._embedder() is not None
        parts, graph = self._parts, self._parts.triplets().version
        full = mode == "full"
        return make_plan(found, parts.record.sources(), parts.policy, graph, full=full, embeds=embeds, trials=trials)

    def waiting_uploads(self) -> list[str]:
        """The ids of what was put in and is not indexed yet, or was given up for another reason than what it holds."""
        done = {state.source.source_id for state in self._views.states() if not is_given_up(state)}
        return [upload.source_id for upload in self._uploads.all() if upload.source_id not in done]

    def index_documents(
        self, items: Iterable[tuple[Source, Document]], *, progress: ProgressListener | None = None
    ) -> IndexReport:
        """Store and publish documents that were read elsewhere (docs/design.md section 5)."""
        with self._parts.record.writer_lock(), self._masking():
            return self._indexer(progress).index_documents(items)

    def masked_otherwise(self) -> list[str]:
        """The documents that were read by another policy than today's, which masks; they may be masked less."""
        policy = self._parts.policy
        if not policy.redacts:
            return []
        read = [state for state in self._parts.record.sources() if state.status != "refused"]
        digest = policy_digest(policy)
        return [state.source.source_id for state in read if state.versions["policy"].rpartition("/")[2] != digest]

    def remove(self, source_id: str, *, purge: bool = False, who: str = "") -> None:
        """Remove a source and everything inside it; UsageError where there is no such source. `purge` also erases its
        text from the record's past, the receipts and the cache. `who` does it goes into the audit chain."""
        record = self._parts.record
        with self._parts.record.writer_lock():
            held = list(record.ever_held()) if purge else [state.source.source_id for state in record.sources()]
            had_file = self._uploads.remove(source_id)
            if source_id in held or (purge and not had_file):
                self._remove([source_id, *(name for name in held if name.startswith(source_id + INSIDE))], purge=purge)
            elif not had_file:
                raise UsageError(f"the store holds no source {source_id!r}: pincite status lists them")
        self._asker.note("purged" if purge else "deleted", who=who, source_id=source_id)

    def left_by_purge(self) -> str:
        """What a purge cannot reach, and who can; empty where it reaches everything."""
        left = self._parts.record.left_by_purge(), self._parts.generations.left_by_purge()
        return "; ".join(filter(None, left))

    # --- access

    def access(self) -> dict[str, tuple[str, ...]]:
        """Who may see each source, by id: an asker needs one of these tags; none: open to everybody."""
        return {state.source.source_id: state.source.acl for state in self._parts.record.sources()}

    def set_access(self, access: Mapping[str, Iterable[str]], *, who: str = "") -> None:
        """Restrict these sources, and what is inside them, to askers with one of these tags; no tags: open to
        everybody. It holds until it is set again. `who` does it goes into the audit chain."""
        record = self._parts.record
        with self._parts.record.writer_lock():
            states = {state.source.source_id: state.source for state in record.sources()}
            for name in access:
                if name not in states:
                    raise UsageError(f"the store holds no source {name!r}: pincite access list names them")
            for name, tags in access.items():
                acl = tuple(sorted(set(tags)))
                for source_id, source in states.items():
                    if source_id == name or source_id.startswith(name + INSIDE):
                        record.update_source(replace(source, acl=acl))
                self._asker.note("access changed", who=who, source_id=name, details={"acl": list(acl)})
            self._indexer(None).publish()

    # --- looking after the store

    def check_chain(self, noted: str = "") -> ChainReport:
        """Whether all receipts and events are as they were written, and none is missing; `noted` is the `head` of an
        earlier look, which must still be there."""
        return check_chain(self._asker.receipts, noted)

    def cache_counts(self) -> dict[str, int]:
        """How often an answer was found in the cache (`hits`) and how often not (`misses`); empty without a cache."""
        return self._asker.cache_counts()

    def verify(self) -> list[str]:
        """What is wrong with the record or the current generation; an empty list where all is well.

        The indexes are built once more aside and must give the same content.
        """
        with self._parts.record.writer_lock():
            return verify_store(self._parts.record, self._parts.generations, self._embedder(), self._parts.indexes)

    def collect(self) -> list[str]:
        """Remove generations that nobody uses; their names."""
        with self._parts.record.writer_lock():
            return self._views.collect()

    def pull(self, *, check: bool = False) -> str | None:
        """Fetch the generation that was published last (generations_url), and answer from it; its name, None where
        there is none to be had yet. With `check`, the copy that is here is checked whole, and mended."""
        return self._parts.generations.pull(check=check)

    def forget(self, before: datetime) -> Forgotten:
        """Forget answers that were given before this moment, and what documents said before it: editions that no
        generation has, and that no answer since then was asked of. They can be asked and replayed no longer."""
        record = self._parts.record
        with self._parts.record.writer_lock():
            latest = record.revision_at(f"{before:%Y-%m-%dT%H:%M:%S}")
            receipts = self._asker.receipts
            asked = [run.revision for run in receipts.runs() if run.created_utc >= before]
            first = min([latest, *asked, *self._views.revisions()])
            return Forgotten(receipts=forget_receipts(receipts, before), editions=record.forget_before(first))

    def backup(self, target: Path) -> None:
        """Write the store into one tar file, as it is at this moment."""
        write_backup(self._parts.folder, self._parts.generations, target)

    # --- helpers

    def _writing(self, progress: ProgressListener | None) -> AbstractContextManager[None]:
        """The writer lock; as long as the store has no index it is waited for."""
        lock = self._parts.record.writer_lock
        if self._parts.generations.current() is not None:
            return lock()

        def wait(holder: str) -> None:
            if progress is not None:
                progress(Progress(WAITING, 0, 0, 0, holder))

        return waited_for(lock, wait)

    def _found(self, wanted: _Wanted, roots: Roots, exclude: Sequence[str]) -> list[Found]:
        """The files and objects that are wanted, and all that was put into the store over HTTP."""
        for path in wanted.all_files():
            if path.is_relative_to(self._parts.folder / UPLOADS):
                raise UsageError(f"{path} is a part of the store, which knows it already: leave it out")
        files = find_all(wanted.paths, wanted.entries, roots, self._parts.folder, exclude)
        return [*files, *self._uploads.found(), *self._found_objects(wanted, exclude)]

    def _found_objects(self, wanted: _Wanted, exclude: Sequence[str]) -> list[Found]:
        if not wanted.addresses and not wanted.object_entries:
            return []
        known = {state.source.source_id: state for state in self._parts.record.sources()}
        terms = ObjectTerms(known, self._parts.objects.most_bytes, exclude)
        return find_objects(wanted.addresses, wanted.object_entries, self._parts.objects.store(), terms)

    def _is_behind(self) -> bool:
        """Whether the current generation may lack what the record holds: a run was cut off before it published."""
        pinned = self._parts.generations.pin()
        if pinned is None:
            return self._parts.record.revision() > 0
        with pinned.held():
            return int(pinned.manifest["revision"]) != self._parts.record.revision()

    def _remove(self, names: Sequence[str], *, purge: bool) -> None:
        """Remove sources. A purge reaches receipts and the cache even where the new generation cannot be published."""
        record = self._parts.record
        if purge:
            self._asker.forget_answers()
        for name in names:
            (record.purge_source if purge else record.remove_source)(name)
        try:
            self._indexer(None).publish()
        finally:
            if purge:
                self._parts.objects.copies.clear()
                self._views.settle()
                for name in names:
                    self._asker.purge(name)
                self._views.collect()

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

    def _indexer(self, progress: ProgressListener | None, fetched: FetchedFiles | None = None) -> Indexer:
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
            fetched=fetched,
            listener=progress,
        )

    def _index_files(
        self,
        found: Sequence[Found],
        wanted: _Wanted,
        roots: Roots,
        *,
        full: bool,
        prune: bool,
        progress: ProgressListener | None,
    ) -> IndexReport:
        files = [item for item in found if not is_object(item.source_id)]
        closed = [item.path for item in files if item.reason is not None and item.path.is_dir()]

        def in_scope(source_id: str) -> bool:
            if is_object(source_id):
                return any(is_at_or_below(source_id, address) for address in wanted.addresses)
            path, _ = roots.file_of(source_id)
            is_within = path.is_relative_to
            is_put_in = is_within(self._parts.folder / UPLOADS)
            return any(map(is_within, wanted.paths)) and not any(map(is_within, closed)) and not is_put_in

        reader, folder = self._parts.reader(), self._parts.folder / COPIES
        self._parts.objects.copies.clean()
        try:
            with self._masking(), FetchedFiles(folder, self._parts.objects.store) as fetched:
                indexer = self._indexer(progress, fetched)
                report = indexer.index_files(found, reader, full=full, prune=prune, in_scope=in_scope)
        finally:
            reader.close()
        for gone in (item.source for item in report.documents if item.status == "removed"):
            self._asker.note("deleted", source_id=gone)
        return report

    def _give_up(self, item: Found, error: Exception, progress: ProgressListener | None) -> None:
        """Refuse a document on which a run failed; it is tried again by the next."""
        source = item.source or Source(item.source_id, "file", "")
        access = StoredAccess(self._parts.record.ever_held())
        kept = replace(source, acl=access.of_file(item).acl)
        self._parts.record.put_refusal(kept, internal_error("indexing it"), {})
        if progress is not None:
            progress(Progress("failed", 0, 0, 0, item.source_id, error))

    @contextmanager
    def _masking(self) -> Iterator[None]:
        """The store remembers what it masks; in the end it forgets what earlier readings masked less, and answers that
        were given from them."""
        record, policy = self._parts.record, self._parts.policy
        if policy.redacts or record.setting(REDACT):
            record.remember(REDACT, ",".join(policy.redact))
            record.remember(REDACT_PATTERNS, ",".join(name for name, _ in policy.redact_patterns))
            self._parts.objects.copies.clear()
        yield
        if not policy.redacts or policy.keep_original:
            return
        if forgotten := record.forget_other_policies(policy_digest(policy)):
            self._views.settle()
            for name in forgotten:
                self._asker.purge(name)
            self._views.collect()


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is to be indexed: paths and addresses of objects, and the entries of a manifest, those of objects apart."""

    paths: Sequence[Path]
    addresses: Sequence[str]
    entries: Sequence[Mapping[str, Any]]
    object_entries: Sequence[Mapping[str, Any]]

    @classmethod
    def of(cls, given: Sequence[Path | str], manifest: Path | None) -> _Wanted:
        """Paths become absolute."""
        entries = read_manifest(manifest) if manifest else []
        return cls(
            [Path(os.path.normpath(Path(item).absolute())) for item in given if not is_object(str(item))],
            [str(item) for item in given if is_object(str(item))],
            [entry for entry in entries if not is_object(str(entry["path"]))],
            [entry for entry in entries if is_object(str(entry["path"]))],
        )

    def all_files(self) -> list[Path]:
        """The paths, and those of the entries."""
        return [*self.paths, *(entry["path"] for entry in self.entries)]


__all__ = [
    "LONGEST_QUESTION",
    "NO_READER",
    "WAITING",
    "Engine",
    "IndexPlan",
    "Parts",
    "Progress",
    "Receipt",
    "Session",
    "Trial",
    "Trials",
    "Upload",
    "ambiguous_filenames",
    "masked_line",
    "masked_sum",
    "move_record",
    "printed_citation",
    "printed_statement",
    "readable_suffixes",
]
