"""What stands in a document and says nothing of its own: lists of links, contents, indexes, heads of mails, running
heads of printed text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.records.outlines import Section
from pincite.records.pages import Block, Document, Page
from pincite.structure.link_lists import link_lists
from pincite.structure.mail_heads import mail_heads
from pincite.structure.page_lists import page_lists
from pincite.structure.running_lines import running_lines

DEEPEST_LEVEL = 9
"""Levels of headings that are told apart; those below count as the last."""
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
    text = page.text[block.span.start : block.span.end].strip(" :")
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
