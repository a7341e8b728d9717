"""Rows of numbers, one behind the other, without an object for each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

NUMBERS_AT_ONCE = 2**20
"""What takes many bytes a number is done with so many at a time."""


class Ragged:
    """Rows of 32-bit numbers: row i is `values[starts[i] : starts[i + 1]]`. None is added once they are looked at."""

    def __init__(self) -> None:
        self._values = array("i")
        self._starts = array("q", [0])

    def add(self, row: Iterable[int]) -> None:
        """Add a row."""
        self._values.extend(row)
        self._starts.append(len(self._values))

    def __len__(self) -> int:
        return len(self._starts) - 1

    @property
    def values(self) -> NDArray[np.int32]:
        """All numbers."""
        return np.frombuffer(self._values, np.int32)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each row begins, and where the last ends."""
        return np.frombuffer(self._starts, np.int64)

    def owners(self) -> NDArray[np.int64]:
        """The row of each number."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def parts(self, most: int) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.int64]]]:
        """The rows in groups of at most so many numbers, or of one row: the first row, its values and those of the
        rows behind it, and the sizes of these rows."""
        first, values, starts = 0, self.values, self.starts
        while first < len(self):
            end = max(first + 1, int(np.searchsorted(starts, starts[first] + most, side="right")) - 1)
            yield first, values[starts[first] : starts[end]], np.diff(starts[first : end + 1])
            first = end
