"""Hyperlinks while their text is put together: their places are counted in characters that are no white space, so that
folding white space moves none of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby

from pincite.read.encoding import clean
from pincite.records.pages import Link, Span
from pincite.text.looks import struck, subscript, superscript

LONGEST_HREF = 2000
LONGEST_NAME = 500
MOST_LINKS = 100_000
"""Of one part; what comes behind is text without a link, and places without a name."""
_SOLID = re.compile(r"\S++")


@dataclass(frozen=True, slots=True)
class RawLink:
    """A hyperlink: how many characters other than white space stand before its words and before what follows them."""

    start: int
    end: int
    href: str


@dataclass(frozen=True, slots=True)
class Linked:
    """A text with its hyperlinks, in order and without overlap."""

    text: str
    links: tuple[RawLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """How a piece of text is set: raised, lowered, struck out."""

    raised: bool = False
    lowered: bool = False
    struck: bool = False


PLAIN = Look()


class LinkedPieces:
    """Collects the pieces of a text, and which of them are hyperlinks."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._looks: dict[int, Look] = {}
        self._links: list[tuple[int, int, str]] = []
        self._open: tuple[int, str] | None = None

    def add(self, text: str, look: Look = PLAIN) -> None:
        """Add a piece."""
        if look is not PLAIN:
            self._looks[len(self._pieces)] = look
        self._pieces.append(text)

    def ends_line(self) -> bool:
        """Whether a line ends behind what was collected last, white space aside."""
        for piece in reversed(self._pieces):
            if "\n" in piece[len(piece.rstrip()) :]:
                return True
            if piece.strip():
                return False
        return False

    def open_link(self, href: str) -> None:
        """The pieces from here on carry a hyperlink; it ends the one before."""
        self.close_link()
        self._open = (len(self._pieces), href)

    def close_link(self) -> None:
        """The pieces from here on carry none."""
        if self._open is not None:
            start, href = self._open
            self._links.append((start, len(self._pieces), href))
            self._open = None

    def take(self) -> Linked:
        """All that was collected since it was last taken."""
        self.close_link()
        if self._looks:
            self._write_looks()
        text = "".join(self._pieces)
        links: tuple[RawLink, ...] = ()
        if self._links:
            counts = [0, *accumulate(map(_solid_length, self._pieces))]
            found = (RawLink(counts[start], counts[end], href) for start, end, href in self._links)
            links = tuple(link for link in found if link.start < link.end and 0 < len(link.href) <= LONGEST_HREF)
        self._pieces.clear()
        self._links.clear()
        self._looks.clear()
        return Linked(text, links)

    def _write_looks(self) -> None:
        """Write raised and lowered pieces in Unicode's signs, and marks around those that are struck out. What follows
        each other in one look is written as one, in the place of its first piece."""
        looks: list[Look] = []
        for place, piece in enumerate(self._pieces):
            looks.append(self._looks.get(place, PLAIN) if piece.strip() or not looks else looks[-1])
        for write, chosen in (
            (superscript, [look.raised for look in looks]),
            (subscript, [look.lowered for look in looks]),
            (struck, [look.struck for look in looks]),
        ):
            for is_set, run in groupby(range(len(looks)), key=chosen.__getitem__):
                places = list(run) if is_set else []
                whole = "".join(self._pieces[place] for place in places)
                first = next((place for place in places if self._pieces[place].strip()), None)
                if first is not None:
                    for place in places:
                        self._pieces[place] = write(whole) if place == first else ""


def joined(parts: Sequence[Linked], between: str) -> Linked:
    """The texts that are not empty with white space between them, as one."""
    parts = [part for part in parts if part.text]
    if len(parts) == 1:
        return parts[0]
    links: list[RawLink] = []
    before = 0
    if any(part.links for part in parts):
        for part in parts:
            links += [RawLink(before + link.start, before + link.end, link.href) for link in part.links]
            before += _solid_length(part.text)
    return Linked(between.join(part.text for part in parts), tuple(links))


def parted(whole: Linked, bounds: Sequence[tuple[int, int]]) -> Iterator[Linked]:
    """The pieces of a text between these bounds, which rise, each with the hyperlinks that lie in it."""
    waiting = list(reversed(whole.links))
    solid = behind = 0
    for start, end in bounds:
        solid += _solid_length(whole.text[behind:start])
        last = solid + _solid_length(whole.text[start:end])
        found: list[RawLink] = []
        while waiting and waiting[-1].start < last:
            link = waiting.pop()
            if solid <= link.start and link.end <= last:
                found.append(RawLink(link.start - solid, link.end - solid, link.href))
        yield Linked(whole.text[start:end], tuple(found))
        solid, behind = last, end


def placed_links(links: Sequence[RawLink], text: str, span: Span) -> Iterator[Link]:
    """The hyperlinks of a text that has come to stand at `span`, its white space folded."""
    runs = _SOLID.finditer(text)
    before = after = start = 0
    for link in links:
        places = []
        for count in (link.start, link.end - 1):
            while after <= count:
                run = next(runs, None)
                if run is None:
                    return
                before, after, start = after, after + len(run.group()), run.start()
            places.append(start + count - before)
        yield Link(Span(span.page, span.start + places[0], span.start + places[1] + 1), link.href)


def _solid_length(text: str) -> int:
    return len("".join((text if text.isprintable() else clean(text)).split()))
