"""Which words of names are a letter or two off from a word that stands nowhere?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

LEAST_LETTERS = 5
LETTERS_FOR_TWO = 8
LONGEST = 60
BYTES_OF_LETTER = 2
Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]


def arrange_words(names: Iterable[str]) -> tuple[Bytes, Offsets]:
    """The distinct words of normal names in UTF-8, those of one length together: the words of n bytes are
    `[offsets[n], offsets[n + 1])`. Words of other signs than letters, short and very long ones are left out."""
    words = {word for name in names for word in name.split() if len(word) >= LEAST_LETTERS - 1 and word.isalpha()}
    encoded = sorted((word.encode() for word in words), key=lambda word: (len(word), word))
    fitting = [word for word in encoded if len(word) <= LONGEST]
    lengths = np.bincount([len(word) for word in fitting], minlength=LONGEST + 1) * np.arange(LONGEST + 1)
    return np.frombuffer(b"".join(fitting), np.uint8), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def nearest_words(words: Bytes, offsets: Offsets, word: str) -> dict[int, list[str]]:
    """The words that are one letter off, or two from eight letters on, by how many; letters that changed places count
    as one. They begin or end with the same two letters."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    if len(word) < LEAST_LETTERS:
        return {}
    most = 1 if len(word) < LETTERS_FOR_TWO else 2
    found: dict[int, list[str]] = {}
    alike = list(_alike(words, offsets, word, most))
    for other, distance, _ in process.extract(word, alike, scorer=OSA.distance, score_cutoff=most, limit=None):
        found.setdefault(int(distance), []).append(other)
    return {distance: sorted(found[distance]) for distance in sorted(found)}


def _alike(words: Bytes, offsets: Offsets, word: str, most: int) -> Iterator[str]:
    """The words that are about as long and begin or end with the same two letters."""
    wanted = word.encode()
    slack = most if word.isascii() else most * BYTES_OF_LETTER
    for length in range(max(len(wanted) - slack, 2), min(len(wanted) + slack, LONGEST) + 1):
        table = np.asarray(words[offsets[length] : offsets[length + 1]]).reshape(-1, length)
        begins = (table[:, 0] == wanted[0]) & (table[:, 1] == wanted[1])
        closes = (table[:, -1] == wanted[-1]) & (table[:, -2] == wanted[-2])
        found = table[begins | closes].tobytes()
        yield from (found[start : start + length].decode() for start in range(0, len(found), length))
