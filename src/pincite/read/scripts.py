"""Scripts that do not run from left to right: Arabic and Hebrew lines, and Chinese and Japanese set upright."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.read.glyphs import Glyphs, Ints

Bools = NDArray[np.bool_]


def right_to_left(codes: Ints) -> Bools:
    """Which code points are Hebrew, Arabic and their printed forms."""
    if not len(codes) or codes.max() < 0x0590:
        return np.zeros(len(codes), dtype=np.bool_)
    plain = (codes >= 0x0590) & (codes <= 0x08FF)
    return plain | ((codes >= 0xFB1D) & (codes <= 0xFDFF)) | ((codes >= 0xFE70) & (codes <= 0xFEFC))


def spoken_order(glyphs: Glyphs, order: Ints, space: Bools, start: Ints, end: Ints) -> tuple[Ints, Bools]:
    """Characters sorted from left to right, run by run, in the order in which they are read."""
    marked = set(np.flatnonzero(right_to_left(glyphs.codes)).tolist())
    if not marked:
        return order, space
    order, space = order.copy(), space.copy()
    for first, last in zip(start.tolist(), end.tolist(), strict=True):
        members = order[first:last].tolist()
        if marked.isdisjoint(members):
            continue
        words = _words(members, space[first:last].tolist())
        turned = [_from_right(word, glyphs) if any(i in marked for i in word) else word for word in words[::-1]]
        order[first:last] = [i for word in turned for i in word]
        lengths = np.cumsum([0] + [len(word) for word in turned[:-1]])
        space[first:last] = False
        space[first + lengths[1:]] = True
    return order, space


def turn_upright(glyphs: Glyphs) -> Glyphs:
    """Characters that are set from top to bottom, columns from right to left, as text that is turned by 270 degrees."""
    wide = _ideographs(glyphs.codes)
    if wide.sum() < 4 or wide.sum() < 0.5 * len(glyphs):
        return glyphs
    if _neighbours(glyphs.y, glyphs.x, glyphs.size, wide) >= _neighbours(glyphs.x, glyphs.y, glyphs.size, wide):
        return glyphs
    return glyphs.turned(np.where(wide & (glyphs.angle == 0), 270, glyphs.angle))


def _from_right(word: list[int], glyphs: Glyphs) -> list[int]:
    """The letters of one drawn sign (same place) keep their order."""
    return sorted(sorted(word), key=lambda i: -float(glyphs.x[i]))


def _words(members: Sequence[int], space: Sequence[bool]) -> list[list[int]]:
    words: list[list[int]] = []
    for position, (member, blank) in enumerate(zip(members, space, strict=True)):
        if blank or position == 0:
            words.append([])
        words[-1].append(member)
    return words


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
