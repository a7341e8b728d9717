"""What stands in a document and says nothing of its own: contents, indexes, lists of links, running heads, heads of
mails, struck-out text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from pincite.records.outlines import Section
from pincite.records.pages import Block, Document, Page
from pincite.structure.link_lists import link_lists, page_lists
from pincite.text.looks import MARK, without_struck


def in_force(document: Document) -> Document:
    """The document with blanks in place of struck-out text. Every text keeps its length, so that every span holds."""
    if not any(MARK in page.text for page in document.pages):
        return document
    title = document.title and (" ".join(without_struck(document.title).split()) or None)
    pages = tuple(replace(page, text=without_struck(page.text)) for page in document.pages)
    return replace(document, title=title, pages=pages)


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
    """For each page the positions of the blocks that are running heads and feet of the printed pages: lines that recur
    with other numbers at all page turns but the first. A page turns at a form feed, and after a line whose number
    counts pages of one length."""
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
    text = page.text_of(block.span)
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


_FIELD = re.compile(r"(?P<name>[A-Z][A-Za-z-]{1,40}+):(?:\s|$)")
_ENVELOPE = re.compile(r"From \S{1,200}+(?: at \S{1,200}+)? .{0,80}\d{4}$")
_FIELDS = frozenset(
    "from to cc bcc date sent subject sender reply-to message-id in-reply-to references received return-path "
    "delivered-to mime-version content-type content-transfer-encoding content-disposition user-agent "
    "list-id list-post list-unsubscribe".split()
)
HEAD_CHARACTERS = 2000
"""So far an address is looked for."""
_ADDRESS = re.compile(r"\S(?:@| at )\S")


def mail_heads(document: Document) -> list[set[int]]:
    """For each page the positions of the blocks that are heads of mails: where a document begins with one, as mails and
    mailboxes do, all that it quotes and holds; a head elsewhere is an example."""
    first = document.pages[0] if document.pages else None
    if first is None or not first.blocks or not is_mail_head(first.text_of(first.blocks[0].span)):
        return [set() for _ in document.pages]
    return [
        {index for index, block in enumerate(page.blocks) if is_mail_head(page.text_of(block.span))}
        for page in document.pages
    ]


def is_mail_head(text: str) -> bool:
    """All lines are fields of a mail's head or go on with one, and an address of mail is among them; fields of one word
    that mails do not have ("Abstract") say something."""
    lines = text.split("\n")
    if _ENVELOPE.match(lines[0]):
        lines = lines[1:]
    if not lines or not lines[0].startswith(tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")):
        return False
    names = []
    for line in lines:
        match = _FIELD.match(line)
        if match:
            names.append(match["name"].lower())
        elif not line[:1].isspace():
            return False
    known = _FIELDS.intersection(names)
    others = (name for name in names if name not in _FIELDS)
    if not all("-" in name for name in others):
        return False
    return "from" in known and len(known) > 1 and bool(_ADDRESS.search(text, 0, HEAD_CHARACTERS))


DEEPEST_LEVEL = 9
"""Levels of headings that are distinguished; those below count as the last."""
_LABEL = re.compile(
    r"(?:table of )?contents|list of (?:tables|figures|examples|equations)|related (?:links|pages|documents)|see also|"
    r"inhalt(?:sverzeichnis)?|sommaire|table des mati[eè]res|índice",
    re.IGNORECASE,
)


def without_furniture(document: Document, sections: Sequence[Section]) -> Document:
    """The same document with its lists of links, contents, indexes, heads of mails and running heads of printed text
    marked as furniture, and headings that have nothing else below them. One that consists of nothing else, a site's
    map, stays as it is."""
    found = zip(page_lists(document, sections), mail_heads(document), running_lines(document), strict=True)
    marked = [set().union(link_lists(page), *sets) for page, sets in zip(document.pages, found, strict=True)]
    if not any(marked):
        return document
    marked = [_with_labels(page, found) for page, found in zip(document.pages, marked, strict=True)]
    for page, index in _headings_of_nothing(document, marked):
        marked[page].add(index)
    pages = tuple(_marked(page, found) for page, found in zip(document.pages, marked, strict=True))
    return replace(document, pages=pages) if any(map(_says_something, pages)) else document


def _with_labels(page: Page, marked: set[int]) -> set[int]:
    """The same with "Table of Contents" and the like, where it stands before a list and is no heading."""
    labels = {index - 1 for index in marked if index and _is_label(page, page.blocks[index - 1])}
    return marked | labels


def _is_label(page: Page, block: Block) -> bool:
    text = page.text_of(block.span).strip(" :")
    return block.kind != "heading" and bool(_LABEL.fullmatch(text))


def _headings_of_nothing(document: Document, marked: Sequence[set[int]]) -> Iterator[tuple[int, int]]:
    """Position of the page and of the block of each heading below which, up to the next of its level or a higher one,
    stand lists and nothing else."""
    texts = [False] * (DEEPEST_LEVEL + 1)
    lists = [False] * (DEEPEST_LEVEL + 1)
    for number in reversed(range(len(document.pages))):
        blocks = document.pages[number].blocks
        for index in reversed(range(len(blocks))):
            if blocks[index].kind == "heading" and index not in marked[number]:
                level = min(blocks[index].level or 1, DEEPEST_LEVEL)
                if lists[level] and not texts[level]:
                    yield number, index
                texts[level:] = lists[level:] = [False] * (DEEPEST_LEVEL + 1 - level)
            elif index in marked[number]:
                lists = [True] * (DEEPEST_LEVEL + 1)
            elif blocks[index].kind != "furniture":
                texts = [True] * (DEEPEST_LEVEL + 1)


def _marked(page: Page, found: set[int]) -> Page:
    if not found:
        return page
    blocks = (replace(item, kind="furniture") if index in found else item for index, item in enumerate(page.blocks))
    return replace(page, blocks=tuple(blocks))


def _says_something(page: Page) -> bool:
    return any(block.kind not in ("furniture", "heading") for block in page.blocks)
