"""The contract of a ReceiptStore (needs pytest).

Subclass `ReceiptStoreContract` as a class whose name starts with `Test`, and let `make` give a store in a folder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pincite.ports import ReceiptStore
from pincite.records import RetrievalHit, RetrievalQuery

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def retrieval(number: int, *, minutes: int = 0) -> RetrievalQuery:
    """A retrieval that was made this many minutes after noon."""
    return RetrievalQuery(
        retrieval_id=f"id-{number}",
        run_id=None if number % 2 else f"run {number}",
        query_text=f"What about “snow” {number}?\nAnd wind?",
        query_embedding_model="model",
        top_k=12,
        filters={"tags": ["public"], "after": None},
        policy={"profile": "auto", "min_score_threshold": 0.25},
        created_utc=START + timedelta(minutes=minutes),
    )


def hits(number: int, count: int) -> list[RetrievalHit]:
    """Hits of that retrieval, best first."""
    return [
        RetrievalHit(f"id-{number}", f"chunk {rank}", 1 / rank, rank, {"channels": ["vector"], "vec": 0.5})
        for rank in range(1, count + 1)
    ]


class ReceiptStoreContract(ABC):
    """What every ReceiptStore keeps."""

    @abstractmethod
    def make(self, folder: Path) -> ReceiptStore:
        """The store in this folder, which exists; made where there is none."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[ReceiptStore]:
        """An empty store, closed after the test."""
        store = self.make(tmp_path)
        yield store
        store.close()

    def test_an_empty_store_has_no_receipts(self, store: ReceiptStore) -> None:
        """Nor hits of an unknown retrieval."""
        assert store.retrievals() == []
        assert store.hits("id-1") == []

    def test_a_retrieval_comes_back_as_it_was_put(self, store: ReceiptStore) -> None:
        """With its hits by rank, in whatever order they were given; one without hits too."""
        store.put_retrieval(retrieval(1, minutes=1), hits(1, 3)[::-1])
        store.put_retrieval(retrieval(2), [])
        assert store.retrievals() == [retrieval(1, minutes=1), retrieval(2)]
        assert store.hits("id-1") == hits(1, 3)
        assert store.hits("id-2") == []

    def test_the_latest_come_first_and_only_as_many_as_asked_for(self, store: ReceiptStore) -> None:
        """Whatever the order in which they were put."""
        for number in (3, 1, 4, 2, 5):
            store.put_retrieval(retrieval(number, minutes=number), hits(number, 1))
        assert [found.retrieval_id for found in store.retrievals()] == ["id-5", "id-4", "id-3", "id-2", "id-1"]
        assert [found.retrieval_id for found in store.retrievals(limit=2)] == ["id-5", "id-4"]
