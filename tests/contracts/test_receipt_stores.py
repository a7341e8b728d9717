"""Every ReceiptStore keeps its contract: the memory version, SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import URL

from pincite.audit.chain import entries_of
from pincite.errors import StoreError
from pincite.ports import ReceiptStore
from pincite.store.sql_receipts import SqlReceipts
from pincite_testing.memory_receipts import MemoryReceipts
from pincite_testing.receipt_store_contract import ReceiptStoreContract, hits, put_event, put_run, retrieval


class TestMemoryReceipts(ReceiptStoreContract):
    def make(self, folder: Path) -> ReceiptStore:
        return MemoryReceipts()


class PersistentReceiptStoreContract(ReceiptStoreContract):
    def test_receipts_outlive_the_process(self, tmp_path: Path) -> None:
        written = self.make(tmp_path)
        written.put_retrieval(retrieval(1), hits(1, 2))
        written.close()
        again = self.make(tmp_path)
        assert (again.retrievals(), again.hits("id-1")) == ([retrieval(1)], hits(1, 2))
        again.close()

    def test_writers_at_the_same_time_make_one_chain(self, tmp_path: Path) -> None:
        stores = [self.make(tmp_path) for _ in range(4)]
        with ThreadPoolExecutor(4) as pool:
            put = put_run, put_event
            list(pool.map(lambda number: put[number // 4 % 2](stores[number % 4], number), range(40)))
        chain = entries_of(stores[0])
        assert [entry.number for entry in chain] == list(range(1, 41))
        assert [entry.previous for entry in chain[1:]] == [entry.digest for entry in chain[:-1]]
        assert len(stores[0].events()) == 20
        for store in stores:
            store.close()


class TestPostgresReceipts(PersistentReceiptStoreContract):
    @pytest.fixture(autouse=True)
    def in_database(self, postgres_url: URL) -> None:
        self.url = postgres_url

    def make(self, folder: Path) -> ReceiptStore:
        return SqlReceipts(self.url)


class TestSqlReceipts(PersistentReceiptStoreContract):
    def make(self, folder: Path) -> ReceiptStore:
        return SqlReceipts(folder / "audit.sqlite")

    def test_a_file_of_the_first_version_is_opened_and_extended(self, tmp_path: Path) -> None:
        self.make(tmp_path).close()
        with closing(sqlite3.connect(tmp_path / "audit.sqlite")) as old:
            old.executescript("DROP TABLE run; DROP TABLE event; DROP TABLE artifact; PRAGMA user_version = 0")
            old.execute(
                "INSERT INTO retrieval VALUES ('id', NULL, 'snow?', 'm', 12, '{}', '{}', '2026-01-01T12:00:00')"
            )
            old.commit()
        store = self.make(tmp_path)
        put_run(store, 1)
        assert {found.query_text for found in store.retrievals()} >= {"snow?"}
        assert len(store.runs()) == 1
        store.close()

    def test_a_file_of_a_newer_version_is_refused_with_what_to_do(self, tmp_path: Path) -> None:
        self.make(tmp_path).close()
        with closing(sqlite3.connect(tmp_path / "audit.sqlite")) as newer:
            newer.execute("PRAGMA user_version = 99")
        with pytest.raises(StoreError, match="install a newer pincite"):
            self.make(tmp_path)
