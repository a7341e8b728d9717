"""Reading order: a page is cut at the gutters between its columns, and read column by column.

A gutter is a vertical strip that no run of text crosses, between two stretches of running text. Strips inside
tables, beside list numbers and before page numbers of a contents list part no running text and are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

import numpy as np

from pincite.read.glyphs import Floats, Ints

MIN_ROWS = 3
MIN_GUTTER = 4.0
"""Points."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Pieces of text to put in order: edges, base line, font size, number of characters and of digits."""

    left: Floats
    right: Floats
    base: Floats
    size: Floats
    chars: Ints
    digits: Ints

    def __len__(self) -> int:
        return len(self.left)


@dataclass(frozen=True, slots=True)
class _Side:
    rows: int
    fill: float
    chars: float
    bases: Floats


def reading_regions(runs: Runs, members: Ints) -> list[Ints]:
    """These members of the runs, region by region in reading order; a region is read line by line."""
    return _cut(runs, members, depth=0)


def _cut(runs: Runs, members: Ints, depth: int) -> list[Ints]:
    found = _best_gutter(runs, members) if len(members) >= 2 * MIN_ROWS and depth < 24 else None
    if found is None:
        return [members] if len(members) else []
    return [region for part in found for region in _cut(runs, part, depth + 1)]


def _best_gutter(runs: Runs, members: Ints) -> tuple[Ints, Ints, Ints, Ints] | None:
    """The parts above, left of, right of and below the longest gutter."""
    best: tuple[float, tuple[Ints, Ints, Ints, Ints]] | None = None
    for position in _candidates(runs, members):
        for height, parts in _bands(runs, members, position):
            if best is not None and height <= best[0]:
                continue
            if _parts_columns(runs, parts[1], parts[2]):
                best = (height, parts)
    return best[1] if best else None


def _candidates(runs: Runs, members: Ints) -> list[float]:
    """Positions just left of where several runs begin."""
    lefts = np.sort(runs.left[members])
    if lefts[-1] - lefts[0] < 40:
        return []
    groups = np.split(lefts, np.flatnonzero(np.diff(lefts) > 3.0) + 1)
    return [float(group[0]) - 1.0 for group in groups[1:] if len(group) >= MIN_ROWS]


def _bands(runs: Runs, members: Ints, position: float) -> list[tuple[float, tuple[Ints, Ints, Ints, Ints]]]:
    """The stretches of the page in which nothing crosses `position`: height and the four parts."""
    left, right, base = runs.left[members], runs.right[members], runs.base[members]
    crossing = (left < position - 1.0) & (right > position + 1.0)
    stops = np.sort(base[crossing])
    band = np.where(crossing, -1, np.searchsorted(stops, base))
    on_left = right <= position + 1.0
    found = []
    before = np.bincount(band[on_left & ~crossing], minlength=len(stops) + 1)
    behind = np.bincount(band[~on_left & ~crossing], minlength=len(stops) + 1)
    for number in np.flatnonzero(np.minimum(before, behind) >= MIN_ROWS).tolist():
        inside = band == number
        one, other = members[inside & on_left], members[inside & ~on_left]
        if runs.left[other].min() - runs.right[one].max() < MIN_GUTTER:
            continue
        lowest, highest = base[inside].max(), base[inside].min()
        above, below = members[base < highest], members[base > lowest]
        rest = members[~inside & (base >= highest) & (base <= lowest)]
        shared = min(runs.base[one].max(), runs.base[other].max()) - max(runs.base[one].min(), runs.base[other].min())
        found.append((float(shared), (above, one, other, np.concatenate([rest, below]))))
    return found


def _parts_columns(runs: Runs, one: Ints, other: Ints) -> bool:
    if max(_digit_share(runs, one), _digit_share(runs, other)) > 0.45:
        return False
    left, right = _side(runs, one), _side(runs, other)
    if min(left.rows, right.rows) < MIN_ROWS:
        return False
    if _is_prose(left) and _is_prose(right):
        return True
    text, note = (left, right) if left.chars * left.fill >= right.chars * right.fill else (right, left)
    if text.rows < 5 or text.fill < 0.7 or text.chars < 18:
        return False
    return _aligned(note, text) < 0.5 or (note.chars >= 12 and _aligned(note, text) < 0.8)


def _is_prose(side: _Side) -> bool:
    return side.fill >= 0.6 and side.chars >= 18


def _side(runs: Runs, members: Ints) -> _Side:
    order = members[np.argsort(runs.base[members], kind="stable")]
    base = runs.base[order]
    start = np.concatenate([[0], np.flatnonzero(np.diff(base) > 0.4 * runs.size[order][1:]) + 1])
    left, right = np.minimum.reduceat(runs.left[order], start), np.maximum.reduceat(runs.right[order], start)
    chars = np.add.reduceat(runs.chars[order], start)
    width = max(float(right.max() - left.min()), 1.0)
    return _Side(len(start), median(((right - left) / width).tolist()), median(chars.tolist()), base[start])


def _digit_share(runs: Runs, members: Ints) -> float:
    return float(runs.digits[members].sum()) / max(float(runs.chars[members].sum()), 1.0)


def _aligned(side: _Side, other: _Side) -> float:
    """The share of the rows of one side that stand on a base line of the other."""
    position = np.searchsorted(other.bases, side.bases)
    before = np.abs(other.bases[np.maximum(position - 1, 0)] - side.bases)
    after = np.abs(other.bases[np.minimum(position, len(other.bases) - 1)] - side.bases)
    return float(np.mean(np.minimum(before, after) < 0.8))
