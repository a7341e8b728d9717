"""Drawn lines to grids: which rows, columns and cells the rules of a page make."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pincite.read.glyphs import Floats

THIN = 3.0
"""A box that is thinner than this, in points, is a line."""
TOUCH = 3.0
"""Lines whose ends are nearer than this, in points, meet."""
MIN_LENGTH = 5.0
MAX_LINES = 1500
"""A page with more lines than this is a drawing; its tables are found by their text."""


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of a grid with the rows and columns that it spans; box left, top, right, bottom."""

    row: int
    column: int
    row_span: int
    column_span: int
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Grid:
    """The edges of rows (`ys`) and columns (`xs`), ascending, and the cells, by row and column."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    cells: tuple[GridCell, ...]


def find_lines(rules: Floats) -> tuple[Floats, Floats]:
    """Horizontal lines (n, 3) of y, left, right and vertical ones (n, 3) of x, top, bottom, pieces joined."""
    width, height = rules[:, 2] - rules[:, 0], rules[:, 3] - rules[:, 1]
    flat, upright = height <= THIN, width <= THIN
    solid = ~flat & ~upright & (height < 250)
    left, top, right, bottom = rules.T
    across = [
        np.stack([(top + bottom) / 2, left, right], axis=1)[flat & ~upright],
        np.stack([top, left, right], axis=1)[solid],
        np.stack([bottom, left, right], axis=1)[solid],
    ]
    down = [
        np.stack([(left + right) / 2, top, bottom], axis=1)[upright & ~flat],
        np.stack([left, top, bottom], axis=1)[solid],
        np.stack([right, top, bottom], axis=1)[solid],
    ]
    return _joined(np.concatenate(across)), _joined(np.concatenate(down))


def find_grids(across: Floats, down: Floats) -> list[Grid]:
    """The grids with at least two columns and two rows, from top to bottom."""
    if len(across) < 2 or len(down) < 1 or len(across) + len(down) > MAX_LINES:
        return []
    grids = [_grid(across[rows], down[columns]) for rows, columns in _connected(across, down)]
    found = [grid for grid in grids if grid is not None]
    return sorted(found, key=lambda grid: (grid.ys[0], grid.xs[0]))


def _joined(lines: Floats) -> Floats:
    """Pieces of one line (same position, touching ends) as one line; short ones left out."""
    if not len(lines):
        return lines
    position = np.rint(lines[:, 0] / 1.5)
    lines = lines[np.lexsort((lines[:, 1], position))]
    kept: list[list[float]] = []
    for at, start, end in lines.tolist():
        last = kept[-1] if kept else None
        if last and abs(last[0] - at) <= 1.6 and last[1] - TOUCH <= end and start <= last[2] + TOUCH:
            last[1:] = min(last[1], start), max(last[2], end)
        else:
            kept.append([at, start, end])
    return np.asarray([line for line in kept if line[2] - line[1] >= MIN_LENGTH]).reshape(-1, 3)


def _connected(across: Floats, down: Floats) -> list[tuple[list[int], list[int]]]:
    """Groups of lines that cross or touch each other."""
    meets = (
        (down[None, :, 0] >= across[:, None, 1] - TOUCH)
        & (down[None, :, 0] <= across[:, None, 2] + TOUCH)
        & (across[:, None, 0] >= down[None, :, 1] - TOUCH)
        & (across[:, None, 0] <= down[None, :, 2] + TOUCH)
    )
    free = set(range(len(across)))
    groups = []
    while free:
        rows: set[int] = set()
        columns: set[int] = set()
        todo = [min(free)]
        while todo:
            row = todo.pop()
            if row in rows:
                continue
            rows.add(row)
            new = set(np.flatnonzero(meets[row]).tolist()) - columns
            columns |= new
            todo += [int(other) for column in new for other in np.flatnonzero(meets[:, column])]
        free -= rows
        if columns:
            groups.append((sorted(rows), sorted(columns)))
    return groups


def _grid(across: Floats, down: Floats) -> Grid | None:
    xs = _edges(np.concatenate([down[:, 0], [across[:, 1].min(), across[:, 2].max()]]))
    ys = _edges(np.concatenate([across[:, 0], [down[:, 1].min(), down[:, 2].max()]]))
    if len(xs) < 3 or len(ys) < 3 or (len(xs) - 1) * (len(ys) - 1) > 20_000:
        return None
    cells = _cells(xs, ys, across, down)
    return Grid(tuple(xs), tuple(ys), cells) if len({cell.column for cell in cells}) > 1 else None


def _edges(values: Floats) -> list[float]:
    """Positions, those nearer than TOUCH taken as one."""
    ordered = np.sort(values)
    groups = np.split(ordered, np.flatnonzero(np.diff(ordered) > TOUCH) + 1)
    return [float(group.mean()) for group in groups]


def _cells(xs: list[float], ys: list[float], across: Floats, down: Floats) -> tuple[GridCell, ...]:
    """Units of the grid, joined where no line is drawn between them."""
    rows, columns = len(ys) - 1, len(xs) - 1
    wall = _drawn(down, xs[1:-1], _middles(ys)).T.tolist()
    floor = _drawn(across, ys[1:-1], _middles(xs)).tolist()
    taken = [[False] * columns for _ in range(rows)]
    cells = []
    for r in range(rows):
        for c in range(columns):
            if taken[r][c]:
                continue
            wide = 1
            while c + wide < columns and not wall[r][c + wide - 1] and not taken[r][c + wide]:
                wide += 1
            tall = 1
            while r + tall < rows and _open_below(floor[r + tall - 1], wall[r + tall], c, wide):
                tall += 1
            for row in range(r, r + tall):
                taken[row][c : c + wide] = [True] * wide
            cells.append(GridCell(r, c, tall, wide, (xs[c], ys[r], xs[c + wide], ys[r + tall])))
    return tuple(cells)


def _open_below(floor: list[bool], wall: list[bool], column: int, wide: int) -> bool:
    """No line is drawn under these units, and none between the units below them."""
    return not any(floor[column : column + wide]) and not any(wall[column : column + wide - 1])


def _drawn(lines: Floats, positions: list[float], middles: Floats) -> NDArray[np.bool_]:
    """(positions, middles): whether a line at that position passes that middle."""
    found = np.zeros((len(positions), len(middles)), dtype=np.bool_)
    for number, position in enumerate(positions):
        near = lines[np.abs(lines[:, 0] - position) <= TOUCH]
        found[number] = ((near[:, 1:2] <= middles) & (near[:, 2:3] >= middles)).any(axis=0)
    return found


def _middles(edges: list[float]) -> Floats:
    ends = np.asarray(edges)
    middles: Floats = (ends[1:] + ends[:-1]) / 2
    return middles
