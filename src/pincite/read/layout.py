"""A page's characters to its canonical text: lines in reading order, and where each character stands.

Canonical text: lines end with a line feed, the columns of a table's row are parted by tabs, the lines inside one cell
by a space. No character is altered but those that are raised or lowered, which stand as Unicode has them; spaces stand
where the page shows them. The same characters give the same text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from pincite.read.glyphs import ASCENT, DESCENT, Floats, Glyphs, Ints, displayed_boxes, upright
from pincite.read.reading_order import Rules, plan_page
from pincite.read.scripts import shift, turn_brackets, turn_upright
from pincite.read.segments import Segments
from pincite.read.tables import PlannedCell, PlannedTable
from pincite.records.pages import Box

SEPARATORS = ("", " ", "\n")
SPACE, NEWLINE = 1, 2
OFF_PAGE = 3.0
"""Characters further outside the displayed page than this, in points, are left out: nobody can see them."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text: offsets in the page's text, its box as displayed, base line and edges as read.

    `region`: number of the column or stretch it belongs to; `table`: number of its table on the page.
    """

    start: int
    end: int
    box: Box
    left: float
    right: float
    base: float
    size: float
    bold: bool
    region: int
    angle: int
    table: int | None = None


@dataclass(frozen=True, slots=True)
class CellLayout:
    """A cell of a table with its offsets in the page's text."""

    plan: PlannedCell
    start: int
    end: int
    box: Box


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A table with its cells in the order of the text."""

    plan: PlannedTable
    cells: tuple[CellLayout, ...]


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The canonical text of a page; of each character its offset there (`starts`) and its box (`boxes`, (n, 4))."""

    text: str
    lines: tuple[Line, ...]
    tables: tuple[TableLayout, ...]
    starts: Ints
    boxes: Floats
    width: float
    height: float

    def without_characters(self) -> PageLayout:
        """The same without the arrays of characters, which a long document should not keep."""
        return replace(self, starts=self.starts[:0], boxes=self.boxes[:0])


def lay_out(glyphs: Glyphs, rules: Rules | None, width: float, height: float) -> PageLayout:
    """Put the characters of a page in reading order; `rules` gives the drawn lines, without it no table is found."""
    visible = turn_upright(_on_page(glyphs, width, height))
    writer = _Writer(visible, width, height)
    angles, counts = np.unique(visible.angle, return_counts=True)
    for angle in angles[np.lexsort((angles, -counts))].tolist():
        writer.write(angle, rules)
    return writer.finish()


def _on_page(glyphs: Glyphs, width: float, height: float) -> Glyphs:
    inside = (glyphs.x > -OFF_PAGE) & (glyphs.x < width + OFF_PAGE)
    inside &= (glyphs.y > -OFF_PAGE) & (glyphs.y < height + OFF_PAGE) & (glyphs.size > 0.05)
    return glyphs if bool(inside.all()) else glyphs.take(np.flatnonzero(inside))


class _Draft(NamedTuple):
    """A line before its offsets are known: its first character, the one behind its last, and what else it will be."""

    first: int
    last: int
    left: float
    right: float
    base: float
    size: float
    bold: bool
    region: int
    angle: int
    table: int | None
    margins: tuple[int, int] = (0, 0)
    """Tabs before and behind it, for columns without text."""


class _Turned:
    """The runs of one direction, and the characters in the order in which they are written."""

    def __init__(self, segments: Segments, order: Ints, boxes: Floats, angle: int) -> None:
        self._segments, self._order, self._boxes, self.angle = segments, order, boxes, angle
        self.left, self.right = segments.left.tolist(), segments.right.tolist()
        self.base, self.size, self.bold = segments.base.tolist(), segments.size.tolist(), segments.bold.tolist()
        self.lengths: list[int] = (segments.end - segments.start).tolist()
        self.runs: list[int] = []
        self.thens: list[int] = []

    def written(self) -> tuple[Ints, Ints, Ints, Floats]:
        """Characters, the separator that follows each, their levels, and their boxes."""
        runs = np.asarray(self.runs, dtype=np.int64)
        start = self._segments.start[runs]
        lengths = self._segments.end[runs] - start
        after = np.cumsum(lengths)
        index = np.arange(int(lengths.sum())) + np.repeat(start - after + lengths, lengths)
        separators = np.append(self._segments.space[1:], [False])[index].astype(np.int64)
        separators[after - 1] = self.thens
        return self._order[index], separators, self._segments.level[index], self._boxes[index]


class _Writer:
    """Collects characters in reading order with the separator that follows each."""

    def __init__(self, glyphs: Glyphs, width: float, height: float) -> None:
        self._glyphs = glyphs
        self._width, self._height = width, height
        self._parts: list[_Turned] = []
        self._drafts: list[_Draft] = []
        self._tables: list[tuple[PlannedTable, int, list[tuple[PlannedCell, int, int]]]] = []
        self._count = 0
        self._regions = 0
        self._separators = list(SEPARATORS)

    def write(self, angle: int, rules: Rules | None) -> None:
        """Read all text of one direction."""
        chosen = np.flatnonzero(self._glyphs.angle == angle)
        part = self._glyphs if len(chosen) == len(self._glyphs) else self._glyphs.take(chosen)
        turned = part.placed(*upright(part.x, part.y, angle, self._width, self._height)) if angle else part
        segments, items = plan_page(turned, rules and (lambda: self._upright_rules(rules(), angle)))
        part_boxes = self._segment_boxes(turned, segments, angle)
        runs = _Turned(segments, chosen[segments.order], part_boxes, angle)
        self._parts.append(runs)
        for item in items:
            if item.table is not None:
                self._write_table(item.table, runs, item.region)
            else:
                self._write_line(item.row, runs, item.region)
        self._regions += 1 + max((item.region for item in items), default=0)

    def finish(self) -> PageLayout:
        """The text and its lines."""
        parts = [part.written() for part in self._parts]
        order = np.concatenate([np.zeros(0, dtype=np.int64), *(part[0] for part in parts)])
        codes = np.concatenate([np.zeros(0, dtype=np.int64), *(part[1] for part in parts)])
        levels = np.concatenate([np.zeros(0, dtype=np.int64), *(part[2] for part in parts)])
        boxes = np.concatenate([np.zeros((0, 4)), *(part[3] for part in parts)])
        joined = list(map(self._glyphs.text.__getitem__, order.tolist()))
        shift(joined, levels, codes)
        turn_brackets(joined, codes)
        lengths = np.fromiter(map(len, joined), np.int64, len(joined))
        parted = np.flatnonzero(codes)
        for position, code in zip(parted.tolist(), codes[parted].tolist(), strict=True):
            joined[position] += self._separators[code]
        apart = np.asarray(list(map(len, self._separators)))[codes]
        after = np.cumsum(lengths + apart)
        ends = after - apart
        starts = ends - lengths
        return PageLayout(
            text="".join(joined).removesuffix("\n"),
            lines=self._finished_lines(starts, ends, boxes),
            tables=tuple(self._finished_table(table, starts, ends, boxes) for table in self._tables),
            starts=starts,
            boxes=boxes,
            width=self._width,
            height=self._height,
        )

    def _upright_rules(self, rules: Floats, angle: int) -> Floats:
        x0, y0 = upright(rules[:, 0], rules[:, 1], angle, self._width, self._height)
        x1, y1 = upright(rules[:, 2], rules[:, 3], angle, self._width, self._height)
        return np.stack([np.minimum(x0, x1), np.minimum(y0, y1), np.maximum(x0, x1), np.maximum(y0, y1)], axis=1)

    def _segment_boxes(self, turned: Glyphs, segments: Segments, angle: int) -> Floats:
        order = segments.order
        x, y, size = turned.x[order], turned.y[order], turned.size[order]
        advance = turned.advance[order]
        right = x + np.where(advance > 0.01 * size, advance, 0.5 * size)
        upright_boxes = np.stack([x, y - ASCENT * size, right, y + DESCENT * size], axis=1)
        return displayed_boxes(upright_boxes, angle, self._width, self._height)

    def _write_line(self, row: Sequence[int], runs: _Turned, region: int) -> None:
        first = self._count
        self._write_runs(row, runs, NEWLINE)
        self._drafts.append(_draft((first, self._count), row, runs, self._regions + region))

    def _write_table(self, table: PlannedTable, runs: _Turned, region: int) -> None:
        cells: list[tuple[PlannedCell, int, int]] = []
        by_row: dict[int, list[PlannedCell]] = {}
        for cell in table.cells:
            by_row.setdefault(cell.row, []).append(cell)
        number = len(self._tables)
        for row in by_row.values():
            first = self._count
            alone = len(row) == 1
            before = 0 if alone or not runs.thens else row[0].column
            behind = 0 if alone else table.columns - 1 - row[-1].column
            if before:
                runs.thens[-1] = self._code(self._separators[runs.thens[-1]] + "\t" * before)
            for cell, following in zip(row, [*row[1:], None], strict=True):
                start = self._count
                then = "\t" * behind + "\n" if following is None else "\t" * max(1, following.column - cell.column)
                self._write_runs(cell.runs, runs, self._code(then))
                cells.append((cell, start, self._count))
            members = [run for cell in row for run in cell.runs]
            drafted = _draft((first, self._count), members, runs, self._regions + region, number)
            self._drafts.append(drafted._replace(margins=(before, behind)))
        self._tables.append((table, runs.angle, cells))

    def _code(self, separator: str) -> int:
        """The number of a separator in this text."""
        if separator not in self._separators:
            self._separators.append(separator)
        return self._separators.index(separator)

    def _write_runs(self, members: Sequence[int], runs: _Turned, then: int) -> None:
        runs.runs += members
        runs.thens += [SPACE] * (len(members) - 1) + [then]
        self._count += sum(map(runs.lengths.__getitem__, members))

    def _finished_lines(self, starts: Ints, ends: Ints, boxes: Floats) -> tuple[Line, ...]:
        if not self._drafts:
            return ()
        firsts = np.asarray([draft.first for draft in self._drafts])
        lasts = np.asarray([draft.last for draft in self._drafts]) - 1
        edges = _edges(boxes, firsts, len(boxes))
        return tuple(
            Line(start - draft.margins[0], end + draft.margins[1], Box(*edge), *draft[2:-1])
            for draft, start, end, edge in zip(
                self._drafts, starts[firsts].tolist(), ends[lasts].tolist(), edges, strict=True
            )
        )

    def _finished_table(
        self,
        table: tuple[PlannedTable, int, list[tuple[PlannedCell, int, int]]],
        starts: Ints,
        ends: Ints,
        boxes: Floats,
    ) -> TableLayout:
        plan, angle, cells = table
        edges = _edges(boxes, np.asarray([first for _, first, _ in cells]), cells[-1][2])
        found = []
        for (cell, first, last), box in zip(cells, edges, strict=True):
            drawn = cell.box and displayed_boxes(np.asarray([cell.box]), angle, self._width, self._height)
            around_all = Box(*box) if drawn is None else union(drawn)
            found.append(CellLayout(cell, int(starts[first]), int(ends[last - 1]), around_all))
        return TableLayout(plan, tuple(found))


def _edges(boxes: Floats, firsts: Ints, end: int) -> list[list[float]]:
    """Left, top, right, bottom of the smallest box around each stretch of boxes (n, 4): from its first to the next."""
    low = np.minimum.reduceat(boxes[:end, :2], firsts, axis=0)
    high = np.maximum.reduceat(boxes[:end, 2:], firsts, axis=0)
    edges: list[list[float]] = np.round(np.concatenate([low, high], axis=1), 2).tolist()
    return edges


def _draft(
    extent: tuple[int, int], members: Sequence[int], runs: _Turned, region: int, table: int | None = None
) -> _Draft:
    lefts, rights = [runs.left[run] for run in members], [runs.right[run] for run in members]
    widths = [right - left for left, right in zip(lefts, rights, strict=True)]
    widest = members[widths.index(max(widths))]
    heavy = sum(width * runs.bold[run] for width, run in zip(widths, members, strict=True))
    bold = heavy >= 0.6 * sum(widths)
    left, right = min(lefts), max(rights)
    return _Draft(*extent, left, right, runs.base[widest], runs.size[widest], bold, region, runs.angle, table)


def union(boxes: Floats) -> Box:
    """The smallest box around boxes (n, 4), n > 0."""
    low, high = boxes.min(axis=0), boxes.max(axis=0)
    return Box(*(round(float(edge), 2) for edge in (low[0], low[1], high[2], high[3])))


def span_boxes(layout: PageLayout, spans: Iterable[tuple[int, int]]) -> list[list[Box]]:
    """For each (start, end) of the text: one box a line, in a table one box a cell, in reading order."""
    stretches = [stretch for line in layout.lines for stretch in _stretches(layout, line)]
    found = []
    for start, end in spans:
        boxes = []
        for begin, finish in stretches:
            first, last = np.searchsorted(layout.starts, [max(start, begin), min(end, finish)])
            if last > first:
                boxes.append(union(layout.boxes[first:last]))
        found.append(boxes)
    return found


def _stretches(layout: PageLayout, line: Line) -> list[tuple[int, int]]:
    """The line, or its cells: beside a tall cell one in the middle of its height stands lower than the first."""
    if line.table is None:
        return [(line.start, line.end)]
    cells = layout.tables[line.table].cells
    return [(cell.start, cell.end) for cell in cells if line.start <= cell.start < line.end]
