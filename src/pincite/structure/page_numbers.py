"""The pages of one document by what text calls them: "page 12" is the one with 12 printed on it."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pincite.records.outlines import PageStart, Target


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
    """The number of each page (by index) as far as it counts pages: the printed one; where none is known, counted on
    from the nearest page that has one; the physical one where no page has any.
    """
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
