"""The lines of a document that may open a section, with what is known of their looks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.records.pages import Block, Document, Page, Span
from pincite.structure.numbering import may_start_with_number, read_number

MAX_JOINED = 300
SAME_SIZE = 1.12
_OPEN_END = re.compile(r"(?:[,&]|\b(?:and|or|of|the|to|in|for|with))$", re.IGNORECASE)
_ROMAN_ENDS = frozenset("ivx")
_SILENT = frozenset({"furniture", "footnote", "figure", "caption", "equation"})


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a block. `start` and `end` are offsets in the joined text; `head`: it is the first line of a block
    that is no table.

    `block_text` is the whole text of its block, `after` the text of the block behind it on the page.
    """

    page: int
    start: int
    end: int
    text: str
    head: bool
    block: Block
    block_text: str
    after: str
    after_is_heading: bool


@dataclass(frozen=True, slots=True)
class Body:
    """How running text looks: its size in points (0 where no sizes are known) and whether it is bold."""

    size: float
    bold: bool


def page_offsets(document: Document) -> list[int]:
    """Where each page starts in the joined text (pages joined by form feeds), and the length of it plus one."""
    offsets = [0]
    for page in document.pages:
        offsets.append(offsets[-1] + len(page.text) + 1)
    return offsets


def lines_of(page: Page, offset: int) -> Iterator[Line]:
    """The lines that may open a section, in order: first lines of blocks, lines with a number in front, and all lines
    of a page that looks like a table of contents. A page without blocks is one block.
    """
    if page.blocks and all(item.kind == "table" for item in page.blocks):
        return
    every = may_be_contents(page.text)
    shown = list(_joined(page, [item for item in page.blocks or whole_page(page) if item.kind not in _SILENT]))
    for index, block in enumerate(shown):
        text = page.text[block.span.start : block.span.end]
        following = shown[index + 1] if index + 1 < len(shown) else None
        after = page.text[following.span.start : following.span.end] if following else ""
        position = offset + block.span.start
        for count, line in enumerate(text.split("\n")):
            stripped = line.strip()
            head = count == 0 and block.kind != "table"
            if stripped and (head or every or may_start_with_number(stripped)):
                start = position + len(line) - len(line.lstrip())
                end = position + len(line)
                heading = following is not None and following.kind == "heading"
                yield Line(page.number, start, end, stripped, head, block, text, after, heading)
            position += len(line) + 1


def may_be_contents(text: str) -> bool:
    """A quick look: many lines end with a number."""
    lines = text.split("\n")
    ends = sum(line[-1:].isdigit() or line[-1:] in _ROMAN_ENDS for line in lines)
    return ends >= 2 and ends >= 0.2 * len(lines)


def _joined(page: Page, blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks, with headings put together that were set in several lines apart ("ANNEX B", "(normative)", title)."""
    current: Block | None = None
    for block in blocks:
        if current is not None and _goes_on(page.text, current, block):
            span = Span(page.number, current.span.start, block.span.end)
            current = replace(current, kind="heading", span=span, box=block.box)
            continue
        if current is not None:
            yield current
        current = block
    if current is not None:
        yield current


def _goes_on(text: str, block: Block, following: Block) -> bool:
    if block.kind not in ("heading", "list_item") or following.kind != "heading" or block.level is not None:
        return False
    if text[block.span.end : following.span.start].strip() or following.span.end - block.span.start > MAX_JOINED:
        return False
    start = text[following.span.start : following.span.end]
    if read_number(start):
        return False
    sizes = sorted((block.font_size or 0.0, following.font_size or 0.0))
    is_same = sizes[1] <= SAME_SIZE * sizes[0] and block.bold == following.bold
    has_open_end = bool(_OPEN_END.search(text, max(0, block.span.end - 10), block.span.end))
    if block.kind == "list_item":
        return is_same and has_open_end and bool(read_number(text[block.span.start : block.span.end]))
    if is_bare(text[block.span.start : block.span.end]):
        return True
    return is_same and (start[:1].islower() or has_open_end or _is_close(block, following))


def _is_close(block: Block, following: Block) -> bool:
    """The next line of the same title: right below, and without a number of its own."""
    if block.box is None or following.box is None:
        return False
    gap = following.box.top - block.box.bottom
    return -0.5 * (block.font_size or 0.0) < gap < 0.4 * (block.font_size or 0.0)


def is_bare(text: str) -> bool:
    """A word and a number, without a title: "ANNEX B", "CHAPTER TWO", "Annex C (informative)"."""
    readings = read_number(text)
    rest = text[readings[0].end :].strip() if readings else ""
    return bool(readings) and readings[0].worded and (not rest or (rest[0] == "(" and rest[-1] == ")"))


def whole_page(page: Page) -> tuple[Block, ...]:
    """One paragraph that is the whole page, for documents that come without blocks."""
    return (Block("paragraph", Span(page.number, 0, len(page.text))),) if page.text.strip() else ()


def body_of(document: Document) -> Body:
    """The looks that most characters of paragraphs and list items have."""
    sizes: Counter[float] = Counter()
    bold = total = 0
    for page in document.pages:
        for block in page.blocks:
            if block.kind in ("paragraph", "list_item"):
                length = block.span.end - block.span.start
                sizes[round(block.font_size or 0.0, 1)] += length
                bold += length * block.bold
                total += length
    size = max(sizes, key=lambda item: (sizes[item], -item), default=0.0)
    return Body(size, bool(total) and bold * 2 > total)
