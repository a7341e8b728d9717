"""Tables and figures as anchors: the caption with the grid and notes below it, and the region of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.records.outlines import Anchor
from pincite.records.pages import Box
from pincite.structure.captions import Caption, captions_of, find_captions
from pincite.structure.placed import Nest, Placed

PROSE_WORDS = 14
TEXT_WORDS = 8
MARGIN = 0.07
MIN_FIGURE = 0.08
_NOTE = re.compile(r"\W{0,4}(?:NOTE|Notes?|Key|Source|where|[a-z0-9*†‡]\)?)\b", re.IGNORECASE)
_MARKED = re.compile(r"\W{0,4}(?:NOTE|Note|where\b|\(\d{1,2}\)|\d{1,2}(?:\.\d{1,2})+\.?\s+[A-Z])")
_WORD = re.compile(r"[a-z]{2}")


def find_exhibits(pages: Sequence[Sequence[Placed]], nest: Nest) -> Iterator[Anchor]:
    """Tables and figures with a caption, and the grids that have none (as tables without number)."""
    captions = find_captions(pages, nest)
    starts = {caption.start for caption in captions}
    blocks_of = {blocks[0].page.number: blocks for blocks in pages if blocks}
    anchors = [(caption, _anchor(caption, blocks_of[caption.at.page.number], nest, starts)) for caption in captions]
    yield from (anchor for caption, anchor in anchors if not caption.continued)
    yield from _nameless(pages, sorted((anchor.start, anchor.end) for _, anchor in anchors))


def headings_in_exhibits(pages: Sequence[Sequence[Placed]]) -> set[int]:
    """Where blocks start that look like headings and belong to a table (between its caption and text) or to a figure
    (between text and its caption).
    """
    found: set[int] = set()
    for blocks in pages:
        kinds = [next((caption.kind for caption in captions_of(at, blocks)), None) for at in blocks]
        prose = [_is_prose(at) for at in blocks]
        in_table = False
        for index, at in enumerate(blocks):
            in_table = kinds[index] == "table" or (in_table and not prose[index])
            if in_table and at.block.kind == "heading" and not (index + 1 < len(blocks) and prose[index + 1]):
                found.add(at.start)
        in_figure = False
        for index in range(len(blocks) - 1, -1, -1):
            in_figure = kinds[index] == "figure" or (in_figure and not prose[index] and kinds[index] is None)
            if in_figure and blocks[index].block.kind == "heading":
                found.add(blocks[index].start)
    return found


def _anchor(caption: Caption, blocks: Sequence[Placed], nest: Nest, captions: set[int]) -> Anchor:
    start, end, box = caption.start, caption.end, caption.at.block.box
    if caption.kind == "figure":
        box = _region(caption.at, blocks)
    else:
        parts = _table_parts(caption, blocks, nest, captions)
        start, end = min(start, parts[0].start), max(end, min(parts[-1].end, nest.next_start(start) or parts[-1].end))
        box = _around([part.block.box for part in parts])
    return Anchor(0, caption.kind, caption.number, caption.title, caption.at.page.number, start, end, None, box)


def _table_parts(caption: Caption, blocks: Sequence[Placed], nest: Nest, captions: set[int]) -> list[Placed]:
    """The blocks of a table: the caption's, and those below that are its rows and notes; else a grid right above."""
    limit = nest.next_start(caption.start)
    parts = [caption.at]
    for at in blocks[caption.at.index + 1 :]:
        behind = limit is not None and at.start >= limit
        if behind or at.start in captions or at.block.kind == "caption" or _is_prose(at):
            break
        parts.append(at)
    above = blocks[caption.at.index - 1] if caption.at.index else None
    if len(parts) == 1 and above is not None and above.block.kind == "table" and caption.at.block.kind != "table":
        return [above, caption.at]
    return parts


def _is_prose(at: Placed) -> bool:
    """Running text, which is no part of a table; notes below a table are."""
    if at.block.kind == "table" or _NOTE.match(at.text):
        return False
    longest = max(len(line.split()) for line in at.text.split("\n"))
    return longest >= PROSE_WORDS or (at.block.kind == "list_item" and _ends_sentence(at.text))


def _ends_sentence(text: str) -> bool:
    """Words stand before the full stop at its end."""
    words, stop, behind = text.rpartition(".")
    return bool(stop) and not behind.strip() and _WORD.search(words, words.rfind(".") + 1) is not None


def _region(at: Placed, blocks: Sequence[Placed]) -> Box | None:
    """From the running text above down to the caption, as wide as the page but for its margins; where there is no room
    above, from the caption to the running text below.
    """
    box = at.block.box
    if box is None:
        return None
    boxes = [other.block.box for other in blocks if other.block.box is not None]
    limits = [
        other.block.box for other in blocks if other is not at and other.block.box is not None and _is_limit(other)
    ]
    height, width = at.page.height, at.page.width
    left = min(MARGIN * width, *(other.left for other in boxes))
    right = max((1 - MARGIN) * width, *(other.right for other in boxes))
    top = max((other.bottom for other in limits if other.bottom <= box.top), default=MARGIN * height)
    bottom = min((other.top for other in limits if other.top >= box.bottom), default=(1 - MARGIN) * height)
    if box.top - top < MIN_FIGURE * height < bottom - box.bottom:
        return Box(left, box.top, right, bottom)
    return Box(left, min(top, box.top), right, box.bottom)


def _is_limit(at: Placed) -> bool:
    """A figure does not go beyond it: text, notes, numbered paragraphs, captions; words inside a figure are few."""
    if at.block.kind == "caption" or _MARKED.match(at.text):
        return True
    return max(len(line.split()) for line in at.text.split("\n")) >= TEXT_WORDS


def _around(boxes: Sequence[Box | None]) -> Box | None:
    known = [box for box in boxes if box is not None]
    if not known:
        return None
    return Box(
        min(box.left for box in known),
        min(box.top for box in known),
        max(box.right for box in known),
        max(box.bottom for box in known),
    )


def _nameless(pages: Sequence[Sequence[Placed]], covered: Sequence[tuple[int, int]]) -> Iterator[Anchor]:
    """The tables that lie in no captioned one."""
    waiting = list(reversed(covered))
    for blocks in pages:
        for at in blocks:
            if at.block.kind != "table":
                continue
            while waiting and waiting[-1][1] <= at.start:
                waiting.pop()
            if not waiting or at.start < waiting[-1][0]:
                yield Anchor(0, "table", None, "", at.page.number, at.start, at.end, None, at.block.box)
