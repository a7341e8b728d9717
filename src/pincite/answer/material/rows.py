"""The rows of the tables of a chunk: drawn ones by their cells, those that lost their lines by what stands in a line or
in a block below a caption."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.answer.material.limits import UNIT
from pincite.answer.material.passages import LONGEST_QUOTE, Passage, Passaged, blocks_of, slice_of
from pincite.answer.words.vocabulary import MONTHS
from pincite.records.chunks import ChunkRecord
from pincite.records.pages import Span

HEAD_LINES = 14
"""Lines just above a row: a head over several lines has a line for each cell. By eye, not measured."""
CAPTION_LINES = 6
"""The first lines of a table: its caption, its unit, its first heads. By eye, not measured."""
NEIGHBOURS = 2
"""Lines on either side, of all of which as many have to look like rows, too; one alone may be a sentence. By eye."""
LONGEST_LINE = 140
"""Characters: longer lines are prose. By eye, not measured."""

CAPTION = re.compile(r"^(?P<label>(?:Table|Tabelle|Tableau|Tab\.)\s+[A-Z]?\.?\d+(?:[.\-]\d+)*[a-z]?)", re.I | re.M)

# A cell that is a number, with sign, currency, range, brackets, unit and stars.
_NUMBER = r"(?:\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3}(?!\d))+|\d)[\d.,]*"
_VALUE = re.compile(
    rf"(?!\d+\.\d+\.\d)\(?[-–]?(?:[$€£]\s?)?\(?{_NUMBER}(?:\s(?:to|–|-)\s{_NUMBER})?\)?\s?(?:%|{UNIT})?\*{{0,3}}"
)
_BLANK = re.compile(r"[-–—.·]{1,3}|n\.?\s?/?\s?[ak]\.?|nil|none|not applicable", re.I)
_MOMENT = re.compile(
    rf"(?:\d{{4}}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{{2,4}})?(?:[T ]?\d\d?:\d\d(?::\d\d)?)?"
    rf"|(?:\d\d?\.?\s)?(?:{'|'.join(name for months in MONTHS for name in months)})\.?(?:\s\d\d?,?)?(?:\s\d{{4}})?",
    re.I,
)
# Where a line of a table parts: at tabs, and at spaces between values.
_SPLIT = re.compile(r"\t|(?<=[\d)%]) (?=[$(\d–—-])")
# Up to six words and a decimal number: a row without lines or cells.
_LOOSE_ROW = re.compile(
    r"(?P<label>(?:[^\W\d_][\w-]*,?\s){1,6}(?<!\bto\s))(?P<value>\d+[.,]\d+(?:\s(?:to|–|-)\s\d+[.,]\d+)?)"
)
_NUMBER = r"(?!\d+\.\d+\.\d)-?\d+(?:[.,]\d+)*(?:\s(?:to|–|-)\s\d+(?:[.,]\d+)*)?%?"
# A line that ends in values, marks of footnotes behind them aside.
_ENDS_IN_VALUES = re.compile(rf"(?P<label>.*?)(?P<values>(?:(?:^|(?<=\s)){_NUMBER}(?:\s|$))+)(?:\d\))*$")
# Words in front of a number that point to a place.
_POINTS = re.compile(r"\b(?:table|section|figure|annex|part|clause|expression|page|see|and|to|than|of|at|in)\s*$", re.I)
_PROSE = re.compile(r"^(?:NOTE\b|\(\d+\)P?\s)|[^\W\d_]{3,}\.$")


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: the parts of its label (its cells, or its lines), its values, the lines that it stands on, and those above
    it, from its caption on where it has one."""

    labels: tuple[str, ...]
    values: tuple[str, ...]
    lines: tuple[Passaged, ...]
    above: tuple[Passaged, ...]

    @property
    def label(self) -> str:
        """The whole label."""
        return " ".join(self.labels)

    @property
    def caption(self) -> Passage | None:
        """The caption of its table, None where it has lost it."""
        return next((line for line, _ in self.above[:1] if CAPTION.match(line.text)), None)

    @property
    def chunk(self) -> ChunkRecord:
        """The chunk that it stands in."""
        return self.lines[0][1]


Cells = tuple[tuple[str, ...], tuple[str, ...], tuple[Passaged, ...]]


def rows_of(chunk: ChunkRecord, before: ChunkRecord | None) -> Iterator[TableRow]:
    """The rows of a chunk in order; a table at its beginning has its caption and head in the chunk before it; a drawn
    one behind rows that lost their lines has its own."""
    above = _left_open(before) if before is not None else []
    captioned, is_loose = bool(above), False
    for block in blocks_of(chunk):
        lines = [(line, chunk) for line in block]
        if is_loose and block[:1] and block[0].kind == "table":
            above, captioned, is_loose = [], False, False
        for index, (line, _) in enumerate(lines):
            if CAPTION.match(line.text):
                above, captioned, is_loose = [], True, False
            elif is_prose(line):
                captioned = False
            for labels, values, stands_on in _rows_at(lines, index, captioned=captioned):
                is_loose = is_loose or line.kind != "table"
                yield TableRow(labels, values, stands_on, _near(above))
            above.append(lines[index])


def table_label(caption: Passage | None) -> str | None:
    """ "Table 4.1" of its caption."""
    match = CAPTION.match(caption.text) if caption is not None else None
    return match["label"] if match else None


def cells_of(line: Passage) -> tuple[str, tuple[str, ...]]:
    """The label of a table's line and the values behind it."""
    cells = _split(line)
    values = tuple(cell for cell in cells[1:] if is_value(cell))
    return " ".join(cell for cell in cells if not is_value(cell)), values


def tabbed_cells(line: Passage) -> list[str]:
    """The cells of a drawn table's line, empty ones too; of another line all of it."""
    return [*(line.cells or (line.quotes[0].strip(),))]


def _split(line: Passage) -> list[str]:
    parts = (part for cell in tabbed_cells(line) for part in _SPLIT.split(cell))
    return [part.strip() for part in parts if part.strip(" $")]


def is_value(cell: str) -> bool:
    """Whether a cell holds a value and nothing else."""
    return bool(_VALUE.fullmatch(cell))


def is_blank(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return not cell or bool(_BLANK.fullmatch(cell))


def is_figure(cell: str) -> bool:
    """Whether a cell holds a value, a date or a time and nothing else, or says that there is none."""
    return is_value(cell) or is_blank(cell) or bool(_MOMENT.fullmatch(cell))


def is_prose(line: Passage) -> bool:
    """Whether a line is no part of a table: a long one, a note, the end of a sentence."""
    return line.kind not in ("table", "caption") and (len(line.text) > LONGEST_LINE or bool(_PROSE.search(line.text)))


def _left_open(chunk: ChunkRecord) -> list[Passaged]:
    """The lines from the last caption of a chunk on, where no prose stands behind it."""
    lines: list[Passaged] = []
    if not CAPTION.search(chunk.content):
        return lines
    for block in blocks_of(chunk):
        for line in block:
            if CAPTION.match(line.text):
                lines = [(line, chunk)]
            elif is_prose(line):
                lines = []
            elif lines:
                lines.append((line, chunk))
    return lines


def _near(above: Sequence[Passaged]) -> tuple[Passaged, ...]:
    """The first lines of a table and those just above a row of it."""
    return (*above[:CAPTION_LINES], *above[CAPTION_LINES:][-HEAD_LINES:])


def _rows_at(block: Sequence[Passaged], index: int, *, captioned: bool) -> Iterator[Cells]:
    """The rows that a line is, or ends: one; two that stand side by side; that of its whole block; none."""
    passage = block[index][0]
    if passage.kind == "table":
        yield from _cells(block[index])
    elif captioned:
        yield from _captioned(block, index)
    elif match := _LOOSE_ROW.fullmatch(_plain(passage)):
        around = block[max(0, index - NEIGHBOURS) : index + NEIGHBOURS + 1]
        if sum(bool(_LOOSE_ROW.fullmatch(_plain(line))) for line, _ in around) > NEIGHBOURS:
            yield (match["label"].strip(),), (match["value"],), (block[index],)


def _cells(line: Passaged) -> Iterator[Cells]:
    """The row of a drawn table; where labels and values take turns, tables stand side by side."""
    _, values = cells_of(line[0])
    cells = tabbed_cells(line[0])
    pairs = list(zip(cells[::2], cells[1::2], strict=False))
    taking_turns = len(cells) > 2 and len(cells) % 2 == 0 and len(values) == len(pairs)
    if taking_turns and all(is_value(value) and not is_value(name) and name for name, value in pairs):
        for name, value in pairs:
            yield (name,), (value,), (line,)
    elif (values or (len(cells) > 1 and all(map(is_blank, cells[1:])))) and (
        names := tuple(cell for cell in _split(line[0]) if not is_value(cell) and not is_blank(cell))
    ):
        yield names, values, (line,)


def _captioned(block: Sequence[Passaged], index: int) -> Iterator[Cells]:
    """Below a caption a line that ends in values is a row; the only one such in a block of several lines has them all
    for its label."""
    label, values = _ending(block[index][0])
    if not values:
        return
    if sum(bool(_ending(line)[1]) for line, _ in block) == 1:
        labels = [_ending(line)[0] or "" for line, _ in block]
        yield tuple(filter(None, labels)), values, _as_one(block)
    elif label:
        yield (label,), values, (block[index],)


def _as_one(block: Sequence[Passaged]) -> tuple[Passaged, ...]:
    """The lines of a block as one passage, where that is no longer than a quote may be."""
    (first, chunk), (last, _) = block[0], block[-1]
    span = Span(first.spans[0].page, first.spans[0].start, last.spans[0].end)
    quote = slice_of(chunk, span) if span.end - span.start <= LONGEST_QUOTE else None
    if quote is None:
        return tuple(block)
    text = " ".join(line.text for line, _ in block)
    return ((replace(first, text=text, spans=(span,), quotes=(quote,)), chunk),)


def _ending(line: Passage) -> tuple[str, tuple[str, ...]]:
    """A line as its label and the values at its end."""
    text = _plain(line)
    match = _ENDS_IN_VALUES.fullmatch(text)
    if match is None or _POINTS.search(match["label"]) or CAPTION.match(text):
        return text, ()
    return match["label"].strip(), tuple(re.findall(_NUMBER, match["values"]))


def _plain(line: Passage) -> str:
    return " ".join(line.text.split())
