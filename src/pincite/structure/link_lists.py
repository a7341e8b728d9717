"""Menus, tables of contents and indexes, linked or printed: they say nothing themselves, they lead elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import NamedTuple

from pincite.records.outlines import Section
from pincite.records.pages import Block, Document, Link, Page
from pincite.structure.numbering import roman_value
from pincite.structure.tree import folded

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
_LONG_WORD = re.compile(r"[^\W\d_]{3}")
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
        if block.kind in ("furniture", "table") or not may_list_pages(page.text_of(block.span)):
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
    lines = [line for line in page.text_of(block.span).split("\n") if line.strip()]
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
    leaders = sum(
        entry.leaders and entry.first <= highest and bool(_LONG_WORD.search(entry.title)) for entry in entries
    )
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
        text = page.text_of(block.span)
        if block.kind != "furniture" and (_is_full(lines[index]) or _is_between(text)):
            yield index


def _is_full(item: _Lines) -> bool:
    return len(item.entries) >= LEAST_OF_BLOCK * item.count


def _is_between(text: str) -> bool:
    return len(text) <= LONGEST_BETWEEN and not text.endswith((".", ":", ";", "!", "?"))


LONGEST_LINK = 300
"""Characters of a hyperlink; what is longer was never closed."""
MOST_BESIDE = 0.1
"""The share of a block's letters that may stand beside its links: "Chapter 3", a mark of a list."""
LEAST_OF_LIST = 0.8
"""The share of the items of a list that are links alone, from which on it is a menu."""
SENTENCE_WORDS = 6
"""So many words with a full stop behind them are a sentence (a reference of a bibliography), linked or not."""
MOST_SENTENCES = 0.5
"""The share of linked blocks that are sentences, up to which they are headings of what they lead to, as some of a list
of questions are (docs/decisions/0305)."""
LEADING_ABOUT = frozenset(
    "next previous prev up home top first last back contents index toc weiter zurück nach oben inhalt suivant "
    "précédent sommaire haut siguiente anterior arriba inicio índice".split()
)
LONGEST_ABOUT = 30
"""Characters of words such as "Next" with the marks beside them."""
MOST_CELLS = 12
"""Cells of a table that leads to the neighbours of a page; one that has more holds something else."""
_WORD = re.compile(r"[^\W\d_]{2,}+")
_LETTER = re.compile(r"[^\W\d_]")
_JUDGED = frozenset({"paragraph", "list_item", "table"})


class _Linked(NamedTuple):
    """A block beside its links. `all_linked`: no letters to speak of stand outside of them."""

    block: Block
    links: Sequence[Link] = ()
    all_linked: bool = False
    leads_about: bool = False


def link_lists(page: Page) -> set[int]:
    """The positions of the blocks of a page that are links alone, two at least in a row or in one block. Of a list only
    where most of its items are: in others a linked item says something. So do sentences where most of them are."""
    if not page.links:
        return set()
    judged = [(index, item) for index, item in enumerate(_beside_links(page)) if item.block.kind != "furniture"]
    found: set[int] = set()
    for kind, run in groupby(judged, key=lambda pair: pair[1].block.kind):
        members = list(run)
        linked = [(index, item) for index, item in members if item.all_linked]
        silent = [(index, item) for index, item in linked if not _states_something(page.text, item.links)]
        if len(linked) - len(silent) > MOST_SENTENCES * len(linked):
            linked = silent
        if kind == "list_item" and len(linked) < LEAST_OF_LIST * len(members):
            continue
        if kind in _JUDGED:
            found.update(index for index, item in linked if sum(len(other.links) for _, other in linked) > 1)
            found.update(index for index, item in members if item.leads_about)
    return found


def _beside_links(page: Page) -> Iterator[_Linked]:
    links = sorted(filter(_leads_elsewhere, page.links), key=lambda link: link.span.start)
    starts = [link.span.start for link in links]
    for block in page.blocks:
        first = bisect_left(starts, block.span.start)
        own = links[first : bisect_left(starts, block.span.end, first)]
        if own and block.kind in _JUDGED:
            yield _Linked(block, own, _is_linked(page.text, block, own), _leads_about(page, block, own))
        else:
            yield _Linked(block)


def _leads_elsewhere(link: Link) -> bool:
    """To something readable; an e-mail address is listed, not followed."""
    return link.span.end - link.span.start <= LONGEST_LINK and not link.href.startswith("mailto:")


def _is_linked(text: str, block: Block, links: Sequence[Link]) -> bool:
    """Nearly all letters are carried by links; what ends in a colon leads on."""
    if block.kind == "paragraph" and text.endswith(":", block.span.start, block.span.end):
        return False
    if sum(link.span.end - link.span.start for link in links) < (block.span.end - block.span.start) / 2:
        return False
    words = [text[link.span.start : link.span.end] for link in links]
    carried = sum(len(_LETTER.findall(piece)) for piece in words)
    letters = len(_LETTER.findall(text, block.span.start, block.span.end))
    return carried > 0 and letters - carried <= MOST_BESIDE * letters


def _states_something(text: str, links: Sequence[Link]) -> bool:
    """Whether the words of a hyperlink are a sentence; a question states nothing."""
    return any(_is_sentence(text[link.span.start : link.span.end]) for link in links)


def _is_sentence(text: str) -> bool:
    return text.rstrip().endswith((".", "!")) and len(_WORD.findall(text)) >= SENTENCE_WORDS


def _leads_about(page: Page, block: Block, links: Sequence[Link]) -> bool:
    """Its links say "Next" and the like, and beside them stand at most the names of the pages that they lead to."""
    words = (page.text_of(link.span) for link in links)
    if not any(_says_about(piece) for piece in words if len(piece) <= LONGEST_ABOUT):
        return False
    if block.kind == "table":
        return _cells_of(page, block) <= MOST_CELLS
    return _is_linked(page.text, block, links)


def _says_about(text: str) -> bool:
    words = _WORD.findall(text.casefold())
    return bool(words) and LEADING_ABOUT.issuperset(words)


def _cells_of(page: Page, block: Block) -> int:
    return sum(len(table.cells) for table in page.tables if table.span == block.span)
