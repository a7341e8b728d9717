"""The keyword tokens of all chunks as arrays: where titles stand among them, and which chunk holds which."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.text.hashes import hashes_of

LONGEST_TITLE = 8


class ChunkTokens:
    """The keyword tokens of all chunks as one array of numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._tokens = array("i")
        self._sizes = array("i")

    def add(self, tokens: Sequence[str]) -> None:
        """Take in the tokens of the next chunk."""
        numbers = self._numbers
        self._tokens.extend(numbers.setdefault(token, len(numbers)) for token in tokens)
        self._sizes.append(len(tokens))

    def titles(self, titles: Mapping[str, tuple[str, ...]], ordinals: Sequence[int]) -> set[tuple[int, str]]:
        """(ordinal, name) for each title of two to eight tokens that stand in a row in one of these chunks; inside a
        longer title that was found there, shorter ones do not count."""
        wanted: dict[int, dict[tuple[int, ...], list[str]]] = {}
        for name, tokens in sorted(titles.items()):
            if 2 <= len(tokens) <= LONGEST_TITLE and all(token in self._numbers for token in tokens):
                numbered = tuple(self._numbers[token] for token in tokens)
                wanted.setdefault(len(tokens), {}).setdefault(numbered, []).append(name)
        owners = self._owners()
        is_wanted = np.isin(owners, np.asarray(ordinals, np.int64))
        ids, owners = np.asarray(self._tokens)[is_wanted], owners[is_wanted]
        taken = np.zeros(len(ids), bool)
        found: set[tuple[int, str]] = set()
        for length in sorted(wanted, reverse=True):
            for place in _places(ids, owners, length, sorted(wanted[length])):
                names = wanted[length].get(tuple(ids[place : place + length].tolist()), ())
                if names and not taken[place : place + length].all():
                    taken[place : place + length] = True
                    found.update((int(owners[place]), name) for name in names)
        return found

    def _owners(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self._sizes)), self._sizes)

    def hashes(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """The hashes of each chunk's distinct tokens, ascending within a chunk, and where each chunk's begin."""
        distinct = np.unique(self._owners() * len(self._numbers) + np.asarray(self._tokens))
        owners, ids = np.divmod(distinct, max(len(self._numbers), 1))
        found = hashes_of(self._numbers)[ids]
        counts = np.bincount(owners, minlength=len(self._sizes))
        return found[np.lexsort((found, owners))], np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _places(
    ids: NDArray[np.integer], owners: NDArray[np.int64], length: int, sequences: Sequence[tuple[int, ...]]
) -> list[int]:
    """Where one of these sequences of tokens may begin inside a chunk, ascending."""
    if len(ids) < length:
        return []
    rolled = _rolled(np.lib.stride_tricks.sliding_window_view(ids, length))
    inside = owners[: len(rolled)] == owners[length - 1 :]
    found: list[int] = np.flatnonzero(np.isin(rolled, _rolled(np.array(sequences))) & inside).tolist()
    return found


def _rolled(windows: NDArray[np.integer]) -> NDArray[np.uint64]:
    """A polynomial hash of each row."""
    powers = np.uint64(1_000_003) ** np.arange(windows.shape[1], dtype=np.uint64)
    return np.asarray((windows.astype(np.uint64) + np.uint64(1)) @ powers)
