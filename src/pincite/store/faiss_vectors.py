"""Exact nearest neighbours by cosine: a flat FAISS index (spec/llmless_retrieval.md, section 2)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ClosedError
from pincite.ports import Bitmap, Ranked, Vector

INDEX_FILE = "vectors.faiss"
OWNERS_FILE = "owners.npy"


class FaissVectors:
    """Vectors in a folder: `vectors.faiss` (inner product, rows of length 1) and `owners.npy` (their ordinals)."""

    def __init__(self, folder: Path, dimension: int) -> None:
        import faiss

        faiss.omp_set_num_threads(1)  # waking threads for one question costs more than they save
        self._faiss = faiss
        self._folder = folder
        path = folder / INDEX_FILE
        index = faiss.read_index(str(path)) if path.exists() else faiss.IndexFlatIP(dimension)
        owners = np.load(folder / OWNERS_FILE) if path.exists() else np.empty(0, np.int32)
        self._dimension = dimension
        self._held: tuple[Any, NDArray[np.int32]] | None = (index, owners)

    def replace(self, vectors: Vector, owners: NDArray[np.int32]) -> None:
        """Hold exactly these rows, on disk as in memory."""
        self._folder.mkdir(parents=True, exist_ok=True)
        index = self._faiss.IndexFlatIP(self._dimension)
        index.add(np.ascontiguousarray(vectors, dtype=np.float32))
        self._faiss.write_index(index, str(self._folder / INDEX_FILE))
        np.save(self._folder / OWNERS_FILE, owners)
        self._held = (index, owners)

    def search(self, query: Vector, limit: int, allowed: Bitmap | None = None) -> Ranked:
        """The best chunks as (ordinal, cosine), a chunk by its best row; at most `limit`."""
        _, owners = self._opened()
        if limit < 1 or not len(owners):
            return []
        rows = None if allowed is None else allowed[owners]
        total = len(owners) if rows is None else int(rows.sum())
        wanted = min(total, 2 * limit + 8)
        while wanted:
            ranked, last = self._best(query, wanted, rows)
            if wanted == total or (len(ranked) > limit and last < ranked[limit - 1][1]):
                return ranked[:limit]
            wanted = min(total, 4 * wanted)
        return []

    def scores(self, query: Vector, ordinals: Sequence[int]) -> NDArray[np.float32]:
        """The cosine of each of these chunks, in their order; -1 for a chunk without rows."""
        index, owners = self._opened()
        starts, ends = _bounds(owners, ordinals)
        counts = ends - starts
        found = np.full(len(counts), -1.0, np.float32)
        if not counts.sum():
            return found
        firsts = np.cumsum(counts) - counts
        keys = np.repeat(starts - firsts, counts) + np.arange(counts.sum())
        cosines = np.einsum("ij,j->i", index.reconstruct_batch(keys), query)
        has_rows = counts > 0
        found[has_rows] = np.maximum.reduceat(cosines, firsts[has_rows])
        return found

    def rows(self, ordinals: Sequence[int]) -> list[Vector]:
        """The rows (windows, dimension) of each of these chunks."""
        index, owners = self._opened()
        starts, ends = _bounds(owners, ordinals)
        return [_reconstructed(index, int(start), int(end)) for start, end in zip(starts, ends, strict=True)]

    def close(self) -> None:
        """Let go of memory; who asks afterwards gets a ClosedError."""
        self._held = None

    def _opened(self) -> tuple[Any, NDArray[np.int32]]:
        if self._held is None:
            raise ClosedError.of(f"the index in {self._folder}")
        return self._held

    def _best(self, query: Vector, wanted: int, rows: Bitmap | None) -> tuple[Ranked, float]:
        """Chunks by rounded cosine, then ordinal, from the best `wanted` rows; the rounded cosine of the last row."""
        (index, owners), parameters = self._opened(), None
        if rows is not None:
            faiss: Any = self._faiss
            parameters = faiss.SearchParameters(sel=faiss.IDSelectorBitmap(np.packbits(rows, bitorder="little")))
        cosines, found = index.search(query.reshape(1, -1), wanted, params=parameters)
        best: dict[int, float] = {}
        rounded = np.round(cosines[0].astype(np.float64), 6)
        for row, cosine in zip(found[0].tolist(), rounded.tolist(), strict=True):
            if row >= 0:
                best.setdefault(int(owners[row]), cosine)
        return sorted(best.items(), key=lambda item: (-item[1], item[0])), float(rounded[-1])


def _bounds(owners: NDArray[np.int32], ordinals: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first row of each of these chunks, and the one behind its last."""
    wanted = np.asarray(ordinals, dtype=np.int32)
    starts, ends = np.searchsorted(owners, wanted), np.searchsorted(owners, wanted, side="right")
    return starts.astype(np.int64), ends.astype(np.int64)


def _reconstructed(index: Any, start: int, end: int) -> Vector:
    if start == end:
        return np.empty((0, index.d), np.float32)
    return np.asarray(index.reconstruct_n(start, end - start), dtype=np.float32)
