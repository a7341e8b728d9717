"""From openings in reading order to nested sections that cover the whole text; which line of the page each bookmark
means; printed tables of contents, and which headings they promise."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pincite.records.outlines import Section
from pincite.records.pages import Document
from pincite.structure.lines import Line
from pincite.structure.numbering import Number, is_policy, read_number, roman_value

MIN_ENTRIES = 5
MIN_SHARE = 0.45
_PAGE = re.compile(r"(?:(?<=[\s.·…_])\d{1,4}|(?<=\s)[ivxl]{1,7}|(?<=[a-z])\d{1,3})$")
_LONGEST_PAGE = 8
_LEADERS = " \t.·…_\u2024\u2025"
_HEADING = re.compile(r"(?:table of )?contents\b|inhalt(?:sverzeichnis)?$|sommaire$|table des mati", re.IGNORECASE)
_NOT_WORD = re.compile(r"[\W\d_]+")


@dataclass(slots=True)
class Contents:
    """What the printed tables of contents say. `until`: for each page with one, the offset where it ends; `numbers`:
    folded titles by number as read, `mended` by what the number may have been before OCR ("0.2" is "D.2").
    """

    until: dict[int, int] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    mended: dict[str, str] = field(default_factory=dict)
    titles: set[str] = field(default_factory=set)

    def holds(self, line: Line) -> bool:
        """The line stands in a table of contents."""
        return line.start < self.until.get(line.page, -1)

    def promises(self, number: str, title: str) -> bool:
        """The table of contents has this number, with the same title as far as both go."""
        return any(alike(known.get(number, ""), folded(title)) for known in (self.numbers, self.mended))


def find_contents(pages: Sequence[Sequence[Line]]) -> Contents:
    """Look at the lines of every page; a table of contents may run over several of them."""
    contents = Contents()
    reached = 0
    for lines in pages:
        entries = [(line, page) for line in lines if (page := _printed_page(line.text))]
        if _is_contents(lines, entries, reached):
            _take(contents, lines, entries)
            reached = _page_value(entries[-1][1])
        else:
            reached = 0
    return contents


def folded(title: str) -> str:
    """A title without case, digits, marks and spaces, for comparing."""
    return _NOT_WORD.sub("", title).lower()


def alike(one: str, other: str) -> bool:
    """Two folded titles are the same, or one is the start of the other (a title that goes on in the next line)."""
    short, long = sorted((one, other), key=len)
    return bool(short) and (long.startswith(short) or nearly(short, long))


def nearly(one: str, other: str) -> bool:
    """Two folded titles are the same but for what OCR does to them."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) > 6 and _slips(short, long) <= len(long) // 8)


def _slips(short: str, long: str) -> int:
    """Characters that differ place by place, for titles of about the same length."""
    if len(long) - len(short) > 2:
        return len(long)
    return sum(a != b for a, b in zip(short, long, strict=False)) + len(long) - len(short)


def _is_contents(lines: Sequence[Line], entries: Sequence[tuple[Line, str]], reached: int) -> bool:
    """`reached`: the last page number of a table of contents on the page before, 0 where there was none."""
    titled = any(_HEADING.match(line.text) for line in lines[:8])
    values = [_page_value(page) for _, page in entries]
    if not values:
        return False
    rising = sum(later >= earlier for earlier, later in pairwise(values))
    in_order = rising >= 0.75 * (len(values) - 1)
    if titled or 0 < reached <= values[0]:
        return in_order and len(entries) >= 2 and len(entries) >= 0.3 * len(lines)
    return (
        in_order and len(entries) >= MIN_ENTRIES and len(entries) >= MIN_SHARE * len(lines) and values[-1] > values[0]
    )


def _take(contents: Contents, lines: Sequence[Line], entries: Sequence[tuple[Line, str]]) -> None:
    last = entries[-1][0]
    contents.until[last.page] = last.end
    printed = {line.start: line.text.removesuffix(page).rstrip(_LEADERS) for line, page in entries}
    for line in lines:
        if line.start > last.start:
            break
        title = printed.get(line.start, line.text)
        for number, rest, mended in _numbered(title):
            (contents.mended if mended else contents.numbers).setdefault(number, folded(rest))
        if line.start in printed:
            contents.titles.add(folded(title))


def _numbered(title: str) -> Iterator[tuple[str, str, bool]]:
    """Number and title of an entry, in each way to read the number, and whether characters were exchanged for it."""
    for reading in read_number(title):
        rest = title[reading.end :]
        again = read_number(rest.strip())
        rest = rest.strip()[again[0].end :] if again and again[0].worded else rest
        yield reading.number.text, rest, reading.repaired


def _printed_page(text: str) -> str:
    """The page number at the end of a line that has words before it, empty where there is none."""
    match = _PAGE.search(text, max(1, len(text) - _LONGEST_PAGE))
    return match.group() if match and any(map(str.isalpha, text[: match.start()])) else ""


def _page_value(text: str) -> int:
    return int(text) if text.isdigit() else roman_value(text)


@dataclass(slots=True)
class Bookmarks:
    """By page: number (empty where there is none), title and level of each bookmark that leads there."""

    by_page: dict[int, list[tuple[str, str, int]]] = field(default_factory=dict)

    def title_at(self, line: Line, number: str) -> str | None:
        """The title of the bookmark to this page that has this number; None where there is none."""
        if not line.head and line.block.kind != "table":
            return None
        entries = self.by_page.get(line.page, ())
        return next((title for known, title, _ in entries if known == number and title), None)

    def level_at(self, line: Line) -> int | None:
        """The level of the bookmark to this page with the title that the line's block starts with."""
        text = folded(line.block_text)
        entries = self.by_page.get(line.page, ())
        return next(
            (level for _, title, level in entries if text and alike(folded(title), text[: len(title) + 8])), None
        )

    @property
    def count(self) -> int:
        """How many bookmarks lead to a page."""
        return sum(map(len, self.by_page.values()))


def bookmarks_of(document: Document) -> Bookmarks:
    """The bookmarks of a document that have a title and lead to a page."""
    found: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
    for entry in document.outline:
        title = " ".join(entry.title.split())
        if title and entry.page is not None:
            found[entry.page].append((*_split(title), entry.level))
    return Bookmarks(dict(found))


def _split(title: str) -> tuple[str, str]:
    readings = read_number(title)
    if not readings:
        return "", title
    rest = title[readings[0].end :].strip(" .:–—-")
    return readings[0].number.text, rest


def matched_titles(bookmarks: Bookmarks, pages: Sequence[Sequence[Line]]) -> dict[int, int]:
    """Level of the bookmark, by the offset of each block's first line whose text is the bookmark's title."""
    found: dict[int, int] = {}
    for lines in pages:
        for line in lines:
            if line.head and line.page in bookmarks.by_page:
                level = bookmarks.level_at(line)
                if level is not None:
                    found[line.start] = level
    return found


SAME_SIZE = 0.06
LOOK_AHEAD = 5
_UPPER = {"book": 0, "part": 1, "schedule": 1, "article": 2, "item": 2, "exhibit": 2}


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a section starts. `label` is its number as it is named, empty where it has none; `size` its set in points;
    `level` the level that the source states. `clause`: a numbered paragraph of the section with this number.
    `firm`: the source itself, a bookmark or the table of contents names it.
    """

    start: int
    number: Number | None
    label: str
    title: str
    size: float
    level: int | None
    clause: bool = False
    firm: bool = True


@dataclass(slots=True)
class _Node:
    opening: Opening
    parent: int | None
    level: int
    path: tuple[str, ...]
    end: int = 0


def build_tree(document: Document, offsets: Sequence[int], openings: Sequence[Opening]) -> tuple[Section, ...]:
    """The sections in order of their start; `offsets` are those of the pages in the joined text."""
    length = max(0, offsets[-1] - 1)
    if not openings:
        openings = [Opening(0, None, "", document.title or "", 0.0, None)]
    elif _has_words(document, openings[0].start):
        openings = [Opening(0, None, "", "", 0.0, None), *openings]
    else:
        openings = [replace(openings[0], start=0), *openings[1:]]
    shallowest = min((item.number.depth for item in openings if item.number and item.number.lane == ""), default=1)
    nodes: list[_Node] = []
    stack: list[int] = []
    for index, opening in enumerate(openings):
        ahead = openings[index + 1 : index + 1 + LOOK_AHEAD] if _is_stated(opening) else ()
        while stack and not (_is_inside(opening, [nodes[item] for item in stack]) or _goes_on(nodes[stack[-1]], ahead)):
            nodes[stack.pop()].end = opening.start
        nodes.append(_node(opening, nodes, stack, shallowest))
        stack.append(len(nodes) - 1)
    for index in stack:
        nodes[index].end = length
    pages = _Pages(document, offsets)
    return tuple(_section(ordinal, node, pages) for ordinal, node in enumerate(nodes))


def _has_words(document: Document, end: int) -> bool:
    """There are letters or digits in the first `end` characters of the joined text."""
    for page in document.pages:
        if end <= 0:
            return False
        if any(map(str.isalnum, page.text[:end])):
            return True
        end -= len(page.text) + 1
    return False


def _is_stated(opening: Opening) -> bool:
    return opening.number is not None and opening.number.lane == "stated"


def _goes_on(node: _Node, ahead: Sequence[Opening]) -> bool:
    """Sections of this one are still to come: what stands between is a stray row, and lies inside."""
    upper = node.opening.number
    return upper is not None and any(item.number is not None and is_below(item.number, upper) for item in ahead)


def _is_inside(opening: Opening, stack: Sequence[_Node]) -> bool:
    """The opening lies below the last node of the stack."""
    above = stack[-1].opening
    if not above.label and not above.title:
        return False
    if opening.clause:
        return not above.clause and (opening.number is None or above.number is None or above.number == opening.number)
    if above.clause:
        return False
    if opening.number is None:
        return _title_is_inside(opening, above)
    if is_policy(opening.number):
        return _policy_is_inside(opening, above)
    if above.number is None:
        return _number_is_inside_title(opening, stack)
    return is_below(opening.number, above.number)


def _policy_is_inside(opening: Opening, above: Opening) -> bool:
    """A policy lies in the chapter or annex around it, and below a heading without number that is set larger."""
    if above.number is None:
        return opening.size < above.size
    return bool(above.title) and not is_policy(above.number)


def is_below(lower: Number, upper: Number) -> bool:
    """One number lies below the other: "5.3.2" below "5", and all but another Part below "Part 2"."""
    if lower.lane == upper.lane:
        return lower.depth > upper.depth and lower.parts[: upper.depth] == upper.parts
    return (
        upper.lane in _UPPER
        and _UPPER[upper.lane] < _UPPER.get(lower.lane, 9)
        and (lower.lane != "annex" or lower.depth > 1)
    )


def _title_is_inside(opening: Opening, above: Opening) -> bool:
    """A heading without number lies in what is set larger, or stated to be higher."""
    if opening.level is not None and above.level is not None:
        return opening.level > above.level
    if above.number is not None and not above.title:
        return False
    if not opening.size or not above.size:
        return above.number is not None
    within = SAME_SIZE if above.number is not None and not opening.firm else -SAME_SIZE
    return opening.size < above.size * (1 + within)


def _number_is_inside_title(opening: Opening, stack: Sequence[_Node]) -> bool:
    """A number lies below a heading without number where that one lies in a section that the number belongs to."""
    above = stack[-1].opening
    if opening.level is not None and above.level is not None:
        return opening.level > above.level
    outer = next((node.opening.number for node in reversed(stack) if node.opening.number), None)
    if opening.title:
        return False
    return outer is not None and opening.number is not None and is_below(opening.number, outer)


def _node(opening: Opening, nodes: Sequence[_Node], stack: Sequence[int], shallowest: int) -> _Node:
    parent = stack[-1] if stack else None
    level = nodes[parent].level + 1 if parent is not None else 1
    below_title = parent is not None and nodes[parent].opening.number is None
    if opening.number and not opening.clause and opening.number.lane in ("", "annex") and not below_title:
        base = max((nodes[index].level for index in stack if _is_upper(nodes[index])), default=0)
        depth = opening.number.depth - (shallowest - 1 if opening.number.lane == "" else 0)
        level = max(level, base + depth)
    label = opening.label or opening.title
    path = (*(nodes[parent].path if parent is not None else ()), label)
    return _Node(opening, parent, level, path)


def _is_upper(node: _Node) -> bool:
    return node.opening.number is not None and node.opening.number.lane in _UPPER


class _Pages:
    """Which page an offset of the joined text lies on, and where a section's words end."""

    def __init__(self, document: Document, offsets: Sequence[int]) -> None:
        self._offsets = offsets
        self._numbers = [page.number for page in document.pages] or [1]
        self._words = [
            offset + block.span.start
            for page, offset in zip(document.pages, offsets, strict=False)
            for block in page.blocks
            if block.kind != "furniture"
        ]

    def of(self, offset: int) -> int:
        """The number of the page."""
        return self._numbers[min(bisect_right(self._offsets, offset), len(self._numbers)) - 1]

    def last_word(self, start: int, end: int) -> int:
        """Where the last block in `[start, end)` begins that is no furniture; else the last character."""
        index = bisect_left(self._words, end) - 1
        return self._words[index] if index >= 0 and self._words[index] >= start else max(start, end - 1)


def _section(ordinal: int, node: _Node, pages: _Pages) -> Section:
    opening = node.opening
    return Section(
        ordinal=ordinal,
        number=opening.label or None,
        title=opening.title,
        level=node.level,
        parent=node.parent,
        path=node.path,
        first_page=pages.of(opening.start),
        last_page=pages.of(pages.last_word(opening.start, node.end)),
        start=opening.start,
        end=node.end,
    )
