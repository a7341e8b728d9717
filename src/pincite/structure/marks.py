"""Small things that are pointed to by their mark: footnotes, notes, items of lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.records.outlines import Anchor, AnchorKind
from pincite.structure.placed import Nest, Placed

MAX_TITLE = 80
MAX_GAP = 10
_FOOTNOTE_LINE = re.compile(r"^[(\[]?(?P<mark>\d{1,3}|[*†‡§]{1,3})[)\].]?\s+(?=\S)", re.MULTILINE)
_NOTE_LINE = re.compile(
    r"^(?:(?:NOTE|ANMERKUNG|REMARQUE)|\A(?:Note|Anmerkung))(?![^\W\d])\s?(?P<mark>\d{1,2})?"
    r"\s?(?:[:.)\u2013\u2014-]\s*|(?=\s?[A-Z])\s?|$)",
    re.MULTILINE,
)
_ITEM = re.compile(r"[(\[]?(?P<mark>[a-z]{1,2}|[ivxl]{1,6}|[A-Z]|\d{1,2})[)\].]P?\s+(?=\S)")


def find_marks(pages: Sequence[Sequence[Placed]], nest: Nest) -> Iterator[Anchor]:
    """Footnotes, notes and list items, in order; what is a section of its own is left out."""
    last = 0
    for blocks in pages:
        for at in blocks:
            if at.block.kind == "footnote":
                found = list(_footnotes(at, last))
                last = max([last, *(int(item.number or 0) for item in found if (item.number or "").isdigit())])
                yield from found
            elif _NOTE_LINE.search(at.text):
                yield from _marked(at, "note", list(_NOTE_LINE.finditer(at.text)))
            elif at.block.kind == "list_item" and not nest.starts_at(at.start) and (item := _ITEM.match(at.text)):
                yield from _marked(at, "list_item", [item])


def _footnotes(at: Placed, last: int) -> Iterator[Anchor]:
    """The footnotes of a block: the first line's, and those of lines with the number that comes next."""
    taken: list[re.Match[str]] = []
    for match in _FOOTNOTE_LINE.finditer(at.text):
        is_number = match["mark"].isdigit()
        fits = int(match["mark"]) <= last + MAX_GAP if is_number else not taken
        if (match.start() == 0 and fits) or (taken and is_number and int(match["mark"]) == last + 1):
            taken.append(match)
            last = int(match["mark"]) if is_number else last
    yield from _marked(at, "footnote", taken)


def _marked(at: Placed, kind: AnchorKind, marks: Sequence[re.Match[str]]) -> Iterator[Anchor]:
    """One anchor a mark, each up to the next."""
    ends = [*(match.start() for match in marks[1:]), len(at.text)]
    for match, end in zip(marks, ends, strict=False):
        words = at.text[match.start() : end].rstrip()
        title = " ".join(at.text[match.end() : end][:MAX_TITLE].split())
        start = at.start + match.start()
        yield Anchor(0, kind, match["mark"], title, at.page.number, start, start + len(words), None, at.block.box)
