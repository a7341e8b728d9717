"""What was done beside questions, in the chain of receipts (spec/llmless_retrieval.md, 12): who saw which page, opened
which link, put which document in or took it out."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from pincite.audit.access import Access
from pincite.audit.chain import entries_of, sealed
from pincite.errors import UsageError
from pincite.ports import ReceiptStore
from pincite.records.audit import AuditEvent, Entry, EventKind, Run
from pincite.records.plain import to_plain

LOOK_FURTHER = 4
_MOMENT = re.compile(r"\d{4}(-\d{2}(-\d{2}(T\d{2}(:\d{2}(:\d{2})?)?)?)?)?", re.ASCII)


def new_event(kind: EventKind, **said: Any) -> AuditEvent:
    """An event of this moment that is not yet in the chain; what is `said` are other fields of it."""
    return AuditEvent(uuid.uuid4().hex, datetime.now(UTC), kind, **said)


def store_event(receipts: ReceiptStore, event: AuditEvent) -> AuditEvent:
    """Store an event at the end of the chain; it with its place there."""
    return receipts.put_event(lambda number, previous: sealed(event, number, previous))


def list_events(receipts: ReceiptStore, limit: int | None, access: Access, prefix: str = "") -> list[AuditEvent]:
    """The latest events that may be seen, newest first, of those whose ids begin so."""
    looked_at = limit
    while True:
        found = receipts.events(looked_at, prefix)
        shown = list(filter(access.shows, found))
        if looked_at is None or len(found) < looked_at or len(shown) >= (limit or 0):
            return shown[:limit]
        looked_at *= LOOK_FURTHER


def exported(receipts: ReceiptStore, access: Access, since: str = "", until: str = "") -> Iterator[dict[str, Any]]:
    """All of the chain that may be seen, oldest first, as plain values; receipts with what is kept of them (None where
    it was purged).

    `since` and `until` are moments in UTC such as 2026-01, 2026-01-31 or 2026-01-31T12:30, both included as far as they
    say it. UsageError for what is none.
    """
    for moment in filter(None, (since, until)):
        if not _MOMENT.fullmatch(moment):
            raise UsageError(f"{moment!r} is no moment: write 2026-01-31 or 2026-01-31T12:30, in UTC")
    return (
        _exported(receipts, entry)
        for entry in entries_of(receipts)
        if _is_between(entry.created_utc, since, until) and _is_open(receipts, access, entry)
    )


def _exported(receipts: ReceiptStore, entry: Entry) -> dict[str, Any]:
    plain: dict[str, Any] = {"entry": "event", **to_plain(entry)}
    if isinstance(entry, Run):
        contents = {name: receipts.content(digest) for name, digest in entry.artifacts.items()}
        plain["entry"] = "receipt"
        plain["contents"] = {name: None if kept is None else _read(kept) for name, kept in contents.items()}
    return plain


def _read(kept: bytes) -> Any:
    """What is kept, from its JSON; the text where that was changed and is none any more."""
    try:
        return json.loads(kept)
    except ValueError:
        return kept.decode("utf-8", "replace")


def _is_open(receipts: ReceiptStore, access: Access, entry: Entry) -> bool:
    return access.opens(receipts, entry) if isinstance(entry, Run) else access.shows(entry)


def _is_between(moment: datetime, since: str, until: str) -> bool:
    told = moment.astimezone(UTC).isoformat()
    return told[: len(since)] >= since and (not until or told[: len(until)] <= until)
