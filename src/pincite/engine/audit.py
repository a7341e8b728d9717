"""What is kept of questions and of what was done beside them, as an asker may see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pincite.audit.chain import exported, list_events
from pincite.audit.compare import Replay
from pincite.audit.kept import Access, restored_answer
from pincite.audit.receipts import Receipt, find_receipt
from pincite.engine.asking import Asker
from pincite.engine.visibility import Sight
from pincite.records.answers import Answer
from pincite.records.audit import AuditEvent, EventKind, Run


class Audit:
    """Receipts and events that tell of nothing which is closed to an asker."""

    def __init__(self, sight: Sight, asker: Asker) -> None:
        self._sight = sight
        self._asker = asker

    def runs(self, limit: int | None = None) -> list[Run]:
        """The questions that were answered, newest first."""
        return self._access().opened(self._asker.receipts, limit)

    def receipt(self, run_id: str) -> Receipt:
        """What is kept of an answered question, by its trace id or the beginning of it."""
        return find_receipt(self._asker.receipts, run_id, self._access())

    def restored(self, receipt: Receipt) -> Answer | None:
        """The answer of a receipt as it was given; None where it was purged."""
        kept = self.receipt(receipt.run.run_id).answer
        if kept is None:
            return None
        answer = restored_answer(kept, self._sight.record.chunks)
        moment = receipt.run.created_utc.isoformat(timespec="seconds")
        return replace(answer, trace_id=receipt.run.run_id, timestamp=moment)

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
        return self._asker.note(kind, who=self._sight.who, **said)

    def events(self, limit: int | None = None, prefix: str = "") -> list[AuditEvent]:
        """Everything done besides questions, newest first; events whose ids begin with `prefix`."""
        return list_events(self._asker.receipts, limit, self._access(), prefix)

    def exported(self, since: str = "", until: str = "") -> Iterator[dict[str, Any]]:
        """Receipts and events as plain values, oldest first, those of a time alone: moments in UTC such as 2026-01-31,
        both included."""
        return exported(self._asker.receipts, self._access(), since, until)

    def _access(self) -> Access:
        """What is closed to this asker of all that the store ever held: receipts may tell of it."""
        record, own = self._sight.record, set(self._sight.principals)
        closed = (name for name, acl in record.ever_held().items() if acl and own.isdisjoint(acl))
        once_closed = ((name, until) for name, until, acl in record.once_closed() if own.isdisjoint(acl))
        return Access(self._sight.principals, tuple(closed), tuple(once_closed))
