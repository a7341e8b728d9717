"""The contract of a VectorIndex (needs pytest).

Subclass `VectorIndexContract` as a class whose name starts with `Test`, and let `make` give an empty index:

    class TestMyVectors(VectorIndexContract):
        def make(self, folder, dimension):
            return MyVectors(folder, dimension)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pincite.errors import ClosedError
from pincite.ports import Ranked, Vector, VectorIndex
from pincite_testing.memory_vectors import MemoryVectors

DIMENSION = 16
Rows = tuple[Vector, NDArray[np.int32]]


def unit_rows(seed: int, count: int) -> Vector:
    """`count` seeded rows (count, 16) of length 1, float32."""
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def owners_of(*ordinals: int) -> NDArray[np.int32]:
    """Owners as the port takes them."""
    return np.array(ordinals, dtype=np.int32)


def windowed_rows(seed: int, chunks: int = 120) -> Rows:
    """One to three rows for each of these chunks, but none for every seventh."""
    counts = np.random.default_rng(seed).integers(1, 4, chunks)
    counts[::7] = 0
    owners = np.repeat(np.arange(chunks, dtype=np.int32), counts)
    return unit_rows(seed, len(owners)), owners


def cosines(ranked: Ranked) -> list[float]:
    """The scores of a ranking."""
    return [score for _, score in ranked]


class VectorIndexContract(ABC):
    """What every VectorIndex keeps; cosines are compared to 1e-5, as engines add in their own order."""

    @abstractmethod
    def make(self, folder: Path, dimension: int) -> VectorIndex:
        """An empty index of this dimension; `folder` is its own and does not exist yet."""

    @pytest.fixture
    def index(self, tmp_path: Path) -> Iterator[VectorIndex]:
        """An empty index, closed after the test."""
        index = self.make(tmp_path / "vectors", DIMENSION)
        yield index
        index.close()

    @pytest.fixture(params=range(4))
    def pair(self, index: VectorIndex, request: pytest.FixtureRequest) -> tuple[VectorIndex, MemoryVectors]:
        """The index and the oracle, holding the same rows."""
        oracle = MemoryVectors(DIMENSION)
        rows = windowed_rows(request.param)
        for held in (index, oracle):
            held.replace(*rows)
        return index, oracle

    def test_an_empty_index_finds_nothing(self, index: VectorIndex) -> None:
        """Before the first replace, and after a replace with no rows."""
        query = unit_rows(0, 1)[0]
        assert index.search(query, 5) == []
        index.replace(np.zeros((0, DIMENSION), dtype=np.float32), owners_of())
        assert index.search(query, 5) == []
        assert index.scores(query, [0]).tolist() == [-1.0]
        assert [rows.shape for rows in index.rows([0])] == [(0, DIMENSION)]

    @pytest.mark.parametrize("limit", [1, 5, 50, 1000])
    def test_it_finds_what_comparing_with_every_row_finds(
        self, pair: tuple[VectorIndex, MemoryVectors], limit: int
    ) -> None:
        """The same number of chunks, each once, with the same cosines in the same order."""
        index, oracle = pair
        for query in unit_rows(99, 5):
            found, expected = index.search(query, limit), oracle.search(query, limit)
            assert len({ordinal for ordinal, _ in found}) == len(found) == len(expected)
            assert cosines(found) == pytest.approx(cosines(expected), abs=1e-5)
            truth = oracle.scores(query, [ordinal for ordinal, _ in found])
            assert cosines(found) == pytest.approx(truth.tolist(), abs=1e-5)

    def test_the_order_is_by_rounded_cosine_then_ordinal(self, pair: tuple[VectorIndex, MemoryVectors]) -> None:
        """Ties are ties of the index's own cosines, rounded to 6 decimals."""
        for query in unit_rows(7, 5):
            found = pair[0].search(query, 1000)
            assert found == sorted(found, key=lambda hit: (-round(hit[1], 6), hit[0]))

    @pytest.mark.parametrize("limit", [1, 5, 39])
    def test_of_chunks_that_tie_the_lowest_ordinals_are_kept(self, index: VectorIndex, limit: int) -> None:
        """Also where many more tie than are asked for."""
        row = unit_rows(1, 1)
        index.replace(np.repeat(row, 40, axis=0), np.arange(40, dtype=np.int32))
        assert [ordinal for ordinal, _ in index.search(row[0], limit)] == list(range(limit))

    def test_a_chunk_counts_as_its_best_row(self, index: VectorIndex) -> None:
        """Windows of one chunk are one hit."""
        first, second, third = unit_rows(2, 3)
        index.replace(np.stack([first, second, third]), owners_of(0, 0, 1))
        found = index.search(second, 10)
        assert [ordinal for ordinal, _ in found] == [0, 1]
        assert found[0][1] == pytest.approx(1.0, abs=1e-5)
        assert index.scores(second, [0, 1]).tolist() == pytest.approx(cosines(found), abs=1e-5)

    @pytest.mark.parametrize("visible", [0, 1, 10, 60, 120])
    def test_only_allowed_chunks_are_found(self, pair: tuple[VectorIndex, MemoryVectors], visible: int) -> None:
        """However far away they are, and none besides."""
        index, oracle = pair
        allowed = np.zeros(120, dtype=np.bool_)
        allowed[np.random.default_rng(visible).permutation(120)[:visible]] = True
        for query in unit_rows(5, 3):
            found, expected = index.search(query, 8, allowed), oracle.search(query, 8, allowed)
            assert all(allowed[ordinal] for ordinal, _ in found)
            assert cosines(found) == pytest.approx(cosines(expected), abs=1e-5)

    def test_a_limit_of_zero_finds_nothing(self, pair: tuple[VectorIndex, MemoryVectors]) -> None:
        """An empty list, not an error."""
        assert pair[0].search(unit_rows(5, 1)[0], 0) == []

    def test_replace_forgets_what_was_there(self, index: VectorIndex) -> None:
        """Nothing of the earlier rows can be found or read."""
        before, after = unit_rows(3, 2)
        index.replace(np.stack([before, before]), owners_of(0, 1))
        index.replace(after.reshape(1, -1), owners_of(0))
        assert [ordinal for ordinal, _ in index.search(before, 10)] == [0]
        assert index.scores(before, [1]).tolist() == [-1.0]
        assert index.rows([1])[0].shape == (0, DIMENSION)

    def test_scores_come_in_the_order_asked_for(self, pair: tuple[VectorIndex, MemoryVectors]) -> None:
        """Repeated ordinals too; a chunk without rows has -1."""
        index, oracle = pair
        query, ordinals = unit_rows(4, 1)[0], [119, 0, 3, 3, 7, 50]
        assert index.scores(query, ordinals).tolist() == pytest.approx(
            oracle.scores(query, ordinals).tolist(), abs=1e-5
        )
        assert index.scores(query, []).tolist() == []

    def test_a_closed_index_says_so_and_never_that_it_found_nothing(
        self, pair: tuple[VectorIndex, MemoryVectors]
    ) -> None:
        """Closing it twice does no harm."""
        query = unit_rows(4, 1)[0]
        for index in pair:
            index.close()
            with pytest.raises(ClosedError, match="was closed"):
                index.search(query, 5)
            with pytest.raises(ClosedError, match="was closed"):
                index.scores(query, [0])
            with pytest.raises(ClosedError, match="was closed"):
                index.rows([0])

    def test_rows_come_back_as_they_were_given(self, pair: tuple[VectorIndex, MemoryVectors]) -> None:
        """All windows of a chunk, in order."""
        index, oracle = pair
        ordinals = [5, 0, 119, 5]
        for found, expected in zip(index.rows(ordinals), oracle.rows(ordinals), strict=True):
            np.testing.assert_allclose(found, expected, atol=1e-6)
