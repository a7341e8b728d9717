"""Hyperlinks of PDF pages: the words that carry them, and the places that they lead to, as a viewer would go there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pincite.read.glyphs import Floats
from pincite.read.layout import PageLayout
from pincite.read.linked import LONGEST_HREF
from pincite.records.pages import Link, PlaceName, Span

MARGIN = 1.0
"""Points by which the middle of a character may lie outside the box of its link."""


@dataclass(frozen=True, slots=True)
class PagePlace:
    """A place of a file: its page (from 1) and the point there, as displayed; None is the top left."""

    page: int
    left: float | None = None
    top: float | None = None

    @property
    def name(self) -> str:
        """What a viewer calls it behind the "#" (RFC 8118, "page=4&view=FitH,120")."""
        return f"page={self.page}" if self.top is None else f"page={self.page}&view=FitH,{round(self.top)}"


@dataclass(frozen=True, slots=True)
class LinkBox:
    """A link as it is drawn: its box as displayed (left, top, right, bottom), and where it leads: an address, or a
    place of the same file."""

    box: tuple[float, float, float, float]
    to: str | PagePlace


@dataclass(frozen=True, slots=True)
class CarriedLink:
    """A link with the words of its page that carry it."""

    start: int
    end: int
    to: str | PagePlace


def carried_links(layout: PageLayout, boxes: Sequence[LinkBox]) -> tuple[CarriedLink, ...]:
    """The links with their words, in the order of the text; one that goes on in the next line is one link."""
    middles = (layout.boxes[:, :2] + layout.boxes[:, 2:]) / 2
    carried = filter(None, (_carried(layout, middles, item) for item in boxes))
    found = sorted(carried, key=lambda item: (item.start, item.end))
    joined: list[CarriedLink] = []
    for item in found:
        last = joined[-1] if joined else None
        if last is not None and item.to == last.to and not layout.text[last.end : item.start].strip():
            joined[-1] = replace(last, end=max(last.end, item.end))
        elif last is None or item.start >= last.end:
            joined.append(item)
    return tuple(joined)


def links_of(number: int, links: Sequence[CarriedLink]) -> tuple[Link, ...]:
    """The links of page `number` as records."""
    return tuple(Link(Span(number, item.start, item.end), _address(item.to)) for item in links)


def names_of(number: int, layout: PageLayout, places: Sequence[PagePlace]) -> tuple[PlaceName, ...]:
    """What links call the places of page `number`: the page itself, and these points of it."""
    named = {place.name: _offset(layout, place) for place in places}
    return tuple(PlaceName(name, start) for name, start in ({f"page={number}": 0} | named).items())


def places_by_page(links: Iterator[CarriedLink]) -> dict[int, list[PagePlace]]:
    """The places that these links lead to, each once, by their pages."""
    found: dict[int, dict[PagePlace, None]] = {}
    for item in links:
        if isinstance(item.to, PagePlace):
            found.setdefault(item.to.page, {})[item.to] = None
    return {page: list(places) for page, places in found.items()}


def _carried(layout: PageLayout, middles: Floats, link: LinkBox) -> CarriedLink | None:
    """The longest run of characters, in the order of the text, whose middles (n, 2) lie in the box of a link."""
    low, high = np.asarray(link.box[:2]) - MARGIN, np.asarray(link.box[2:]) + MARGIN
    held = np.flatnonzero(((middles > low) & (middles < high)).all(axis=1))
    if not len(held):
        return None
    runs = np.split(held, np.flatnonzero(np.diff(held) > 1) + 1)
    run = max(runs, key=len)
    start = int(layout.starts[run[0]])
    behind = int(layout.starts[run[-1] + 1]) if run[-1] + 1 < len(layout.starts) else len(layout.text)
    end = start + len(layout.text[start:behind].rstrip())
    return CarriedLink(start, end, link.to) if start < end else None


def _address(to: str | PagePlace) -> str:
    return f"#{to.name}" if isinstance(to, PagePlace) else to[:LONGEST_HREF]


def _offset(layout: PageLayout, place: PagePlace) -> int:
    """Where the highest line begins whose middle stands below a point and that does not end left of it."""
    if place.top is None:
        return 0
    left = place.left or 0.0
    lines = (line for line in layout.lines if line.box.right > left)
    below = [line for line in lines if line.box.top + line.box.bottom > 2 * place.top]
    return min(below, key=lambda line: (line.box.top, line.start)).start if below else 0
