"""Letters as the page shows them: those that an engine drops, ligatures that a font hides, raised and lowered
characters.

TeX fonts of bitmaps draw ligatures from two layouts of slots: the older one (OT1) and that of European scripts (T1).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from pincite.read.glyphs import UNMAPPED, Ints
from pincite.text.looks import subscript, superscript

SAMPLE_STEP = 8
"""Every eighth page is compared: more would be felt, since the other engine takes a fifth of the time of reading."""
MIN_GAPS = 3
"""Unknown characters inside words: fewer may be signs that stand between letters."""
LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
OLDER = dict(zip("\x0b\x0c\x0d\x0e\x0f", LIGATURES, strict=True))
EUROPEAN = dict(zip("\x1b\x1c\x1d\x1e\x1f", LIGATURES, strict=True))
QUOTES = dict(zip("\x10\x11\x12\x13\x14\x15\x16", "“”„«»–—", strict=True))
"""Stand in the layout of European scripts beside its ligatures."""


def sampled_pages(count: int) -> range:
    """The pages (from 0) of a file of so many that speak for the others; the first is often a cover."""
    return range(min(1, count - 1), count, SAMPLE_STEP)


def letters_in(text: str) -> Counter[str]:
    """How often a text shows each letter, those of a ligature counted one by one."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return Counter(filter(str.isalpha, plain))


def has_gaps(text: str) -> bool:
    """Whether words of a text lack letters that its font does not tell."""
    return len(re.findall(f"[a-z]{UNMAPPED}(?=[a-z])", text)) >= MIN_GAPS


def with_ligatures(characters: Sequence[str]) -> list[str]:
    """The characters of a page, with letters for those control characters that stand for ligatures in its words."""
    text = "".join(characters)
    slots = max((OLDER, EUROPEAN), key=lambda slots: len(_words_with(slots, text)))
    if not _words_with(slots, text):
        return list(characters)
    found = list(characters)
    for mark in re.finditer(f"(?<=[^\\W\\d_])[{_marks(slots)}]|[{_marks(slots)}](?=[^\\W\\d_])", text):
        found[mark.start()] = slots[mark.group()]
    return [QUOTES.get(character, character) for character in found] if slots is EUROPEAN else found


def _words_with(slots: Mapping[str, str], text: str) -> list[str]:
    """The beginnings of words of small letters in which one of these slots stands."""
    marks = _marks(slots)
    return re.findall(f"[a-z]{{2,}}[{marks}]|[{marks}][a-z]{{2,}}|[a-z][{marks}][a-z]", text)


def _marks(slots: Mapping[str, str]) -> str:
    return "".join(slots)


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
