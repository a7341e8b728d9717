"""The store as one asker sees it: questions, receipts, documents and their pages, bound to who asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.answer.asked.topics import Earlier
from pincite.answer.relations.entities import NamedOften, describe_entity, most_named
from pincite.asking import Asker
from pincite.audit.access import Access
from pincite.audit.compare import Replay
from pincite.audit.events import new_event
from pincite.audit.receipts import Receipt
from pincite.build.changed import unchanged_file
from pincite.build.copies import Copies, find_copies
from pincite.build.objects import is_object
from pincite.build.sources import Roots
from pincite.build.uploads import Incoming, Upload, Uploads
from pincite.deadline import Deadline
from pincite.errors import NotThereError, ReadError, StoreError, TooLongError, UsageError
from pincite.originals import (
    has_link,
    masks,
    not_as_indexed,
    object_link,
    opened_original,
    state_to_hand_out,
)
from pincite.records.answers import Answer
from pincite.records.audit import AuditEvent, EventKind, Run
from pincite.records.chunks import ChunkRecord, EmbeddingRecord, MaskedSpan
from pincite.records.citations import Citation, EntityView
from pincite.records.evidence import Retrieval
from pincite.records.outlines import Anchor, Outline, Reference, ReferenceLink, Section
from pincite.records.pages import Box, Page, Span
from pincite.records.questions import Filter, RetrievalPolicy
from pincite.records.sources import DocumentLink, Original, Source, SourceState
from pincite.records.triplets import Triplet
from pincite.retrieve.places import resolve_words
from pincite.retrieve.visible import is_visible, visible_link
from pincite.settings import known_mode
from pincite.structure.called import section_called, section_in_works
from pincite.text.names import printed_name
from pincite.views import Parts, Views

LONGEST_QUESTION = 4_000
"""Characters: what is longer is a text and no question."""


class Session:
    """What an asker with these principals may see. What is closed to them is as if the store did not hold it: it is
    found by no question, counted nowhere, and whoever names it is told what is told of a document that is not there."""

    def __init__(self, parts: Parts, views: Views, asker: Asker, principals: tuple[str, ...], who: str = "") -> None:
        self._parts = parts
        self._views = views
        self._asker = asker
        self._principals = principals
        self._who = who
        self._uploads = Uploads(parts.folder)

    # --- asking

    def search(
        self,
        question: str,
        *,
        policy: RetrievalPolicy | None = None,
        filter: Filter = Filter(),  # noqa: A002
        receipt: bool = True,
        deadline: Deadline | None = None,
    ) -> Retrieval:
        """The evidence for a question, best first. `policy`, `deadline`: see `ask`."""
        asked = _readable(question), policy or self._parts.retrieval(), self._narrowed(filter)
        return self._asker.search(*asked, receipt=receipt, deadline=deadline or self._deadline())

    def ask(
        self,
        question: str,
        *,
        policy: RetrievalPolicy | None = None,
        filter: Filter = Filter(),  # noqa: A002
        mode: str | None = None,
        receipt: bool = True,
        deadline: Deadline | None = None,
        heard: Callable[[str], None] | None = None,
    ) -> Answer:
        """An answer, every statement of it pinned to its page, in a mode of `pincite.settings.MODES`, by default that
        of the settings.

        `policy` chooses the evidence, by default as the settings say. `filter.as_of` asks the store as it was. Without
        a `receipt` nothing is kept of it, and the answer is made anew. `deadline` is until when models are waited for,
        by default `ask_seconds` of the settings from now: what is known by then answers, and `degraded` says what is
        missing. `heard` is told the name of each step as it begins, in the thread that takes it; of an answer from the
        cache it hears nothing.
        """
        asked = _readable(question), policy or self._parts.retrieval(), self._narrowed(filter)
        chosen, until = known_mode(mode or self._parts.ask_mode), deadline or self._deadline()
        return self._asker.ask(*asked, mode=chosen, receipt=receipt, deadline=until, heard=heard, who=self._who)

    def again(
        self,
        question: str,
        *,
        policy: RetrievalPolicy | None = None,
        filter: Filter = Filter(),  # noqa: A002
        mode: str | None = None,
        deadline: Deadline | None = None,
    ) -> Answer | None:
        """The answer that `ask` gave to the same question lately, given once more; None where none is kept. For who
        would rather not wait until one is made."""
        asked = _readable(question), policy or self._parts.retrieval(), self._narrowed(filter)
        chosen, until = known_mode(mode or self._parts.ask_mode), deadline or self._deadline()
        return self._asker.again(*asked, mode=chosen, deadline=until, who=self._who)

    def completed(
        self, typed: str, turns: Sequence[Earlier], *, mode: str | None = None, deadline: Deadline | None = None
    ) -> str:
        """A question as it is understood after these turns, oldest first: what it leaves out, or calls by a pronoun, is
        taken from them; as typed where it stands alone."""
        chosen = known_mode(mode or self._parts.ask_mode)
        return self._asker.completed(_readable(typed), turns, chosen, deadline or self._deadline())

    def runs(self, limit: int | None = None) -> list[Run]:
        """The questions that were answered, newest first."""
        return self._asker.runs(limit, self._access())

    def receipt(self, run_id: str) -> Receipt:
        """What is kept of an answered question, by its trace id or the beginning of it."""
        return self._asker.receipt(run_id, self._access())

    def restored(self, receipt: Receipt) -> Answer | None:
        """The answer of a receipt as it was given; None where it was purged."""
        return self._asker.restored(receipt, self._access())

    def replay(self, run_id: str, *, from_hits: bool = False) -> Replay:
        """Ask again what a receipt says was asked, and compare; `from_hits` takes its hits instead of searching."""
        return self._asker.replay(run_id, self._access(), from_hits=from_hits)

    def record_event(
        self,
        kind: EventKind,
        source_id: str = "",
        *,
        page: int | None = None,
        trace_id: str = "",
        details: Mapping[str, Any] | None = None,
    ) -> bool:
        """Put what this asker does into the audit chain, under their name; whether that could be done."""
        said = {"source_id": source_id, "page": page, "trace_id": trace_id, "details": details or {}}
        return self._asker.store_event(new_event(kind, who=self._who, **said))

    def events(self, limit: int | None = None, prefix: str = "") -> list[AuditEvent]:
        """What was done beside questions, newest first; events whose ids begin with `prefix`."""
        return self._asker.events(limit, self._access(), prefix)

    def exported(self, since: str = "", until: str = "") -> Iterator[dict[str, Any]]:
        """Receipts and events as plain values, oldest first, those of a time alone: moments in UTC such as 2026-01-31,
        both included."""
        return self._asker.exported(self._access(), since, until)

    # --- putting documents in

    def incoming(
        self, name: str, most_bytes: int, *, acl: Iterable[str] | None = None
    ) -> AbstractContextManager[Incoming]:
        """Take in a document that its sender calls `name`: write its bytes, then `keep` it; `Engine.index_uploads`
        indexes it. Whatever ends this before leaves nothing behind.

        `acl` are the tags of who may see it: some of the asker's own, by default all of these. UsageError for others:
        nobody puts in what they could not see, or opens what they may see to those who may not.
        """
        own = self._principals
        tags = own if acl is None else tuple(acl)
        if not set(tags) <= set(own) or bool(tags) != bool(own):
            whom = ", ".join(tags) or "everybody"
            may = f"its tags must be some of your own ({', '.join(own)})" if own else "you have no tags"
            raise UsageError(f"a document cannot be added for {whom}: {may}")
        return self._uploads.incoming(name, tags, most_bytes)

    def uploads(self) -> list[tuple[Upload, SourceState | None]]:
        """The documents that were put in and may be seen, by id, with their state; None: not indexed yet."""
        states = {state.source.source_id: state for state in self._views.states()}
        found = ((upload, states.get(upload.source_id)) for upload in self._uploads.all())
        known = ((replace(upload, acl=state.source.acl) if state else upload, state) for upload, state in found)
        return [(upload, state) for upload, state in known if not upload.acl or set(upload.acl) & set(self._principals)]

    def ever_held(self, source_id: str) -> bool:
        """Whether the store holds, or held before it was taken out, a document that is open to this asker."""
        acl = self._parts.record.ever_held().get(source_id)
        return acl is not None and (not acl or bool(set(acl) & set(self._principals)))

    def boxes(self, citation: Citation) -> tuple[Box, ...]:
        """Where the cited words stand on their page, a box a line; none for what has no pages or changed since."""
        return () if citation.page is None else tuple(self.boxes_of(citation.source_id, [citation.span])[0])

    def boxes_of(self, source_id: str, spans: Sequence[Span]) -> list[list[Box]]:
        """The same of each of these places of one page."""
        with _drawing(spans[0].page, source_id), self._unchanged_file(source_id) as path:
            return [[] for _ in spans] if path is None else self._parts.drawer.boxes(path, spans)

    def file_of(self, source_id: str) -> Path | None:
        """The file that a source was read from; None where it is not there, or no file of this machine."""
        if not self._sees(source_id) or is_object(source_id):
            return None
        path = Roots.load(self._parts.folder).path_of(source_id)
        return path if path.is_file() else None

    def picture(self, source_id: str, page: int, marked: Sequence[Span] = ()) -> bytes:
        """A physical page as PNG, the words of these spans marked and what is masked black; UsageError where its file
        cannot be drawn."""
        is_paged = self.is_paged(source_id)
        with _drawing(page, source_id), self._unchanged_file(source_id) as path:
            if path is None or not is_paged:
                raise UsageError(f"{source_id} cannot be drawn: it has no pages, or its file is not as it was indexed")
            found = self._parts.drawer.boxes(path, [span for span in marked if span.page == page])
            hidden = self._hidden_boxes(path, source_id, page)
            return self._parts.drawer.picture(path, page, [box for boxes in found for box in boxes], hidden)

    def link(self, source_id: str, page: int | None = None, trace_id: str = "") -> DocumentLink | None:
        """A URL that opens a document in its object store, at this physical page, for a few minutes; None for one that
        `original` gives. It is an event of the audit chain, `trace_id` the answer. Raises as `original` does."""
        state = self._to_hand_out(source_id)
        if not has_link(source_id):
            return None
        with _telling_of(printed_name(source_id)):
            made = object_link(self._parts.objects, state, page)
        self._note_click(source_id, page, trace_id, {"seconds": self._parts.objects.link_seconds})
        return made

    def original(self, source_id: str, page: int | None = None, trace_id: str = "") -> Original:
        """The file of a document; the rest as with `link`. UsageError where it is not as it was indexed, or where the
        store masks: what is masked stands in the file. StoreError where the click cannot be noted."""
        state = self._to_hand_out(source_id)
        with _telling_of(printed_name(source_id)), self._unchanged_file(source_id) as path:
            if path is None:
                raise not_as_indexed(source_id)
            self._note_click(source_id, page, trace_id, {})
            return opened_original(path, state)

    def entity(self, name: str) -> EntityView:
        """What the documents say of an entity; NotThereError, with the nearest names, where nothing is called so."""
        with self._views.at(None, principals=self._principals) as view:
            return describe_entity(
                name, view.space, view.space.allowed(Filter(principals=self._principals)), view.record, view.ontology
            )

    # --- documents

    def sources(self) -> list[SourceState]:
        """All sources with their status, by id."""
        return [state for state in self._views.states() if self._is_open(state.source)]

    def source(self, source_id: str) -> Source:
        """A source as it was handed in; NotThereError for one that the store does not hold."""
        found = self._views.sources().get(source_id)
        if found is None or not self._is_open(found):
            raise _no_document(source_id)
        return found

    def counts(self) -> dict[str, int]:
        """How many sources, pages, sections and chunks the store holds."""
        if not self._hidden():
            return self._parts.record.counts()
        read = [state for state in self.sources() if state.status != "refused"]
        return {
            "sources": len(read),
            "pages": sum(state.page_count for state in read),
            "sections": sum(len(self._parts.record.sections(state.source.source_id)) for state in read),
            "chunks": sum(state.chunk_count for state in read),
        }

    def outline(self, source_id: str) -> Outline:
        """The sections, anchors and references of a document; NotThereError for one that is not there."""
        found = self._parts.record.outlines(source_id) if self._sees(source_id) else []
        if not found:
            raise _no_document(source_id)
        return found[0]

    def is_paged(self, source_id: str) -> bool:
        """Whether a document has pages; NotThereError for one that the store does not hold."""
        paged = self._parts.record.is_paged(source_id) if self._sees(source_id) else None
        if paged is None:
            raise _no_document(source_id)
        return paged

    def sections(self, source_id: str) -> list[Section]:
        """The section tree of a document, in reading order."""
        self.is_paged(source_id)
        return list(self._parts.record.sections(source_id))

    def section(self, source_id: str, number_or_title: str) -> Section:
        """The section that is called so ("5.2", "Annex B", "Snow loads"); NotThereError names the nearest numbers."""
        return section_called(self.sections(source_id), number_or_title)

    def section_in_works(self, number: str, source_id: str | None = None) -> tuple[str, Section]:
        """The document that has the section of this number, and the section: among all documents, or among the files of
        the work that one belongs to. NotThereError where none has it, UsageError where several have."""
        return section_in_works(self._outlines(), number, source_id)

    def anchors(self, source_id: str) -> list[Anchor]:
        """Tables, figures, equations, definitions and the like of a document, in reading order."""
        return list(self.outline(source_id).anchors)

    def references(self, source_id: str) -> list[tuple[Reference, ReferenceLink]]:
        """The references of a document with what became of each, in reading order."""
        self.is_paged(source_id)
        written = {reference.ordinal: reference for reference in self._parts.record.references(source_id)}
        links = self._parts.record.links(source_id)
        return [(written[link.reference], visible_link(link, self._sees)) for link in links]

    def passage(self, source_id: str, chunk_id: str) -> ChunkRecord:
        """A chunk of a document as it is now; NotThereError for one that it does not hold."""
        places = self._parts.record.chunk_places(source_id) if self._sees(source_id) else []
        if chunk_id not in {place.chunk_id for place in places}:
            raise NotThereError(f"the store holds no passage {chunk_id!r} of {source_id!r}: ask again")
        return self._chunk(chunk_id)

    def neighbours(self, chunk_id: str, count: int = 1) -> list[ChunkRecord]:
        """A chunk with up to `count` neighbours before and after it, in reading order; alone where its text changed."""
        ids = [place.chunk_id for place in self._parts.record.chunk_places(self._chunk(chunk_id).source_id)]
        index = ids.index(chunk_id) if chunk_id in ids else None
        chosen = [chunk_id] if index is None else ids[max(0, index - count) : index + count + 1]
        return self._parts.record.chunks(chosen)

    def chunks_at(self, source_id: str, start: int, end: int) -> list[ChunkRecord]:
        """The chunks that touch `[start, end)` of the joined text of a document, in reading order."""
        places = self._parts.record.chunk_places(source_id) if self._sees(source_id) else []
        found = [place.chunk_id for place in places if place.start < end and start < place.end]
        return self._parts.record.chunks(found)

    def resolve(self, reference: str, from_chunk: str) -> list[ReferenceLink]:
        """Where the references in these words lead ("see 5.3.2 and Table 4.1"), read as if they stood in this chunk."""
        chunk = self._chunk(from_chunk)
        return resolve_words(reference, self._outlines(), chunk.source_id, chunk.start)

    def triplets(self, source_id: str) -> list[Triplet]:
        """What the sentences and tables of a document say of the things that they name, in reading order."""
        return self._parts.record.triplets(source_id) if self._sees(source_id) else []

    def embeddings(self, source_id: str) -> list[EmbeddingRecord]:
        """The vectors of a document's chunks, by chunk id, window by window (spec/phase3_rag.md)."""
        places = self._parts.record.chunk_places(source_id) if self._sees(source_id) else []
        return self._parts.record.embeddings([place.chunk_id for place in places])

    def pages(self, source_id: str) -> list[Page]:
        """The pages of a document: their text, labels and sizes."""
        return self._parts.record.pages(source_id) if self._sees(source_id) else []

    def masked(self, source_id: str) -> list[MaskedSpan]:
        """Where the pages of a document are masked, and what kind of thing stood there, in reading order."""
        return self._parts.record.masked(source_id) if self._sees(source_id) else []

    def section_titles(self) -> list[str]:
        """The titles of all sections, each once, sorted."""
        if not self._hidden():
            return self._parts.record.section_titles()
        read = (self._parts.record.sections(state.source.source_id) for state in self.sources())
        return sorted({section.title for sections in read for section in sections})

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

    def overview(self) -> tuple[str, str | None]:
        """What the store is called: as its folder; and when its documents changed last, in UTC (None: never)."""
        own, above = self._parts.folder.resolve(), self._parts.folder.resolve().parent
        return (above if own.name.startswith(".") else own).name, self._parts.record.changed_utc()

    def most_named(self, limit: int) -> list[NamedOften]:
        """The names of which something is said that stand in most chunks."""
        with self._views.at(None, principals=self._principals) as view:
            return most_named(view.space, view.space.allowed(Filter(principals=self._principals)), limit)

    def copies(self) -> Copies:
        """Which documents are the same, and which are nearly so."""
        return find_copies(self._parts.record, self._is_open)

    # --- helpers

    def _deadline(self) -> Deadline:
        """That of a question which is asked now."""
        seconds = self._parts.ask_seconds
        return Deadline.after(seconds) if seconds else Deadline.never()

    def _hidden_boxes(self, path: Path, source_id: str, page: int) -> list[Box]:
        """Where the masked words of a page stand; UsageError where that is not known of all."""
        spans = [item.span for item in self._parts.record.masked(source_id) if item.span.page == page]
        found = self._parts.drawer.boxes(path, spans)
        if not all(found):
            raise UsageError(f"page {page} of {source_id} cannot be drawn: where its masked words stand is not known")
        return [box for boxes in found for box in boxes]

    def _narrowed(self, given: Filter) -> Filter:
        """The filter of a question by this asker: its principals narrow who asks, and never widen it."""
        named = set(given.principals)
        return replace(given, principals=tuple(p for p in self._principals if not named or p in named))

    def _is_open(self, source: Source) -> bool:
        return is_visible(source, Filter(principals=self._principals))

    def _sees(self, source_id: str) -> bool:
        """Whether the store holds a source that is open to this asker."""
        source = self._views.sources().get(source_id)
        return source is not None and self._is_open(source)

    def _outlines(self) -> list[Outline]:
        return [outline for outline in self._parts.record.outlines() if self._sees(outline.source_id)]

    def _hidden(self) -> bool:
        """Whether anything that the store holds is closed to this asker."""
        return not all(map(self._is_open, self._views.sources().values()))

    def _access(self) -> Access:
        """What is closed to this asker of all that the store ever held: receipts may tell of it."""
        record, own = self._parts.record, set(self._principals)
        closed = (name for name, acl in record.ever_held().items() if acl and own.isdisjoint(acl))
        once_closed = ((name, until) for name, until, acl in record.once_closed() if own.isdisjoint(acl))
        return Access(self._principals, tuple(closed), tuple(once_closed))

    def _chunk(self, chunk_id: str) -> ChunkRecord:
        (chunk,) = self._parts.record.chunks([chunk_id])
        then = self._parts.record.access_of_chunk(chunk_id)
        if not self._sees(chunk.source_id) or any(map(set(self._principals).isdisjoint, then)):
            raise StoreError(f"the record holds no chunk {chunk_id}: run pincite verify")
        return chunk

    @contextmanager
    def _unchanged_file(self, source_id: str) -> Iterator[Path | None]:
        source = self._views.sources().get(source_id) if self._sees(source_id) else None
        roots, copies = Roots.load(self._parts.folder), self._parts.objects.copies
        with unchanged_file(source, roots, copies, keeps_copies=not masks(self._parts.record)) as path:
            yield path

    def _to_hand_out(self, source_id: str) -> SourceState:
        """A document that this asker sees, and may have as it is."""
        self.is_paged(source_id)
        return state_to_hand_out(self._parts.record, self._views.states(), source_id)

    def _note_click(self, source_id: str, page: int | None, trace_id: str, details: Mapping[str, Any]) -> None:
        """Note who was given a document, before they are."""
        if not self.record_event("link opened", source_id, page=page, trace_id=trace_id, details=details):
            raise StoreError("the audit chain cannot be written, so that no document is handed out: see its disk")


def _drawing(page: int, source_id: str) -> AbstractContextManager[None]:
    """What a file does to whoever draws it is told with its name."""
    return _telling_of(f"page {page} of {printed_name(source_id)}")


@contextmanager
def _telling_of(what: str) -> Iterator[None]:
    """What cannot be read is told with its name."""
    try:
        yield
    except ReadError as error:
        raise ReadError(f"{what}: {error}") from error


def _readable(question: str) -> str:
    """A question that is short enough to be one; TooLongError where it is not."""
    if len(question) > LONGEST_QUESTION:
        raise TooLongError(
            f"the question has {len(question):,} characters, more than the {LONGEST_QUESTION:,} that are read: "
            "ask it in fewer words"
        )
    return question


def _no_document(source_id: str) -> NotThereError:
    return NotThereError(f"the store holds no document {source_id!r}: pincite status lists them")
