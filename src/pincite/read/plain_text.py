"""Texts without pages: plain text, CSV and TSV, whose places are line numbers; RTF; text that keeps its printed lines,
such as a manual page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.encoding import clean, read_bytes, text_of
from pincite.read.parts import PartBuilder, Places, RawCell, one_part
from pincite.records.pages import Block, BlockKind, Cell, Document, Page, Span, Table
from pincite.text.sentences import trimmed


def read_plain(path: Path, options: ReadOptions) -> Document:
    """Text, logs, JSON and the like: paragraphs are runs of lines that are not blank, an underlined line is a heading.
    ReadError where there is no text."""
    text = text_of(path, options.max_characters)
    return line_document(text, tuple(_text_blocks(text)))


_UNDERLINED = re.compile(
    r"^[^\S\n]*(?P<head>\S[^\n]{2,100})\n[^\S\n]*(?P<rule>(?P<sign>[=~^*-])(?P=sign){2,})[^\S\n]*$", re.M
)
MOST_UNLIKE = 3
"""Characters by which a rule may be longer or shorter than the heading above it: of 14,960 lines with one below them in
1,295 texts of installed packages 13,343 are as long, 442 differ by at most three; the others mostly end a table."""


def _text_blocks(text: str) -> Iterator[Block]:
    """Paragraphs and underlined headings, whose levels are told by the signs under them, in the order they come up."""
    levels: dict[str, int] = {}
    for start, end in paragraphs(text):
        done = start
        for match in _UNDERLINED.finditer(text, start, end):
            if match.start() < done or abs(len(match["head"].rstrip()) - len(match["rule"])) > MOST_UNLIKE:
                continue
            if text[done : match.start()].strip(f"{match['sign']} \n"):
                yield from _paragraph_or_entries(text, done, match.start())
            level = levels.setdefault(match["sign"], len(levels) + 1)
            yield block("heading", text, *match.span("head"), level=level)
            done = match.end()
        if text[done:end].strip():
            yield from _paragraph_or_entries(text, done, end)


_OPENS_ENTRY = re.compile(r"\s*[\[(]?\d(?!.*\.{4})")


def _paragraph_or_entries(text: str, start: int, end: int) -> Iterator[Block]:
    """A paragraph; each of its lines by itself where all open with a number or a date, as those of a log do, none leads
    to a page, as those of contents do, and none ends where its width does: the word behind a break would have fitted
    in front of it."""
    start = end - len(text[start:end].lstrip("\n"))
    lines = text[start:end].rstrip("\n").split("\n")
    width = max(map(len, lines))
    has_room = [
        len(line) + 1 + len(behind.split(maxsplit=1)[0]) <= width
        for line, behind in pairwise(lines)
        if len(line) < width
    ]
    if not has_room or not all(has_room) or not all(map(_OPENS_ENTRY.match, lines)):
        yield block("paragraph", text, start, end)
        return
    for line in lines:
        yield block("paragraph", text, start, start + len(line))
        start += len(line) + 1


def line_document(
    text: str,
    blocks: tuple[Block, ...],
    *,
    tables: tuple[Table, ...] = (),
    title: str | None = None,
    warnings: tuple[str, ...] = (),
) -> Document:
    """A document of one part whose places are lines."""
    page = Page(1, text, blocks, tables)
    return Document((page,), title=title, paged=False, locators="line", warnings=warnings)


def block(kind: BlockKind, text: str, start: int, end: int, *, level: int | None = None) -> Block:
    """A block of `text[start:end]` without the white space at its ends."""
    return Block(kind, Span(1, *trimmed(text, start, end)), level=level)


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """The bounds of each run of lines that are not blank."""
    begin: int | None = None
    offset = 0
    for line in text.split("\n"):
        if line.strip():
            begin = offset if begin is None else begin
        elif begin is not None:
            yield begin, offset
            begin = None
        offset += len(line) + 1
    if begin is not None:
        yield begin, len(text)


HEADING_LEVEL = 2
"""Of the headings: what the page itself is called stands above them."""
LEAST_WORDS = 8
LEAST_PARAGRAPHS = 3
LEAST_PLAIN = 0.7
"""What makes prose of lines, where half of them stand in such paragraphs: so many words, this share of them letters
alone (code is not). By eye, not measured."""
_HEADING = re.compile(r"[A-Z][A-Z0-9 ,&/()-]{1,60}(?=\n[ \t]|\Z)")
_RUNNING_HEAD = re.compile(r"(?P<name>\S{1,80}\(\w{1,4}\))\s[^\n]*?(?P=name)")
_PLAIN_WORD = re.compile(r"[(\"'“‘]?[^\W\d_]+(?>(?:[-'’][^\W\d_]+)*)[.,;:!?)\"'”’]*")
_ENDS = frozenset(".:!?")
Piece = tuple[BlockKind, int, int]


def is_prose(text: str) -> bool:
    """Whether lines are mostly sentences in paragraphs, and no code, figure or table."""
    told = [end - start for start, end in paragraphs(text) if _is_paragraph(text[start:end])]
    return len(told) >= LEAST_PARAGRAPHS and 2 * sum(told) >= len(text.strip())


def printed_pieces(text: str) -> Iterator[Piece]:
    """The kind and bounds of each block: runs of lines between blank ones; a line of capitals above indented ones is a
    heading, and the name of a manual page at both ends of a line its running head."""
    for start, end in paragraphs(text):
        run = text[start:end].rstrip()
        if _RUNNING_HEAD.fullmatch(run):
            yield "furniture", start, end
            continue
        heading = _HEADING.match(run)
        below = start if heading is None else start + heading.end()
        if below > start:
            yield "heading", start, below
        if text[below:end].strip():
            yield "paragraph", below, end


def _is_paragraph(run: str) -> bool:
    words = run.split()
    if len(words) < LEAST_WORDS or words[-1][-1] not in _ENDS:
        return False
    return sum(map(bool, map(_PLAIN_WORD.fullmatch, words))) >= LEAST_PLAIN * len(words)


MAX_CELLS = 200_000
BLOCK_CHARACTERS = 1_000
SNIFFED_LINES = 20
_DELIMITERS = ",;\t|"


def read_csv(path: Path, options: ReadOptions) -> Document:
    """Delimited text. A block is a run of whole rows; the table holds the cells that are not empty. ReadError where
    there is no text."""
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
        begin, finish = trimmed(text, start, end)
        if finish - begin >= 2 and text[begin] == text[finish - 1] == '"':
            begin, finish = begin + 1, finish - 1
        if text[begin:finish].strip():
            yield Cell(index, column, Span(1, begin, finish), header=index == 0)


def _grow(blocks: list[Block], text: str, start: int, end: int) -> None:
    """Put a row into the last block while that stays short, else into a new one."""
    start, end = trimmed(text, start, end)
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


MAX_RTF_BYTES = 64 * 2**20
_CELL = "|"
"""What striprtf puts behind each cell of a table."""


def read_rtf(path: Path, options: ReadOptions) -> Document:
    """Rich text. Pictures and what is embedded never appear; styles are not looked at, so there are no headings.
    ReadError where the file is no RTF or holds no text."""
    data = read_bytes(path, MAX_RTF_BYTES)
    if not data.lstrip().startswith(b"{\\rtf"):
        raise ReadError("is damaged or of another kind: it does not begin as RTF does")
    builder, places = PartBuilder(1, options.max_characters), Places()
    rows: list[list[RawCell]] = []
    for line in [*_text(data).split("\n"), ""]:
        if line.rstrip().endswith(_CELL):
            rows.append([RawCell(cell) for cell in line.rstrip()[:-1].split(_CELL)])
            continue
        if rows:
            builder.add_table(rows, locator=places.block())
            rows = []
        if line.strip():
            builder.add("paragraph", line, locator=places.block())
    return one_part(builder.page())


def _text(data: bytes) -> str:
    """The plain text; characters that RTF writes as two halves are put together."""
    from striprtf.striprtf import rtf_to_text

    convert: Callable[..., str] = rtf_to_text
    try:
        text = convert(data.decode("cp1252", "replace"), errors="replace")
    except (ValueError, TypeError, LookupError, IndexError) as error:
        raise ReadError(f"is damaged: it cannot be taken apart as RTF ({error})") from error
    return clean(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\xad", ""))
