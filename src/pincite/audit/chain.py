"""The chain of receipts and events: each entry holds the digest of the one before, a receipt digests of what is kept.

What is kept can be purged and the chain stays whole: it never held more of it than a digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pincite.ports import ReceiptStore
from pincite.records.audit import AuditEvent, Entry, Run
from pincite.records.plain import to_plain

_Entry = TypeVar("_Entry", Run, AuditEvent)


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What a look at the whole chain found. `head` is the digest of the last entry: who has written it down can tell
    later whether entries were cut off at the end."""

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
    """What an entry is called where something is told of it."""
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
