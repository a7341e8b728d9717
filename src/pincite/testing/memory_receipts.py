"""A ReceiptStore in lists. Nothing of it survives the process."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.records import RetrievalHit, RetrievalQuery


class MemoryReceipts:
    """Retrievals and their hits, as they came."""

    def __init__(self) -> None:
        self._retrievals: list[RetrievalQuery] = []
        self._hits: dict[str, list[RetrievalHit]] = {}

    def put_retrieval(self, query: RetrievalQuery, hits: Sequence[RetrievalHit]) -> None:
        """Store one retrieval with its hits."""
        self._retrievals.append(query)
        self._hits[query.retrieval_id] = sorted(hits, key=lambda hit: hit.rank)

    def retrievals(self, limit: int = 50) -> list[RetrievalQuery]:
        """The latest retrievals, newest first; those of one moment by id."""
        by_id = sorted(self._retrievals, key=lambda query: query.retrieval_id)
        return sorted(by_id, key=lambda query: query.created_utc, reverse=True)[:limit]

    def hits(self, retrieval_id: str) -> list[RetrievalHit]:
        """The hits of one retrieval, by rank."""
        return list(self._hits.get(retrieval_id, ()))

    def close(self) -> None:
        """Nothing to let go of."""
