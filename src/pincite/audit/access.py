"""Who may look at which receipts and events: what an answer told is as closed as the documents that it came from."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice

from pincite.audit.kept import packed
from pincite.ports import ReceiptStore
from pincite.records.audit import AuditEvent, Run

LOOK_FURTHER = 4


@dataclass(frozen=True, slots=True)
class Access:
    """An asker's principals, and the ids of the sources that are closed to them, of removed ones too; with those that
    were closed to them up to a revision."""

    principals: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    once_closed: tuple[tuple[str, int], ...] = ()

    def opens(self, receipts: ReceiptStore, run: Run) -> bool:
        """Whether the asker may see a run: it was asked with no principals but theirs, and nothing that is kept of it
        names a source that is closed to them, or that was closed to them then or later. What was purged of its request,
        or damaged, is closed where any source is."""
        closed = [*self.closed, *(name for name, until in self.once_closed if run.revision < until)]
        principals = _principals(receipts, run)
        if principals is None:
            return not closed
        if not principals <= set(self.principals):
            return False
        marks = [packed(source_id) for source_id in closed]
        contents = (receipts.content(digest) for digest in run.artifacts.values()) if marks else ()
        return not any(mark in content for content in contents if content is not None for mark in marks)

    def opened(self, receipts: ReceiptStore, limit: int | None = None, prefix: str = "") -> list[Run]:
        """The latest runs that the asker may see, newest first, of those whose ids begin so."""
        looked_at = limit
        while True:
            found = receipts.runs(looked_at, prefix)
            shown = list(islice((run for run in found if self.opens(receipts, run)), limit))
            if looked_at is None or len(found) < looked_at or len(shown) == limit:
                return shown
            looked_at *= LOOK_FURTHER

    def shows(self, event: AuditEvent) -> bool:
        """Whether the asker may see an event: its document is not closed to them, nor was it then."""
        acl = event.details.get("acl")
        return event.source_id not in self.closed and (not acl or bool(set(acl) & set(self.principals)))


def _principals(receipts: ReceiptStore, run: Run) -> set[str] | None:
    """The principals that a question was asked with; None where that cannot be read."""
    request = receipts.content(run.artifacts.get("request", ""))
    try:
        return None if request is None else set(json.loads(request)["filter"]["principals"])
    except (ValueError, KeyError, TypeError):
        return None
