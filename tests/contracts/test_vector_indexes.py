"""Every VectorIndex keeps its contract: the memory version and FAISS."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pincite.ports import VectorIndex
from pincite.store.faiss_vectors import FaissVectors
from pincite.testing.memory_vectors import MemoryVectors
from pincite.testing.vector_index_contract import DIMENSION, VectorIndexContract, unit_rows, windowed_rows


class TestMemoryVectors(VectorIndexContract):
    def make(self, folder: Path, dimension: int) -> VectorIndex:
        return MemoryVectors(dimension)


class TestFaissVectors(VectorIndexContract):
    def make(self, folder: Path, dimension: int) -> VectorIndex:
        return FaissVectors(folder, dimension)

    def test_it_is_the_same_when_opened_again(self, tmp_path: Path) -> None:
        written = FaissVectors(tmp_path / "vectors", DIMENSION)
        written.replace(*windowed_rows(3))
        query = unit_rows(11, 1)[0]
        expected = written.search(query, 20)
        written.close()
        again = FaissVectors(tmp_path / "vectors", DIMENSION)
        assert again.search(query, 20) == expected
        assert len(expected) == 20
        again.close()


def test_the_oracle_finds_the_nearest_of_three_rows_written_by_hand() -> None:
    index = MemoryVectors(2)
    rows = np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)
    index.replace(rows, np.array([0, 2, 5], dtype=np.int32))
    found = index.search(np.array([0.8, 0.6], dtype=np.float32), 2)
    assert [(ordinal, round(score, 4)) for ordinal, score in found] == [(2, 0.96), (0, 0.8)]
