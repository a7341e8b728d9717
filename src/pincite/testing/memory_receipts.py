"""A ReceiptStore in lists. Nothing of it survives the process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

from pincite.records import RetrievalHit, RetrievalQuery, Run


class MemoryReceipts:
    """Retrievals with their hits and runs with their artifacts, as they came."""

    def __init__(self) -> None:
        self._retrievals: list[RetrievalQuery] = []
        self._hits: dict[str, list[RetrievalHit]] = {}
        self._runs: list[Run] = []
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
        """Store one run behind the last one."""
        run = seal(len(self._runs) + 1, self._runs[-1].digest if self._runs else "")
        self._runs.append(run)
        self._contents |= {sha256(item).hexdigest(): item for item in contents}
        self.put_retrieval(query, hits)
        return run

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

    def content(self, sha256: str) -> bytes | None:
        """The content of an artifact; None where it was purged."""
        return self._contents.get(sha256)

    def purge(self, digests: Iterable[str]) -> None:
        """Forget the content of these artifacts."""
        for digest in digests:
            self._contents.pop(digest, None)

    def close(self) -> None:
        """Nothing to let go of."""
