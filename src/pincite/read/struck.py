"""Struck-out characters of a PDF page: a line is drawn through them, not under them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.read.glyphs import Floats, Glyphs, line_by_line
from pincite.text.looks import MARK

Bools = NDArray[np.bool_]

THICKEST = 0.15
"""Of the size of the letters."""
LOWEST, HIGHEST = 0.12, 0.45
"""Where above the base line a line strikes letters, in their sizes: an underline runs below, a table's rule beyond."""
LOOSE = 0.6
"""Sizes by which a line may reach over the letters that it strikes."""
LEAST = 2
"""Characters that a line strikes: one may be crossed by a drawing."""
MOST_LINES = 400


def with_struck(glyphs: Glyphs, rules: Floats, marked: Floats) -> Glyphs:
    """The characters with "~~" around those that a drawn line strikes out (`rules`), or a mark of a reader
    (`marked`); boxes (n, 4) as displayed."""
    thin = rules[rules[:, 3] - rules[:, 1] < 3.0]
    thin = thin[thin[:, 2] - thin[:, 0] > 3.0]
    thin = thin[_near_text(glyphs, (thin[:, 1] + thin[:, 3]) / 2)]
    if len(thin) > MOST_LINES or not (len(thin) or len(marked)):
        return glyphs
    order = line_by_line(np.rint(glyphs.y), glyphs.x)
    order = order[~glyphs.blank[order] & (glyphs.angle[order] == 0)]
    ordered = glyphs.take(order)
    row, reach = np.rint(ordered.y), HIGHEST * float(ordered.size.max(initial=0.0)) + 1.0
    struck = np.zeros(len(order), dtype=np.bool_)
    for line in thin.tolist():
        middle = (line[1] + line[3]) / 2
        first, last = np.searchsorted(row, [middle - 1.0, middle + reach]).tolist()
        if first < last:
            struck[first:last] |= _under(ordered.take(np.arange(first, last)), line)
    for box in marked.tolist():
        struck |= _in_mark(ordered, box)
    if not struck.any():
        return glyphs
    text = glyphs.text.copy()
    same_row = np.diff(np.rint(ordered.y)) == 0
    begins = struck & ~np.append(False, struck[:-1] & same_row)
    ends = struck & ~np.append(struck[1:] & same_row, False)
    for position in order[begins].tolist():
        text[position] = MARK + text[position]
    for position in order[ends].tolist():
        text[position] += MARK
    return glyphs.reading(text)


def _near_text(glyphs: Glyphs, heights: Floats) -> Bools:
    """Which of these heights lie where a line would strike some letters."""
    if not len(glyphs):
        return np.zeros(len(heights), dtype=np.bool_)
    bases = np.sort(glyphs.y)
    first = np.searchsorted(bases, heights + LOWEST * glyphs.size.min())
    found: Bools = first < np.searchsorted(bases, heights + HIGHEST * glyphs.size.max())
    return found


def _under(glyphs: Glyphs, line: Sequence[float]) -> Bools:
    """The characters that a line strikes; none where it reaches far over them, as the rules of tables do."""
    left, top, right, bottom = line
    middle, height = glyphs.x + 0.5 * glyphs.advance, glyphs.y - (top + bottom) / 2
    size = glyphs.size
    met = (middle > left) & (middle < right) & (bottom - top < THICKEST * size)
    met &= (height > LOWEST * size) & (height < HIGHEST * size)
    if met.sum() < LEAST:
        return np.zeros(len(glyphs), dtype=np.bool_)
    first, last = np.flatnonzero(met)[[0, -1]]
    over = max(glyphs.x[first] - left, right - glyphs.x[last] - glyphs.advance[last])
    return met if over < LOOSE * size[first] else np.zeros(len(glyphs), dtype=np.bool_)


def _in_mark(glyphs: Glyphs, box: Sequence[float]) -> Bools:
    middle, height = glyphs.x + 0.5 * glyphs.advance, glyphs.y - 0.3 * glyphs.size
    found: Bools = (middle > box[0]) & (middle < box[2]) & (height > box[1]) & (height < box[3])
    return found
