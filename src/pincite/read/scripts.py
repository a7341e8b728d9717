"""Letters as the page shows them: scripts that do not run from left to right, and letters that an engine drops or a
font hides, raised and lowered ones.

TeX fonts of bitmaps draw ligatures from two layouts of slots: the older one (OT1) and that of European scripts (T1).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from unicodedata import bidirectional

import numpy as np
from numpy.typing import NDArray

from pincite.read.glyphs import UNMAPPED, Glyphs, Ints, codes_of
from pincite.text.looks import subscript, superscript

Bools = NDArray[np.bool_]
LONGEST_NUMBER = 40
"""Characters."""
_LEFTWARDS = frozenset({"R", "AL"})
_NUMBERS = frozenset({"EN", "AN"})
_RIGHTWARDS = _NUMBERS | {"L"}
_NEUTRALS = frozenset({"WS", "ON", "ES", "CS", "ET", "NSM", "BN"})
_JOINS_NOTHING_BEHIND = frozenset("اأإآٱدذرزوؤةىء")
_PAIRS = {bracket: pair for pair in ("()", "[]", "{}", "<>", "«»") for bracket in pair}


def right_to_left(codes: Ints) -> Bools:
    """Which code points are Hebrew, Arabic and their printed forms."""
    if not len(codes) or codes.max() < 0x0590:
        return np.zeros(len(codes), dtype=np.bool_)
    plain = (codes >= 0x0590) & (codes <= 0x08FF)
    return plain | ((codes >= 0xFB1D) & (codes <= 0xFDFF)) | ((codes >= 0xFE70) & (codes <= 0xFEFC))


def runs_leftwards(glyphs: Glyphs) -> bool:
    """Whether at least half of the letters are of a script that runs from right to left."""
    marked = int(right_to_left(glyphs.codes).sum())
    return marked > 0 and 2 * marked >= sum(map(str.isalpha, glyphs.text))


def spoken_order(glyphs: Glyphs, order: Ints, space: Bools, start: Ints, end: Ints) -> tuple[Ints, Bools]:
    """Characters sorted from left to right, run by run, in the order in which they are read: the Unicode Bidirectional
    Algorithm (UAX 9) backwards."""
    marked = set(np.flatnonzero(right_to_left(glyphs.codes)).tolist())
    if not marked:
        return order, space
    leftwards = runs_leftwards(glyphs)
    order, space = order.copy(), space.copy()
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        members = order[first:last].tolist()
        if marked.isdisjoint(members):
            continue
        signs = _signs(members, space[first:last].tolist(), glyphs.x[members].tolist())
        signs = [_as_joined(sign, glyphs.text) for sign in signs]
        kinds = [_kind(glyphs.text[sign[0]]) if sign else "WS" for sign in signs]
        read = [member for sign in _read(signs, kinds, leftwards=leftwards) for member in (sign or [-1])]
        letters = [position for position, member in enumerate(read) if member >= 0]
        order[first:last] = [read[position] for position in letters]
        space[first:last] = [position > 0 and read[position - 1] < 0 for position in letters]
        space[first] = False
    return order, space


def turn_brackets(characters: list[str], separators: Ints) -> None:
    """Fix the direction of brackets in right-to-left text by the words beside them, in place: engines turn some.
    `separators`: 0 behind a character whose word goes on."""
    if not right_to_left(codes_of(characters)).any():
        return
    for position, character in enumerate(characters):
        pair = _PAIRS.get(character)
        if pair is not None:
            begins = position == 0 or separators[position - 1] > 0
            ends = position + 1 == len(characters) or separators[position] > 0
            ends = ends or _kind(characters[position + 1]) in ("CS", "ON")
            if begins != ends:
                characters[position] = pair[0] if begins else pair[1]


def turn_upright(glyphs: Glyphs) -> Glyphs:
    """Characters that are set from top to bottom, columns from right to left, as text that is turned by 270 degrees."""
    wide = _ideographs(glyphs.codes)
    if wide.sum() < 4 or wide.sum() < 0.5 * len(glyphs):
        return glyphs
    if _neighbours(glyphs.y, glyphs.x, glyphs.size, wide) >= _neighbours(glyphs.x, glyphs.y, glyphs.size, wide):
        return glyphs
    return glyphs.turned(np.where(wide & (glyphs.angle == 0), 270, glyphs.angle))


def _signs(members: Sequence[int], space: Sequence[bool], x: Sequence[float]) -> list[list[int]]:
    """The characters of each drawn sign (those of one place) in their own order, an empty list for each space."""
    signs: list[list[int]] = []
    for position, (member, blank) in enumerate(zip(members, space, strict=True)):
        if blank and position:
            signs.append([])
        if position and not blank and x[position] == x[position - 1]:
            signs[-1] = sorted([*signs[-1], member])
        else:
            signs.append([member])
    return signs


def _as_joined(sign: list[int], text: Sequence[str]) -> list[int]:
    """The letters of a drawn sign in the order in which they can be one: engines turn some ligatures."""
    first = text[sign[0]] if len(sign) > 1 else ""
    return sign[::-1] if first in _JOINS_NOTHING_BEHIND or _kind(first or " ") == "NSM" else sign


def _read(signs: list[list[int]], kinds: list[str], *, leftwards: bool) -> Iterator[list[int]]:
    """Signs from left to right in the order in which they are read: as both ends tell, else `leftwards`."""
    strong = [kind != "L" for kind in kinds if kind == "L" or kind in _LEFTWARDS]
    if strong[0] if strong[0] == strong[-1] else leftwards:
        yield from _from_right(signs, kinds)
        return
    begin = 0
    while begin < len(kinds):
        if kinds[begin] not in _LEFTWARDS:
            yield signs[begin]
            begin += 1
            continue
        behind = next((place for place in range(begin, len(kinds)) if kinds[place] == "L"), len(kinds))
        end = 1 + max(place for place in range(begin, behind) if kinds[place] in _LEFTWARDS)
        yield from _from_right(signs[begin:end], kinds[begin:end])
        begin = end


def _from_right(signs: list[list[int]], kinds: list[str]) -> Iterator[list[int]]:
    """The signs from right to left, but for the stretches among them that run from left to right."""
    pieces: list[list[list[int]]] = []
    begin = 0
    while begin < len(kinds):
        end = begin + 1
        goes_on = _goes_on_in_arabic if _is_arabic_number(kinds, begin) else _goes_on
        while end < len(kinds) and (more := goes_on(kinds, begin, end)):
            end += more
        pieces.append(signs[begin:end])
        begin = end
    for piece in pieces[::-1]:
        yield from piece


def _is_arabic_number(kinds: Sequence[str], begin: int) -> bool:
    """Whether a number stands behind a word in Arabic letters: then signs other than a comma, a point or a colon part
    it, and its pieces run from right to left (UAX 9, W2 to W5)."""
    strong = next((kind for kind in kinds[begin:] if kind == "L" or kind in _LEFTWARDS), "")
    return kinds[begin] == "AN" or (kinds[begin] in ("EN", "ET") and strong == "AL")


def _goes_on_in_arabic(kinds: Sequence[str], _begin: int, position: int) -> int:
    if kinds[position - 1] not in _NUMBERS:
        return 0
    behind = kinds[position + 1] if position + 1 < len(kinds) else ""
    return 2 if kinds[position] == "CS" and behind in _NUMBERS else int(kinds[position] in _NUMBERS)


def _goes_on(kinds: list[str], begin: int, position: int) -> int:
    """How many signs more a stretch of numbers and words from left to right has from here on, inside others."""
    before, kind = kinds[position - 1], kinds[position]
    if before not in _RIGHTWARDS:
        return int(before == "ET" and kind in _NUMBERS)
    if kind in _RIGHTWARDS or kind == "ET":
        return 1
    behind = kinds[position + 1] if position + 1 < len(kinds) else ""
    if kind in ("ES", "CS") and before in _NUMBERS and behind in _NUMBERS:
        return 2
    is_word = "L" in kinds[max(begin, position - LONGEST_NUMBER) : position]
    ahead = kinds[position : position + LONGEST_NUMBER]
    reach = next((step for step, other in enumerate(ahead) if other not in _NEUTRALS), 0)
    follows = kinds[position + reach] if reach else ""
    return reach + 1 if is_word and follows in _RIGHTWARDS else 0


def _kind(character: str) -> str:
    return bidirectional(character[:1])


def _ideographs(codes: Ints) -> Bools:
    if not len(codes) or codes.max() < 0x3040:
        return np.zeros(len(codes), dtype=np.bool_)
    kana = (codes >= 0x3040) & (codes <= 0x30FF)
    return kana | ((codes >= 0x3400) & (codes <= 0x9FFF)) | ((codes >= 0xF900) & (codes <= 0xFAFF))


def _neighbours(across: NDArray[np.float64], along: NDArray[np.float64], size: NDArray[np.float64], wide: Bools) -> int:
    """How many characters have another right behind them along a line (same `across`)."""
    across, along, size = across[wide], along[wide], size[wide]
    order = np.lexsort((along, np.rint(across / 2)))
    same = np.abs(np.diff(across[order])) < 0.3 * size[order][1:]
    return int((same & (np.abs(np.diff(along[order])) < 1.35 * size[order][1:])).sum())


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
    """The characters of a page, with letters in place of those control characters that are ligatures in its words."""
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
"""Of an index: longer ones are raised words, or an effect of a skewed scan."""


def shift(characters: list[str], levels: Ints, separators: Ints) -> None:
    """Write raised characters (level 1) or lowered ones (-1) as such, in place. `separators`: 0 behind a character
    whose word goes on."""
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
