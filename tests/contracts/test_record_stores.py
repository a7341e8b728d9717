"""Every RecordStore keeps its contract: the memory version and SQLite."""

from __future__ import annotations

from pathlib import Path

from pincite.ports import RecordStore
from pincite.store.sql_record import SqlRecord
from pincite.testing.memory_record import MemoryRecord
from pincite.testing.record_store_contract import PersistentRecordStoreContract, RecordStoreContract


class TestMemoryRecord(RecordStoreContract):
    def make(self, folder: Path) -> RecordStore:
        return MemoryRecord()


class TestSqlRecord(PersistentRecordStoreContract):
    def make(self, folder: Path) -> RecordStore:
        return SqlRecord(folder / "record.sqlite")
