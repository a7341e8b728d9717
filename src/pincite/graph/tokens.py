"""The keyword tokens of all chunks as compressed rows: where titles stand among them, and which chunk holds which."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.text.tokens import hashes_of

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


LONGEST_TITLE = 8


class ChunkTokens:
    """The keyword tokens of all chunks as one array of numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._tokens = Ragged()

    def add(self, tokens: Sequence[str]) -> None:
        """Take in the tokens of the next chunk."""
        numbers = self._numbers
        self._tokens.add(numbers.setdefault(token, len(numbers)) for token in tokens)

    def titles(self, titles: Mapping[int, tuple[str, ...]], is_wanted: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
        """(ordinal, title) for each title of two to eight tokens that stand in a row in one of the wanted chunks;
        inside a longer title that was found there, shorter ones do not count."""
        wanted: dict[int, dict[tuple[int, ...], list[int]]] = {}
        for title, tokens in titles.items():
            if 2 <= len(tokens) <= LONGEST_TITLE and all(token in self._numbers for token in tokens):
                numbered = tuple(self._numbers[token] for token in tokens)
                wanted.setdefault(len(tokens), {}).setdefault(numbered, []).append(title)
        longest_first = [
            (length, wanted[length], _rolled(np.array(list(wanted[length])))) for length in sorted(wanted, reverse=True)
        ]
        for first, held, sizes in self._tokens.parts(NUMBERS_AT_ONCE) if wanted else ():
            of_block = np.repeat(np.arange(first, first + len(sizes)), sizes)
            is_here = is_wanted[of_block]
            ids, owners = held[is_here], of_block[is_here]
            taken = np.zeros(len(ids), bool)
            for length, named, hashes in longest_first:
                for place in _places(ids, owners, length, hashes):
                    found = named.get(tuple(ids[place : place + length].tolist()), ())
                    if found and not taken[place : place + length].all():
                        taken[place : place + length] = True
                        yield from ((int(owners[place]), title) for title in found)

    def arrays(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint64], NDArray[np.int32]]:
        """The hashes of each chunk's distinct tokens, ascending within a chunk, and where each chunk's begin; all
        hashes, ascending, and how often each stands among the former."""
        hashes = hashes_of(self._numbers)
        found, starts, times = array("Q"), [np.zeros(1, np.int64)], np.zeros(len(hashes), np.int64)
        for _, ids, sizes in self._tokens.parts(NUMBERS_AT_ONCE):
            distinct = np.unique(np.repeat(np.arange(len(sizes)), sizes) * len(hashes) + ids)
            owners, distinct_ids = np.divmod(distinct, max(len(hashes), 1))
            held = hashes[distinct_ids]
            found.frombytes(held[np.lexsort((held, owners))].tobytes())
            starts.append(np.bincount(owners, minlength=len(sizes)))
            times += np.bincount(distinct_ids, minlength=len(hashes))
        vocabulary, places = np.unique(hashes, return_inverse=True)
        counts = np.zeros(len(vocabulary), np.int32)
        np.add.at(counts, places, times)
        return np.frombuffer(found, np.uint64), np.cumsum(np.concatenate(starts)), vocabulary, counts


def _places(ids: NDArray[np.int32], owners: NDArray[np.int64], length: int, hashes: NDArray[np.uint64]) -> list[int]:
    """Where one of the sequences of tokens with these hashes may begin inside a chunk, ascending."""
    if len(ids) < length:
        return []
    rolled = _rolled(np.lib.stride_tricks.sliding_window_view(ids, length))
    inside = owners[: len(rolled)] == owners[length - 1 :]
    found: list[int] = np.flatnonzero(np.isin(rolled, hashes) & inside).tolist()
    return found


def _rolled(windows: NDArray[np.integer]) -> NDArray[np.uint64]:
    """A polynomial hash of each row."""
    powers = np.uint64(1_000_003) ** np.arange(windows.shape[1], dtype=np.uint64)
    return np.asarray((windows.astype(np.uint64) + np.uint64(1)) @ powers)
