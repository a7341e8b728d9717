"""Text that was printed into a page with its lines as they are, such as a manual page: its paragraphs and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.read.plain import paragraphs
from pincite.records.pages import BlockKind

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
