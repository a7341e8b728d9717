"""The rows of drawn tables as a reader can understand them: each cell with the heads of its column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pincite.answer.material.passages import (
    LONGEST_QUOTE,
    Passage,
    Passaged,
    Place,
    blocks_with_whole_tables,
    slice_of,
    start_of,
)
from pincite.answer.material.rows import CAPTION, is_value, tabbed_cells
from pincite.records.chunks import ChunkRecord
from pincite.records.pages import Span
from pincite.text.looks import RAISED

MOST_HEADS = 3
"""Lines of a head: tables with more levels are rare, and more often are tables without a head. By eye, not measured."""
LONGEST_HEAD = 80
"""Characters of a cell of a head; longer ones are text. By eye, not measured."""
KEPT_CHUNKS = 2048
"""Chunks whose rows are kept: questions meet the same ones again and again."""
BLANK = "–"
"""What is said of an empty cell."""

_BRACKETED = re.compile(r"\([^()]*\)")
_HANGS = re.compile(r"[,-]$|\b(?:and|or|the|of)$")
_LETTER = re.compile(r"[^\W_]")
_ENDS = re.compile(r"[.:;!?]$")
_SIGNS = ("$", "€", "£", "¥")
_NOTE = re.compile(rf"(?<!\S)[{RAISED}]{{1,3}}(?=\s)")
_MARKED = re.compile(rf"(?<=\d)[{RAISED}]{{1,3}}$")

YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d(?:[/–-]\d\d(?:\d\d)?)?")
"""A head that is a year."""

Cell = tuple[str, str]
"""Head and content, either of which may be empty."""


@dataclass(frozen=True, slots=True)
class HeadedRow:
    """A row: the caption of its table, the label of the rows that it belongs to, its cells, the lines that it stands
    on, and those that caption and heads stand on; whether it lost cells, so that its heads are not known."""

    caption: str
    group: str
    cells: tuple[Cell, ...]
    lines: tuple[Passage, ...]
    whole: Passaged
    above: tuple[Passaged, ...]
    lost_cells: bool = False

    @property
    def has_heads(self) -> bool:
        """Whether any of its columns has a head."""
        return any(head for head, _ in self.cells)

    @property
    def says_what_it_counts(self) -> bool:
        """Whether its values have heads, or it has one value alone, which its label names."""
        return self.has_heads or sum(is_value(content) for _, content in self.cells) <= 1

    @property
    def parts(self) -> tuple[str, ...]:
        """Caption, label of its group and cells, each by itself."""
        told = [part for part in (self.caption, self.group) if part]
        return (*(f"{part} |" for part in told), *(f"{_celled(cell)} |" for cell in self.cells))

    @property
    def text(self) -> str:
        """As it is said: "Fare zone: Inner | Adult: 2.40"."""
        told = [*([self.group] if self.group else ()), *map(_celled, self.cells)]
        return " | ".join(told)

    @property
    def passages(self) -> tuple[Passaged, ...]:
        """What it stands on, caption and heads in front."""
        return (*self.above, self.whole)

    def by_columns(self, most: int) -> Iterator[HeadedRow]:
        """The row itself where it has at most so many characters; else pieces of it, each with its first cell."""
        label, *others = self.cells
        piece: list[Cell] = [label]
        length = start = len(_celled(label))
        for cell in others:
            added = len(_celled(cell)) + 3
            if len(piece) > 1 and length + added > most:
                yield replace(self, cells=tuple(piece))
                piece, length = [label], start
            piece.append(cell)
            length += added
        yield replace(self, cells=tuple(piece))


@lru_cache(maxsize=KEPT_CHUNKS)
def rows_by_line(chunk: ChunkRecord) -> dict[Place, HeadedRow]:
    """The rows of a chunk by where their first lines begin."""
    return {start_of(row.lines[0]): row for row in headed_rows_of(chunk)}


def headed_rows_of(chunk: ChunkRecord) -> Iterator[HeadedRow]:
    """The rows of the drawn tables of a chunk, in order."""
    blocks = blocks_with_whole_tables(chunk)
    for number, block in enumerate(blocks):
        if block and block[0].kind == "table":
            yield from _rows(chunk, block, _caption_of(blocks, number))


def _celled(cell: Cell) -> str:
    head, content = cell
    return f"{head}: {content or BLANK}" if head else content or BLANK


def _caption_of(blocks: Sequence[Sequence[Passage]], number: int) -> Passage | None:
    """The line beside a table that says what it shows: in front of it, else behind it."""
    for beside in (number - 1, number + 1):
        lines = blocks[beside] if 0 <= beside < len(blocks) else ()
        if lines and (lines[0].kind == "caption" or CAPTION.match(lines[0].text)):
            return lines[0]
    return None


def _rows(chunk: ChunkRecord, block: Sequence[Passage], caption: Passage | None) -> Iterator[HeadedRow]:
    groups, notes = _logical_rows(block), frozenset(_NOTE.findall(chunk.raw_content))
    heads, groups = _parted(groups)
    width = _width(groups)
    names = _names(heads, width)
    above: tuple[Passaged, ...] = ((caption, chunk),) if caption is not None else ()
    above += tuple((line, chunk) for lines in heads for line in lines)
    title = caption.text if caption is not None else ""
    group, labelled = "", above
    for lines in groups:
        cells = _cells(lines)
        filled = [cell for cell in cells if cell]
        if width > 1 and len(filled) == 1 and len(lines) == 1 and not is_value(filled[0]):
            group, labelled = filled[0].rstrip(":"), (*above, (lines[0], chunk))
        elif len(filled) > 0:
            lost = any(names) and len(cells) < len(names)
            told = names if len(cells) == len(names) else [""] * len(cells)
            apart = (_apart_from_note(cell, notes) for cell in cells)
            row = _with_signs([(head, cell) for head, cell in zip(told, apart, strict=True) if head or cell])
            yield HeadedRow(title, group, row, tuple(lines), (_joined(chunk, lines), chunk), labelled, lost)


def _with_signs(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """The cells, a currency sign that has one of its own joined to the number behind it, which has no head then."""
    joined: list[Cell] = []
    for head, content in cells:
        if joined and joined[-1][1] in _SIGNS and not head and is_value(content):
            joined[-1] = (joined[-1][0], f"{joined[-1][1]} {content}")
        else:
            joined.append((head, content))
    return tuple(joined)


def _apart_from_note(cell: str, notes: frozenset[str]) -> str:
    """A cell, the mark of a note below the table apart from the number in front of it: 48 ², not 48²."""
    match = _MARKED.search(cell)
    return f"{cell[: match.start()]} {match.group()}" if match and match.group() in notes else cell


def _logical_rows(block: Sequence[Passage]) -> list[list[Passage]]:
    """Lines that belong to one row together: a cell whose text goes on below stands on lines of fewer cells."""
    width = _most_common_width([tabbed_cells(line) for line in block])
    rows: list[list[Passage]] = []
    for line in block:
        if rows and _goes_on(rows[-1], line, width):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _most_common_width(lines: Sequence[Sequence[str]]) -> int:
    counts = Counter(len(cells) for cells in lines if len(cells) > 1)
    return max(counts, key=lambda width: (counts[width], width), default=1)


def _goes_on(row: Sequence[Passage], line: Passage, width: int) -> bool:
    """Whether a line goes on with the last cells of a row: it has one cell, and either begins small or follows one
    that does not end."""
    cells = tabbed_cells(line)
    if width < 2 or len(cells) > 1 or len(tabbed_cells(row[0])) != width:
        return False
    if sum(len(other.quotes[0]) + 1 for other in (*row, line)) > LONGEST_QUOTE:
        return False
    text, before = cells[0], tabbed_cells(row[-1])[-1]
    begins_small = text[:1].islower() or bool(_BRACKETED.fullmatch(text))
    return begins_small or (len(row) > 1 and not _ENDS.search(before)) or bool(_HANGS.search(before))


def _parted(rows: list[list[Passage]]) -> tuple[list[list[Passage]], list[list[Passage]]]:
    """The rows that are heads, and those below them. Heads hold no values where the rows below do, but years; the first
    row of a table of words is its head."""
    has_values = [_has_values(_cells(lines), is_first=not place) for place, lines in enumerate(rows)]
    opening = next((place for place, found in enumerate(has_values) if found), len(rows))
    if opening == len(rows):
        is_parted = len(rows) > 2 and _fills_gaps(*map(_cells, rows[:2]))
        opening = 2 if is_parted else int(len(rows) > 1)
    elif opening > MOST_HEADS:
        opening = 1
    while opening > 1 and not _goes_on_as_head(*map(_cells, rows[opening - 2 : opening])):
        opening -= 1
    is_head = all(len(cell) <= LONGEST_HEAD for lines in rows[:opening] for cell in _cells(lines))
    return (rows[:opening], rows[opening:]) if is_head and opening < len(rows) else ([], rows)


def _goes_on_as_head(above: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether a row below a head is a further level of it: it has several cells, and no label of its own where the one
    above has one, unless that is a title."""
    filled = set(filter(None, above))
    has_label = bool(_LETTER.search(cells[0])) and bool(above[0]) and cells[0] != above[0]
    return sum(map(bool, cells)) > 1 and (not has_label or len(filled) == 1)


def _fills_gaps(above: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether a row without a label has something in each column that the row above, which has one, leaves empty."""
    gaps = [cell for over, cell in zip(above, cells, strict=False) if not over]
    return bool(above[0]) and not cells[0] and bool(gaps) and all(gaps)


def _has_values(cells: Sequence[str], *, is_first: bool) -> bool:
    """Whether cells behind the first hold values: not the years of a head, which is the first row or has several of
    them and nothing else."""
    values, years = filter(is_value, cells[1:]), [cell for cell in cells[1:] if YEAR.fullmatch(cell)]
    is_of_years = is_first or (len(years) > 1 and len(years) == sum(map(bool, cells[1:])))
    return any(not is_of_years or not YEAR.fullmatch(cell) for cell in values)


def _width(rows: Sequence[Sequence[Passage]]) -> int:
    return _most_common_width([_cells(lines) for lines in rows])


def _names(heads: Sequence[Sequence[Passage]], width: int) -> list[str]:
    """The name of each column: its heads of all levels, joined; one that stands over several columns counts for each
    until the next."""
    levels = []
    for lines in heads:
        cells = _cells(lines)
        if len(cells) == width:
            levels.append(_spread(cells) if lines is not heads[-1] else cells)
        elif len(cells) == width - 1 and width > 2:
            levels.append(["", *cells])
    return [", ".join(dict.fromkeys(level[column] for level in levels if level[column])) for column in range(width)]


def _spread(cells: Sequence[str]) -> list[str]:
    found: list[str] = []
    for place, cell in enumerate(cells):
        found.append(cell or (found[-1] if place > 1 and found else ""))
    return found


def _cells(lines: Sequence[Passage]) -> list[str]:
    """The cells of a row, what goes on below put behind the last."""
    first, *others = lines
    cells = [" ".join(cell.split()) for cell in tabbed_cells(first)]
    cells[-1] = " ".join([cells[-1], *(" ".join(line.text.split()) for line in others)])
    return cells


def _joined(chunk: ChunkRecord, lines: Sequence[Passage]) -> Passage:
    """The lines of a row as one passage."""
    first, last = lines[0], lines[-1]
    span = Span(first.spans[0].page, first.spans[0].start, last.spans[0].end)
    quote = slice_of(chunk, span)
    if len(lines) == 1 or quote is None:
        return first
    return replace(first, text=" ".join(line.text for line in lines), spans=(span,), quotes=(quote,))
