"""Numbered lists as places: "step 3", and "section 3" where the clauses of a document are the items of a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pincite.records.outlines import Anchor

STEPS = frozenset({"step", "item", "point"})
"""What the items of any list may be called."""
CLAUSES = frozenset({"section", "clause", "article", "paragraph"})
"""What they may be called where each has a title, and its text below."""
LONGEST_TITLE = 80
LEAST_CLAUSES = 3
LEAST_TEXT = 40
"""Characters below the title of a clause. By eye, not measured."""


class Listed:
    """Finds the items of the numbered lists of one document."""

    def __init__(self, anchors: Iterable[Anchor]) -> None:
        self._lists = _lists(item for item in anchors if item.kind == "list_item")
        self._clauses = [items for items in self._lists if _are_clauses(items)]

    def find(self, unit: str, number: str, at: int, section: int | None) -> list[Anchor]:
        """What an offset of the document, in this section, calls so: the step of the list around it, else of the last
        one before it in its section; the clauses of this number."""
        if not number.isdigit():
            return []
        if unit in CLAUSES:
            return [item for items in self._clauses for item in items if item.number == number]
        return self._step(number, at, section) if unit in STEPS else []

    def _step(self, number: str, at: int, section: int | None) -> list[Anchor]:
        held = [items for items in self._lists if any(item.number == number for item in items)]
        around = [items for items in held if items[0].start <= at < items[-1].end]
        before = [items for items in held if items[-1].end <= at and items[0].section == section]
        nearest = (around or before)[-1:]
        return [item for items in nearest for item in items if item.number == number]


def _lists(anchors: Iterable[Anchor]) -> list[list[Anchor]]:
    """The lists that count up by one from 0 or 1, in the order of their first items; a list inside an item of another
    is one of its own, and a heading ends all that are open."""
    found: list[list[Anchor]] = []
    open_lists: list[list[Anchor]] = []
    for item in (item for item in anchors if item.number and item.number.isdigit()):
        if open_lists and open_lists[-1][-1].section != item.section:
            open_lists.clear()
        value = int(item.number or 0)
        going_on = [index for index, items in enumerate(open_lists) if int(items[-1].number or 0) == value - 1]
        if going_on:
            del open_lists[going_on[-1] + 1 :]
            open_lists[-1].append(item)
        elif value in (0, 1):
            open_lists.append([item])
            found.append(open_lists[-1])
    return found


def _are_clauses(items: Sequence[Anchor]) -> bool:
    """Each item is a short title, and text stands below most of them."""
    if len(items) < LEAST_CLAUSES or not all(map(_is_title, items)):
        return False
    with_text = sum(following.start - item.end >= LEAST_TEXT for item, following in pairwise(items))
    return 2 * with_text > len(items) - 1


def _is_title(item: Anchor) -> bool:
    return 0 < len(item.title) < LONGEST_TITLE and item.title[-1] not in ".,;:"
