"""Printed tables of contents and indexes: blocks of lines that end in the numbers of pages and say nothing else."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.records.outlines import Section
from pincite.records.pages import Block, Document, Page
from pincite.structure.contents import folded
from pincite.structure.numbering import roman_value

LEAST_NAMED = 3
"""Lines that name a section and the page where it begins: fewer may do so by chance."""
LEAST_LEADERS = 5
"""Lines with leaders whose numbers count up: the same without sections that they name."""
LEAST_INDEXED = 8
"""Lines of an index on a page; a list of fewer may be anything."""
LEAST_OF_INDEX = 0.6
"""The share of a page's lines that are entries, from which on it is an index."""
LEAST_OF_BLOCK = 0.5
"""The share of a block's lines that are entries: titles and entries may go on in a second line."""
IN_ORDER = 0.75
"""The share of neighbours in order; columns begin anew, and numbers are misread."""
FRONT_PAGES = 50
"""Pages that numbering may leave out or count beside the physical ones."""
LONGEST_BETWEEN = 120
"""Characters of what stands between entries and has no number: a part's name, a letter."""
_LONGEST_TAIL = 60
_NUMBERS = re.compile(
    r"(?P<before>[\s.·…_,\u2024\u2025]{1,60}+)"
    r"(?P<numbers>\d{1,4}+(?:[-–]\d{1,4}+)?(?>(?:,\s?\d{1,4}+(?:[-–]\d{1,4}+)?){0,15})|[ivxl]{1,7}+)$"
)
_LEADERS = re.compile(r"(?:[.·_\u2024\u2025]\s?){4}|…")
_WORD = re.compile(r"[^\W\d_]{3}")
_TITLE_NUMBER = re.compile(r"^(?:\w{1,12}\s)?[A-Z\d]{1,3}(?:\.\d{1,3}){0,5}[.:]?\s|^[-–—\s]+")
_INDEX = re.compile(r"\b(?:index|indexes|indices|register|stichwortverzeichnis|índice|indice)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line that ends in numbers of pages. `leaders`: dots lead to them; `comma`: as in an index."""

    title: str
    first: int
    several: bool
    leaders: bool
    comma: bool


@dataclass(frozen=True, slots=True)
class _Lines:
    """The lines of a block, and those of them that are entries."""

    block: Block
    count: int
    entries: Sequence[_Entry]


def page_lists(document: Document, sections: Sequence[Section]) -> list[set[int]]:
    """For each page the positions of the blocks that are contents or index. Running text has contents alone, each block
    judged by itself."""
    begins = _first_pages(sections)
    if not document.paged:
        return [set(_contents_of_text(page, begins)) for page in document.pages]
    highest = len(document.pages) + FRONT_PAGES
    found: list[set[int]] = []
    was_contents = was_index = False
    for page in document.pages:
        lines = [_lines_of(page, block) for block in page.blocks] if may_list_pages(page.text) else []
        entries = [entry for item in lines for entry in item.entries]
        was_contents = _is_contents(entries, begins, highest, follows=was_contents)
        was_index = not was_contents and _is_index(page, lines, entries, highest, sections, follows=was_index)
        found.append(set(_within(page, lines)) if was_contents or was_index else set())
    return found


def _contents_of_text(page: Page, begins: Mapping[str, set[int]]) -> Iterator[int]:
    """The blocks whose lines have leaders before numbers that count up, and name sections."""
    for index, block in enumerate(page.blocks):
        if block.kind in ("furniture", "table") or not may_list_pages(page.text[block.span.start : block.span.end]):
            continue
        lines = _lines_of(page, block)
        named = sum(_plain(entry.title) in begins for entry in lines.entries)
        leaders = sum(entry.leaders for entry in lines.entries)
        if min(named, leaders) >= LEAST_NAMED and _is_full(lines) and _ascends([item.first for item in lines.entries]):
            yield index


def may_list_pages(text: str) -> bool:
    """A quick look: some lines end in a digit or a Roman number."""
    return sum(line[-1:].isdigit() or line[-1:] in "ivxl" for line in text.split("\n") if line) >= LEAST_NAMED


def _lines_of(page: Page, block: Block) -> _Lines:
    if block.kind in ("furniture", "figure", "equation"):
        return _Lines(block, 0, ())
    lines = [line for line in page.text[block.span.start : block.span.end].split("\n") if line.strip()]
    return _Lines(block, len(lines), [entry for line in lines if (entry := _entry(line.strip()))])


def _entry(line: str) -> _Entry | None:
    match = _NUMBERS.search(line, max(1, len(line) - _LONGEST_TAIL))
    if match is None:
        return None
    title, numbers, before = line[: match.start()].rstrip(" .·…_,\u2024\u2025"), match["numbers"], match["before"]
    if not title:
        return None
    first = re.match(r"\d+", numbers)
    value = int(first.group()) if first else roman_value(numbers)
    leaders = bool(_LEADERS.search(before))
    return _Entry(title, value, "," in numbers, leaders, "," in before)


def _first_pages(sections: Sequence[Section]) -> Mapping[str, set[int]]:
    """By folded title the pages on which sections of this title begin."""
    found: dict[str, set[int]] = defaultdict(set)
    for section in sections:
        if title := folded(section.title):
            found[title].add(section.first_page)
    return found


def _is_contents(entries: Sequence[_Entry], begins: Mapping[str, set[int]], highest: int, *, follows: bool) -> bool:
    """The numbers count up, and they are those of the pages where the sections begin, or leaders lead to them."""
    if len(entries) < LEAST_NAMED or not _ascends([entry.first for entry in entries]):
        return False
    named = [(entry, pages) for entry in entries if (pages := begins.get(_plain(entry.title)))]
    leaders = sum(entry.leaders and entry.first <= highest and bool(_WORD.search(entry.title)) for entry in entries)
    shifts = Counter(page - entry.first for entry, pages in named for page in pages)
    if max(shifts.values(), default=0) >= max(LEAST_NAMED, len(named) / 2):
        return True
    return leaders > len(entries) / 2 and leaders >= (LEAST_NAMED if follows else LEAST_LEADERS)


def _is_index(
    page: Page,
    lines: Sequence[_Lines],
    entries: Sequence[_Entry],
    highest: int,
    sections: Sequence[Section],
    *,
    follows: bool,
) -> bool:
    """Most lines are entries in the order of the alphabet, below a heading that says so or with several pages each."""
    listed = [entry for entry in entries if (entry.leaders or entry.comma) and entry.first <= highest]
    count = sum(item.count for item in lines)
    if len(listed) < LEAST_INDEXED or len(listed) < LEAST_OF_INDEX * count:
        return False
    if not follows and not _is_called_index(page, sections) and not any(entry.several for entry in listed):
        return False
    return _ascends([ord(entry.title[0].casefold()) for entry in listed if entry.title[0].isalpha()])


def _is_called_index(page: Page, sections: Sequence[Section]) -> bool:
    place = bisect_right(sections, page.number, key=lambda section: section.first_page) - 1
    return place >= 0 and bool(_INDEX.search(sections[place].title))


def _ascends(values: Sequence[int]) -> bool:
    rising = sum(later >= earlier for earlier, later in pairwise(values))
    return rising >= IN_ORDER * (len(values) - 1)


def _plain(title: str) -> str:
    """A folded title without the number before it."""
    return folded(_TITLE_NUMBER.sub("", title, count=1))


def _within(page: Page, lines: Sequence[_Lines]) -> Iterator[int]:
    """From the first block of entries to the last, but for text that only stands between them."""
    full = [index for index, item in enumerate(lines) if item.entries and _is_full(item)]
    if not full:
        return
    for index in range(full[0], full[-1] + 1):
        block = lines[index].block
        text = page.text[block.span.start : block.span.end]
        if block.kind != "furniture" and (_is_full(lines[index]) or _is_between(text)):
            yield index


def _is_full(item: _Lines) -> bool:
    return len(item.entries) >= LEAST_OF_BLOCK * item.count


def _is_between(text: str) -> bool:
    return len(text) <= LONGEST_BETWEEN and not text.endswith((".", ":", ";", "!", "?"))
