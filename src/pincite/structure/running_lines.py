"""Running heads and feet of text that was printed into a file: lines that come again on every page of it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pincite.records.pages import Block, Document, Page

LEAST_PAGES = 3
"""Pages of which a line is the head or foot: fewer may be chance. By eye, not measured."""
LONGEST_LINE = 200
"""Characters. By eye, not measured."""
SHORTEST_PAGE = 20
"""Lines from one foot to the next; printers put 50 to 70 on a page. By eye, not measured."""
UNEVEN = 1.3
"""How many times the lines of the shortest page the longest one has. By eye, not measured."""
_NUMBER = re.compile(r"\d+")
_PAGE_BREAK = "\f"


def running_lines(document: Document) -> list[set[int]]:
    """For each page the positions of the blocks that are heads and feet of the pages that a text was printed on: lines
    that come again with other numbers at all turns of pages but the first. A page turns at a form feed, and behind a
    line whose number counts pages of one length."""
    if document.locators != "line":
        return [set() for _ in document.pages]
    return [_running(page) for page in document.pages]


def _running(page: Page) -> set[int]:
    lines = {index: text for index, block in enumerate(page.blocks) if (text := _line(page, block))}
    alike: dict[str, list[int]] = defaultdict(list)
    for index, text in lines.items():
        alike[_NUMBER.sub("0", " ".join(text.split()))].append(index)
    often = [found for found in alike.values() if len(found) >= LEAST_PAGES]
    if _PAGE_BREAK in page.text:
        turns = {index for found in often for index in found if _is_at_break(page, index)}
    else:
        feet = [found for found in often if _count_pages(page, found, lines)]
        turns = {index + step for found in feet for index in found for step in (0, 1)}
    return set().union(*(found for found in often if len(turns.intersection(found)) >= len(found) - 1))


def _line(page: Page, block: Block) -> str:
    """The text of a block that is one line; empty otherwise."""
    length = block.span.end - block.span.start
    if block.kind == "heading" or length > LONGEST_LINE:
        return ""
    text = page.text[block.span.start : block.span.end]
    return "" if "\n" in text.strip() else text


def _is_at_break(page: Page, index: int) -> bool:
    """Whether nothing but a page break stands on one side of a block."""
    return any(_PAGE_BREAK in gap for gap in _gaps(page, index))


def _gaps(page: Page, index: int) -> Iterator[str]:
    """What stands between a block and its neighbours."""
    blocks = page.blocks
    before = blocks[index - 1].span.end if index else 0
    after = blocks[index + 1].span.start if index + 1 < len(blocks) else len(page.text)
    yield page.text[before : blocks[index].span.start]
    yield page.text[blocks[index].span.end : after]


def _count_pages(page: Page, found: Sequence[int], lines: dict[int, str]) -> bool:
    """Whether the last numbers of these lines count by one, over pages of one length."""
    numbers = [_NUMBER.findall(lines[index]) for index in found]
    if not all(numbers):
        return False
    counted = all(int(after[-1]) == int(before[-1]) + 1 for before, after in pairwise(numbers))
    ends = [page.blocks[index].span.end for index in found]
    lengths = [page.text.count("\n", *pair) for pair in pairwise(ends)]
    return counted and min(lengths) >= SHORTEST_PAGE and max(lengths) <= UNEVEN * min(lengths)
