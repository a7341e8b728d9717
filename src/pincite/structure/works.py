"""Works that lie in several files: which belong together, where hyperlinks and references lead among them, and their
sections by what a person calls them ("5.2", "Annex B", "snow loads")."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from pincite.errors import NotThereError, UsageError
from pincite.printing import listed_names, nearest_names
from pincite.records.outlines import Hyperlink, Outline, Reference, Section, Target
from pincite.structure.anchored import ANCHOR_KINDS, plain_number
from pincite.structure.numbering import read_number
from pincite.structure.places import LANES, UNIT_OF, mended, read_place


def components(edges: Mapping[str, Collection[str]]) -> Iterator[list[str]]:
    """The groups of nodes that reach each other, each node in one group; nodes that only edges name count, too."""
    backward: dict[str, list[str]] = {node: [] for node in edges}
    for node, targets in edges.items():
        for target in targets:
            backward.setdefault(target, []).append(node)
    finished: list[str] = []
    seen: set[str] = set()
    for node in backward:
        finished += _reached(node, edges, seen)
    seen.clear()
    for node in reversed(finished):
        if node not in seen:
            yield _reached(node, backward, seen)


def _reached(first: str, edges: Mapping[str, Collection[str]], seen: set[str]) -> list[str]:
    """What is reached from a node over nodes not seen before, each behind all that is reached from it alone."""
    if first in seen:
        return []
    seen.add(first)
    order: list[str] = []
    path = [(first, iter(edges.get(first, ())))]
    while path:
        node, targets = path[-1]
        following = next((target for target in targets if target not in seen), None)
        if following is None:
            order.append(node)
            path.pop()
        else:
            seen.add(following)
            path.append((following, iter(edges.get(following, ()))))
    return order


CHAPTERS = frozenset({"chapter", "annex"})
"""What is counted through a whole work by plain numbers or letters."""
SECTIONS = frozenset({"section", "chapter", "clause", "annex", "rule", "article", "paragraph", ""})
"""What numbers of several levels are called, where they are those of headings."""
Key = tuple[str, ...]
HEADING_ALONE = 16
"""How many characters a section has beside number and title where nothing else stands in it."""
_SUFFIX = re.compile(r"\.[A-Za-z]\w{0,5}$")
_OPENING_FILES = ("index.html", "index.htm", "README.md", "index.md")


class Works:
    """All documents of a collection."""

    def __init__(self, outlines: Sequence[Outline]) -> None:
        self._outlines = {item.source_id: item for item in outlines}
        self._names: dict[str, dict[str, int]] = {}
        self._openings: dict[str, Target] = {}
        self._numbered: dict[str, Mapping[Key, list[Target]]] = {}

    def has_file(self, hyperlink: Hyperlink) -> bool:
        """Whether the file that a hyperlink leads to is here."""
        return self._file(hyperlink.file) is not None

    def target(self, hyperlink: Hyperlink) -> Target | None:
        """The place that a hyperlink leads to; None where it is not here."""
        source_id = self._file(hyperlink.file)
        if source_id is None:
            return None
        outline = self._outlines[source_id]
        if hyperlink.place is None:
            return self._opening(outline)
        if source_id not in self._names:
            self._names[source_id] = {item.name: item.start for item in outline.place_names}
        start = self._names[source_id].get(hyperlink.place)
        return None if start is None else _place_at(outline, start)

    def numbered(self, reference: Reference, source_id: str) -> list[Target]:
        """The place of this number in the other files of a document's work, where one alone has it."""
        if reference.document not in (None, "this"):
            return []
        for targets in self._called(reference, source_id):
            found = [item for item in targets if item.source_id != source_id]
            if found:
                return found if len(found) == 1 else []
        return []

    def is_heading(self, reference: Reference, source_id: str) -> bool:
        """Whether a reference is the number of a heading of its own document, which is one of a work."""
        own = (item for targets in self._called(reference, source_id) for item in targets)
        return any(item.source_id == source_id and item.start == reference.start for item in own)

    def _called(self, reference: Reference, source_id: str) -> Iterator[Sequence[Target]]:
        """The places of the work that may be called so, the likeliest first."""
        places = self._places_of(source_id)
        if places:
            yield from (places.get(key, ()) for key in _keys_of(reference.unit, reference.number or ""))

    def of(self, source_id: str) -> Sequence[str]:
        """The files of the work that a document belongs to, itself among them, in order."""
        return self._works.get(source_id, (source_id,))

    def _opening(self, outline: Outline) -> Target:
        """Where a document begins to speak: its first section that has a title and more than it."""
        if outline.source_id not in self._openings:
            speaking = _speaking(outline.sections)
            titled = (item for item in outline.sections if item.title and item.ordinal in speaking)
            first = next(titled, outline.sections[0] if outline.sections else None)
            whole = Target(outline.source_id, 0, 0)
            self._openings[outline.source_id] = whole if first is None else _target(outline, first)
        return self._openings[outline.source_id]

    def _places_of(self, source_id: str) -> Mapping[Key, list[Target]]:
        """The numbered places of a whole work."""
        files = self.of(source_id)
        if len(files) < 2:
            return {}
        if files[0] not in self._numbered:
            found: dict[Key, list[Target]] = defaultdict(list)
            for file in files:
                for key, target in _numbered_places(self._outlines[file]):
                    found[key].append(target)
            self._numbered[files[0]] = found
        return self._numbered[files[0]]

    @cached_property
    def _works(self) -> Mapping[str, Sequence[str]]:
        """By file: the files of the same folder from which and to which hyperlinks lead, directly or over others."""
        edges = {
            source_id: [
                file
                for item in outline.hyperlinks
                if (file := self._file(item.file)) is not None and _folder(file) == _folder(source_id)
            ]
            for source_id, outline in sorted(self._outlines.items())
            if outline.hyperlinks
        }
        groups = (sorted(group) for group in components(edges))
        return {file: group for group in groups if len(group) > 1 for file in group}

    def _file(self, path: str) -> str | None:
        """The source that a path means, as a server would give it."""
        return next((item for item in _readings(path) if item in self._outlines), None)


def _readings(path: str) -> Iterator[str]:
    """A path as written, a folder's opening file, a page without its suffix, and the source that a page was made of."""
    yield path
    folder = path.rstrip("/")
    yield from (f"{folder}/{name}".lstrip("/") for name in _OPENING_FILES)
    suffix = _SUFFIX.search(folder)
    if suffix is None:
        yield from (f"{folder}.html", f"{folder}.md")
    elif suffix.group() in (".html", ".htm"):
        yield f"{folder[: suffix.start()]}.md"


def _folder(source_id: str) -> str:
    return source_id.rpartition("/")[0]


def _place_at(outline: Outline, start: int) -> Target:
    """The table, the like or the section that begins at an offset, else the rest of the innermost section around it."""
    place = bisect_left(outline.anchors, start, key=lambda item: item.start)
    if place < len(outline.anchors) and outline.anchors[place].start == start:
        anchor = outline.anchors[place]
        return Target(outline.source_id, start, anchor.end, section=anchor.section, anchor=anchor.ordinal)
    index = bisect_right(outline.sections, start, key=lambda item: item.start) - 1
    if index < 0:
        return Target(outline.source_id, start, start)
    section = outline.sections[index]
    return Target(outline.source_id, start, max(start, section.end), section=section.ordinal)


def _target(outline: Outline, section: Section) -> Target:
    return Target(outline.source_id, section.start, section.end, section=section.ordinal)


def sections_called(outlines: Sequence[Outline], unit: str, number: str) -> dict[str, Section]:
    """By source id the first section of this number, counted through the work where its file counts from 1."""
    keys = frozenset(_keys_of(unit, number))
    found: dict[str, Section] = {}
    for outline in outlines:
        named = [item for item, key in zip(outline.sections, _keys(outline.sections), strict=True) if key in keys]
        speaking = _speaking(outline.sections) if named else set()
        first = next((item for item in named if item.ordinal in speaking), None)
        if first is not None:
            found[outline.source_id] = first
    return found


def numbers_in_work(sections: Sequence[Section]) -> list[str]:
    """For each section of a file of a work, by which number it is asked for, as `places.place_key` writes it; "" where
    it has none, or is a line of contents."""
    speaking = _speaking(sections)
    keys = zip(sections, _keys(sections), strict=True)
    return [" ".join(key).strip() if section.ordinal in speaking else "" for section, key in keys]


def _keys_of(unit: str, number: str) -> Iterator[Key]:
    """The keys under which what text calls so may stand."""
    if not number or unit == "page":
        return
    if unit in ANCHOR_KINDS:
        yield from ((kind, plain_number(number)) for kind in ANCHOR_KINDS[unit])
        return
    place = read_place(mended(number))
    if place.lanes and not place.pieces:
        yield place.lanes[-1]
    elif len(place.pieces) == 1 and unit in LANES:
        yield (unit, *place.pieces)
    if place.pieces and unit in (CHAPTERS if len(place.pieces) == 1 else SECTIONS):
        yield ("", *place.pieces)


def _numbered_places(outline: Outline) -> Iterator[tuple[Key, Target]]:
    """The sections and anchors of a document that have a number, each under its key. Headings with nothing below them
    are left out: that is how a table of contents names a section of another file."""
    speaking = _speaking(outline.sections)
    for section, key in zip(outline.sections, _keys(outline.sections), strict=True):
        if key and section.ordinal in speaking:
            yield key, _target(outline, section)
    for anchor in outline.anchors:
        if anchor.number:
            target = Target(outline.source_id, anchor.start, anchor.end, section=anchor.section, anchor=anchor.ordinal)
            yield (anchor.kind, plain_number(anchor.number)), target


def _keys(sections: Sequence[Section]) -> Iterator[Key]:
    """The key of each section, () where it has no number. A file that counts its sections from 1 gives them the number
    of its chapter, too: "48." in "Chapter 44" is 44.48."""
    numbers: list[Key] = []
    for section in sections:
        above = () if section.parent is None else numbers[section.parent]
        label = section.number or _number_in(section.title)
        place = read_place(label)
        own = place.pieces
        if len(own) == 1 and above and section.parent is not None:
            own = (*above, *own)
        numbers.append(own or above)
        yield ("", *own) if own else place.lanes[-1] if place.lanes else ()


def _number_in(title: str) -> str:
    """The number that a title begins with, where it is surely one: "Chapter 44 - Access control", "53.20. pg_enum"."""
    readings = [item.number.text for item in read_number(title) if item.worded or item.number.depth > 1]
    return readings[0] if readings else ""


def _speaking(sections: Sequence[Section]) -> set[int]:
    """The ordinals of the sections with more in them than headings."""
    inner: dict[int, int] = defaultdict(int)
    speaking: set[int] = set()
    for section in reversed(sections):
        own = section.end - section.start - inner[section.ordinal]
        if own > len(section.title) + len(section.number or "") + HEADING_ALONE:
            speaking.add(section.ordinal)
        if section.parent is not None:
            inner[section.parent] += section.end - section.start
            if section.ordinal in speaking:
                speaking.add(section.parent)
    return speaking


_UNIT = re.compile(r"^(section|clause|annex|appendix|chapter|rule|paragraph|part|article)\s+(?=\S)", re.IGNORECASE)


def section_called(sections: Sequence[Section], asked: str) -> Section:
    """The first section of this number, else of this title; case, spaces and the word before a number do not count.

    NotThereError names the nearest numbers where there is none.
    """
    wanted = {_folded(asked), _folded(_bare(asked))} - {""}
    numbered = (section for section in sections if _folded(section.number or "") in wanted)
    titled = (section for section in sections if _folded(section.title) in wanted)
    found = next(numbered, None) or next(titled, None)
    if found is None:
        numbers = [section.number for section in sections if section.number]
        raise NotThereError(f"there is no section {asked!r}: {nearest_names(_bare(asked), numbers)}")
    return found


def section_in_works(outlines: Sequence[Outline], asked: str, source_id: str | None = None) -> tuple[str, Section]:
    """The document and its section of this number, among all documents or those of the work of one; NotThereError where
    there is none, UsageError where several documents have one."""
    within = outlines if source_id is None else _work(outlines, source_id)
    word = _UNIT.match(asked)
    units = (UNIT_OF[word[1].lower()],) if word else ("section", "chapter")
    named = (sections_called(within, unit, _bare(asked).strip()) for unit in units)
    found = next(filter(None, named), {})
    if not found:
        raise NotThereError(f"no document has a section {asked!r}")
    if len(found) > 1:
        raise UsageError(f"{asked!r} may be in {listed_names(list(found))}: name the document, too")
    return next(iter(found.items()))


def _work(outlines: Sequence[Outline], source_id: str) -> list[Outline]:
    files = frozenset(Works(outlines).of(source_id))
    return [item for item in outlines if item.source_id in files]


def _bare(asked: str) -> str:
    """ "5.2" of "Section 5.2"."""
    return _UNIT.sub("", asked)


def _folded(text: str) -> str:
    """Without spaces, case and the stop at the end."""
    return "".join(text.split()).casefold().rstrip(".")
