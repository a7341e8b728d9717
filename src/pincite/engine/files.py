"""The files of documents: where words stand on their pages, pictures of these, and the originals as they are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pincite.build.editions import unchanged_file
from pincite.build.objects import is_object
from pincite.build.sources import INSIDE, Roots
from pincite.engine.audit import Audit
from pincite.engine.views import REDACT, REDACT_PATTERNS, Objects
from pincite.engine.visibility import Sight
from pincite.errors import ReadError, StoreError, UsageError
from pincite.printing import printed_name
from pincite.records.citations import Citation
from pincite.records.pages import Box, Span
from pincite.records.sources import DocumentLink, Original, SourceState
from pincite.store.sql_record import SqlRecord


class Files:
    """The files of the documents that an asker may see, and which of them may be handed out."""

    def __init__(self, sight: Sight, audit: Audit) -> None:
        self._sight = sight
        self._audit = audit

    def boxes(self, citation: Citation) -> tuple[Box, ...]:
        """Where the cited words stand on their page, a box a line; none for what has no pages or changed since."""
        return () if citation.page is None else tuple(self.boxes_of(citation.source_id, [citation.span])[0])

    def boxes_of(self, source_id: str, spans: Sequence[Span]) -> list[list[Box]]:
        """The same of each of these places of one page."""
        with _naming_page(spans[0].page, source_id), self._unchanged_file(source_id) as path:
            return [[] for _ in spans] if path is None else self._sight.parts.drawer.boxes(path, spans)

    def file_of(self, source_id: str) -> Path | None:
        """The file that a source was read from; None where it is not there, or no file of this machine."""
        if not self._sight.sees(source_id) or is_object(source_id):
            return None
        path = Roots.load(self._sight.parts.folder).path_of(source_id)
        return path if path.is_file() else None

    def picture(self, source_id: str, page: int, marked: Sequence[Span] = ()) -> bytes:
        """A physical page as PNG, the words of these spans marked and what is masked black; UsageError where its file
        cannot be drawn."""
        is_paged = self._sight.is_paged(source_id)
        with _naming_page(page, source_id), self._unchanged_file(source_id) as path:
            if path is None or not is_paged:
                raise UsageError(f"{source_id} cannot be drawn: it has no pages, or its file is not as it was indexed")
            found = self._sight.parts.drawer.boxes(path, [span for span in marked if span.page == page])
            hidden = self._hidden_boxes(path, source_id, page)
            return self._sight.parts.drawer.picture(path, page, [box for boxes in found for box in boxes], hidden)

    def link(self, source_id: str, page: int | None = None, trace_id: str = "") -> DocumentLink | None:
        """A URL that opens a document in its object store, at this physical page, for a few minutes; None for one that
        `original` gives. It is an event of the audit chain, `trace_id` the answer. Raises as `original` does."""
        state = self._to_hand_out(source_id)
        if not _has_link(source_id):
            return None
        with _naming(printed_name(source_id)):
            made = _object_link(self._sight.parts.objects, state, page)
        self._note_click(source_id, page, trace_id, {"seconds": self._sight.parts.objects.link_seconds})
        return made

    def original(self, source_id: str, page: int | None = None, trace_id: str = "") -> Original:
        """The file of a document; the rest as with `link`. UsageError where it is not as it was indexed, or where the
        store masks: what is masked stands in the file. StoreError where the click cannot be noted."""
        state = self._to_hand_out(source_id)
        with _naming(printed_name(source_id)), self._unchanged_file(source_id) as path:
            if path is None:
                raise _not_as_indexed(source_id)
            self._note_click(source_id, page, trace_id, {})
            return _opened_original(path, state)

    def _hidden_boxes(self, path: Path, source_id: str, page: int) -> list[Box]:
        """Where the masked words of a page stand; UsageError where that is not known of all."""
        spans = [item.span for item in self._sight.record.masked(source_id) if item.span.page == page]
        found = self._sight.parts.drawer.boxes(path, spans)
        if not all(found):
            raise UsageError(f"page {page} of {source_id} cannot be drawn: where its masked words stand is not known")
        return [box for boxes in found for box in boxes]

    @contextmanager
    def _unchanged_file(self, source_id: str) -> Iterator[Path | None]:
        source = self._sight.views.sources().get(source_id) if self._sight.sees(source_id) else None
        roots, copies = Roots.load(self._sight.parts.folder), self._sight.parts.objects.copies
        with unchanged_file(source, roots, copies, keeps_copies=not _masks(self._sight.record)) as path:
            yield path

    def _to_hand_out(self, source_id: str) -> SourceState:
        """A document that this asker sees, and may have as it is."""
        self._sight.is_paged(source_id)
        return _state_to_hand_out(self._sight.record, self._sight.views.states(), source_id)

    def _note_click(self, source_id: str, page: int | None, trace_id: str, details: Mapping[str, Any]) -> None:
        """Note who is given a document, before they get it."""
        if not self._audit.record_event("link opened", source_id, page=page, trace_id=trace_id, details=details):
            raise StoreError("the audit chain cannot be written, so that no document is handed out: see its disk")


def _naming_page(page: int, source_id: str) -> AbstractContextManager[None]:
    """Adds the file's name to errors of the drawer."""
    return _naming(f"page {page} of {printed_name(source_id)}")


@contextmanager
def _naming(what: str) -> Iterator[None]:
    """Adds the file's name to errors of reading."""
    try:
        yield
    except ReadError as error:
        raise ReadError(f"{what}: {error}") from error


def _masks(record: SqlRecord) -> bool:
    """Whether documents of a store are masked while indexing; then no copy of one is kept as it was."""
    return bool(record.setting(REDACT) or record.setting(REDACT_PATTERNS))


def _state_to_hand_out(record: SqlRecord, known: Sequence[SourceState], source_id: str) -> SourceState:
    """The state of a document, of all that are known; UsageError where anything is masked of it, or of what it lies in
    or holds, or where the store _masks: what is masked is looked for in the text of pages, and a file holds more."""
    outermost = source_id.partition(INSIDE)[0]
    states = [state for state in known if state.source.source_id.partition(INSIDE)[0] == outermost]
    if _masks(record) or any(state.masked for state in states):
        raise UsageError(f"{printed_name(source_id)} is masked here: its file, which is not, is not handed out")
    return next(state for state in states if state.source.source_id == source_id)


def _has_link(source_id: str) -> bool:
    """Whether a document is an object of its own, which its store can hand out."""
    return is_object(source_id) and INSIDE not in source_id


def _object_link(objects: Objects, state: SourceState, page: int | None) -> DocumentLink:
    """A link to an object, at a physical page of a PDF. UsageError where it is not as it was indexed."""
    address = state.source.source_id
    found = objects.store().find(address)
    if found is None or found.stamp != state.source.stamp:
        raise _not_as_indexed(address)
    as_pdf = _is_pdf(state)
    expires = datetime.now(UTC) + timedelta(seconds=objects.link_seconds)
    url = objects.store().link(address, seconds=objects.link_seconds, as_pdf=as_pdf)
    return DocumentLink(f"{url}#page={page}" if page and as_pdf else url, expires)


def _opened_original(path: Path, state: SourceState) -> Original:
    """The file at `path`, open; the caller closes it."""
    file = path.open("rb")
    return Original(file, os.fstat(file.fileno()).st_size, _is_pdf(state))


def _not_as_indexed(source_id: str) -> UsageError:
    """The message for a document whose bytes have changed."""
    return UsageError(f"{printed_name(source_id)} is not as it was indexed, or gone: pincite index reads it again")


def _is_pdf(state: SourceState) -> bool:
    """Whether a document was read as PDF: the version of a reader begins with its kind."""
    return state.versions["reader"].startswith("pdf ")
