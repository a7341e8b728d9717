"""The chain of receipts: each run holds the digest of the one before, and digests of what is kept of it.

What is kept can be purged and the chain stays whole: it never held more of it than a digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from pincite.ports import ReceiptStore
from pincite.records import Run, to_plain


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What a look at the whole chain found. `head` is the digest of the last run: who has written it down can tell
    later whether runs were cut off at the end."""

    runs: int
    purged: int
    head: str
    problems: tuple[str, ...]


def canonical(value: Any) -> bytes:
    """JSON of plain values as bytes, the same for equal values in whatever order."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


DIGESTED = (
    *("run_id", "created_utc", "query_text", "mode", "refused", "generation", "revision", "artifacts"),
    *("number", "previous"),
)
"""The fields of a run that its digest covers, for ever: another list would change all digests of before. What is kept
of a question beside them goes into an artifact, and so into `artifacts`."""


def digest_of(run: Run) -> str:
    """SHA-256 over what a run says."""
    plain = to_plain(run)
    return hashlib.sha256(canonical({name: plain[name] for name in DIGESTED})).hexdigest()


def sealed(run: Run, number: int, previous: str) -> Run:
    """The run in its place of the chain."""
    linked = replace(run, number=number, previous=previous)
    return replace(linked, digest=digest_of(linked))


def check_chain(receipts: ReceiptStore) -> ChainReport:
    """Whether every run is as it was written, follows the one before it, and what is kept of it fits its digests."""
    runs = receipts.runs()[::-1]
    found = [*_broken_links(runs), *_changed_hits(receipts, runs)]
    digests = {digest: run for run in runs for digest in run.artifacts.values()}
    purged = 0
    for digest, run in digests.items():
        content = receipts.content(digest)
        if content is None:
            purged += 1
        elif hashlib.sha256(content).hexdigest() != digest:
            name = next(name for name, held in run.artifacts.items() if held == digest)
            found.append(f"receipt {run.run_id}: its {name} was changed")
    return ChainReport(len(runs), purged, runs[-1].digest if runs else "", tuple(found))


def _broken_links(runs: Iterable[Run]) -> Iterator[str]:
    number, previous = 0, ""
    for run in runs:
        if digest_of(run) != run.digest:
            yield f"receipt {run.run_id}: it was changed"
        if run.number != number + 1:
            yield f"receipt {run.run_id}: {run.number - number - 1} receipts before it are missing"
        elif run.previous != previous:
            yield f"receipt {run.run_id}: the receipt before it was changed"
        number, previous = run.number, run.digest


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
