"""Every RecordStore keeps its contract: the memory version, SQLite and PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import URL

from pincite.store.sql_record import SqlRecord
from pincite_testing.memory_record import MemoryRecord
from pincite_testing.record_store_contract import PersistentRecordStoreContract, RecordStore, RecordStoreContract


class TestMemoryRecord(RecordStoreContract):
    def make(self, folder: Path) -> RecordStore:
        return MemoryRecord()


class TestSqlRecord(PersistentRecordStoreContract):
    def make(self, folder: Path) -> RecordStore:
        return SqlRecord(folder / "record.sqlite")


class TestPostgresRecord(PersistentRecordStoreContract):
    @pytest.fixture(autouse=True)
    def in_database(self, postgres_url: URL) -> None:
        self.url = postgres_url

    def make(self, folder: Path) -> RecordStore:
        return SqlRecord(self.url)
