"""Who may look at which receipts and events: what an answer told is as closed as the documents that it came from."""

from __future__ import annotations

import json
from dataclasses import dataclass

from pincite.audit.kept import packed
from pincite.ports import ReceiptStore
from pincite.records import AuditEvent, Run


@dataclass(frozen=True, slots=True)
class Access:
    """An asker's principals, and the ids of the sources that are closed to them, of removed ones too."""

    principals: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()

    def opens(self, receipts: ReceiptStore, run: Run) -> bool:
        """Whether the asker may see a run: it was asked with no principals but theirs, and nothing that is kept of it
        names a source that is closed to them. What was purged of its request is closed where anything is."""
        if not self.closed:
            return True
        contents = {name: receipts.content(digest) for name, digest in run.artifacts.items()}
        request = contents.get("request")
        if request is None or not set(_principals(request)) <= set(self.principals):
            return False
        marks = [packed(source_id) for source_id in self.closed]
        return not any(mark in content for content in contents.values() if content is not None for mark in marks)

    def shows(self, event: AuditEvent) -> bool:
        """Whether the asker may see an event: its document is not closed to them, nor was it then."""
        acl = event.details.get("acl")
        return event.source_id not in self.closed and (not acl or bool(set(acl) & set(self.principals)))


def _principals(request: bytes) -> list[str]:
    """The principals that a question was asked with; one that nobody has where that cannot be read."""
    try:
        found: list[str] = json.loads(request)["filter"]["principals"]
    except (ValueError, KeyError, TypeError):
        return [""]
    return found
