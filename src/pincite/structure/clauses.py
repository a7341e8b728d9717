"""Numbered paragraphs below headings: "(3)P" inside a numbered section, "11." counted through a whole document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.structure.lines import Line
from pincite.structure.numbering import read_clause
from pincite.structure.tree import Opening

MAX_GAP = 2
MIN_COUNTED = 12
MIN_PAGES = 3
MIN_SIZE = 7.0
_COUNTED = re.compile(r"(\d{1,3})[.)]?\s+(?=[^\W\d_]|[\"“‘'(])")


def with_clauses(openings: Sequence[Opening], lines: Sequence[Line], *, paged: bool) -> list[Opening]:
    """The openings in order, with those of numbered paragraphs between them. `paged`: they are counted over pages."""
    taken = {opening.start for opening in openings}
    counted = list(_counted(lines, taken, MIN_PAGES if paged else 0))
    merged = sorted([*openings, *counted], key=lambda opening: opening.start)
    return list(_with_marked(merged, lines)) if not counted else merged


def _counted(lines: Sequence[Line], taken: set[int], least_pages: int) -> Iterator[Opening]:
    """Paragraphs that are counted from 0 or 1 through the whole document, where there are enough of them."""
    found: list[tuple[Line, int]] = []
    for line in lines:
        match = _COUNTED.match(line.text) if line.head and line.start not in taken else None
        if match is None or line.block.kind not in ("list_item", "paragraph", "heading"):
            continue
        last = found[-1][1] if found else -1
        if last < int(match[1]) <= (last + MAX_GAP if found else 1):
            found.append((line, int(match[1])))
    pages = found[-1][0].page - found[0][0].page if found else 0
    if len(found) >= MIN_COUNTED and least_pages <= pages < len(found):
        for line, value in found:
            yield Opening(line.start, None, f"para. {value}", "", 0.0, None, clause=True)


def _with_marked(openings: Sequence[Opening], lines: Sequence[Line]) -> Iterator[Opening]:
    """The openings with the clauses "(1)P", "(2)" of numbered sections between them, as far as they count up."""
    waiting = list(reversed(openings))
    current: Opening | None = None
    last = 0
    for line in lines:
        while waiting and waiting[-1].start <= line.start:
            current, last = waiting.pop(), 0
            yield current
        found = read_clause(line.text) if line.head and line.text.startswith("(") else None
        if found is None or current is None or current.number is None:
            continue
        value, text, end = found
        is_note_mark = not line.text[end:].strip() and (line.block.font_size or MIN_SIZE) < MIN_SIZE
        if last < value <= last + MAX_GAP and not is_note_mark:
            last = value
            yield Opening(line.start, current.number, current.label + text, "", 0.0, None, clause=True)
    yield from reversed(waiting)
