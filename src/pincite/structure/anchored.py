"""References to places by what text calls them: "Figure B.5", "the following table", "see Glossary", "step 3"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.records.outlines import Anchor, AnchorKind, Section, Target
from pincite.structure.places import DIGIT_FOR, LETTERS_FOR, UNIT_OF, mended
from pincite.structure.wording import Item, Token, normal_name

SHORTEST = 5
_WORDS = r"[A-Z][\w’'&/-]*(?:\s[\w’'&/-]+){0,7}"
_UNIT = r"(?P<unit>section|chapter|policy)\b(?!\s*[A-Z]{0,5}\s?\d)"
_TELLS = r"shown|set\s+out|identified|defined|listed|illustrated|described|given|indicated|contained|found"
_DRAWN = r"(?:shown|identified|illustrated|indicated|defined)\b[^.;]{0,40}?\son\s+the\s+"
_BY_TITLE = re.compile(
    rf"\b(?:(?P<see>[Ss]ee)\s+(?:also\s+)?(?:the\s+)?|{_DRAWN}|(?:{_TELLS})\s+in\s+the\s+)"
    rf"[“‘\"']?(?P<title>{_WORDS})"
    rf"|\b[Tt]he\s+(?P<name>(?:(?!the\b)[\w’'&-]+\s+){{1,7}}?)(?={_UNIT})"
)
_BEHIND = re.compile(rf"\s+{_UNIT}")
_WORD = re.compile(r"(?<!\S)\S++(?!\s+[A-Z])")


@dataclass(frozen=True, slots=True)
class Titles:
    """What a document has titles for: its sections, and the terms that it defines, in the form of `title_key`."""

    sections: frozenset[str] = frozenset()
    terms: frozenset[str] = frozenset()


def titles_of(sections: Sequence[Section], anchors: Sequence[Anchor]) -> Titles:
    """The titles of a document by which text may call its places."""
    terms = (title_key(anchor.title) for anchor in anchors if anchor.kind == "definition")
    return Titles(frozenset(title_key(section.title) for section in sections) - {""}, frozenset(terms) - {""})


def title_key(title: str) -> str:
    """The form in which titles are compared; empty for what is too short to be known by its title."""
    key = normal_name(title)
    return key if len(key) >= SHORTEST else ""


def titled_places(text: str, titles: Titles) -> Iterator[Token]:
    """The places of a text that are called by their titles; for defined terms it has to say "see"."""
    for match in _BY_TITLE.finditer(text):
        start = match.start("title") if match["title"] else match.start("name")
        if match["title"]:
            end = _longest(match["title"], titles.sections | titles.terms if match["see"] else titles.sections)
        else:
            end = len(match["name"].rstrip()) if title_key(match["name"]) in titles.sections else 0
        if end:
            yield _place(text, start, start + end)


def _longest(words: str, titles: Container[str]) -> int:
    """How much of some words is a title; 0 where they start with none."""
    ends = [match.end() for match in _WORD.finditer(words)]
    return next((end for end in reversed(ends) if title_key(words[:end]) in titles), 0)


def _place(text: str, start: int, end: int) -> Token:
    title, behind = " ".join(text[start:end].split()), _BEHIND.match(text, end)
    end = end if behind is None else behind.end()
    unit = "" if behind is None else UNIT_OF[behind["unit"]]
    return Token("places", start, end, text[start:end], unit, (Item(start, end, title),))


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
