"""Every ReceiptStore keeps its contract: the memory version and SQLite."""

from __future__ import annotations

from pathlib import Path

from pincite.ports import ReceiptStore
from pincite.store.sql_receipts import SqlReceipts
from pincite.testing.memory_receipts import MemoryReceipts
from pincite.testing.receipt_store_contract import ReceiptStoreContract, hits, retrieval


class TestMemoryReceipts(ReceiptStoreContract):
    def make(self, folder: Path) -> ReceiptStore:
        return MemoryReceipts()


class TestSqlReceipts(ReceiptStoreContract):
    def make(self, folder: Path) -> ReceiptStore:
        return SqlReceipts(folder / "audit.sqlite")

    def test_receipts_outlive_the_process(self, tmp_path: Path) -> None:
        written = self.make(tmp_path)
        written.put_retrieval(retrieval(1), hits(1, 2))
        written.close()
        again = self.make(tmp_path)
        assert (again.retrievals(), again.hits("id-1")) == ([retrieval(1)], hits(1, 2))
        again.close()
