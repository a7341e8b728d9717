"""BM25 (Robertson and Zaragoza 2009) over inverted lists in mapped arrays. Its statistics are those of the chunks that
the asker may see."""

from __future__ import annotations

import math
import shutil
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ClosedError
from pincite.ports import Bitmap, KeywordField, Ranked
from pincite.store.inverted import FIELDS, encoded, load_arrays, write_inverted

K1 = 1.2
B = 0.75
_NOTHING: Mapping[str, NDArray[Any]] = {
    "terms": np.empty(0, np.uint8),
    "term_starts": np.zeros(1, np.int64),
    "starts": np.zeros(1, np.int64),
    "ordinals": np.empty(0, np.int32),
    "counts": np.empty((len(FIELDS), 0), np.uint16),
    "lengths": np.empty((len(FIELDS), 0), np.int32),
}


class Bm25Keywords:
    """An inverted index in a folder, always written anew, so that its statistics count live chunks only. `terms` are
    sorted and joined, `term_starts` tells where each begins; its postings start at its place in `starts`: `ordinals`
    (postings,) of chunks, ascending, and `counts` (2, postings) in body and context; `lengths` (2, chunks) are in
    tokens."""

    def __init__(self, folder: Path) -> None:
        self._lists = _Lists(folder)
        self._visible: Bitmap | None = None
        self._measure()

    def replace(self, documents: Iterable[Mapping[KeywordField, Sequence[str]]]) -> None:
        """Hold exactly these chunks, ordinals in this order."""
        self._lists.write(documents)
        self._measure()

    def seen(self, visible: Bitmap) -> Bm25Keywords:
        """The same index restricted to these chunks: it finds and counts no others. It is closed with this one."""
        narrowed = copy(self)
        narrowed._visible = visible
        narrowed._measure()
        return narrowed

    def search(
        self, tokens: Sequence[str], limit: int, allowed: Bitmap | None = None, *, field: KeywordField = "body"
    ) -> Ranked:
        """The best chunks as (ordinal, BM25): by score rounded to 6 decimals, then ordinal; at most `limit`."""
        scores = self._summed(tokens, field)
        found = np.flatnonzero(scores > 0 if allowed is None else (scores > 0) & allowed)
        if limit < 1 or not len(found):
            return []
        rounded = np.round(scores[found], 6)
        if len(found) > limit:
            is_among = rounded >= np.partition(rounded, -limit)[-limit]
            found, rounded = found[is_among], rounded[is_among]
        best = np.lexsort((found, -rounded))[:limit]
        return list(zip(found[best].tolist(), rounded[best].tolist(), strict=True))

    def scores(
        self, tokens: Sequence[str], ordinals: Sequence[int], *, field: KeywordField = "body"
    ) -> NDArray[np.float32]:
        """The BM25 score of each of these chunks, in their order; 0 where no token matches."""
        return np.round(self._summed(tokens, field)[np.asarray(ordinals, np.int64)], 6).astype(np.float32)

    def close(self) -> None:
        """Release memory and files; later questions raise a ClosedError."""
        self._lists.arrays = None

    def _measure(self) -> None:
        """How many chunks may be seen, and how long they are in the mean, by field."""
        lengths = self._lists.opened()["lengths"]
        seen = lengths if self._visible is None else lengths[:, self._visible]
        self._chunks = seen.shape[1]
        self._mean_lengths = [float(total) / max(1, self._chunks) or 1.0 for total in seen.sum(axis=1, dtype=np.int64)]

    def _summed(self, tokens: Sequence[str], field: KeywordField) -> NDArray[np.float64]:
        """(chunks,) scores; a token that is given twice counts twice."""
        row = FIELDS.index(field)
        lengths, mean = self._lists.opened()["lengths"][row], self._mean_lengths[row]
        scores = np.zeros(len(lengths))
        for token in tokens:
            ordinals, counts = self._lists.postings(token, row)
            if self._visible is not None:
                is_seen = self._visible[ordinals]
                ordinals, counts = ordinals[is_seen], counts[is_seen]
            weight = math.log(1 + (self._chunks - len(ordinals) + 0.5) / (len(ordinals) + 0.5))
            longer = 1 - B + B * lengths[ordinals] / mean
            scores[ordinals] += weight * (counts * (K1 + 1) / (counts + K1 * longer))
        return scores


class _Lists:
    """The arrays of an index; none in a folder that does not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.arrays: Mapping[str, NDArray[Any]] | None = load_arrays(folder) if folder.is_dir() else _NOTHING

    def write(self, documents: Iterable[Mapping[KeywordField, Sequence[str]]]) -> None:
        """Keep those of these chunks in place of those that are there."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=self.folder.parent) as aside:
            write_inverted(documents, made := Path(aside) / self.folder.name)
            shutil.rmtree(self.folder, ignore_errors=True)
            made.rename(self.folder)
        self.arrays = load_arrays(self.folder)

    def opened(self) -> Mapping[str, NDArray[Any]]:
        """The arrays; ClosedError where they were let go of."""
        if self.arrays is None:
            raise ClosedError.of(f"the index in {self.folder}")
        return self.arrays

    def postings(self, term: str, row: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """The chunks that hold a term in this field, and how often."""
        arrays = self.opened()
        terms, starts, wanted = arrays["terms"], arrays["term_starts"], encoded(term)

        def at(place: int) -> bytes:
            return terms[starts[place] : starts[place + 1]].tobytes()

        place = bisect_left(range(len(starts) - 1), wanted, key=at)
        is_known = place < len(starts) - 1 and at(place) == wanted
        postings = slice(*arrays["starts"][place : place + 2]) if is_known else slice(0)
        counts = arrays["counts"][row, postings]
        held = counts > 0
        return arrays["ordinals"][postings][held], counts[held].astype(np.float64)
