"""Characters to segments: runs of text on one base line without a wide gap, divided into words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pincite.read.glyphs import ASCENT, DESCENT, Floats, Glyphs, Ints, line_by_line
from pincite.read.scripts import spoken_order

Bools = NDArray[np.bool_]

WIDE_GAP = 0.8
"""A gap of this many font sizes may be a gutter between columns or cells."""
WORD_GAP = 0.19
"""A gap wider than usual in its run by so many font sizes is a space."""
SMALLER = 0.85
"""A raised or lowered character is smaller than this share of its line's size, and off its base line by at least"""
RAISED, LOWERED = 0.15, 0.07
"""of that size."""
PORTION = 512
"""So many runs are compared with their neighbours at a time."""


@dataclass(frozen=True, slots=True)
class Segments:
    """Runs of text: `start`, `end` index `order`, the non-space characters sorted by run, then from left to right.

    `space`: a space stands before that character of `order`; `level`: 1 where it is raised, -1 where lowered.
    `left`, `right`, `base`, `size` are one a run.
    """

    order: Ints
    space: Bools
    level: Ints
    start: Ints
    end: Ints
    left: Floats
    right: Floats
    base: Floats
    size: Floats
    bold: Floats

    def __len__(self) -> int:
        return len(self.start)

    def mirrored(self) -> Segments:
        """The same, left and right exchanged."""
        return replace(self, left=-self.right, right=-self.left)


def mirrored(boxes: Floats) -> Floats:
    """Boxes (n, 4) of left, top, right, bottom with left and right exchanged, as those of mirrored segments."""
    return boxes[:, [2, 1, 0, 3]] * (-1, 1, -1, 1)


def find_segments(glyphs: Glyphs, walls: Floats) -> Segments:
    """The segments of upright characters. `walls` (n, 3): x, top, bottom of drawn vertical lines that part them."""
    rows = _rows(glyphs.y, glyphs.size)
    first = _split(glyphs, rows, walls)
    merged = _join_shifted(first)
    if bool((merged == np.arange(len(first))).all()):
        return first
    known = np.full(len(glyphs), -1, dtype=np.int64)
    known[first.order] = np.repeat(merged, first.end - first.start)
    return _split(glyphs, _spread(glyphs, rows, known), walls)


def _rows(y: Floats, size: Floats) -> Ints:
    """A number for each character: the same for those that stand on the same base line."""
    if not len(y):
        return np.zeros(0, dtype=np.int64)
    order = np.argsort(y, kind="stable")
    steps = np.diff(y[order]) > np.maximum(0.06 * np.minimum(size[order][1:], size[order][:-1]), 0.25)
    rows = np.zeros(len(y), dtype=np.int64)
    rows[order] = np.concatenate([[0], np.cumsum(steps)])
    return rows


def _split(glyphs: Glyphs, rows: Ints, walls: Floats) -> Segments:
    order = line_by_line(rows, glyphs.x)
    blank = glyphs.blank[order]
    after_blank = np.concatenate([[False], blank[:-1]])
    known = _advances(glyphs.x[order], glyphs.advance[order], glyphs.size[order], rows[order])
    widths = np.zeros(len(order))
    widths[order] = known
    order, spaced = order[~blank], after_blank[~blank]
    order, spaced = _drop_doubles(glyphs, rows, order, spaced)
    count = len(order)
    x, size, row, base = glyphs.x[order], glyphs.size[order], rows[order], glyphs.y[order]
    advance = widths[order]
    gap = np.concatenate([[0.0], x[1:] - (x + advance)[:-1]])
    new = np.ones(count, dtype=np.bool_)
    if count > 1:
        larger = np.maximum(size[1:], size[:-1])
        new[1:] = (row[1:] != row[:-1]) | (gap[1:] > WIDE_GAP * larger) | (gap[1:] < -2.5 * larger)
        new[1:] |= _walled(x, advance, base, walls)
    start = np.flatnonzero(new)
    end = np.concatenate([start[1:], [count]]) if count else start
    spaced &= gap > 0.04 * size
    space = (spaced | _gap_is_space(gap, size, start, end, ~spaced & ~new)) & ~new
    usual, largest = _at_largest(base, size, start, end), np.maximum.reduceat(size, start) if count else size
    lines = np.repeat(usual, end - start), np.repeat(largest, end - start)
    level = np.zeros(len(glyphs), dtype=np.int64)
    level[order] = _levels(base, size, gap, start, lines)
    order, space = spoken_order(glyphs, order, space, start, end)
    bold = np.fromiter((font.bold for font in glyphs.fonts), np.float64, len(glyphs.fonts))
    return Segments(
        order=order,
        space=space,
        level=level[order],
        start=start,
        end=end,
        left=x[start],
        right=np.maximum.reduceat(x + advance, start) if count else x,
        base=usual,
        size=largest,
        bold=np.add.reduceat(bold[glyphs.font[order]], start) / (end - start) if count else size,
    )


def _drop_doubles(glyphs: Glyphs, rows: Ints, order: Ints, spaced: Bools) -> tuple[Ints, Bools]:
    """Leave out a character that is printed again on its own place, as some programs do for bold."""
    if len(order) < 2:
        return order, spaced
    x, size = glyphs.x[order], glyphs.size[order]
    codes, row = glyphs.codes[order], rows[order]
    near = (np.diff(x) < 0.08 * size[1:]) & (row[1:] == row[:-1]) & (codes[1:] == codes[:-1])
    doubles = np.zeros(len(order), dtype=np.bool_)
    for position in np.flatnonzero(near).tolist():
        doubles[position + 1] = glyphs.text[order[position]] == glyphs.text[order[position + 1]]
    return order[~doubles], spaced[~doubles]


def _advances(x: Floats, advance: Floats, size: Floats, row: Ints) -> Floats:
    """Known widths; an unknown one reaches to the next character, at most half a font size."""
    if not len(x):
        return advance
    room = np.concatenate([np.where(row[1:] == row[:-1], np.diff(x), np.inf), [np.inf]])
    guessed = np.minimum(np.maximum(room, 0.0), 0.55 * size)
    return np.where(advance > 0.01 * size, advance, guessed)


def _walled(x: Floats, advance: Floats, y: Floats, walls: Floats) -> Bools:
    """True where a vertical line stands between a character and the one before it."""
    parted = np.zeros(len(x) - 1, dtype=np.bool_)
    middle_left, middle_right = (x + 0.5 * advance)[:-1], (x + 0.5 * advance)[1:]
    height = y[1:] - 1.0
    for wall, top, bottom in walls.tolist():
        parted |= (middle_left < wall) & (middle_right > wall) & (height > top) & (height < bottom)
    return parted


def _gap_is_space(gap: Floats, size: Floats, start: Ints, end: Ints, asked: Bools) -> Bools:
    """Of the gaps that are asked for those wide enough for a space, measured against the letter spacing of the run."""
    wide = asked & (gap > WORD_GAP * size)
    places = np.flatnonzero(wide)
    runs = np.searchsorted(start, places, side="right") - 1
    for run in np.unique(runs).tolist():
        first, last = int(start[run]), int(end[run])
        if last - first >= 4:
            middle = sorted(gap[first + 1 : last].tolist())[(last - first - 1) // 2]
            usual = min(max(middle, 0.0), 0.6 * float(size[first]))
            wide[first:last] &= gap[first:last] > usual + WORD_GAP * size[first:last]
    return wide


def _levels(base: Floats, size: Floats, gap: Floats, start: Ints, lines: tuple[Floats, Floats]) -> Ints:
    """1 for each raised character, -1 for each lowered one, else 0; what a run begins with stands on its line, and so
    does what stands on top of the character before.

    `gap`: between a character and the one before; `lines`: base line and size of the run of each.
    """
    above, largest = lines[0] - base, np.maximum(lines[1], 0.1)
    beside = (size < SMALLER * largest) & (gap > -0.25 * size)
    beside[start] = size[start] < SMALLER * largest[start]
    level = (beside & (above > RAISED * largest)).astype(np.int64) - (beside & (above < -LOWERED * largest))
    position = np.arange(len(level))
    begun = np.zeros(len(level), dtype=np.int64)
    begun[start] = start
    on_line = np.maximum.accumulate(np.where(level == 0, position, -1))
    return np.where(on_line >= np.maximum.accumulate(begun), level, 0)


def has_small_beside_large(glyphs: Glyphs) -> bool:
    """Whether characters that are small enough to be raised or lowered stand on the line of those beside them."""
    before, after = glyphs.size[:-1], glyphs.size[1:]
    is_beside = ~glyphs.blank[:-1] & ~glyphs.blank[1:] & (glyphs.y[:-1] == glyphs.y[1:])
    return bool((is_beside & (np.minimum(before, after) < SMALLER * np.maximum(before, after))).any())


def _at_largest(y: Floats, size: Floats, start: Ints, end: Ints) -> Floats:
    """The base line of the largest characters of each run (a raised mark does not lift its line)."""
    if not len(start):
        return y
    lengths = end - start
    largest = np.repeat(np.maximum.reduceat(size, start), lengths)
    weight = (size > 0.95 * largest).astype(np.float64)
    return np.add.reduceat(y * weight, start) / np.add.reduceat(weight, start)


def _join_shifted(runs: Segments) -> Ints:
    """A line number for each run: raised and lowered marks, and words that sit a little askew, join their line."""
    parent = list(range(len(runs)))
    base, size = runs.base.tolist(), runs.size.tolist()
    for one, other, gap in _neighbours(runs):
        if _fits(base, size, gap, one, other):
            parent[_root(parent, other)] = _root(parent, one)
    return np.fromiter((_root(parent, run) for run in range(len(runs))), np.int64, len(runs))


def _neighbours(runs: Segments) -> Iterator[tuple[int, int, float]]:
    """Pairs of runs that share much of their height and the gap between them, a narrow one, from top to bottom."""
    order = np.argsort(runs.base, kind="stable")
    base, size, left, right = runs.base[order], runs.size[order], runs.left[order], runs.right[order]
    top, bottom = base - ASCENT * size, base + DESCENT * size
    for one, other in _pairs_within(base, min(40.0, 1.2 * max(float(size.max(initial=0.0)), 4.0))):
        apart, larger = base[other] - base[one], np.maximum(size[one], size[other])
        beyond = (apart > 1.2 * np.maximum(larger, 4.0)) | (apart > 40)
        stop = np.full(len(order), len(order), dtype=np.int64)
        np.minimum.at(stop, one[beyond], other[beyond])
        shared = np.minimum(bottom[one], bottom[other]) - np.maximum(top[one], top[other])
        least = 0.4 * np.minimum((bottom - top)[one], (bottom - top)[other])
        gap = np.maximum(left[one], left[other]) - np.minimum(right[one], right[other])
        kept = (other < stop[one]) & (apart <= 0.75 * larger) & (shared >= least) & (gap < WIDE_GAP * 0.7 * larger)
        yield from zip(order[one[kept]].tolist(), order[other[kept]].tolist(), gap[kept].tolist(), strict=True)


def _pairs_within(base: Floats, reach: float) -> Iterator[tuple[Ints, Ints]]:
    """Positions of ascending numbers and of those behind them that are no further away than `reach`, in portions."""
    for begin in range(0, len(base), PORTION):
        position = np.arange(begin, min(begin + PORTION, len(base)))
        count = np.searchsorted(base, base[position] + (reach + 0.001), side="right") - position - 1
        one = np.repeat(position, count)
        yield one, np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count) + one + 1


def _fits(base: list[float], size: list[float], gap: float, one: int, other: int) -> bool:
    """Near base lines, or a small mark beside (not across) larger text."""
    smaller, larger = sorted((size[one], size[other]))
    apart = abs(base[one] - base[other])
    if apart <= 0.3 * larger:
        return gap > -1.5 * larger or smaller < 0.85 * larger
    return smaller < 0.85 * larger and apart <= 0.65 * larger


def _root(parent: list[int], item: int) -> int:
    while parent[item] != item:
        parent[item] = parent[parent[item]]
        item = parent[item]
    return item


def _spread(glyphs: Glyphs, rows: Ints, known: Ints) -> Ints:
    """Lines for all characters: one without a line (a space) takes that of the character before it in its row."""
    order = line_by_line(rows, glyphs.x)
    line, row = known[order], rows[order]
    position = np.arange(len(order))
    last = np.maximum.accumulate(np.where(line >= 0, position, -1))
    found = (last >= 0) & (row[last] == row)
    lines = np.full(len(order), -1, dtype=np.int64)
    lines[order] = np.where(found, line[last], -1)
    return lines


def rows_of(base: Floats, size: Floats, left: Floats, members: Ints, alone: int) -> list[list[int]]:
    """These runs line by line, each from left to right. Runs from number `alone` on stand by themselves."""
    ordered = members[np.argsort(base[members], kind="stable")]
    bases, sizes, lefts = (_of_each(values, ordered) for values in (base, size, left))
    rows: list[list[int]] = []
    for run in ordered.tolist():
        first = rows[-1][0] if rows else alone
        near = first < alone and run < alone and bases[run] - bases[first] <= 0.4 * min(sizes[run], sizes[first])
        if near:
            rows[-1].append(run)
        else:
            rows.append([run])
    for row in rows:
        row.sort(key=lefts.__getitem__)
    return rows


def _of_each(values: Floats, members: Ints) -> dict[int, float]:
    return dict(zip(members.tolist(), values[members].tolist(), strict=True))
