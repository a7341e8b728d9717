"""Blocks with their place in the joined text, and which section a place lies in."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.records.outlines import Section
from pincite.records.pages import Block, Document, Page
from pincite.structure.lines import page_offsets, whole_page
from pincite.structure.places import DIGIT_FOR, LETTERS_FOR

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
    offsets = page_offsets(document)
    return [list(_placed(page, offset)) for page, offset in zip(document.pages, offsets, strict=False)]


def _placed(page: Page, offset: int) -> list[Placed]:
    blocks = [block for block in page.blocks or whole_page(page) if block.kind != "furniture"]
    return [
        Placed(page, index, block, offset + block.span.start, page.text[block.span.start : block.span.end])
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
