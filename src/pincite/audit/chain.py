"""The audit chain: each entry holds the digest of the one before, a receipt those of its artifacts, which can be purged
without breaking the chain. Events record what was done beside questions: pages seen, links opened, documents added or
removed."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from pincite.audit.kept import Access, latest_shown
from pincite.errors import UsageError
from pincite.ports import ReceiptStore
from pincite.records.audit import AuditEvent, Entry, EventKind, Run
from pincite.records.plain import to_plain

_Entry = TypeVar("_Entry", Run, AuditEvent)


@dataclass(frozen=True, slots=True)
class ChainReport:
    """The result of checking the whole chain. `head` is the digest of the last entry: a noted head shows later whether
    entries were cut off at the end."""

    runs: int
    purged: int
    head: str
    problems: tuple[str, ...]
    events: int = 0


def canonical(value: Any) -> bytes:
    """JSON of plain values as bytes, the same for equal values in whatever order."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


DIGESTED = (
    *("run_id", "created_utc", "query_text", "mode", "refused", "generation", "revision", "artifacts"),
    *("number", "previous"),
)
"""The fields of a run that its digest covers, for ever: another list would change all digests of before. What is kept
of a question beside them goes into an artifact, and so into `artifacts`."""
DIGESTED_WHERE_SAID = ("who",)
"""The fields of a run that its digest covers where they say anything: runs of before say nothing there."""
DIGESTED_OF_EVENTS = (
    *("event_id", "created_utc", "kind", "who", "source_id", "page", "trace_id", "details"),
    *("number", "previous"),
)


def digest_of(entry: Entry) -> str:
    """SHA-256 over what an entry says."""
    plain = to_plain(entry)
    names: tuple[str, ...] = DIGESTED_OF_EVENTS
    if isinstance(entry, Run):
        names = (*DIGESTED, *(name for name in DIGESTED_WHERE_SAID if plain[name]))
    return hashlib.sha256(canonical({name: plain[name] for name in names})).hexdigest()


def sealed(entry: _Entry, number: int, previous: str) -> _Entry:
    """The run or event in its place of the chain."""
    linked = replace(entry, number=number, previous=previous)
    return replace(linked, digest=digest_of(linked))


def entries_of(receipts: ReceiptStore) -> list[Entry]:
    """The whole chain, oldest first."""
    return sorted((*receipts.runs(), *receipts.events()), key=lambda entry: entry.number)


def name_of(entry: Entry) -> str:
    """The name of an entry in messages."""
    return f"receipt {entry.run_id}" if isinstance(entry, Run) else f"event {entry.event_id}"


def check_chain(receipts: ReceiptStore, noted: str = "") -> ChainReport:
    """Whether every entry is as it was written, follows the one before it, and what is kept of a run fits its digests;
    whether the chain still has the entry of the digest that was `noted`, the `head` of an earlier look."""
    entries = entries_of(receipts)
    runs = [entry for entry in entries if isinstance(entry, Run)]
    found = [*_broken_entries(entries), *_changed_hits(receipts, runs)]
    if noted and noted not in {entry.digest for entry in entries}:
        found.append(f"no receipt or event has the SHA-256 {noted}: the end of the chain was cut off or changed")
    digests = {digest: run for run in runs for digest in run.artifacts.values()}
    purged = 0
    for digest, run in digests.items():
        content = receipts.content(digest)
        if content is None:
            purged += 1
        elif hashlib.sha256(content).hexdigest() != digest:
            name = next(name for name, held in run.artifacts.items() if held == digest)
            found.append(f"receipt {run.run_id}: its {name} was changed")
    head = entries[-1].digest if entries else ""
    return ChainReport(len(runs), purged, head, tuple(found), len(entries) - len(runs))


def _broken_entries(entries: Iterable[Entry]) -> Iterator[str]:
    number, previous = 0, ""
    for entry in entries:
        if digest_of(entry) != entry.digest:
            yield f"{name_of(entry)}: it was changed"
        if entry.number != number + 1:
            yield f"{name_of(entry)}: {entry.number - number - 1} receipts or events before it are missing"
        elif entry.previous != previous:
            yield f"{name_of(entry)}: what stood before it was changed"
        number, previous = entry.number, entry.digest


def _changed_hits(receipts: ReceiptStore, runs: Iterable[Run]) -> Iterator[str]:
    """Rows of hits that are not those of the answer beside them."""
    retrieval_of = {query.run_id: query.retrieval_id for query in receipts.retrievals(limit=None)}
    for run in runs:
        evidence = _kept_evidence(receipts, run)
        if evidence is None:
            continue
        kept = sorted((item["rank"], item["chunk_id"], item["scores"]["final"]) for item in evidence)
        rows = receipts.hits(retrieval_of.get(run.run_id, ""))
        if kept != [(hit.rank, hit.chunk_id, hit.score) for hit in rows]:
            yield f"receipt {run.run_id}: its hits were changed"


def _kept_evidence(receipts: ReceiptStore, run: Run) -> list[dict[str, Any]] | None:
    """The hits of a run's answer; None where it was purged, or is not what was stored."""
    digest = run.artifacts.get("answer", "")
    content = receipts.content(digest)
    if content is None or hashlib.sha256(content).hexdigest() != digest:
        return None
    evidence: list[dict[str, Any]] = json.loads(content)["evidence"]
    return evidence


_MOMENT = re.compile(r"\d{4}(-\d{2}(-\d{2}(T\d{2}(:\d{2}(:\d{2})?)?)?)?)?", re.ASCII)


def new_event(kind: EventKind, **said: Any) -> AuditEvent:
    """An event of this moment that is not yet in the chain; what is `said` are other fields of it."""
    return AuditEvent(uuid.uuid4().hex, datetime.now(UTC), kind, **said)


def store_event(receipts: ReceiptStore, event: AuditEvent) -> AuditEvent:
    """Store an event at the end of the chain; it with its place there."""
    return receipts.put_event(lambda number, previous: sealed(event, number, previous))


def list_events(receipts: ReceiptStore, limit: int | None, access: Access, prefix: str = "") -> list[AuditEvent]:
    """The latest visible events whose ids begin with this, newest first."""
    return latest_shown(lambda most: receipts.events(most, prefix), access.shows, limit)


def exported(receipts: ReceiptStore, access: Access, since: str = "", until: str = "") -> Iterator[dict[str, Any]]:
    """The visible part of the chain as plain values, oldest first; receipts come with their artifacts (None: purged).
    `since` and `until` are moments in UTC (2026-01, 2026-01-31, 2026-01-31T12:30), both inclusive at the precision
    given; UsageError for anything else."""
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
