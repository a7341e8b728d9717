"""Exact nearest neighbours among many: a byte a number is searched, and what it finds is scored by the exact rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.ports import Bitmap, Ranked, Vector
from pincite.store.faiss_vectors import INDEX_FILE, FaissVectors

ROWS_FILE = "rows.npy"
ERROR_FILE = "error.npy"
ROWS_AT_ONCE = 2**16
ROUNDING = 2e-6
"""How far a cosine may move by being rounded to six decimals, and by sums in another order."""


class FaissCodes(FaissVectors):
    """Vectors in a folder: `rows.npy` as they are, `vectors.faiss` with a code of one byte for each number, `error.npy`
    with the distance of the farthest row from what its code says, and `owners.npy`; all mapped.

    A row's cosine is that of its code, give or take this error. Where that leaves open which rows are best, all rows
    are scored exactly: what is found depends on the rows alone, never on the codes.
    """

    candidates = 512
    """So many rows are scored exactly before all are."""

    def _write(self, vectors: Vector) -> None:
        faiss, index = self._faiss, self._coder(vectors)
        rows = np.lib.format.open_memmap(self._folder / ROWS_FILE, "w+", np.float32, vectors.shape)
        farthest = 0.0
        for start in range(0, len(vectors), ROWS_AT_ONCE):
            part = np.ascontiguousarray(vectors[start : start + ROWS_AT_ONCE], dtype=np.float32)
            rows[start : start + len(part)] = part
            index.add(part)
            errors = np.linalg.norm(part - index.reconstruct_n(start, len(part)), axis=1)
            farthest = max(farthest, float(errors.max()))
        np.save(self._folder / ERROR_FILE, np.array(farthest))
        faiss.write_index(index, str(self._folder / INDEX_FILE))

    def _coder(self, vectors: Vector) -> Any:
        """An empty index whose codes reach from the least to the greatest number in each place."""
        faiss = self._faiss
        index = faiss.IndexScalarQuantizer(self._dimension, faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT)
        ends = (vectors.min(axis=0), vectors.max(axis=0)) if len(vectors) else np.zeros((2, self._dimension))
        index.train(np.ascontiguousarray(ends, dtype=np.float32))
        return index

    def _rows_of(self, index: Any) -> Vector:
        self._error = float(np.load(self._folder / ERROR_FILE))
        rows: Vector = np.load(self._folder / ROWS_FILE, mmap_mode="r").view(np.ndarray)
        return rows

    def _first_wanted(self, limit: int) -> int:
        return max(super()._first_wanted(limit), self.candidates)

    def _best(self, query: Vector, wanted: int, rows: Bitmap | None) -> tuple[Ranked, float]:
        if wanted > self.candidates:
            return self._scanned(query, wanted, rows)
        scores, found = self._nearest(query, wanted, rows)
        return self._exactly(query, found), float(scores[-1]) + self._error * float(np.linalg.norm(query)) + ROUNDING

    def _exactly(self, query: Vector, rows: NDArray[np.int64]) -> Ranked:
        """The chunks of these rows by exact cosine, then ordinal."""
        cosines = np.einsum("ij,j->i", self._opened().rows[rows], query).astype(np.float64).round(6)
        order = np.argsort(-cosines, kind="stable")
        return self._by_chunk(rows[order], cosines[order])

    def _scanned(self, query: Vector, wanted: int, rows: Bitmap | None) -> tuple[Ranked, float]:
        """The same as `_best`, found among all rows."""
        held = self._opened().rows
        parts = range(0, len(held), ROWS_AT_ONCE)
        cosines = np.concatenate([held[start : start + ROWS_AT_ONCE] @ query for start in parts])
        if rows is not None:
            cosines[~rows] = -np.inf
        found = np.argpartition(-cosines, wanted - 1)[:wanted]
        return self._exactly(query, found), float(cosines[found].min()) + ROUNDING
