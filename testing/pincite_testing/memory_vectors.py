"""A VectorIndex that compares with every row: the oracle of the contract kit, and enough for small stores."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ClosedError
from pincite.ports import Bitmap, Ranked, Vector

NO_ROWS = -1.0


class MemoryVectors:
    """Rows in an array; cosines are computed in double precision."""

    def __init__(self, dimension: int) -> None:
        self._is_closed = False
        self._vectors: Vector = np.zeros((0, dimension), dtype=np.float32)
        self._owners: NDArray[np.int32] = np.zeros(0, dtype=np.int32)

    def replace(self, vectors: Vector, owners: NDArray[np.int32]) -> None:
        """Hold exactly these rows: `vectors` (rows, dimension), `owners` (rows,) their ordinals, ascending."""
        self._vectors = np.array(vectors, dtype=np.float32)
        self._owners = np.array(owners, dtype=np.int32)

    def search(self, query: Vector, limit: int, allowed: Bitmap | None = None) -> Ranked:
        """The best chunks as (ordinal, cosine): by cosine rounded to 6 decimals, then ordinal."""
        best = self._best_by_chunk(query)
        ordinals = np.unique(self._owners)
        if allowed is not None:
            ordinals = ordinals[allowed[ordinals]]
        order = np.lexsort((ordinals, -np.round(best[ordinals], 6)))
        return [(int(ordinal), float(best[ordinal])) for ordinal in ordinals[order][:limit]]

    def scores(self, query: Vector, ordinals: Sequence[int]) -> NDArray[np.float32]:
        """The cosine of each of these chunks, in their order; -1 for a chunk without rows."""
        best = self._best_by_chunk(query)
        return np.array([best[o] if o < len(best) else NO_ROWS for o in ordinals], dtype=np.float32)

    def rows(self, ordinals: Sequence[int]) -> list[Vector]:
        """The rows (windows, dimension) of each of these chunks."""
        self._check_open()
        return [self._vectors[self._owners == ordinal] for ordinal in ordinals]

    def close(self) -> None:
        """Let go of the rows; who asks afterwards gets a ClosedError."""
        self.replace(self._vectors[:0], self._owners[:0])
        self._is_closed = True

    def _check_open(self) -> None:
        if self._is_closed:
            raise ClosedError.of("the index in memory")

    def _best_by_chunk(self, query: Vector) -> NDArray[np.float64]:
        """The best cosine of each ordinal from 0 to the highest owner; -1 without rows."""
        self._check_open()
        count = int(self._owners[-1]) + 1 if len(self._owners) else 0
        best = np.full(count, NO_ROWS)
        np.maximum.at(best, self._owners, self._vectors.astype(np.float64) @ query.astype(np.float64))
        return best
