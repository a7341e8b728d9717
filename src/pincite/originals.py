"""Documents as they are: which of them may be handed out, by a link into their object store or as files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pincite.build.objects import is_object
from pincite.build.sources import INSIDE
from pincite.errors import UsageError
from pincite.records.sources import DocumentLink, Original, SourceState
from pincite.store.sql_record import SqlRecord
from pincite.text.names import printed_name
from pincite.views import REDACT, REDACT_PATTERNS, Objects


def masks(record: SqlRecord) -> bool:
    """Whether documents of a store are masked while indexing; then no copy of one is kept as it was."""
    return bool(record.setting(REDACT) or record.setting(REDACT_PATTERNS))


def state_to_hand_out(record: SqlRecord, known: Sequence[SourceState], source_id: str) -> SourceState:
    """The state of a document, of all that are known; UsageError where anything is masked of it, or of what it lies in
    or holds, or where the store masks: what is masked is looked for in the text of pages, and a file holds more."""
    outermost = source_id.partition(INSIDE)[0]
    states = [state for state in known if state.source.source_id.partition(INSIDE)[0] == outermost]
    if masks(record) or any(state.masked for state in states):
        raise UsageError(f"{printed_name(source_id)} is masked here: its file, which is not, is not handed out")
    return next(state for state in states if state.source.source_id == source_id)


def has_link(source_id: str) -> bool:
    """Whether a document is an object of its own, which its store can hand out."""
    return is_object(source_id) and INSIDE not in source_id


def object_link(objects: Objects, state: SourceState, page: int | None) -> DocumentLink:
    """A link to an object, at a physical page of a PDF. UsageError where it is not as it was indexed."""
    address = state.source.source_id
    found = objects.store().find(address)
    if found is None or found.stamp != state.source.stamp:
        raise not_as_indexed(address)
    as_pdf = _is_pdf(state)
    expires = datetime.now(UTC) + timedelta(seconds=objects.link_seconds)
    url = objects.store().link(address, seconds=objects.link_seconds, as_pdf=as_pdf)
    return DocumentLink(f"{url}#page={page}" if page and as_pdf else url, expires)


def opened_original(path: Path, state: SourceState) -> Original:
    """The file at `path`, open; who is given it closes it."""
    file = path.open("rb")
    return Original(file, os.fstat(file.fileno()).st_size, _is_pdf(state))


def not_as_indexed(source_id: str) -> UsageError:
    """What to say of a document whose bytes are others now."""
    return UsageError(f"{printed_name(source_id)} is not as it was indexed, or gone: pincite index reads it again")


def _is_pdf(state: SourceState) -> bool:
    """Whether a document was read as PDF: the version of a reader begins with its kind."""
    return state.versions["reader"].startswith("pdf ")
