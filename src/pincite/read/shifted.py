"""Raised and lowered characters of a page as text."""

from __future__ import annotations

import numpy as np

from pincite.read.glyphs import Ints
from pincite.text.raised import subscript, superscript

MOST_LETTERS = 4
"""Of an index: more are words that somebody set high, or that a scan shows askew."""


def shift(characters: list[str], levels: Ints, separators: Ints) -> None:
    """Write those of the characters that are raised (level 1) or lowered (-1) so, in place.

    `separators`: 0 behind a character whose word goes on.
    """
    shifted = np.flatnonzero(levels)
    if not len(shifted):
        return
    parted = (np.diff(shifted) > 1) | (np.diff(levels[shifted]) != 0) | (separators[shifted[:-1]] > 0)
    for group in np.split(shifted, np.flatnonzero(parted) + 1):
        first, last = int(group[0]), int(group[-1]) + 1
        plain = "".join(characters[first:last])
        if not any(map(str.isalpha, plain)) or _is_index(characters, separators, first, last):
            written = superscript(plain) if levels[first] > 0 else subscript(plain)
            characters[first:last] = _spread(written, last - first)


def _is_index(characters: list[str], separators: Ints, first: int, last: int) -> bool:
    """Whether these letters are the few that stand close behind a sign, with no word going on behind them."""
    letters = sum(map(str.isalpha, characters[first:last]))
    apart = first == 0 or separators[first - 1] > 0
    goes_on = last < len(characters) and not separators[last - 1] and characters[last].isalpha()
    return letters <= MOST_LETTERS and not apart and not goes_on


def _spread(text: str, count: int) -> list[str]:
    """A text for so many characters; what it has more stands with the last."""
    pieces = [*text[: count - 1], text[count - 1 :]]
    return pieces + [""] * (count - len(pieces))
