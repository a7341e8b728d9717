"""The contract of a ReceiptStore (needs pytest).

Subclass `ReceiptStoreContract` as a class whose name starts with `Test`, and let `make` give a store in a folder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from pincite.ports import ReceiptStore
from pincite.records.audit import AuditEvent, Entry, RetrievalHit, RetrievalQuery, Run

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


def run(number: int) -> Run:
    """A run that is not yet in a chain; its one artifact is `b"output NUMBER"`."""
    return Run(
        run_id=f"{number:03d}-run",
        created_utc=START,
        query_text="What about “snow”?",
        mode="extract",
        refused=bool(number % 2),
        generation="a" * 64,
        revision=number,
        artifacts={"output": sha256(f"output {number}".encode()).hexdigest()},
    )


def put_run(store: ReceiptStore, number: int) -> Run:
    """Store that run, its digest its number and the digest of the one before."""

    def seal(place: int, previous: str) -> Run:
        return replace(run(number), number=place, previous=previous, digest=f"{place} after {previous[:1]}")

    query = replace(retrieval(number), run_id=run(number).run_id)
    return store.put_run(seal, [f"output {number}".encode()], query, hits(number, 2))


def event(number: int) -> AuditEvent:
    """An event that is not yet in a chain."""
    return AuditEvent(
        event_id=f"{number:03d}-event",
        created_utc=START,
        kind="uploaded",
        who="ada",
        source_id=f"reports/“snow” {number}.pdf",
        page=number % 2 or None,
        trace_id=f"{number:03d}-run",
        details={"acl": ["board"], "bytes": 7},
    )


def put_event(store: ReceiptStore, number: int) -> AuditEvent:
    """Store that event, its digest its number and the digest of the entry before."""
    return store.put_event(
        lambda place, previous: replace(
            event(number), number=place, previous=previous, digest=f"{place} after {previous[:1]}"
        )
    )


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

    def test_a_run_comes_back_in_its_place_of_the_chain_with_what_is_kept_of_it(self, store: ReceiptStore) -> None:
        """The newest first; its retrieval is stored with it."""
        first, second = put_run(store, 7), put_run(store, 8)
        assert (first.number, first.previous) == (1, "")
        assert (second.number, second.previous) == (2, first.digest)
        assert store.runs() == [second, first]
        assert store.content(second.artifacts["output"]) == b"output 8"
        assert {found.run_id for found in store.retrievals()} == {first.run_id, second.run_id}
        assert store.hits("id-8") == hits(8, 2)

    def test_runs_are_found_by_the_beginning_of_their_ids(self, store: ReceiptStore) -> None:
        """Whatever stands in it is meant as it is."""
        for number in (11, 12, 21):
            put_run(store, number)
        assert [found.run_id for found in store.runs(prefix="01")] == ["012-run", "011-run"]
        assert [found.run_id for found in store.runs(limit=1)] == ["021-run"]
        assert store.runs(prefix="%") == store.runs(prefix="_") == []

    def test_events_stand_in_one_chain_with_runs(self, store: ReceiptStore) -> None:
        """Each comes back as it was put, in its place; found by the beginning of its id as runs are."""
        entries: list[Entry] = [
            put_event(store, 1),
            put_run(store, 2),
            put_event(store, 3),
            put_event(store, 4),
            put_run(store, 5),
        ]
        assert [entry.number for entry in entries] == [1, 2, 3, 4, 5]
        assert [entry.previous for entry in entries] == ["", *(entry.digest for entry in entries[:-1])]
        assert store.events() == [entries[3], entries[2], entries[0]]
        assert store.runs() == [entries[4], entries[1]]
        assert store.events(limit=1) == store.events(prefix="004") == [entries[3]]
        assert store.events(prefix="%") == []

    def test_who_asked_stands_in_the_run(self, store: ReceiptStore) -> None:
        """Where somebody had to say it."""
        query = replace(retrieval(1), run_id=run(1).run_id)
        made = store.put_run(lambda *_: replace(run(1), number=1, digest="1", who="ada"), [b"x"], query, [])
        assert store.runs() == [made]

    def test_what_is_purged_is_forgotten_and_its_run_stays(self, store: ReceiptStore) -> None:
        """And nothing else is forgotten with it; what is not there cannot be purged either."""
        kept, purged = put_run(store, 1), put_run(store, 2)
        store.purge([purged.artifacts["output"], "0" * 64])
        assert store.content(purged.artifacts["output"]) is None
        assert store.content(kept.artifacts["output"]) == b"output 1"
        assert store.runs() == [purged, kept]

    def test_a_run_that_cannot_be_sealed_leaves_nothing(self, store: ReceiptStore) -> None:
        """Neither its contents nor its retrieval."""
        refused: Callable[[int, str], Run] = {}.__getitem__  # type: ignore[assignment]
        with pytest.raises(TypeError):
            store.put_run(refused, [b"output"], retrieval(1), hits(1, 1))
        assert (store.runs(), store.retrievals(), store.content(sha256(b"output").hexdigest())) == ([], [], None)
