"""The contract of an AnswerStore (needs pytest).

Subclass `AnswerStoreContract` as a class whose name starts with `Test`, and let `make` give a store in a folder; two of
one folder share what they hold.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from pincite.ports import AnswerStore


class AnswerStoreContract(ABC):
    """What every store of answers does."""

    @abstractmethod
    def make(self, folder: Path) -> AnswerStore:
        """A store whose answers are kept for at least a minute."""

    @pytest.fixture
    def stores(self, tmp_path: Path) -> Iterator[tuple[AnswerStore, AnswerStore]]:
        """Two that share what they hold."""
        with ExitStack() as opened:
            first, second = (opened.enter_context(closing(self.make(tmp_path))) for _ in range(2))
            yield first, second

    def test_what_was_looked_for_and_kept_is_found_by_all(self, stores: tuple[AnswerStore, AnswerStore]) -> None:
        """Bytes of any kind, restored as the finder wants them."""
        first, second = stores
        content = bytes(range(256)) * 40
        assert first.find("key", bytes) is None
        first.keep("key", content)
        assert [store.find("key", len) for store in stores] == [len(content)] * 2
        assert second.find("another key", bytes) is None

    def test_the_latest_answer_counts(self, stores: tuple[AnswerStore, AnswerStore]) -> None:
        """Where two made one at the same time."""
        assert [store.find("key", bytes) for store in stores] == [None, None]
        for store, content in zip(stores, (b"first", b"second"), strict=True):
            store.keep("key", content)
        assert stores[0].find("key", bytes) == b"second"

    def test_what_is_cleared_is_gone_and_the_counts_stay(self, stores: tuple[AnswerStore, AnswerStore]) -> None:
        """For who had not found it yet."""
        first, second = stores
        for key in "abc":
            first.find(key, bytes)
            first.keep(key, key.encode())
        assert first.find("a", bytes) == b"a"
        first.clear()
        assert [store.find(key, bytes) for store in (first, second) for key in "abc"] == [None] * 6
        assert first.counts() == {"hits": 1, "misses": 3}
        first.keep("a", b"again")
        assert second.find("a", bytes) == b"again"

    def test_both_are_counted_together(self, stores: tuple[AnswerStore, AnswerStore]) -> None:
        """As soon as they are closed, at the latest."""
        first, second = stores
        first.find("key", bytes)
        first.keep("key", b"answer")
        assert [second.find("key", bytes) for _ in range(3)] == [b"answer"] * 3
        assert second.counts() == {"hits": 3, "misses": 1}
