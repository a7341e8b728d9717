"""Every VectorIndex keeps its contract: the memory version and FAISS."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pincite.ports import Vector, VectorIndex
from pincite.store.faiss_vectors import FaissCodes, FaissVectors
from pincite_testing.memory_vectors import MemoryVectors
from pincite_testing.vector_index_contract import DIMENSION, VectorIndexContract, unit_rows, windowed_rows


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


class TestFaissCodes(VectorIndexContract):
    """Of the few rows of the kit, all are scored exactly."""

    def make(self, folder: Path, dimension: int) -> VectorIndex:
        return FaissCodes(folder, dimension)


class TestFaissCodesAndAllRows(VectorIndexContract):
    """The codes choose from the rows of the kit, and leave open which are best."""

    def make(self, folder: Path, dimension: int) -> VectorIndex:
        index = FaissCodes(folder, dimension)
        index.candidates = 4
        return index


def nearest(rows: Vector, query: Vector, limit: int) -> list[int]:
    cosines = np.round((rows @ query).astype(np.float64), 6)
    return np.lexsort((np.arange(len(rows)), -cosines))[:limit].tolist()


@pytest.mark.parametrize("spread", [1.0, 0.05, 0.0])
def test_codes_of_a_byte_find_what_exact_rows_do(spread: float, tmp_path: Path) -> None:
    """Whether rows lie far apart, closer than codes can tell, or all in one place."""
    random = np.random.default_rng(5)
    rows = np.ones(64) + spread * random.standard_normal((20_000, 64))
    rows = np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)
    index = FaissCodes(tmp_path / "vectors", 64)
    index.replace(rows, np.arange(len(rows), dtype=np.int32))
    opened = FaissCodes(tmp_path / "vectors", 64)
    allowed = random.random(len(rows)) < 0.1
    for query in rows[:5]:
        assert [ordinal for ordinal, _ in index.search(query, 12)] == nearest(rows, query, 12)
        assert opened.search(query, 12) == index.search(query, 12)
        seen = np.flatnonzero(allowed)
        assert [ordinal for ordinal, _ in index.search(query, 12, allowed)] == [
            int(seen[place]) for place in nearest(rows[seen], query, 12)
        ]
    index.close()
    opened.close()


def test_the_oracle_finds_the_nearest_of_three_rows_written_by_hand() -> None:
    index = MemoryVectors(2)
    rows = np.array([[1, 0], [0.6, 0.8], [0, 1]], dtype=np.float32)
    index.replace(rows, np.array([0, 2, 5], dtype=np.int32))
    found = index.search(np.array([0.8, 0.6], dtype=np.float32), 2)
    assert [(ordinal, round(score, 4)) for ordinal, score in found] == [(2, 0.96), (0, 0.8)]
