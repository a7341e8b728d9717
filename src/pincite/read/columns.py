"""Reading order: a page is cut at the gutters between its columns, and read column by column.

A gutter is a vertical strip that no run of text crosses, between two stretches of running text. Strips inside
tables, beside list numbers and before page numbers of a contents list part no running text and are left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from pincite.read.glyphs import Floats, Ints

MIN_ROWS = 3
FEW_ROWS = 2
"""Of columns that read on from line to line without a doubt."""
MIN_GUTTER = 4.0
"""Points."""
FILL, PROSE = 0.6, 18
"""The share of a column's width and the characters that a line of running text has at least."""
NEAR = 3.5
"""Font sizes from the next row."""


@dataclass(frozen=True, slots=True)
class Runs:
    """Pieces of text to put in order: edges, base line, font size, number of characters and of digits, whether it
    begins with a small letter, and whether it is a figure."""

    left: Floats
    right: Floats
    base: Floats
    size: Floats
    chars: Ints
    digits: Ints
    small: NDArray[np.bool_]
    figure: NDArray[np.bool_]

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
    found = _best_gutter(runs, members) if len(members) >= 2 * FEW_ROWS and depth < 24 else None
    if found is None:
        return [members] if len(members) else []
    return [region for part in found for region in _cut(runs, part, depth + 1)]


def _best_gutter(runs: Runs, members: Ints) -> tuple[Ints, Ints, Ints, Ints] | None:
    """The parts above, left of, right of and below the longest gutter."""
    best: tuple[float, tuple[Ints, Ints, Ints, Ints]] | None = None
    for position, lines in _candidates(runs, members):
        for height, parts in _bands(runs, members, position):
            if best is not None and height <= best[0]:
                continue
            if lines >= MIN_ROWS and _parts_columns(runs, parts[1], parts[2]):
                best = (height, parts)
            elif _may_read_on(runs, *parts[1:3]) and _parts_few(runs, *(few := _side_by_side(runs, *parts))):
                best = (height, few)
    return best[1] if best else None


def _candidates(runs: Runs, members: Ints) -> list[tuple[float, int]]:
    """Positions just left of where several runs begin, and of how many."""
    order = members[np.argsort(runs.left[members], kind="stable")]
    lefts = runs.left[order]
    if lefts[-1] - lefts[0] < 40:
        return []
    groups = np.split(order, np.flatnonzero(np.diff(lefts) > 3.0) + 1)
    return [
        (float(runs.left[group[0]]) - 1.0, len(group))
        for group in groups[1:]
        if len(group) >= MIN_ROWS or (len(group) == FEW_ROWS and runs.small[group].any())
    ]


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
    for number in np.flatnonzero(np.minimum(before, behind) >= FEW_ROWS).tolist():
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


def _side_by_side(runs: Runs, above: Ints, one: Ints, other: Ints, below: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """The same four parts, the rows that only one of two columns has at its top or end put above and below."""
    top = max(runs.base[one].min(), runs.base[other].min()) - 1.0
    bottom = min(runs.base[one].max(), runs.base[other].max()) + 1.0
    both = np.concatenate([one, other])
    inside = [side[(runs.base[side] >= top) & (runs.base[side] <= bottom)] for side in (one, other)]
    before, behind = both[runs.base[both] < top], both[runs.base[both] > bottom]
    return np.concatenate([above, before]), inside[0], inside[1], np.concatenate([behind, below])


def _parts_few(runs: Runs, above: Ints, one: Ints, other: Ints, below: Ints) -> bool:
    """Whether two short columns stand side by side that read on from line to line, and no row of a table beside."""
    small = min(runs.small[one].sum(), runs.small[other].sum())
    if not len(one) or len(one) != len(other) or small < len(one) - 1:
        return False
    left, right = _side(runs, one), _side(runs, other)
    side_by_side = len(one) == left.rows == right.rows and _aligned(left, right) == 1.0
    if not (side_by_side and _reads_on(runs, one, left) and _reads_on(runs, other, right)):
        return False
    reach = NEAR * float(runs.size[one].max())
    top, bottom = left.bases[0], left.bases[-1]
    near_above = above[top - runs.base[above] < reach]
    near_below = below[(runs.base[below] > bottom) & (runs.base[below] - bottom < reach)]
    return all(_one_a_row(runs, near) for near in (near_above, near_below))


def _one_a_row(runs: Runs, members: Ints) -> bool:
    base = np.sort(runs.base[members])
    return not (np.diff(base) < 1.0).any()


def _is_prose(side: _Side) -> bool:
    return side.fill >= FILL and side.chars >= PROSE


def _side(runs: Runs, members: Ints) -> _Side:
    order = members[np.argsort(runs.base[members], kind="stable")]
    base = runs.base[order]
    start = np.concatenate([[0], np.flatnonzero(np.diff(base) > 0.4 * runs.size[order][1:]) + 1])
    left, right = np.minimum.reduceat(runs.left[order], start), np.maximum.reduceat(runs.right[order], start)
    chars = np.add.reduceat(runs.chars[order], start)
    width = max(float(right.max() - left.min()), 1.0)
    fill, usual = median(((right - left) / width).tolist()), median(chars.tolist())
    return _Side(len(start), fill, usual, base[start])


def _may_read_on(runs: Runs, one: Ints, other: Ints) -> bool:
    """The quick question before the next one: whether both sides have a line that begins with a small letter."""
    return bool(runs.small[one].any() and runs.small[other].any())


def _reads_on(runs: Runs, members: Ints, side: _Side) -> bool:
    """Whether each line of a side, one run each, but the first begins with a small letter, below a line of text or a
    figure."""
    order = members[np.argsort(runs.base[members], kind="stable")]
    is_text = bool(runs.figure[order[0]]) or _is_prose(side)
    return side.rows > 1 and is_text and bool(runs.small[order[1:]].all())


def _digit_share(runs: Runs, members: Ints) -> float:
    return float(runs.digits[members].sum()) / max(float(runs.chars[members].sum()), 1.0)


def _aligned(side: _Side, other: _Side) -> float:
    """The share of the rows of one side that stand on a base line of the other."""
    position = np.searchsorted(other.bases, side.bases)
    before = np.abs(other.bases[np.maximum(position - 1, 0)] - side.bases)
    after = np.abs(other.bases[np.minimum(position, len(other.bases) - 1)] - side.bases)
    return float(np.mean(np.minimum(before, after) < 0.8))
