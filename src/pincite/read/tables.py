"""Where the tables of a page are: inside drawn grids, and where rows of short pieces stand in columns."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

import numpy as np

from pincite.read.grid import Grid, GridCell
from pincite.read.segments import Segments, rows_of

NUMBER = re.compile(
    r"[\s$€£¥(<>≤≥±~+\-–—−]*+\d[\d.,\s]*[)%*†]*+(?:\s?(?:%|x|bps|pts?|million|billion))?[)*]*+$|[-–—−]+$|n/?[am]$",
    re.IGNORECASE,
)
CAPTION = re.compile(
    r"(?:Table|TABLE|Figure|FIGURE|Fig\.|FIG\.|Exhibit|Box|Chart|Tabelle|Abbildung|Tableau)\s+[A-Z]{0,2}[.\-]?\d[\w.\-–]*"
)
SYMBOL = re.compile(r"[$€£¥(]+$")
RULE = re.compile(r"[-–—_=][-–—_=.\s]{2,}$")
"""A line between rows that text recognition took for characters."""
AFTER = re.compile(r"[%)]+$|pts?$|x$")
YEAR = re.compile(r"(?:19|20)\d\d[*)]?$")
MARK = re.compile(r"(?:[•▪●■◦‣–—*·\-o]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxl]{1,5})[.)]?|\(\w{1,4}\)\w?|(?:\w{1,3}\.)+\w{0,3})$")
MIN_ROWS = 3
LEAST_TITLE = 10
"""Characters that the titles of a list of contents have on average. By eye, not measured."""
REACH = 40.0
"""Points from a head that stands over several columns to the middle of the farthest."""


@dataclass(slots=True)
class PlannedCell:
    """A cell with its runs in reading order; `box` is the drawn one, None where nothing is drawn."""

    row: int
    column: int
    runs: list[int] = field(default_factory=list)
    row_span: int = 1
    column_span: int = 1
    header: bool = False
    box: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """Cells with text, by row and column. `first`: the run whose place in reading order the table takes."""

    rows: int
    columns: int
    cells: tuple[PlannedCell, ...]
    partial: bool = False

    @property
    def runs(self) -> set[int]:
        """All runs of the table."""
        return {run for cell in self.cells for run in cell.runs}


def ruled_table(grid: Grid, segments: Segments) -> PlannedTable | None:
    """The table of a drawn grid, None where fewer than two columns or rows of it hold text."""
    left, top, right, bottom = grid.xs[0], grid.ys[0], grid.xs[-1], grid.ys[-1]
    middle = (segments.left + segments.right) / 2
    height = segments.base - 0.3 * segments.size
    inside = np.flatnonzero((middle > left) & (middle < right) & (height > top) & (height < bottom)).tolist()
    filled: dict[GridCell, list[int]] = {}
    units = _units(grid)
    for run in inside:
        unit = bisect_right(grid.ys, height[run]) - 1, bisect_right(grid.xs, middle[run]) - 1
        filled.setdefault(units[unit], []).append(run)
    if len({cell.column for cell in filled}) < 2 or len({cell.row for cell in filled}) < 2:
        return None
    cells = _with_lines_apart(filled, segments)
    return PlannedTable(
        rows=1 + max(cell.row for cell in cells),
        columns=len(grid.xs) - 1,
        cells=tuple(_with_header(cells)),
        partial=len(filled) < len(grid.cells),
    )


def aligned_table(rows: Sequence[Sequence[int]], texts: Sequence[str], segments: Segments) -> PlannedTable | None:
    """The table that these rows of runs make without drawn lines, None where they make none."""
    several = [row for row in rows if len(row) > 1]
    if len(several) < MIN_ROWS:
        return None
    columns = _columns(several, texts, segments)
    if len(columns) < 2 or not _is_table(several, texts, columns, segments):
        return None
    cells: dict[tuple[int, int], PlannedCell] = {}
    figures = _figure_rows(rows, texts)
    for number, row in enumerate(rows):
        is_upper = number < figures[0] - 1 and len(row) < len(rows[number + 1]) if figures else False
        spread = _over_columns(row, columns, segments) if is_upper else {}
        for run in row:
            column, span = spread.get(run) or (_column_of(run, texts[run], columns, segments), 1)
            cells.setdefault((number, column), PlannedCell(number, column, column_span=span)).runs.append(run)
    ordered = [cells[key] for key in sorted(cells)]
    _mark_header(ordered, texts)
    return PlannedTable(len(rows), len(columns), tuple(ordered))


def table_rows(rows: Sequence[Sequence[int]], texts: Sequence[str], segments: Segments) -> list[tuple[int, int]]:
    """Stretches [first, last) of rows in which a table may stand: rows of several pieces with few others between."""
    several = [position for position, row in enumerate(rows) if len(row) > 1]
    stretches: list[list[int]] = []
    for position in several:
        if stretches and _goes_on(rows[stretches[-1][1] : position + 1], segments, texts):
            stretches[-1][1] = position
        else:
            stretches.append([position, position])
    below = ((_below_caption(rows, first, last, texts), last) for first, last in stretches)
    return [_widened(rows, first, last, segments) for first, last in below if last - first >= MIN_ROWS - 1]


def _below_caption(rows: Sequence[Sequence[int]], first: int, last: int, texts: Sequence[str]) -> int:
    """Where rows begin whose first one is the caption in several pieces; a list of exhibits has one in each."""
    is_caption = [bool(CAPTION.match(texts[row[0]])) for row in rows[first : min(first + 2, last + 1)]]
    return first + 1 if is_caption == [True, False] else first


def is_number(text: str) -> bool:
    """A figure as tables have it: "1,234", "$ (5.6)", "12 %", a dash for none."""
    return bool(NUMBER.match(text.strip()))


def is_figure(text: str) -> bool:
    """A number that is not a year, as heads have it."""
    return is_number(text) and not YEAR.match(text)


def _goes_on(between: Sequence[Sequence[int]], segments: Segments, texts: Sequence[str]) -> bool:
    """From one row of several pieces to the next: no wide gap, few single lines, none of running text or a caption."""
    singles = [row[0] for row in between[1:-1]]
    if len(singles) > 3 or any(len(texts[run]) > 90 or CAPTION.match(texts[run]) for run in singles):
        return False
    bases = [float(segments.base[row[0]]) for row in between]
    size = float(segments.size[between[0][0]])
    return all(after - before < 3.2 * size for before, after in pairwise(bases))


def _widened(rows: Sequence[Sequence[int]], first: int, last: int, segments: Segments) -> tuple[int, int]:
    """Take in the heading lines above that stand over the columns, not over the labels."""
    edge = sorted(float(segments.left[row[1]]) for row in rows[first : last + 1] if len(row) > 1)[0]
    label = min(float(segments.left[row[0]]) for row in rows[first : last + 1])
    while first > 0 and len(rows[first - 1]) == 1 and rows[first][0] != rows[first - 1][0]:
        run = rows[first - 1][0]
        step = float(segments.base[rows[first][0]] - segments.base[run])
        over = float(segments.left[run]) > max(label + 60.0, edge - 40.0)
        if not over or step > 2.2 * float(segments.size[run]):
            break
        first -= 1
    return first, last + 1


def _figure_rows(rows: Sequence[Sequence[int]], texts: Sequence[str]) -> list[int]:
    """The rows with a figure behind their first piece."""
    return [number for number, row in enumerate(rows) if any(is_figure(texts[run]) for run in row[1:])]


def _over_columns(
    row: Sequence[int], columns: Sequence[tuple[float, float]], segments: Segments
) -> dict[int, tuple[int, int]]:
    """For each piece of an upper head the first of the columns that it stands over, and how many these are: those whose
    middle is nearer to it than to the others, and not farther than it is wide, or REACH."""
    over: dict[int, list[int]] = {}
    for number, (left, right) in enumerate(columns):
        middle = (left + right) / 2
        near = {run: max(segments.left[run] - middle, middle - segments.right[run], 0.0) for run in row}
        best = min(row, key=lambda run: (near[run], abs((segments.left[run] + segments.right[run]) / 2 - middle)))
        if near[best] <= (max(segments.right[best] - segments.left[best], REACH) if number else 0.0):
            over.setdefault(best, []).append(number)
    return {run: (numbers[0], len(numbers)) for run, numbers in over.items()}


def _columns(rows: Sequence[Sequence[int]], texts: Sequence[str], segments: Segments) -> list[tuple[float, float]]:
    """The columns of these rows; where heads stand over several of them, those of the rows with figures."""
    all_rows = _covered(rows, texts, segments)
    figures = [rows[number] for number in _figure_rows(rows, texts)]
    of_figures = _covered(figures, texts, segments) if len(figures) >= MIN_ROWS else []
    return of_figures if len(all_rows) < len(of_figures) <= max(map(len, figures)) else all_rows


def _covered(rows: Sequence[Sequence[int]], texts: Sequence[str], segments: Segments) -> list[tuple[float, float]]:
    """The stretches that the pieces of the rows cover, symbols and rules left out; wide ones bridge no columns."""
    pieces = [run for row in rows for run in row if not _makes_no_column(texts[run])]
    spans = sorted((float(segments.left[run]), float(segments.right[run])) for run in pieces)
    widths = sorted(right - left for left, right in spans)
    columns = _merged(spans)
    if len(columns) < 2 and widths:
        typical = widths[(3 * len(widths)) // 4]
        columns = _merged([span for span in spans if span[1] - span[0] <= 1.2 * typical])
    return columns


def _makes_no_column(text: str) -> bool:
    return bool(SYMBOL.match(text) or AFTER.match(text) or RULE.match(text))


def _merged(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    columns: list[list[float]] = []
    for left, right in spans:
        if columns and left <= columns[-1][1] + 1.0:
            columns[-1][1] = max(columns[-1][1], right)
        else:
            columns.append([left, right])
    return [(left, right) for left, right in columns]


def _is_table(
    rows: Sequence[Sequence[int]], texts: Sequence[str], columns: Sequence[tuple[float, float]], segments: Segments
) -> bool:
    """Figures beside labels, or three columns and more; not a numbered list, not a list of contents."""
    figures = sum(any(is_number(texts[run]) for run in row[1:]) for row in rows)
    marked = sum(bool(MARK.match(texts[row[0]])) and len(row) == 2 for row in rows)
    if marked > 0.5 * len(rows) and figures < 0.3 * len(rows):
        return False
    if len(columns) == 2 and _is_contents(rows, texts):
        return False
    if figures >= 0.5 * len(rows):
        return True
    full = sum(len({_column_of(run, texts[run], columns, segments) for run in row}) >= 3 for row in rows)
    lengths = [len(texts[run]) for row in rows for run in row]
    return full >= max(MIN_ROWS, 0.5 * len(rows)) and sum(lengths) / len(lengths) < 40


def _is_contents(rows: Sequence[Sequence[int]], texts: Sequence[str]) -> bool:
    """The last pieces are whole numbers that never fall, page numbers, behind titles."""
    last = [texts[row[-1]] for row in rows]
    numbers = [int(text) for text in last if text.isdigit()]
    if len(numbers) < 0.8 * len(last) or numbers != sorted(numbers) or len(set(numbers)) < 2:
        return False
    return sum(len(texts[row[0]]) for row in rows) >= LEAST_TITLE * len(rows)


def _column_of(run: int, text: str, columns: Sequence[tuple[float, float]], segments: Segments) -> int:
    left, right = float(segments.left[run]), float(segments.right[run])
    if SYMBOL.match(text):
        left, right = right, right + 60.0
    elif AFTER.match(text):
        left, right = left - 30.0, left
    shared = [min(right, edge[1]) - max(left, edge[0]) for edge in columns]
    best = shared.index(max(shared))
    if right - left > 1.5 * (columns[best][1] - columns[best][0]):
        best = next((position for position, value in enumerate(shared) if value > 0), best)
    return best


def _mark_header(cells: Sequence[PlannedCell], texts: Sequence[str]) -> None:
    """Rows above the first one that has a figure beside a label."""
    by_row: dict[int, list[PlannedCell]] = {}
    for cell in cells:
        by_row.setdefault(cell.row, []).append(cell)
    for row in sorted(by_row):
        members = by_row[row]
        others = [texts[run] for cell in members if cell.column > 0 for run in cell.runs]
        figures = [text for text in others if is_figure(text)]
        if figures or (not others and row > 0) or row > 8:
            return
        for cell in members:
            cell.header = True


def _units(grid: Grid) -> dict[tuple[int, int], GridCell]:
    """The cell that covers each row and column of a grid."""
    return {
        (row, column): cell
        for cell in grid.cells
        for row in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.column + cell.column_span)
    }


def _with_lines_apart(filled: dict[GridCell, list[int]], segments: Segments) -> list[PlannedCell]:
    """Cells by row. A row of the grid that holds several lines of a table without lines between becomes so many."""
    cells: list[PlannedCell] = []
    shift = 0
    by_place = sorted(filled, key=lambda cell: (cell.row, cell.column))
    for row, found in groupby(by_place, key=lambda cell: cell.row):
        members = list(found)
        bands = _bands(members, filled, segments)
        for cell in members:
            for number, band in _by_band(filled[cell], bands, segments):
                lines = rows_of(segments.base, segments.size, segments.left, np.asarray(band), len(segments))
                runs = [run for line in lines for run in line]
                tall = cell.row_span if len(bands) == 1 else 1
                planned = PlannedCell(row + shift + number, cell.column, runs, tall, cell.column_span)
                planned.box = cell.box if len(bands) == 1 else None
                cells.append(planned)
        shift += len(bands) - 1
    return sorted(cells, key=lambda cell: (cell.row, cell.column))


def _by_band(runs: Sequence[int], bands: Sequence[float], segments: Segments) -> list[tuple[int, list[int]]]:
    """The runs in each band that has some, from top to bottom."""
    found: dict[int, list[int]] = {}
    for run in runs:
        found.setdefault(bisect_right(bands, segments.base[run]) - 1, []).append(run)
    return sorted(found.items())


def _bands(members: Sequence[GridCell], filled: dict[GridCell, list[int]], segments: Segments) -> list[float]:
    """Where each band begins: one, or one for each base line where three columns and more share most of theirs."""
    whole = [-np.inf]
    lines = [sorted({round(float(segments.base[run])) for run in filled[cell]}) for cell in members]
    long = [found for found in lines if len(found) >= MIN_ROWS]
    if len(long) < 3:
        return whole
    most = max(long, key=len)
    shared = sum(_is_near(base, most) for found in long for base in found)
    if shared < 0.9 * sum(map(len, long)) or len({len(found) for found in long}) > 2:
        return whole
    return [*whole, *((before + after) / 2 for before, after in pairwise(most))]


def _is_near(base: int, bases: Sequence[int]) -> bool:
    """Within two points of one of these, which ascend."""
    following = bisect_left(bases, base - 2)
    return following < len(bases) and bases[following] <= base + 2


def _with_header(cells: Sequence[PlannedCell]) -> Sequence[PlannedCell]:
    """The first row that holds text is the head of a drawn table, and each row below one that stands over several
    columns of it."""
    last = cells[0].row
    for _, found in groupby(cells, key=lambda cell: cell.row):
        members = list(found)
        if members[0].row > last:
            break
        for cell in members:
            cell.header = True
        if any(cell.column_span > 1 for cell in members) and len(members) > 1:
            last += 1
    return cells
