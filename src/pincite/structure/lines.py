"""A document as joined text: the lines that may open a section, with their looks; blocks with their place and section;
pages by what text calls them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.records.outlines import PageStart, Section, Target
from pincite.records.pages import Block, Document, Page, Span, page_offsets
from pincite.structure.numbering import may_start_with_number, read_number
from pincite.structure.places import DIGIT_FOR, LETTERS_FOR

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


def lines_of(page: Page, offset: int) -> Iterator[Line]:
    """The lines that may open a section, in order: first lines of blocks, lines with a number in front, and all lines
    of a page that looks like a table of contents. A page without blocks is one block.
    """
    if page.blocks and all(item.kind == "table" for item in page.blocks):
        return
    every = may_be_contents(page.text)
    shown = list(_joined(page, [item for item in page.blocks or whole_page(page) if item.kind not in _SILENT]))
    for index, block in enumerate(shown):
        text = page.text_of(block.span)
        following = shown[index + 1] if index + 1 < len(shown) else None
        after = page.text_of(following.span) if following else ""
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


_MISREAD_FIRST = re.compile(r"[lIOSB]{1,2}(?=\.)")
_MISREAD_REST = re.compile(r"(?<=\.)[\dlIOSBos]{1,3}(?=\.|[a-z]?$)")
_MISREAD_FOUR = re.compile(r"(?:(?<=^[A-Z])|(?<=^\d))A(?=[a-z]?$)")


@dataclass(frozen=True, slots=True)
class Placed:
    """A block of a page. `start` is its offset in the joined text, `index` counts the blocks of its page."""

    page: Page
    index: int
    block: Block
    start: int
    text: str

    @property
    def end(self) -> int:
        """Where it ends in the joined text."""
        return self.start + len(self.text)


def placed_pages(document: Document) -> list[list[Placed]]:
    """The blocks of each page in reading order, running headers and footers left out."""
    offsets = page_offsets(document.pages)
    return [list(_placed(page, offset)) for page, offset in zip(document.pages, offsets, strict=False)]


def _placed(page: Page, offset: int) -> list[Placed]:
    blocks = [block for block in page.blocks or whole_page(page) if block.kind != "furniture"]
    return [
        Placed(page, index, block, offset + block.span.start, page.text_of(block.span))
        for index, block in enumerate(blocks)
    ]


class Nest:
    """The sections of a document, to be asked for places."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections = sections
        self.starts = [section.start for section in sections]

    def at(self, place: int) -> int | None:
        """The ordinal of the innermost section that holds this offset."""
        index: int | None = bisect_right(self.starts, place) - 1
        while index is not None and index >= 0 and self.sections[index].end <= place:
            index = self.sections[index].parent
        return index if index is not None and index >= 0 else None

    def next_start(self, place: int) -> int | None:
        """Where the next section behind this offset starts."""
        index = bisect_right(self.starts, place)
        return self.starts[index] if index < len(self.starts) else None

    def starts_at(self, place: int) -> bool:
        """A section starts at this very offset."""
        index = bisect_right(self.starts, place) - 1
        return index >= 0 and self.starts[index] == place

    def above(self, ordinal: int | None) -> list[Section]:
        """The section and all that it lies in, the innermost first."""
        found: list[Section] = []
        while ordinal is not None:
            found.append(self.sections[ordinal])
            ordinal = self.sections[ordinal].parent
        return found

    def chapter_at(self, place: int) -> str:
        """The first level of the number of the section that holds this offset: "5", "B"; empty where it has none."""
        for section in reversed(self.above(self.at(place))):
            match = re.match(r"(\d{1,3}|[A-Z])(?![a-z])", section.number or "")
            if match:
                return match[1]
        return ""


def mended_number(number: str, chapter: str) -> str:
    """A number as it must have been printed in this chapter: "81", "8.1" and "BA" in Annex B are "B1", "B.1", "B.4"."""
    number = "".join(number.split())
    if chapter.isalpha() and (re.match(r"[a-z]\.", number) or chapter in LETTERS_FOR.get(number[:1], "")):
        number = chapter + number[1:]
    elif not chapter.isalpha() and _MISREAD_FIRST.match(number):
        number = _MISREAD_FIRST.sub(lambda match: match[0].translate(DIGIT_FOR), number, count=1)
    if number[:1] == chapter and (chapter.isalpha() or number[-1:].islower()):
        number = _MISREAD_FOUR.sub(".4", number)
    return _MISREAD_REST.sub(lambda match: match[0].translate(DIGIT_FOR), number)


class PageNumbers:
    """Finds pages by their printed numbers; by their physical ones where the document is known to print none."""

    def __init__(self, source_id: str, pages: Sequence[PageStart]) -> None:
        self._source_id = source_id
        self._pages = pages
        self._starts = [page.start for page in pages]
        self._counted = _counted(pages)
        self._printed: dict[str, list[int]] = defaultdict(list)
        for index, page in enumerate(pages):
            if page.label:
                self._printed[_folded(page.label)].append(index)

    def called(self, number: str, at: int | None) -> list[Target]:
        """The page of this number, seen from an offset of the document; none where there is no such page.

        Where numbers start anew in every part, the page of the part that the offset lies in; all where there is none.
        """
        found = self._printed.get(_folded(number)) or self._counted_as(number)
        if len(found) > 1 and at is not None:
            shift = self._shift(max(0, bisect_right(self._starts, at) - 1))
            found = [index for index in found if self._shift(index) == shift] or found
        return [Target(self._source_id, self._pages[index].start, self._pages[index].end) for index in found]

    def _counted_as(self, number: str) -> list[int]:
        return [index for index, value in self._counted.items() if str(value) == number and value > 0]

    def _shift(self, index: int) -> int | None:
        """How far the page's number is from its place; pages of one part have the same."""
        return self._counted[index] - index if index in self._counted else None


def page_starts(pages: Iterable[tuple[int, int, str | None, str | None]]) -> tuple[PageStart, ...]:
    """Where pages start, from the number, length, label and stated section of each, in order.

    None where a page states a section: such pages are the rows of a corpus.
    """
    found: list[PageStart] = []
    position = 0
    for number, length, label, section in pages:
        if section is not None:
            return ()
        found.append(PageStart(number, position, position + length, label))
        position += length + 1
    return tuple(found)


def _counted(pages: Sequence[PageStart]) -> dict[int, int]:
    """The number of each page (by index): the printed one; where none is known, counted on from the nearest page that
    has one; the physical one where no page has any."""
    printed = {index: int(page.label) for index, page in enumerate(pages) if page.label and page.label.isdecimal()}
    if not any(page.label for page in pages):
        return {index: page.number for index, page in enumerate(pages)}
    counted, known = dict(printed), sorted(printed)
    for index, page in enumerate(pages):
        if known and not page.label:
            behind = bisect_right(known, index)
            nearest = min(known[max(0, behind - 1) : behind + 1], key=lambda other: abs(other - index))
            counted[index] = printed[nearest] + index - nearest
    return counted


def _folded(label: str) -> str:
    return label.strip().casefold()
