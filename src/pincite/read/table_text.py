"""CSV and TSV: the source as it stands (places are its lines), with its cells marked in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pincite.ports import ReadOptions
from pincite.read.encoding import text_of
from pincite.read.plain import line_document
from pincite.read.versions import stamp
from pincite.records.pages import Block, Cell, Document, Span, Table

MAX_CELLS = 200_000
BLOCK_CHARACTERS = 1_000
SNIFFED_LINES = 20
_DELIMITERS = ",;\t|"


class CsvReader:
    """Delimited text. A block is a run of whole rows; the table holds the cells that are not empty."""

    name = "csv"
    suffixes = frozenset({".csv", ".tsv", ".tab"})

    def __init__(self) -> None:
        self.version = stamp(self.name, "1", "charset-normalizer")

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the file at `path`; raise ReadError where it holds no text."""
        text = text_of(path, options.max_characters)
        blocks: list[Block] = []
        cells: list[Cell] = []
        columns = rows = 0
        complete = True
        for rows, row in enumerate(_rows(text, _delimiter(text)), start=1):
            columns = max(columns, len(row))
            _grow(blocks, text, row[0][0], row[-1][1])
            complete = complete and len(cells) + len(row) <= MAX_CELLS
            if complete:
                cells.extend(_cells(text, rows - 1, row))
        return line_document(
            text,
            tuple(blocks),
            self.version,
            tables=(Table(Span(1, 0, len(text)), rows, columns, tuple(cells), partial=not complete),),
            warnings=() if complete else (f"only the first {len(cells):,} cells are known as cells, the rest is text",),
        )


def _rows(text: str, delimiter: str) -> Iterator[list[tuple[int, int]]]:
    """The bounds of the fields of each row that is not blank. A quote that is never closed is a plain character."""
    mark = re.escape(delimiter)
    quoted = r'[ ]*"(?>(?:[^"]|""){0,20000})"[ ]*' + f"(?=[{mark}\n]|\\Z)"
    field = re.compile(f"(?:{quoted}|[^{mark}\n]*+)([{mark}\n]|\\Z)")
    row: list[tuple[int, int]] = []
    position = 0
    while position <= len(text):
        match = field.match(text, position)
        if match is None:
            break
        row.append((match.start(), match.start(1)))
        position = match.end()
        if match[1] != delimiter:
            if text[row[0][0] : row[-1][1]].strip():
                yield row
            row = []
            position += not match[1]


def _cells(text: str, index: int, row: list[tuple[int, int]]) -> Iterator[Cell]:
    for column, (start, end) in enumerate(row):
        piece = text[start:end]
        begin = start + len(piece) - len(piece.lstrip())
        finish = begin + len(piece.strip())
        if finish - begin >= 2 and text[begin] == text[finish - 1] == '"':
            begin, finish = begin + 1, finish - 1
        if text[begin:finish].strip():
            yield Cell(index, column, Span(1, begin, finish), header=index == 0)


def _grow(blocks: list[Block], text: str, start: int, end: int) -> None:
    """Put a row into the last block while that stays short, else into a new one."""
    end = start + len(text[start:end].rstrip())
    start += len(text[start:end]) - len(text[start:end].lstrip())
    last = blocks[-1].span if blocks else None
    if last and end - last.start <= BLOCK_CHARACTERS:
        blocks[-1] = Block("table", Span(1, last.start, end))
    else:
        blocks.append(Block("table", Span(1, start, end)))


def _delimiter(text: str) -> str:
    """The mark that most of the first lines hold equally often."""
    lines = [line for line in text[:100_000].split("\n")[:SNIFFED_LINES] if line.strip()]
    scores = {}
    for mark in _DELIMITERS:
        counts = Counter(line.count(mark) for line in lines)
        counts.pop(0, None)
        scores[mark] = max(((times, count) for count, times in counts.items()), default=(0, 0))
    return max(_DELIMITERS, key=lambda mark: scores[mark])
