"""A ReceiptStore in lists. Nothing of it survives the process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

from pincite.records.audit import AuditEvent, RetrievalHit, RetrievalQuery, Run


class MemoryReceipts:
    """Retrievals with their hits, runs with their artifacts, and events, as they came."""

    def __init__(self) -> None:
        self._retrievals: list[RetrievalQuery] = []
        self._hits: dict[str, list[RetrievalHit]] = {}
        self._runs: list[Run] = []
        self._events: list[AuditEvent] = []
        self._contents: dict[str, bytes] = {}

    def put_retrieval(self, query: RetrievalQuery, hits: Sequence[RetrievalHit]) -> None:
        """Store one retrieval with its hits."""
        self._retrievals.append(query)
        self._hits[query.retrieval_id] = sorted(hits, key=lambda hit: hit.rank)

    def put_run(
        self,
        seal: Callable[[int, str], Run],
        contents: Sequence[bytes],
        query: RetrievalQuery,
        hits: Sequence[RetrievalHit],
    ) -> Run:
        """Store one run at the end of the chain."""
        run = seal(*self._end_of_chain())
        self._runs.append(run)
        self._contents |= {sha256(item).hexdigest(): item for item in contents}
        self.put_retrieval(query, hits)
        return run

    def put_event(self, seal: Callable[[int, str], AuditEvent]) -> AuditEvent:
        """Store one event at the end of the chain."""
        event = seal(*self._end_of_chain())
        self._events.append(event)
        return event

    def retrievals(self, limit: int | None = 50) -> list[RetrievalQuery]:
        """The latest retrievals, newest first; those of one moment by id."""
        by_id = sorted(self._retrievals, key=lambda query: query.retrieval_id)
        return sorted(by_id, key=lambda query: query.created_utc, reverse=True)[:limit]

    def hits(self, retrieval_id: str) -> list[RetrievalHit]:
        """The hits of one retrieval, by rank."""
        return list(self._hits.get(retrieval_id, ()))

    def runs(self, limit: int | None = None, prefix: str = "") -> list[Run]:
        """The latest runs whose ids begin with `prefix`, newest first."""
        return [run for run in reversed(self._runs) if run.run_id.startswith(prefix)][:limit]

    def events(self, limit: int | None = None, prefix: str = "") -> list[AuditEvent]:
        """The latest events whose ids begin with `prefix`, newest first."""
        return [event for event in reversed(self._events) if event.event_id.startswith(prefix)][:limit]

    def content(self, sha256: str) -> bytes | None:
        """The content of an artifact; None where it was purged."""
        return self._contents.get(sha256)

    def purge(self, digests: Iterable[str]) -> None:
        """Forget the content of these artifacts."""
        for digest in digests:
            self._contents.pop(digest, None)

    def close(self) -> None:
        """Nothing to let go of."""

    def _end_of_chain(self) -> tuple[int, str]:
        """The number that comes next, and the last digest."""
        ends = [(links[-1].number, links[-1].digest) for links in (self._runs, self._events) if links]
        number, digest = max(ends, default=(0, ""))
        return number + 1, digest
