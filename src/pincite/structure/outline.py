"""Bookmarks: which line of the page each of them means."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from pincite.records.pages import Document
from pincite.structure.contents import alike, folded
from pincite.structure.lines import Line
from pincite.structure.numbering import read_number


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
