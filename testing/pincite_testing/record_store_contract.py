"""The contract of a RecordStore (needs pytest).

Subclass `RecordStoreContract` as a class whose name starts with `Test`, and let `make` give a store in a folder.
A store that outlives its process takes `PersistentRecordStoreContract`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from pincite.errors import StoreError
from pincite.ports import Vector
from pincite.records.chunks import ChunkRecord, Edition
from pincite.records.sources import Source, SourceState
from pincite_testing.memory_record import MemoryRecord
from pincite_testing.samples import sample_edition, sample_source, sha256

MODEL = sha256("a model")
ODD_NAMES = ("b/é.pdf", "b/e\u0301.pdf", "two\nlines.pdf", "quote'\".pdf", "A.pdf", "a.pdf", "mail.eml!/part.pdf")


class RecordStore(Protocol):
    """The system of record: sources, editions, chunks and vectors. One transaction a document."""

    def sources(self) -> list[SourceState]:
        """All sources that were ever handed in and not removed, by source id."""
        ...

    def put_edition(self, edition: Edition) -> None:
        """Make this edition the current one of its source, in one transaction."""
        ...

    def put_refusal(self, source: Source, reason: str, versions: Mapping[str, str]) -> None:
        """Remember that this source was refused by a reader of these versions; an earlier edition of it stays
        current no longer."""
        ...

    def update_source(self, source: Source) -> None:
        """Store changed tags, acl, date, size or time of a source whose content is unchanged."""
        ...

    def remove_source(self, source_id: str) -> None:
        """End the membership of this source."""
        ...

    def put_vectors(self, model_digest: str, vectors: Mapping[str, Vector]) -> None:
        """Store vectors by SHA-256 of their exact text; arrays are (windows, dimension)."""
        ...

    def known_vectors(self, model_digest: str, text_hashes: Sequence[str]) -> set[str]:
        """Those of these texts that have vectors of this model."""
        ...

    def chunks(self, chunk_ids: Sequence[str]) -> list[ChunkRecord]:
        """These chunks, in the order asked for."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


def put(store: RecordStore, edition: Edition) -> None:
    """Store an edition under its own versions."""
    store.put_edition(edition)


def apply(store: RecordStore, step: int, choice: int) -> None:
    """One step of a made-up history of four sources."""
    name = f"s{choice % 4}.pdf"
    edition = sample_edition(name, [f"text {choice // 8} of {name}", "the same page in every edition"])
    if step % 5 == 3:
        store.put_refusal(edition.source, f"broken in step {step}", {})
    elif step % 5 == 4:
        store.remove_source(name)
    else:
        put(store, edition)


class RecordStoreContract(ABC):
    """What every RecordStore keeps."""

    @abstractmethod
    def make(self, folder: Path) -> RecordStore:
        """The store in this folder, which exists; made where there is none."""

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[RecordStore]:
        """An empty store, closed after the test."""
        store = self.make(tmp_path)
        yield store
        store.close()

    def test_an_empty_store_has_no_sources(self, store: RecordStore) -> None:
        """Nor vectors, nor chunks."""
        assert store.sources() == []
        assert store.known_vectors(MODEL, [sha256("x")]) == set()
        assert store.chunks([]) == []

    def test_an_edition_comes_back_as_it_was_put(self, store: RecordStore) -> None:
        """Its source with counts and versions, and its chunks with every field, in the order asked for."""
        edition = sample_edition("a/report.pdf", ["first page", "second page", "third"], tags=["x", "y"])
        put(store, edition)
        assert store.sources() == [
            SourceState(edition.source, "indexed", dict(edition.versions), page_count=3, chunk_count=3)
        ]
        wanted = [edition.chunks[2], edition.chunks[0], edition.chunks[2]]
        assert store.chunks([chunk.chunk_id for chunk in wanted]) == wanted

    def test_warnings_are_kept(self, store: RecordStore) -> None:
        """A source that was read with warnings is `warned`."""
        put(store, sample_edition("a.pdf", ["text"], warnings=["page 2 has no text"]))
        (state,) = store.sources()
        assert (state.status, state.warnings) == ("warned", ("page 2 has no text",))

    def test_sources_are_told_apart_to_the_letter_and_sorted(self, store: RecordStore) -> None:
        """Case, Unicode form, line ends and quotes in names matter."""
        for name in ODD_NAMES:
            put(store, sample_edition(name, [f"text of {name}"]))
        assert [state.source.source_id for state in store.sources()] == sorted(ODD_NAMES)

    def test_a_new_edition_takes_the_place_of_the_old(self, store: RecordStore) -> None:
        """One state a source; putting the same edition twice changes nothing."""
        put(store, sample_edition("a.pdf", ["old", "pages"]))
        newer = sample_edition("a.pdf", ["new"])
        for _ in range(2):
            put(store, newer)
            assert store.sources() == [
                SourceState(newer.source, "indexed", dict(newer.versions), page_count=1, chunk_count=1)
            ]
            assert store.chunks([newer.chunks[0].chunk_id]) == list(newer.chunks)

    def test_a_refusal_is_remembered_with_its_reason(self, store: RecordStore) -> None:
        """It ends the earlier edition; a later edition ends it."""
        edition = sample_edition("a.pdf", ["text"])
        put(store, edition)
        store.put_refusal(edition.source, "is encrypted", {})
        (state,) = store.sources()
        assert (state.status, state.reason, state.chunk_count) == ("refused", "is encrypted", 0)
        put(store, edition)
        (state,) = store.sources()
        assert (state.status, state.reason, state.chunk_count) == ("indexed", None, 1)

    def test_changed_tags_touch_nothing_else(self, store: RecordStore) -> None:
        """The status, versions and counts stay."""
        edition = sample_edition("a.pdf", ["text"], tags=["old"])
        put(store, edition)
        (before,) = store.sources()
        changed = replace(edition.source, tags=("new", "public"), date="2026-01-01", modified_ns=5)
        store.update_source(changed)
        assert store.sources() == [replace(before, source=changed)]

    def test_a_removed_source_is_gone(self, store: RecordStore) -> None:
        """Others stay; removing what is not there is no error; it can come back."""
        first, second = sample_edition("a.pdf", ["text"]), sample_edition("b.pdf", ["text"])
        put(store, first)
        put(store, second)
        store.remove_source("a.pdf")
        store.remove_source("never there.pdf")
        assert [state.source.source_id for state in store.sources()] == ["b.pdf"]
        put(store, first)
        assert [state.source.source_id for state in store.sources()] == ["a.pdf", "b.pdf"]
        assert store.chunks([first.chunks[0].chunk_id]) == list(first.chunks)

    def test_vectors_are_known_by_text_and_model(self, store: RecordStore) -> None:
        """Storing them twice is no error."""
        rows = np.eye(3, dtype=np.float32)
        for _ in range(2):
            store.put_vectors(MODEL, {sha256("one"): rows[:1], sha256("two"): rows})
        asked = [sha256("two"), sha256("three"), sha256("one")]
        assert store.known_vectors(MODEL, asked) == {sha256("one"), sha256("two")}
        assert store.known_vectors(sha256("another model"), asked) == set()
        many = [sha256(str(number)) for number in range(3000)]
        assert store.known_vectors(MODEL, [*many, sha256("one")]) == {sha256("one")}

    def test_an_unknown_chunk_is_a_store_error(self, store: RecordStore) -> None:
        """One line that names it."""
        with pytest.raises(StoreError, match=sha256("nothing")):
            store.chunks([sha256("nothing")])

    @pytest.mark.parametrize("seed", range(6))
    def test_any_history_ends_as_in_the_memory_store(self, store: RecordStore, seed: int) -> None:
        """Editions, refusals and removals in any order."""
        oracle = MemoryRecord()
        random = np.random.default_rng(seed)
        for step in random.permutation(25).tolist():
            choice = int(random.integers(0, 24))
            for held in (store, oracle):
                apply(held, step, choice)
            assert store.sources() == oracle.sources()


class PersistentRecordStoreContract(RecordStoreContract):
    """What every RecordStore keeps that outlives its process."""

    def test_what_was_stored_outlives_the_process(self, store: RecordStore, tmp_path: Path) -> None:
        """Closed and opened again, it holds the same."""
        edition = sample_edition("a.pdf", ["first", "second"])
        put(store, edition)
        store.put_refusal(sample_source("b.pdf", "junk"), "is not a PDF", {})
        store.put_vectors(MODEL, {sha256("one"): np.eye(1, 3, dtype=np.float32)})
        before = store.sources()
        store.close()
        again = self.make(tmp_path)
        assert again.sources() == before
        assert again.chunks([chunk.chunk_id for chunk in edition.chunks]) == list(edition.chunks)
        assert again.known_vectors(MODEL, [sha256("one")]) == {sha256("one")}
        again.close()
