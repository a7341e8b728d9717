"""What is read after what: a page is cut at the gutters between its columns into regions, these into lines, tables and
the signs beside running text ("TIP").

A gutter is a vertical strip that no run of text crosses, between two stretches of running text. Strips inside tables,
beside list numbers and before page numbers of a contents list part no running text and are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np
from numpy.typing import NDArray

from pincite.read.glyphs import Floats, Glyphs, Ints
from pincite.read.grid import find_grids, find_lines
from pincite.read.scripts import runs_leftwards
from pincite.read.segments import Segments, find_segments, mirrored, rows_of
from pincite.read.tables import MIN_ROWS, PlannedTable, aligned_table, ruled_table, table_rows

LEAST_ROWS = 3
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
        for height, band in _bands(runs, members, position):
            if best is not None and height <= best[0]:
                continue
            parts = band()
            if lines >= LEAST_ROWS and _parts_columns(runs, parts[1], parts[2]):
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
        if len(group) >= LEAST_ROWS or (len(group) == FEW_ROWS and runs.small[group].any())
    ]


def _bands(
    runs: Runs, members: Ints, position: float
) -> Iterator[tuple[float, Callable[[], tuple[Ints, Ints, Ints, Ints]]]]:
    """The stretches of the page in which nothing crosses `position`: height, and what finds the four parts."""
    left, right, base = runs.left[members], runs.right[members], runs.base[members]
    crossing = (left < position - 1.0) & (right > position + 1.0)
    stops = np.sort(base[crossing])
    band = np.where(crossing, -1, np.searchsorted(stops, base))
    on_left = right <= position + 1.0
    before = np.bincount(band[on_left & ~crossing], minlength=len(stops) + 1)
    behind = np.bincount(band[~on_left & ~crossing], minlength=len(stops) + 1)
    for number in np.flatnonzero(np.minimum(before, behind) >= FEW_ROWS).tolist():
        inside = band == number
        one, other = np.flatnonzero(inside & on_left), np.flatnonzero(inside & ~on_left)
        if left[other].min() - right[one].max() < MIN_GUTTER:
            continue
        tops, ends = (base[one].min(), base[other].min()), (base[one].max(), base[other].max())
        yield float(min(ends) - max(tops)), partial(_around, members, base, (one, other), (min(tops), max(ends)))


def _around(
    members: Ints, base: Floats, sides: tuple[Ints, Ints], height: tuple[float, float]
) -> tuple[Ints, Ints, Ints, Ints]:
    """The parts of a page above, left of, right of and below a gutter of this height."""
    (one, other), (top, end) = sides, height
    is_beside = (base >= top) & (base <= end)
    is_beside[one] = is_beside[other] = False
    below = np.concatenate([members[is_beside], members[base > end]])
    return members[base < top], members[one], members[other], below


def _parts_columns(runs: Runs, one: Ints, other: Ints) -> bool:
    if min(len(one), len(other)) < LEAST_ROWS or max(_digit_share(runs, one), _digit_share(runs, other)) > 0.45:
        return False
    left, right = _side(runs, one), _side(runs, other)
    if min(left.rows, right.rows) < LEAST_ROWS:
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


LONGEST = 14
"""Characters of a sign."""


def set_aside(rows: Sequence[list[int]], texts: Sequence[str], segments: Segments) -> list[list[int]]:
    """The same rows, but a sign left of a sentence that goes on is a row of its own before the paragraph."""
    found: list[list[int]] = []
    start = 0
    for row in rows:
        if found and len(row) == 2 and _goes_on(found[-1], row, texts, segments):
            found.insert(start, row[:1])
            start += 1
            found.append(row[1:])
            continue
        if not found or not _same_edge(found[-1], row, segments):
            start = len(found)
        found.append(row)
    return found


def _goes_on(before: Sequence[int], row: Sequence[int], texts: Sequence[str], segments: Segments) -> bool:
    """The right piece continues the line before, which begins at the same edge and ends inside a sentence."""
    if max(before[-1], row[-1]) >= len(texts) or len(texts[row[0]]) > LONGEST:
        return False
    own, last = texts[row[1]], texts[before[-1]]
    return (
        not own[:1].isupper() and not last.endswith((".", ";", ":", "!", "?")) and _same_edge(before, row[1:], segments)
    )


def _same_edge(before: Sequence[int], row: Sequence[int], segments: Segments) -> bool:
    one, other = before[0], row[0]
    if max(one, other) >= len(segments):
        return False
    step = float(segments.base[other] - segments.base[one])
    return abs(float(segments.left[one] - segments.left[other])) < 3.0 and step < 1.7 * float(segments.size[other])


LONGEST_FIGURE = 8
"""Characters."""
NO_WALLS = np.zeros((0, 3))
Rules = Callable[[], Floats]
"""Fetches the boxes (n, 4) of the lines that are drawn on a page."""


@dataclass(frozen=True, slots=True)
class Item:
    """A line (its runs from left to right) or a table, in a region."""

    region: int
    row: tuple[int, ...] = ()
    table: PlannedTable | None = None


def plan_page(glyphs: Glyphs, rules: Rules | None) -> tuple[Segments, list[Item]]:
    """The runs of upright characters and the order in which they are read; `rules` are fetched only if needed.

    Without `rules` no table is looked for, not even among the words. A page in a script that runs from right to left is
    read in its mirror image, and so are the edges of its runs.
    """
    segments = find_segments(glyphs, NO_WALLS)
    if rules is None or not _may_hold_table(segments):
        segments = segments.mirrored() if runs_leftwards(glyphs) else segments
        return segments, _items(glyphs, segments, None if rules is None else [])
    drawn = rules()
    across, down = find_lines(drawn)
    if len(down):
        segments = find_segments(glyphs, down)
    if not runs_leftwards(glyphs):
        return segments, _items(glyphs, segments, _ruled_tables(across, down, segments))
    segments = segments.mirrored()
    tables = _ruled_tables(*find_lines(mirrored(drawn)), segments)
    for cell in (cell for table in tables for cell in table.cells if cell.box is not None):
        cell.box = tuple(mirrored(np.asarray([cell.box]))[0].tolist())
    return segments, _items(glyphs, segments, tables)


def _ruled_tables(across: Floats, down: Floats, segments: Segments) -> list[PlannedTable]:
    found = [ruled_table(grid, segments) for grid in find_grids(across, down)]
    return _apart([table for table in found if table is not None])


def _may_hold_table(segments: Segments) -> bool:
    """Several base lines have more than one run."""
    _, counts = np.unique(np.rint(segments.base), return_counts=True)
    return int((counts > 1).sum()) >= 2


def _apart(tables: Sequence[PlannedTable]) -> list[PlannedTable]:
    """Of tables that share text (a grid in a cell of another) the larger one."""
    kept: list[PlannedTable] = []
    taken: set[int] = set()
    for table in sorted(tables, key=lambda table: -len(table.runs)):
        if not table.runs & taken:
            kept.append(table)
            taken |= table.runs
    return kept


def _items(glyphs: Glyphs, segments: Segments, tables: Sequence[PlannedTable] | None) -> list[Item]:
    """Lines and tables region by region. A ruled table takes part in the search for columns as one piece.

    Where `tables` is None those without drawn lines are not looked for either.
    """
    runs, free = _with_tables(_as_runs(glyphs, segments), segments, tables or ())
    items: list[Item] = []
    texts: list[str] | None = None
    for number, region in enumerate(reading_regions(runs, free)):
        rows = rows_of(runs.base, runs.size, runs.left, region, alone=len(segments))
        several = sum(len(row) > 1 for row in rows)
        if several:
            texts = texts or _texts(glyphs, segments)
            rows = set_aside(rows, texts, segments)
        if texts and several >= MIN_ROWS and tables is not None:
            items += _region_items(number, rows, texts, segments, tables)
        else:
            items += [_item(number, row, segments, tables or ()) for row in rows]
    return items


def _region_items(
    number: int, rows: list[list[int]], texts: list[str], segments: Segments, tables: Sequence[PlannedTable]
) -> list[Item]:
    """The lines and tables of one region; a ruled table ends what may be a table without lines."""
    items: list[Item] = []
    ruled = [position for position, row in enumerate(rows) if row[0] >= len(segments)]
    start = 0
    for stop in [*ruled, len(rows)]:
        items += _stretch_items(number, rows[start:stop], texts, segments)
        items += [Item(number, table=tables[row[0] - len(segments)]) for row in rows[stop : stop + 1]]
        start = stop + 1
    return items


def _stretch_items(number: int, rows: list[list[int]], texts: list[str], segments: Segments) -> list[Item]:
    items: list[Item] = []
    done = 0
    for begin, last in table_rows(rows, texts, segments):
        first = max(begin, done)
        table = aligned_table(rows[first:last], texts, segments)
        if table is not None:
            items += [Item(number, tuple(row)) for row in rows[done:first]]
            items.append(Item(number, table=table))
            done = last
    return items + [Item(number, tuple(row)) for row in rows[done:]]


def _item(number: int, row: Sequence[int], segments: Segments, tables: Sequence[PlannedTable]) -> Item:
    if row[0] >= len(segments):
        return Item(number, table=tables[row[0] - len(segments)])
    return Item(number, tuple(row))


def _with_tables(runs: Runs, segments: Segments, tables: Sequence[PlannedTable]) -> tuple[Runs, Ints]:
    """The runs with each table appended as one, and the positions of those outside tables with the tables."""
    if not tables:
        return runs, np.arange(len(runs))
    taken = np.zeros(len(runs), dtype=np.bool_)
    members = [np.fromiter(sorted(table.runs), np.int64) for table in tables]
    for inside in members:
        taken[inside] = True
    count = len(tables)
    joined = Runs(
        left=np.append(runs.left, [runs.left[inside].min() for inside in members]),
        right=np.append(runs.right, [runs.right[inside].max() for inside in members]),
        base=np.append(runs.base, [runs.base[inside].min() for inside in members]),
        size=np.append(runs.size, [runs.size[inside].max() for inside in members]),
        chars=np.append(runs.chars, np.full(count, 60)),
        digits=np.append(runs.digits, np.zeros(count, dtype=np.int64)),
        small=np.append(runs.small, np.zeros(count, dtype=np.bool_)),
        figure=np.append(runs.figure, np.zeros(count, dtype=np.bool_)),
    )
    return joined, np.append(np.flatnonzero(~taken), np.arange(len(runs), len(runs) + count))


def _as_runs(glyphs: Glyphs, segments: Segments) -> Runs:
    """What the search for columns needs to know of each run."""
    count = len(segments)
    codes = glyphs.codes[segments.order]
    digit = ((codes >= ord("0")) & (codes <= ord("9"))).astype(np.int64)
    digits = np.add.reduceat(digit, segments.start) if count else digit
    first = segments.order[segments.start].tolist()
    small = np.fromiter((glyphs.text[character].islower() for character in first), np.bool_, count)
    lengths = segments.end - segments.start
    letters = np.add.reduceat(_letters(codes), segments.start) if count else digit
    figure = (lengths <= LONGEST_FIGURE) & (digits > 0) & (letters == 0)
    return Runs(segments.left, segments.right, segments.base, segments.size, lengths, digits, small, figure)


def _letters(codes: Ints) -> Ints:
    """1 for each letter, as far as words can be distinguished from figures by it."""
    return (((codes | 0x20) >= ord("a")) & ((codes | 0x20) <= ord("z")) | (codes >= 0xC0)).astype(np.int64)


def _texts(glyphs: Glyphs, segments: Segments) -> list[str]:
    """The text of each run."""
    pieces = list(map(glyphs.text.__getitem__, segments.order.tolist()))
    for position in np.flatnonzero(segments.space).tolist():
        pieces[position] = " " + pieces[position]
    bounds = zip(segments.start.tolist(), segments.end.tolist(), strict=True)
    return ["".join(pieces[start:end]) for start, end in bounds]
