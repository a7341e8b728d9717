"""Exact nearest neighbours by cosine: a flat FAISS index, or among many a code of a byte a number, whose finds are
scored by the exact rows (docs/decisions/1002)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ClosedError
from pincite.ports import Bitmap, Ranked, Vector
from pincite.store.inverted import load_array

INDEX_FILE = "vectors.faiss"
OWNERS_FILE = "owners.npy"


class FaissVectors:
    """Vectors in a folder: `vectors.faiss` (inner product, rows of length 1) and `owners.npy` (their ordinals), both
    mapped."""

    def __init__(self, folder: Path, dimension: int) -> None:
        import faiss

        faiss.omp_set_num_threads(1)  # waking threads for one question costs more than they save
        self._faiss: Any = faiss
        self._folder = folder
        self._dimension = dimension
        self._held: _Held | None = None
        self._open()

    def replace(self, vectors: Vector, owners: NDArray[np.int32]) -> None:
        """Hold exactly these rows, on disk as in memory."""
        self._folder.mkdir(parents=True, exist_ok=True)
        self._write(vectors)
        np.save(self._folder / OWNERS_FILE, owners)
        self._open()

    def search(self, query: Vector, limit: int, allowed: Bitmap | None = None) -> Ranked:
        """The best chunks as (ordinal, cosine), a chunk by its best row; at most `limit`."""
        owners = self._opened().owners
        if limit < 1 or not len(owners):
            return []
        rows = None if allowed is None else allowed[owners]
        total = len(owners) if rows is None else int(rows.sum())
        wanted = min(total, self._first_wanted(limit))
        while wanted:
            ranked, last = self._best(query, wanted, rows)
            if wanted == total or (len(ranked) > limit and last < ranked[limit - 1][1]):
                return ranked[:limit]
            wanted = min(total, 4 * wanted)
        return []

    def scores(self, query: Vector, ordinals: Sequence[int]) -> NDArray[np.float32]:
        """The cosine of each of these chunks, in their order; -1 for a chunk without rows."""
        held = self._opened()
        starts, ends = _bounds(held.owners, ordinals)
        counts = ends - starts
        found = np.full(len(counts), -1.0, np.float32)
        if not counts.sum():
            return found
        firsts = np.cumsum(counts) - counts
        keys = np.repeat(starts - firsts, counts) + np.arange(counts.sum())
        cosines = np.einsum("ij,j->i", held.rows[keys], query)
        has_rows = counts > 0
        found[has_rows] = np.maximum.reduceat(cosines, firsts[has_rows])
        return found

    def rows(self, ordinals: Sequence[int]) -> list[Vector]:
        """The rows (windows, dimension) of each of these chunks."""
        held = self._opened()
        starts, ends = _bounds(held.owners, ordinals)
        return [held.rows[start:end].copy() for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]

    def close(self) -> None:
        """Release memory; later questions raise a ClosedError."""
        self._held = None

    def _opened(self) -> _Held:
        if self._held is None:
            raise ClosedError.of(f"the index in {self._folder}")
        return self._held

    def _open(self) -> None:
        """Hold what the folder has; nothing where there is none yet."""
        path = self._folder / INDEX_FILE
        if path.exists():
            index = self._faiss.read_index(str(path), self._faiss.IO_FLAG_MMAP_IFC)
            owners = load_array(self._folder / OWNERS_FILE)
            self._held = _Held(index, self._rows_of(index), owners)
        else:
            empty = np.empty((0, self._dimension), np.float32)
            self._held = _Held(None, empty, np.empty(0, np.int32))

    def _write(self, vectors: Vector) -> None:
        """Write these rows into the folder."""
        index = self._faiss.IndexFlatIP(self._dimension)
        index.add(np.ascontiguousarray(vectors, dtype=np.float32))
        self._faiss.write_index(index, str(self._folder / INDEX_FILE))

    def _rows_of(self, index: Any) -> Vector:
        """The exact rows, mapped."""
        held = self._faiss.rev_swig_ptr(index.get_xb(), index.ntotal * index.d)
        return np.asarray(held.reshape(index.ntotal, index.d))

    def _first_wanted(self, limit: int) -> int:
        """So many rows are looked at first for so many chunks: a chunk may have several."""
        return 2 * limit + 8

    def _best(self, query: Vector, wanted: int, rows: Bitmap | None) -> tuple[Ranked, float]:
        """Chunks by rounded cosine, then ordinal, from the best `wanted` rows; no other row has a higher rounded cosine
        than the last value."""
        cosines, found = self._nearest(query, wanted, rows)
        rounded = cosines.astype(np.float64).round(6)
        return self._by_chunk(found, rounded), float(rounded[-1])

    def _nearest(self, query: Vector, wanted: int, rows: Bitmap | None) -> tuple[Vector, NDArray[np.int64]]:
        """The best rows by what the index says, and what it says of each."""
        faiss, parameters = self._faiss, None
        if rows is not None:
            parameters = faiss.SearchParameters(sel=faiss.IDSelectorBitmap(np.packbits(rows, bitorder="little")))
        scores, found = self._opened().index.search(query.reshape(1, -1), wanted, params=parameters)
        return scores[0], found[0]

    def _by_chunk(self, rows: NDArray[np.int64], rounded: NDArray[np.float64]) -> Ranked:
        """Chunks by the cosine of their best row, then ordinal; rows come by cosine."""
        owners, best = self._opened().owners, dict[int, float]()
        for row, cosine in zip(rows.tolist(), rounded.tolist(), strict=True):
            if row >= 0:
                best.setdefault(int(owners[row]), cosine)
        return sorted(best.items(), key=lambda item: (-item[1], item[0]))


@dataclass(frozen=True, slots=True)
class _Held:
    """An open index; `rows` and `owners` are mapped. `index` is None where there are no rows yet."""

    index: Any
    rows: Vector
    owners: NDArray[np.int32]


def _bounds(owners: NDArray[np.int32], ordinals: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first row of each of these chunks, and the one behind its last."""
    wanted = np.asarray(ordinals, dtype=np.int32)
    starts, ends = np.searchsorted(owners, wanted), np.searchsorted(owners, wanted, side="right")
    return starts.astype(np.int64), ends.astype(np.int64)


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
        self._error = float(load_array(self._folder / ERROR_FILE))
        rows: Vector = load_array(self._folder / ROWS_FILE)
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
