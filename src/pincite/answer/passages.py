"""The sentences of a chunk, each a slice of its pages that can be quoted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.records import ChunkRecord, Span
from pincite.text.mend import mend
from pincite.text.sentences import sentence_bounds

LONGEST_QUOTE = 700
SENTENCE_ENDS = ".!?:;…。！？"


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence (or table line) as it reads, and the slices that it stands on: more than one where it runs over
    a page or column break."""

    text: str
    kind: str
    spans: tuple[Span, ...]
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    span: Span
    kind: str
    raw: str


def passages_of(chunk: ChunkRecord) -> list[Passage]:
    """The quotable passages of a chunk in order: sentences and table lines of at most 700 characters, no headings."""
    passages = [
        passage
        for run in _runs(_pieces(chunk))
        for passage in (_table_lines(run[0]) if run[0].kind == "table" else _sentences(run, chunk.content))
    ]
    return [passage for passage in passages if sum(map(len, passage.quotes)) <= LONGEST_QUOTE]


def _pieces(chunk: ChunkRecord) -> list[_Piece]:
    """The parts of blocks that the chunk was made from; their texts, joined by newlines, are its raw content."""
    pieces, position = [], 0
    for page, start, end, kind in chunk.offsets["pieces"]:
        pieces.append(_Piece(Span(page, start, end), kind, chunk.raw_content[position : position + end - start]))
        position += end - start + 1
    return pieces


def _runs(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Pieces without headings; those of one sentence that a page or column break cut in two stay together."""
    run: list[_Piece] = []
    for piece in pieces:
        if piece.kind == "heading":
            continue
        if run and not _continues(run[-1], piece):
            yield run
            run = []
        run.append(piece)
    if run:
        yield run


def _continues(piece: _Piece, following: _Piece) -> bool:
    if "table" in (piece.kind, following.kind):
        return False
    ending, beginning = piece.raw.rstrip(), following.raw.lstrip()
    return bool(ending) and ending[-1] not in SENTENCE_ENDS and beginning[:1].islower()


def _sentences(run: Sequence[_Piece], vocabulary_text: str) -> Iterator[Passage]:
    raw = "\n".join(piece.raw for piece in run)
    view = mend(raw, _hyphenated(vocabulary_text))
    for start, end in sentence_bounds(view.text):
        spans = _raw_spans(run, *view.raw_span(start, end))
        quotes = tuple(_slice(run, span) for span in spans)
        yield Passage(view.text[start:end], run[0].kind, spans, quotes)


def _hyphenated(text: str) -> frozenset[str]:
    """Words with a hyphen in the chunk's content, where the decision on line ends was made with the whole document."""
    return frozenset(word.strip(".,;:()").lower() for word in text.split() if "-" in word)


def _table_lines(piece: _Piece) -> Iterator[Passage]:
    position = 0
    for line in piece.raw.split("\n"):
        stripped = line.strip()
        if stripped:
            begin = piece.span.start + position + line.index(stripped)
            text = " ".join(mend(stripped).text.split())
            yield Passage(text, "table", (Span(piece.span.page, begin, begin + len(stripped)),), (stripped,))
        position += len(line) + 1


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


def _slice(run: Sequence[_Piece], span: Span) -> str:
    piece = next(p for p in run if p.span.page == span.page and p.span.start <= span.start and span.end <= p.span.end)
    return piece.raw[span.start - piece.span.start : span.end - piece.span.start]
