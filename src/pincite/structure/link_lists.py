"""Lists of links: menus, tables of contents and indexes of linked pages say nothing themselves, they lead elsewhere."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from pincite.records.pages import Block, Link, Page

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
    """To a place that can be read; an address to write to is told, not followed."""
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
    words = (page.text[link.span.start : link.span.end] for link in links)
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
