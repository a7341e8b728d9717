"""The sentences of a chunk, each a slice of its pages that can be quoted."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat

from pincite.answer.material.formulas import is_formula, is_left_of_formula, is_mostly_signs
from pincite.printing import printed_lines, squeezed
from pincite.records.chunks import ChunkRecord
from pincite.records.pages import Span
from pincite.text.mend import CUT_WORD, mend
from pincite.text.sentences import goes_on, sentence_bounds

LONGEST_QUOTE = 700
"""Characters of a quote, as docs/design.md section 7 sets it."""
LEAST_WORDS = 2
"""One word is a sign or a cell."""

_NUMBERED = re.compile(r"\(\d+\)P?\s+[A-Z]")
# A symbol and its value: "Ct = 1,0".
_PLAIN_VALUE = re.compile(r"[^\W\d]\S{0,5}(?: \S{1,3})? = [\d.,]+\b")
# The dots of a table of contents.
_LEADERS = ("." * 6, ". " * 6)
# The line between the head and the rows of a table in Markdown, and the bars between cells.
_RULE = re.compile(r"\|?[\s:-]+(?:\|[\s:-]+)*\|?")
_BAR = re.compile(r"(?<!\\)\|")
_WORD = re.compile(r"[^\W\d_]{2,}|[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence (or table line) as it reads, and the slices that it stands on: more than one where it runs over
    a page or column break. `locators` say where each slice of a source without pages stands, `cells` what a table's
    line is parted into, empty ones too."""

    text: str
    kind: str
    spans: tuple[Span, ...]
    quotes: tuple[str, ...]
    locators: tuple[str | None, ...]
    cells: tuple[str, ...] = ()


Passaged = tuple[Passage, ChunkRecord]
Place = tuple[int, int]
"""Page and offset."""


def start_of(passage: Passage) -> Place:
    """Where a passage begins."""
    return passage.spans[0].page, passage.spans[0].start


@dataclass(frozen=True, slots=True)
class _Piece:
    span: Span
    kind: str
    raw: str
    place: int | str | None
    table: int = 0

    def part(self, start: int, end: int) -> _Piece:
        """The piece that a slice of this one's raw text is."""
        place = self.place + self.raw.count("\n", 0, start) if isinstance(self.place, int) else self.place
        span = Span(self.span.page, self.span.start + start, self.span.start + end)
        return _Piece(span, self.kind, self.raw[start:end], place)

    def slice(self, span: Span) -> str:
        return self.raw[span.start - self.span.start : span.end - self.span.start]

    def locator(self, span: Span) -> str | None:
        """The lines of a slice where the source has lines, else what its block says."""
        if not isinstance(self.place, int):
            return self.place
        first = self.place + self.raw.count("\n", 0, span.start - self.span.start)
        last = first + self.slice(span).count("\n")
        return printed_lines(first, last)


def passages_of(chunk: ChunkRecord) -> list[Passage]:
    """The quotable passages of a chunk in order: sentences and table lines of at most 700 characters.

    Headings are none, and neither is what has fewer than two words (a formula, a row of signs) and is no item of a
    list, or the dots of a table of contents.
    """
    passages = [
        passage
        for run in _runs(_pieces(chunk))
        for passage in (_table_lines(run[0]) if run[0].kind == "table" else _sentences(run, chunk.content))
    ]
    before = [None, *passages]
    return [
        passage
        for passage, lead in zip(passages, before, strict=False)
        if _is_quotable(passage) or (lead is not None and lead.text.endswith(":") and _is_command(passage))
    ]


def headings_of(chunk: ChunkRecord) -> list[Passage]:
    """The headings that the chunk opens with, as passages."""
    found = []
    for piece in _pieces(chunk):
        if piece.kind != "heading":
            break
        found.append(_passage(" ".join(piece.raw.split()), [piece], (piece.span,)))
    return found


def headings_inside(chunk: ChunkRecord) -> list[tuple[Passage, bool]]:
    """All headings of a chunk in order, each with whether its section is called by it: what stands under another is a
    part of the section that the outline does not know."""
    titles = [_as_title(title) for title in chunk.section]
    found = []
    for piece in _pieces(chunk):
        if piece.kind != "heading":
            continue
        text = " ".join(piece.raw.split())
        named = _as_title(text)
        own = next((place for place, title in enumerate(titles) if title.startswith(named)), None)
        if own is not None:
            titles[own] = titles[own].removeprefix(named)
        found.append((_passage(text, [piece], (piece.span,)), own is not None))
    return found


def lines_of(chunk: ChunkRecord) -> list[Passage]:
    """Every line of the chunk as a passage, headings and captions too; the cells of a table's line are parted by tabs
    in its quote."""
    return [line for block in blocks_of(chunk) for line in block]


def blocks_of(chunk: ChunkRecord) -> list[list[Passage]]:
    """The same lines, block by block."""
    return [lines for _, lines in _lined(chunk)]


def blocks_with_whole_tables(chunk: ChunkRecord) -> list[list[Passage]]:
    """The same, the blocks of one table as one: the head that a chunk repeats, the rows of a sheet, a page each."""
    joined: list[list[Passage]] = []
    above = 0
    for piece, lines in _lined(chunk):
        if piece.table and piece.table == above:
            joined[-1] += lines
        else:
            joined.append(lines)
        above = piece.table
    return joined


def _lined(chunk: ChunkRecord) -> list[tuple[_Piece, list[Passage]]]:
    """Each piece with its lines; cells are parted alike in all pieces of a table."""
    pieces = _pieces(chunk)
    longest = {piece.table: piece for piece in sorted(pieces, key=lambda piece: len(piece.raw)) if piece.table}
    return [(piece, list(_table_lines(piece, longest.get(piece.table, piece)))) for piece in pieces]


def block_starts(chunk: ChunkRecord) -> list[tuple[int, int, str]]:
    """Where each block of a chunk begins, as page and offset, and its kind."""
    return [(piece.span.page, piece.span.start, piece.kind) for piece in _pieces(chunk)]


def slice_of(chunk: ChunkRecord, span: Span) -> str | None:
    """The raw text of a span that lies in one block of the chunk, None where it does not."""
    position = 0
    for page, start, end, _, _ in chunk.offsets["pieces"]:
        if page == span.page and start <= span.start and span.end <= end:
            return chunk.raw_content[position + span.start - start : position + span.end - start]
        position += end - start + 1
    return None


def _as_title(text: str) -> str:
    """The letters and digits of a title behind its number."""
    return squeezed(text).lstrip("0123456789")


def is_plain_value(text: str) -> bool:
    """Whether a text is a symbol and its value ("Ct = 1,0")."""
    return bool(_PLAIN_VALUE.match(text))


def _is_quotable(passage: Passage) -> bool:
    if sum(map(len, passage.quotes)) > LONGEST_QUOTE or any(leader in passage.text for leader in _LEADERS):
        return False
    if passage.kind == "table" or _PLAIN_VALUE.match(passage.text):
        return True
    if passage.kind == "list_item" and len(passage.text.split()) > 1 and passage.text[-1].isalnum():
        return not is_mostly_signs(passage.text)
    least = 1 if passage.kind == "list_item" else LEAST_WORDS
    words = islice(_WORD.finditer(passage.text), least)
    return len(list(words)) == least and not is_mostly_signs(passage.text)


def _is_command(passage: Passage) -> bool:
    """Whether what stands behind a colon may be a command of few letters ("ls -l")."""
    text = passage.text
    is_short = sum(map(len, passage.quotes)) <= LONGEST_QUOTE
    return is_short and text[:1].isalpha() and not is_left_of_formula(text)


def _pieces(chunk: ChunkRecord) -> list[_Piece]:
    """The parts of blocks that the chunk was made from; their texts, joined by newlines, are its raw content."""
    pieces: list[_Piece] = []
    position = 0
    tables = chain(chunk.offsets.get("tables", ()), repeat(0))
    for (page, start, end, kind, place), table in zip(chunk.offsets["pieces"], tables, strict=False):
        raw = chunk.raw_content[position : position + end - start]
        whole = _Piece(Span(page, start, end), kind, raw, place, table)
        pieces += [whole] if kind == "table" else _without_formulas(whole)
        position += end - start + 1
    return [_as_text(piece, after) for piece, after in zip(pieces, [*pieces[1:], None], strict=False)]


def _as_text(piece: _Piece, after: _Piece | None) -> _Piece:
    """A line that only looks like a heading: the first of a numbered sentence that goes on, or a value."""
    if piece.kind != "heading":
        return piece
    reads_on = after is not None and _NUMBERED.match(piece.raw) and after.raw.lstrip()[:1].islower()
    return replace(piece, kind="paragraph") if reads_on or _PLAIN_VALUE.match(piece.raw) else piece


def _without_formulas(piece: _Piece) -> Iterator[_Piece]:
    """The runs of lines between drawn formulas: the text layer has their signs, but not where they stand."""
    begin = position = 0
    for line in [*piece.raw.split("\n"), None]:
        if line is None or is_formula(line):
            part = piece.raw[begin : max(begin, position - 1)]
            if part.strip():
                yield piece.part(begin, begin + len(part))
            begin = position + len(line or "") + 1
        position += len(line or "") + 1


def _runs(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Pieces without headings; those of one sentence that a page or column break cut in two stay together, and the
    footnotes between come behind it."""
    run: list[_Piece] = []
    notes: list[_Piece] = []
    for piece in pieces:
        if piece.kind == "heading":
            continue
        if run and piece.kind == "footnote" and run[-1].kind != "footnote":
            notes.append(piece)
            continue
        if run and not _continues(run[-1], piece):
            yield run
            yield from _runs(notes)
            run, notes = [], []
        run.append(piece)
    if run:
        yield run
    yield from _runs(notes) if notes else ()


def _continues(piece: _Piece, following: _Piece) -> bool:
    if "table" in (piece.kind, following.kind):
        return False
    return goes_on(piece.raw, following.raw)


def _sentences(run: Sequence[_Piece], vocabulary_text: str) -> Iterator[Passage]:
    raw = "\n".join(piece.raw for piece in run)
    view = mend(raw, _hyphenated(vocabulary_text) if CUT_WORD.search(raw) else frozenset())
    for start, end in sentence_bounds(view.text):
        yield _passage(view.text[start:end], run, _raw_spans(run, *view.raw_span(start, end)))


def _hyphenated(text: str) -> frozenset[str]:
    """Words with a hyphen in the chunk's content, where the decision on line ends was made with the whole document."""
    return frozenset(word.strip(".,;:()").lower() for word in text.split() if "-" in word)


def _table_lines(piece: _Piece, like: _Piece | None = None) -> Iterator[Passage]:
    """The lines of a piece; of a table with their cells, parted as in the piece that it is `like`, or in itself."""
    position, lines = 0, piece.raw.split("\n")
    has_lines = isinstance(piece.place, int)
    delimiter = _delimiter((like or piece).raw.split("\n"), of_source=has_lines) if piece.kind == "table" else ""
    for line in lines:
        stripped = line.strip(" " if piece.kind == "table" else None)
        if stripped.strip() and not (delimiter == "|" and _RULE.fullmatch(stripped)):
            begin = piece.span.start + position + line.index(stripped)
            text = " ".join(mend(stripped).text.split())
            passage = _passage(text, [piece], (Span(piece.span.page, begin, begin + len(stripped)),))
            yield replace(passage, cells=_cells(stripped, delimiter)) if delimiter else passage
        position += len(line) + 1


def _delimiter(lines: Sequence[str], *, of_source: bool) -> str:
    """What parts the cells of a table's lines: a tab; in a source that has lines itself the bars of Markdown, or the
    comma or semicolon that every line has equally often."""
    written = [line.strip() for line in lines if line.strip()]
    if not of_source or any("\t" in line for line in written):
        return "\t"
    if all(line.startswith("|") for line in written):
        return "|"
    counts = {mark: {len(_cells(line, mark)) for line in written} for mark in ";,"}
    return next((mark for mark, found in counts.items() if len(written) > 1 and len(found) == 1 and found != {1}), "\t")


def _cells(line: str, delimiter: str) -> tuple[str, ...]:
    if delimiter == "\t":
        cells = line.split("\t")
    elif delimiter == "|":
        cells = [cell.replace("\\|", "|") for cell in _BAR.split(line.removeprefix("|").removesuffix("|"))]
    elif len(line) > LONGEST_QUOTE:
        cells = line.split(delimiter)
    else:
        cells = next(csv.reader([line.replace("\r", " ")], delimiter=delimiter, skipinitialspace=True), [])
    return tuple(cell.strip() for cell in cells)


def _raw_spans(run: Sequence[_Piece], start: int, end: int) -> tuple[Span, ...]:
    """Offsets in the joined raw text of a run as spans of pages; white space at their ends is left out."""
    spans, position = [], 0
    for piece in run:
        begin, finish = max(start, position), min(end, position + len(piece.raw))
        text = piece.raw[begin - position : finish - position] if begin < finish else ""
        if text.strip():
            first = piece.span.start + begin - position + len(text) - len(text.lstrip())
            spans.append(Span(piece.span.page, first, first + len(text.strip())))
        position += len(piece.raw) + 1
    return tuple(spans)


def _passage(text: str, run: Sequence[_Piece], spans: tuple[Span, ...]) -> Passage:
    holders = [_holder(run, span) for span in spans]
    quotes = tuple(piece.slice(span) for piece, span in zip(holders, spans, strict=True))
    locators = tuple(piece.locator(span) for piece, span in zip(holders, spans, strict=True))
    return Passage(text, run[0].kind, spans, quotes, locators)


def _holder(run: Sequence[_Piece], span: Span) -> _Piece:
    return next(
        piece
        for piece in run
        if piece.span.page == span.page and piece.span.start <= span.start and span.end <= piece.span.end
    )
