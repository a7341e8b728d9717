"""The places of one document by their numbers: which section or anchor does "92(4)(b)" or "Table 4.1" mean here?"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.records.outlines import Outline, Target
from pincite.structure.anchored import ANCHOR_KINDS, CLAUSES, Anchored, Listed, covers, letter_for, title_key
from pincite.structure.lines import PageNumbers
from pincite.structure.places import LANES, UNIT_OF, Place, is_inner, mended, read_place

__all__ = ["ANCHOR_KINDS", "MAX_RANGE", "Places"]

MAX_RANGE = 40
_NAMED_UNITS = frozenset({"policy", "principle", "step"})
_NAMED_TITLE = re.compile(r"(?P<unit>[a-z]+)\s+(?P<number>(?:[a-z]{1,5}\s?)?\d{1,3}[a-z]?)\b", re.IGNORECASE)
_LETTERED = re.compile(r"(\d+)([a-z])")
_FIRST_WORD = re.compile(r"([^\W\d_]{3,})\.?\s+(?:[A-Z]{1,5}\s?)?\d")
_COUNTED_APART = frozenset({"item", "exhibit", "article", "schedule"})
_OF_LAW = frozenset({"article", "regulation"})
_LOOSE = frozenset({"article", "regulation", "rule", "principle", "point", "step", "page"})
_LAW = re.compile(
    r"\b(?:acts?|laws?|regulations?|rules?|rulebook|orders?|directives?|statutes?|treaty|convention|constitution|charter|code|"
    r"agreement|articles|gesetz|verordnung)\b"
)


class Places:
    """Finds sections and anchors of one document by what text calls them."""

    def __init__(self, outline: Outline) -> None:
        sections = outline.sections
        self.source_id = outline.source_id
        self.sections = sections
        self._anchored = Anchored(outline.source_id, outline.anchors)
        self._listed = Listed(outline.anchors)
        self._pages = PageNumbers(outline.source_id, outline.pages)
        self._starts = [section.start for section in sections]
        self._places = [read_place(section.number or "") for section in sections]
        self._by_pieces: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self._inside: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self._by_lane: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._inside_lane: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._by_title: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._by_name: dict[str, list[int]] = defaultdict(list)
        self._own_lanes = _COUNTED_APART & {lane for place in self._places for lane, _ in place.lanes}
        self._is_law = any(map(_LAW.search, outline.names))
        self._own_words = {word for section in sections if (word := _unit_of(section.number or section.title))}
        labels = [section.number for section in sections if section.number]
        self._has_paragraphs_alone = all(_unit_of(label) == "paragraph" for label in labels)
        for ordinal, place in enumerate(self._places):
            self._add_section(ordinal, place)

    def _add_section(self, ordinal: int, place: Place) -> None:
        pieces = place.pieces
        if key := title_key(self.sections[ordinal].title):
            self._by_name[key].append(ordinal)
        if pieces:
            self._by_pieces[pieces].append(ordinal)
        elif place.lanes:
            self._by_lane[place.lanes[-1]].append(ordinal)
        if match := _NAMED_TITLE.match(self.sections[ordinal].title):
            unit = UNIT_OF.get(match["unit"].lower(), "")
            if unit in _NAMED_UNITS:
                self._by_title[unit, "".join(match["number"].lower().split())].append(ordinal)
        for depth in range(1, len(pieces)):
            self._inside[pieces[:depth]].append(ordinal)
        for lane in place.lanes if pieces else place.lanes[:-1]:
            self._inside_lane[lane].append(ordinal)

    def uses(self, unit: str) -> bool:
        """Whether this document may call its own parts so: articles and regulations are parts of laws."""
        return unit not in _OF_LAW or self._is_law or unit in self._own_words

    def section_at(self, offset: int) -> int | None:
        """The ordinal of the innermost section that holds an offset of the joined text."""
        index = bisect_right(self._starts, offset) - 1
        return index if index >= 0 else None

    def find(self, unit: str, number: str, at: int | None, within: Sequence[Target] = ()) -> list[Target]:
        """The places that a number may mean, seen from offset `at` of this document (None: from another document).

        One where it is clear, several where it is not; none where there is no such place.
        """
        if unit == "page":
            return self._pages.called(number, at)
        if unit in ANCHOR_KINDS:
            return self._find_anchor(unit, number, at, within)
        found = self._find_section(unit, number, at, within)
        if found or at is None or within:
            return found
        items = self._listed.find(unit, number, at, self.section_at(at))
        return [self._anchored.target(item) for item in items]

    def _find_section(self, unit: str, number: str, at: int | None, within: Sequence[Target]) -> list[Target]:
        near = None if at is None else self.section_at(at)
        if called := self._find_called(unit, number):
            return called
        titled = self._by_title.get((unit, "".join(number.lower().split())), [])
        if titled or unit in _NAMED_UNITS - {"policy"}:
            return [self._target([ordinal]) for ordinal in titled]
        place = read_place(mended(number))
        if unit in LANES and not place.lanes and len(place.pieces) == 1:
            found = self._find_lane(unit, place.pieces[0], near, within)
            if found or unit == "part" or unit in self._own_lanes:
                return found
        if place.lanes and not place.pieces:
            return self._find_lane(*place.lanes[-1], near, within)
        return self._find_pieces(place.pieces, unit, near, within)

    def _find_called(self, unit: str, title: str) -> list[Target]:
        """The sections of this title, else the definitions of it."""
        found = [item for item in self._by_name.get(title_key(title), []) if self._may_be_called(item, unit)]
        if found:
            return [self._target([ordinal]) for ordinal in found]
        return [] if unit else self._anchored.defined(title)

    def _may_be_called(self, ordinal: int, unit: str) -> bool:
        label = _unit_of(self.sections[ordinal].number or "")
        return not unit or (label == unit if "policy" in (unit, label) else True)

    def between(self, number: str, first: Target, last: Target) -> list[Target]:
        """The places of a range that starts with `number`: both ends and what stands between them on its level."""
        if first.section is None and first.anchor is None:
            return [replace(first, end=max(first.end, last.end))]
        if first.section is None or last.section is None or not first.section < last.section:
            return [first, last]
        depth = len(read_place(number).pieces)
        groups: dict[tuple[str, ...], list[int]] = {}
        for ordinal in range(first.section, last.section):
            pieces = self._places[ordinal].pieces
            if len(pieces) >= depth and self.sections[ordinal].start >= first.end:
                groups.setdefault(pieces[:depth], []).append(ordinal)
        return [first, *(self._target(group) for group in list(groups.values())[:MAX_RANGE]), last]

    def is_whole(self, number: str) -> bool:
        """There is a place of this very number, no bracket left out."""
        pieces = read_place(number).pieces
        return pieces in self._by_pieces or pieces in self._inside

    def _find_lane(self, lane: str, mark: str, near: int | None, within: Sequence[Target]) -> list[Target]:
        key = (lane, mark)
        heads = self._nearest(self._by_lane.get(key, []), near, within)
        if heads:
            return [self._target([ordinal]) for ordinal in heads]
        inner = self._nearest(self._inside_lane.get(key, []), near, within, keep_all=True)
        if inner:
            return [self._target(inner)]
        if lane == "annex":
            for letter in (mark, letter_for(mark)):
                if letter and (found := self._by_pieces.get((letter,))):
                    return [self._target([ordinal]) for ordinal in found]
        return []

    def _find_pieces(
        self, pieces: tuple[str, ...], unit: str, near: int | None, within: Sequence[Target]
    ) -> list[Target]:
        if not pieces:
            return []
        if is_inner(pieces[0]):
            return self._find_inner(pieces, near, within)
        wanted = pieces
        while pieces:
            found = self._numbered(pieces, unit, near, within)
            if found:
                return found
            if lettered := _LETTERED.fullmatch(pieces[-1]):
                pieces = (*pieces[:-1], lettered[1], f"({lettered[2]})")
            elif not is_inner(pieces[-1]):
                break
            elif held := self._held(pieces, unit, near, within):
                return held
            else:
                pieces = pieces[:-1]
        letter = letter_for(wanted[0])
        return self._find_pieces((letter, *wanted[1:]), unit, near, within) if letter and len(wanted) > 1 else []

    def _numbered(self, pieces: tuple[str, ...], unit: str, near: int | None, within: Sequence[Target]) -> list[Target]:
        """The sections of this very number, else what stands below it."""
        named = self._by_pieces.get(pieces, [])
        suiting = [ordinal for ordinal in named if self._suits(ordinal, unit)]
        if named and not suiting:
            return []
        exact = self._nearest(suiting, near, within, unit=unit)
        if exact:
            return [self._target([ordinal]) for ordinal in exact]
        below = [ordinal for ordinal in self._inside.get(pieces, []) if self._suits(ordinal, unit)]
        inner = self._nearest(below, near, within, unit=unit, keep_all=True)
        return [self._target(inner)] if inner else []

    def _suits(self, ordinal: int, unit: str) -> bool:
        """Paragraphs counted through a document are found as paragraphs, as clauses where it has no others, and
        policies as policies."""
        label = _unit_of(self.sections[ordinal].number or "")
        if label == "paragraph":
            return unit in ("", "paragraph", "point") or (unit in CLAUSES and self._has_paragraphs_alone)
        if label == "policy":
            return unit in ("", "policy")
        pieces = self._places[ordinal].pieces
        if unit == "paragraph" and (self.sections[ordinal].number or "").rstrip(".").isdigit():
            return not (self.sections[ordinal].title and pieces in self._inside)
        return unit != "policy" or not pieces[0].isdigit()

    def _held(self, pieces: tuple[str, ...], unit: str, near: int | None, within: Sequence[Target]) -> list[Target]:
        """The list item of this mark; for a number without section the one before it, where a later one is known."""
        bases = self._numbered(pieces[:-1], unit, near, within)
        if len(bases) != 1 or bases[0].section is None:
            return []
        mark = pieces[-1].strip("()")
        items = self._anchored.items(mark, bases[0])
        if len(items) == 1:
            return [self._anchored.target(items[0])]
        return self._lost(int(mark), pieces[:-1], bases[0]) if mark.isdigit() else []

    def _lost(self, value: int, above: tuple[str, ...], inside: Target) -> list[Target]:
        """The clause before a number that is none, where a later one is there."""
        clauses: dict[int, int] = {}
        for ordinal in self._inside.get(above, []):
            inner = self._places[ordinal].pieces[len(above) :]
            if len(inner) == 1 and inner[0].strip("()").isdigit() and covers(inside, self.sections[ordinal].start):
                clauses[int(inner[0].strip("()"))] = ordinal
        before = [other for other in clauses if other < value]
        is_between = bool(before) and any(other > value for other in clauses)
        return [self._target([clauses[max(before)]])] if is_between else []

    def _find_inner(self, pieces: tuple[str, ...], near: int | None, within: Sequence[Target]) -> list[Target]:
        """ "(10)" is a clause of the place that it lies in, or of the section that the reference stands in."""
        start = within[0].section if within else near
        if start is None:
            return []
        base = self._places[start].pieces
        for length in range(len(pieces), 0, -1):
            for depth in range(len(base), 0, -1):
                found = self._nearest(self._by_pieces.get((*base[:depth], *pieces[:length]), []), start, ())
                if found:
                    return [self._target([ordinal]) for ordinal in found]
        around = list(within) or [self._target([start])]
        items = self._anchored.items(pieces[0].strip("()"), around[0])
        if len(items) == 1:
            return [self._anchored.target(items[0])]
        return around if within or pieces[0][1:-1].isalpha() else []

    def _nearest(
        self,
        ordinals: Sequence[int],
        near: int | None,
        within: Sequence[Target],
        *,
        unit: str = "",
        keep_all: bool = False,
    ) -> list[int]:
        """Of several places of one number: those in `within`, else those in the same part or schedule as `near`."""
        if within:
            inside = [item for item in ordinals if any(covers(place, self.sections[item].start) for place in within)]
            ordinals = inside or ordinals
        if len(ordinals) < 2 or (keep_all and near is None):
            return list(ordinals)
        lanes = () if near is None else self._places[near].lanes
        scores = [self._closeness(item, lanes, unit) for item in ordinals]
        best = [item for item, score in zip(ordinals, scores, strict=True) if score == max(scores)]
        return best if keep_all else self._without_repeats(best)

    def _without_repeats(self, ordinals: Sequence[int]) -> list[int]:
        """Of those that have the same number: the one with a title, else the first of one parent."""
        groups: dict[Place, list[int]] = {}
        for item in ordinals:
            groups.setdefault(self._places[item], []).append(item)
        kept: list[int] = []
        for items in groups.values():
            titled = [item for item in items if self.sections[item].title]
            if len(titled) == 1:
                kept += titled
            else:
                parents = {self.sections[item].parent: item for item in reversed(items)}
                kept += parents.values()
        return sorted(kept)

    def _closeness(self, ordinal: int, lanes: tuple[tuple[str, str], ...], unit: str) -> tuple[int, int, int]:
        own = self._places[ordinal].lanes
        common = 0
        while common < min(len(own), len(lanes)) and own[common] == lanes[common]:
            common += 1
        in_schedule = bool(own) and own[0][0] in ("schedule", "annex")
        expected = unit == "paragraph" if in_schedule else unit != "paragraph"
        is_named = bool(unit) and _unit_of(self.sections[ordinal].number or "") == unit
        return (common if unit == "paragraph" or not in_schedule or common else -1, int(expected), int(is_named))

    def _find_anchor(self, unit: str, number: str, at: int | None, within: Sequence[Target]) -> list[Target]:
        """Anchors of this number: those in `within`, else in the same section; notes have to be in the same section."""
        found = self._anchored.numbered(unit, number)
        places = within or (self._around("section", at) if unit == "note" and at is not None else ())
        inside = [anchor for anchor in found if any(covers(place, anchor.start) for place in places)]
        found = inside if unit == "note" and places else inside or found
        if len(found) > 1 and at is not None:
            section = self.section_at(at)
            found = [anchor for anchor in found if anchor.section == section] or found
        return [self._anchored.target(anchor) for anchor in found]

    def neighbour(self, unit: str, at: int, direction: str) -> list[Target]:
        """The next or previous table, figure, section ... seen from an offset; for "this", the one that holds it.

        Without a unit it is the text of the same section, from here on or before.
        """
        if unit in ANCHOR_KINDS:
            return self._anchored.neighbour(unit, at, direction)
        if unit in _LOOSE and not self._is_law and unit not in self._own_words:
            return []
        if unit == "policy" and direction != "this":
            return self._next_labelled(unit, at, direction)
        around = self._around(unit, at)
        if direction == "this" or not around or around[0].section is None:
            return around
        if not unit:
            return [replace(around[0], start=at)] if direction == "next" else around
        step = 1 if direction == "next" else -1
        parent = self.sections[around[0].section].parent
        siblings = [item.ordinal for item in self.sections if item.parent == parent]
        position = siblings.index(around[0].section) + step
        return [self._target([siblings[position]])] if 0 <= position < len(siblings) else []

    def _next_labelled(self, unit: str, at: int, direction: str) -> list[Target]:
        """Sections of a unit that does not count with those around it are near where their own labels are."""
        labelled = [item for item in self.sections if _unit_of(item.number or "") == unit]
        ahead = [item for item in labelled if item.start > at]
        behind = [item for item in labelled if item.end <= at]
        chosen = ahead[:1] if direction == "next" else behind[-1:]
        return [self._target([item.ordinal]) for item in chosen]

    def _around(self, unit: str, at: int) -> list[Target]:
        """What is called so among the section that holds an offset and those that this one lies in."""
        chain = list(self._chain(at))
        if unit in LANES and unit != "section":
            named = next((item for item in chain if unit in dict(self._places[item].lanes)), None)
            if named is not None:
                return self._find_lane(unit, dict(self._places[named].lanes)[unit], named, ())
            lettered = [
                item for item in chain if unit == "annex" and "".join(self._places[item].pieces[:1])[:1].isalpha()
            ]
            counted = [item for item in chain if unit == "chapter" and len(self._places[item].pieces) == 1]
            return [self._target(found[-1:]) for found in (lettered or counted,) if found]
        headed = [item for item in chain if self.sections[item].title] if unit == "section" else chain
        return [self._target([item]) for item in (headed or chain)[:1]]

    def _chain(self, at: int) -> Iterator[int]:
        ordinal = self.section_at(at)
        while ordinal is not None:
            yield ordinal
            ordinal = self.sections[ordinal].parent

    def _target(self, ordinals: Sequence[int]) -> Target:
        first = self.sections[ordinals[0]]
        end = max(self.sections[ordinal].end for ordinal in ordinals)
        return Target(self.source_id, first.start, end, section=first.ordinal)


def _unit_of(label: str) -> str:
    """The unit that a label starts with: "para. 7", "Policy CSP 4", "Regulation 5"."""
    word = _FIRST_WORD.match(label)
    return "" if word is None else UNIT_OF.get(word[1].lower(), "")
