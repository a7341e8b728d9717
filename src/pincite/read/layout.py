"""A page's characters to its canonical text: lines in reading order, and where each character stands.

Canonical text: lines end with a line feed, cells of a table's row are parted by a tab, the lines inside one cell by
a space. No character is altered; spaces stand where the page shows them. The same characters give the same text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import add

import numpy as np

from pincite.read.columns import Runs, reading_regions
from pincite.read.glyphs import ASCENT, DESCENT, Floats, Glyphs, Ints, displayed_boxes, upright
from pincite.read.segments import Segments, find_segments
from pincite.records import Box

SEPARATORS = ("", " ", "\t", "\n")
SPACE, TAB, NEWLINE = 1, 2, 3
OFF_PAGE = 3.0
"""Characters further outside the displayed page than this, in points, are left out: nobody can see them."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text: offsets in the page's text, its box as displayed, base line and left edge as read.

    `region`: number of the column or stretch it belongs to; `pieces`: how many runs parted by wide gaps it has.
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
    pieces: int
    table: int | None = None


@dataclass(frozen=True, slots=True)
class PageLayout:
    """The canonical text of a page; of each character its offset there (`starts`) and its box (`boxes`, (n, 4))."""

    text: str
    lines: tuple[Line, ...]
    starts: Ints
    boxes: Floats
    width: float
    height: float


def lay_out(glyphs: Glyphs, rules: Floats, width: float, height: float) -> PageLayout:
    """Put the characters of a page in reading order; `rules` (n, 4) are the boxes of drawn lines."""
    visible = _on_page(glyphs, width, height)
    writer = _Writer(visible, width, height)
    angles, counts = np.unique(visible.angle, return_counts=True)
    for angle in angles[np.lexsort((angles, -counts))].tolist():
        writer.write(angle, rules)
    return writer.finish()


def _on_page(glyphs: Glyphs, width: float, height: float) -> Glyphs:
    inside = (glyphs.x > -OFF_PAGE) & (glyphs.x < width + OFF_PAGE)
    inside &= (glyphs.y > -OFF_PAGE) & (glyphs.y < height + OFF_PAGE) & (glyphs.size > 0.05)
    return glyphs if bool(inside.all()) else glyphs.take(np.flatnonzero(inside))


class _Writer:
    """Collects characters in reading order with the separator that follows each."""

    def __init__(self, glyphs: Glyphs, width: float, height: float) -> None:
        self._glyphs = glyphs
        self._width, self._height = width, height
        self._order: list[Ints] = []
        self._separators: list[Ints] = []
        self._boxes: list[Floats] = []
        self._drafts: list[tuple[int, int, list[int], Segments, int, int]] = []
        self._count = 0
        self._regions = 0

    def write(self, angle: int, rules: Floats) -> None:
        """Read all text of one direction."""
        chosen = np.flatnonzero(self._glyphs.angle == angle)
        part = self._glyphs.take(chosen)
        x, y = upright(part.x, part.y, angle, self._width, self._height)
        turned = Glyphs(part.text, x, y, part.advance, part.size, part.angle, part.font, part.fonts)
        segments = find_segments(turned, np.zeros((0, 3)))
        self._note_boxes(turned, segments, angle)
        for region in reading_regions(as_runs(turned, segments)):
            for row in rows_of(segments, region):
                self._line(chosen, segments, row, angle)
            self._regions += 1

    def finish(self) -> PageLayout:
        """The text and its lines."""
        order = np.concatenate([np.zeros(0, dtype=np.int64), *self._order])
        codes = np.concatenate([np.zeros(0, dtype=np.int64), *self._separators]).tolist()
        chars = list(map(self._glyphs.text.__getitem__, order.tolist()))
        joined = list(map(add, chars, map(SEPARATORS.__getitem__, codes)))
        lengths = np.fromiter(map(len, joined), np.int64, len(joined))
        starts = np.concatenate([[0], np.cumsum(lengths)])[:-1]
        text = "".join(joined).removesuffix("\n")
        boxes = np.concatenate([np.zeros((0, 4)), *self._boxes])
        ends = starts + np.fromiter(map(len, chars), np.int64, len(chars))
        lines = tuple(self._finished(draft, starts, ends, boxes) for draft in self._drafts)
        return PageLayout(text, lines, starts, boxes, self._width, self._height)

    def _note_boxes(self, turned: Glyphs, segments: Segments, angle: int) -> None:
        order = segments.order
        x, y, size = turned.x[order], turned.y[order], turned.size[order]
        advance = turned.advance[order]
        right = x + np.where(advance > 0.01 * size, advance, 0.5 * size)
        upright_boxes = np.stack([x, y - ASCENT * size, right, y + DESCENT * size], axis=1)
        self._segment_boxes = displayed_boxes(upright_boxes, angle, self._width, self._height)

    def _line(self, chosen: Ints, segments: Segments, row: list[int], angle: int) -> None:
        first = self._count
        for position, run in enumerate(row):
            start, end = int(segments.start[run]), int(segments.end[run])
            codes = np.concatenate([segments.space[start + 1 : end].astype(np.int64), [SPACE]])
            if position == len(row) - 1:
                codes[-1] = NEWLINE
            self._order.append(chosen[segments.order[start:end]])
            self._separators.append(codes)
            self._boxes.append(self._segment_boxes[start:end])
            self._count += end - start
        self._drafts.append((first, self._count, row, segments, angle, self._regions))

    def _finished(
        self, draft: tuple[int, int, list[int], Segments, int, int], starts: Ints, ends: Ints, boxes: Floats
    ) -> Line:
        first, last, row, segments, angle, region = draft
        box = union(boxes[first:last])
        widths = segments.right[row] - segments.left[row]
        widest = int(np.argmax(widths))
        return Line(
            start=int(starts[first]),
            end=int(ends[last - 1]),
            box=box,
            left=float(segments.left[row].min()),
            right=float(segments.right[row].max()),
            base=float(segments.base[row][widest]),
            size=float(segments.size[row][widest]),
            bold=float((segments.bold[row] * widths).sum()) >= 0.6 * float(widths.sum()),
            region=region,
            angle=angle,
            pieces=len(row),
        )


def as_runs(glyphs: Glyphs, segments: Segments) -> Runs:
    """What the search for columns needs to know of each segment."""
    count = len(segments)
    digit = np.fromiter(map(str.isdigit, glyphs.text), np.int64, len(glyphs))[segments.order]
    digits = np.add.reduceat(digit, segments.start) if count else digit
    return Runs(segments.left, segments.right, segments.base, segments.size, segments.end - segments.start, digits)


def rows_of(segments: Segments, region: Ints) -> list[list[int]]:
    """The segments of a region line by line, from left to right."""
    ordered = region[np.argsort(segments.base[region], kind="stable")].tolist()
    base, size, left = segments.base.tolist(), segments.size.tolist(), segments.left.tolist()
    rows: list[list[int]] = []
    for run in ordered:
        if rows and base[run] - base[rows[-1][0]] <= 0.4 * min(size[run], size[rows[-1][0]]):
            rows[-1].append(run)
        else:
            rows.append([run])
    for row in rows:
        row.sort(key=left.__getitem__)
    return rows


def union(boxes: Floats) -> Box:
    """The smallest box around boxes (n, 4), n > 0."""
    low, high = boxes.min(axis=0), boxes.max(axis=0)
    return Box(*(round(float(edge), 2) for edge in (low[0], low[1], high[2], high[3])))


def span_boxes(layout: PageLayout, spans: Iterable[tuple[int, int]]) -> list[list[Box]]:
    """For each (start, end) of the text: one box a line, in reading order."""
    found = []
    for start, end in spans:
        boxes = []
        for line in layout.lines:
            first, last = np.searchsorted(layout.starts, [max(start, line.start), min(end, line.end)])
            if last > first:
                boxes.append(union(layout.boxes[first:last]))
        found.append(boxes)
    return found
