"""The anchors of one document by what text calls them: "Figure B.5", "the following table", "see Windfall site"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from pincite.records.outlines import Anchor, AnchorKind, Target
from pincite.structure.places import mended
from pincite.structure.slips import DIGIT_FOR, LETTERS_FOR
from pincite.structure.titled import title_key

ANCHOR_KINDS: dict[str, tuple[AnchorKind, ...]] = {
    "table": ("table",),
    "figure": ("figure",),
    "equation": ("equation",),
    "note": ("note",),
    "footnote": ("footnote",),
    "definition": ("definition",),
}
_MISREAD_FOUR = re.compile(r"(?<=^[a-z])a$")
_MISREAD_LEVEL = re.compile(r"(?<=\w\.)[BS](?![\w.])")
_UNDOTTED = re.compile(r"^([a-z])(?=\d)")


class Anchored:
    """Finds the anchors of one document."""

    def __init__(self, source_id: str, anchors: Sequence[Anchor]) -> None:
        self._source_id = source_id
        self._anchors = anchors
        self._by_number: dict[tuple[AnchorKind, str], list[Anchor]] = defaultdict(list)
        self._by_term: dict[str, list[Anchor]] = defaultdict(list)
        for anchor in anchors:
            if anchor.kind == "definition" and (key := title_key(anchor.title)):
                self._by_term[key].append(anchor)
            if anchor.number:
                self._by_number[anchor.kind, plain_number(anchor.number)].append(anchor)

    def numbered(self, unit: str, number: str) -> list[Anchor]:
        """Those of a unit with this number; where there are none, those that a misread number may mean."""
        for reading in _readings(plain_number(number)):
            found = [anchor for kind in ANCHOR_KINDS[unit] for anchor in self._by_number.get((kind, reading), [])]
            if found:
                return found
        return []

    def items(self, mark: str, inside: Target) -> list[Anchor]:
        """The list items of a mark ("b") inside a place."""
        return [anchor for anchor in self._by_number.get(("list_item", mark), []) if covers(inside, anchor.start)]

    def defined(self, term: str) -> list[Target]:
        """The definitions of a term."""
        return [self.target(anchor) for anchor in self._by_term.get(title_key(term), [])]

    def neighbour(self, unit: str, at: int, direction: str) -> list[Target]:
        """The next one of a unit behind an offset, else the last one before it."""
        alike = [anchor for anchor in self._anchors if anchor.kind in ANCHOR_KINDS[unit]]
        ahead = [anchor for anchor in alike if anchor.start > at]
        behind = [anchor for anchor in alike if anchor.start <= at]
        return [self.target(anchor) for anchor in (ahead[:1] if direction == "next" else behind[-1:])]

    def target(self, anchor: Anchor) -> Target:
        """The place of an anchor."""
        return Target(self._source_id, anchor.start, anchor.end, section=anchor.section, anchor=anchor.ordinal)


def covers(target: Target, offset: int) -> bool:
    """An offset of the same document lies inside a place."""
    return target.start <= offset < target.end


def letter_for(digit: str) -> str:
    """The letter, in lower case, that was most likely printed; "" where it was a digit."""
    return LETTERS_FOR.get(digit, "")[:1].lower()


def plain_number(number: str) -> str:
    """The number in one form: "(F .2)" is "f.2", "D-10" is "d.10", "B1" is "b.1", and "7.B" was printed "7.8"."""
    plain = _MISREAD_LEVEL.sub(lambda match: match[0].translate(DIGIT_FOR), mended(number))
    return _UNDOTTED.sub(r"\1.", "".join(plain.split()).strip("().").lower().replace("-", ".").replace("\u2013", "."))


def _readings(number: str) -> Iterator[str]:
    """A number as it is read, as it may have been printed ("8.5" and "85" in an annex B, "ca" for "C.4"), and without
    the letter or bracket of its part."""
    yield number
    yield _MISREAD_FOUR.sub(".4", number)
    if number[1:2] == ".":
        yield (letter_for(number[0]) or number[0]) + number[1:]
    elif number.isdigit() and letter_for(number[0]):
        yield f"{letter_for(number[0])}.{number[1:]}"
    yield number.partition("(")[0]
    if number[-1:].isalpha():
        yield number[:-1]
