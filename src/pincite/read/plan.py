"""What is read after what: the regions of a page, their lines, the tables and the signs beside running text
("TIP")."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.read.columns import Runs, reading_regions
from pincite.read.glyphs import Floats, Glyphs, Ints
from pincite.read.grid import find_grids, find_lines
from pincite.read.segments import Segments, find_segments, rows_of
from pincite.read.tables import MIN_ROWS, PlannedTable, aligned_table, ruled_table, table_rows

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

    Without `rules` no table is looked for, not even among the words.
    """
    segments = find_segments(glyphs, NO_WALLS)
    if rules is None:
        return segments, _items(glyphs, segments, None)
    if not _may_hold_table(segments):
        return segments, _items(glyphs, segments, [])
    across, down = find_lines(rules())
    if len(down):
        segments = find_segments(glyphs, down)
    found = [ruled_table(grid, segments) for grid in find_grids(across, down)]
    return segments, _items(glyphs, segments, _apart([table for table in found if table is not None]))


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
    """1 for each letter, as far as figures are told from words by it."""
    return (((codes | 0x20) >= ord("a")) & ((codes | 0x20) <= ord("z")) | (codes >= 0xC0)).astype(np.int64)


def _texts(glyphs: Glyphs, segments: Segments) -> list[str]:
    """The text of each run."""
    pieces = list(map(glyphs.text.__getitem__, segments.order.tolist()))
    for position in np.flatnonzero(segments.space).tolist():
        pieces[position] = " " + pieces[position]
    bounds = zip(segments.start.tolist(), segments.end.tolist(), strict=True)
    return ["".join(pieces[start:end]) for start, end in bounds]
