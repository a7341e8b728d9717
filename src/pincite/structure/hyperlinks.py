"""Hyperlinks of a document: those of running text are references with a sure target, the others only lead about."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, islice, takewhile

from pincite.records.outlines import Hyperlink, Reference
from pincite.records.pages import Document, Link, Page, PlaceName, Span, Table, page_offsets
from pincite.text.addresses import address_within

LONGEST_TEXT = 300
LEAST_WORDS = 3
MOST_LINKED = 0.5
"""The share of a page's text that hyperlinks carry, from which on it is an index or a table of contents."""
_WORD = re.compile(r"[^\W\d_]{2,}+")
_SAYING = re.compile(r"[^\W\d_]|\d[.:-]\d")
"""What a link says that is more than the mark of a note or the number of a source."""
_POINTING = re.compile(r"\b(?:see|also|cf|siehe|vgl|voir|véase)\b", re.IGNORECASE)
_LEADING_ABOUT = frozenset(
    "next previous prev up home top first last back contents index toc weiter zurück nach oben inhalt suivant "
    "précédent sommaire haut siguiente anterior arriba inicio índice".split()
)
_SILENT = frozenset({"furniture", "heading"})


@dataclass(frozen=True, slots=True)
class _Pointer:
    """A hyperlink that leads to a place of the collection: where its words stand in the joined text."""

    start: int
    end: int
    text: str
    file: str
    place: str | None


def find_place_names(document: Document) -> tuple[PlaceName, ...]:
    """What hyperlinks call the places of a document: each name once, its first place."""
    starts: dict[str, int] = {}
    for page, offset in zip(document.pages, page_offsets(document.pages), strict=False):
        for item in page.place_names:
            starts.setdefault(item.name, offset + item.start)
    return tuple(PlaceName(name, start) for name, start in starts.items())


def with_hyperlinks(
    document: Document, source_id: str, references: Sequence[Reference]
) -> tuple[tuple[Reference, ...], tuple[Hyperlink, ...]]:
    """The references with those that hyperlinks are, and where all hyperlinks lead. A reference carried by a hyperlink
    ("section <44.48>") takes its target; other links of running text are references of their own. Headings, contents,
    indexes and "Next" only lead about: each file that they lead to is named once, and their numbers are no
    references."""
    if not any(page.links for page in document.pages):
        return tuple(references), ()
    pointers: list[_Pointer] = []
    files: dict[str, None] = {}
    silent: list[tuple[int, int]] = []
    for page, offset in zip(document.pages, page_offsets(document.pages), strict=False):
        if not page.links:
            continue
        navigation = _navigation(page)
        silent += [(offset + span.start, offset + span.end) for span in navigation]
        running = _links_of_text(page, navigation)
        for link in page.links:
            pointer = _pointer(source_id, page, offset, link)
            if pointer is None:
                continue
            if pointer.file != source_id:
                files[pointer.file] = None
            if link not in running:
                silent.append((pointer.start, pointer.end))
            elif (pointer.place or pointer.file != source_id) and len(pointer.text) <= LONGEST_TEXT:
                pointers.append(pointer)
    overlaps = _Overlaps(references)
    passed = {ordinal for start, end in silent for ordinal in overlaps.of(start, end)}
    found, targets = _merged([item for item in references if item.ordinal not in passed], pointers)
    told = {item.file for item in targets}
    return found, (*targets, *(Hyperlink(file) for file in files if file not in told))


def _pointer(source_id: str, page: Page, offset: int, link: Link) -> _Pointer | None:
    """A hyperlink with its target, None where it leads out of the collection."""
    address = address_within(source_id, link.href)
    if address is None:
        return None
    text = page.text_of(link.span)
    return _Pointer(offset + link.span.start, offset + link.span.end, text, address[0], address[1] or None)


def _navigation(page: Page) -> list[Span]:
    """What only leads about: the whole of a page that is an index or a table of contents, else tables that hold more
    cells of links alone than others ("Prev", "Up", "Next")."""
    lengths = (link.span.end - link.span.start for link in page.links)
    if sum(length for length in lengths if length <= LONGEST_TEXT) > MOST_LINKED * len(page.text):
        return [Span(page.number, 0, len(page.text))]
    return [table.span for table in page.tables if _leads_about(page, table)]


def _leads_about(page: Page, table: Table) -> bool:
    carried = {(link.span.start, link.span.end) for link in page.links}
    cells = [cell.span for cell in table.cells if cell.span.end > cell.span.start]
    linked = sum((span.start, span.end) in carried for span in cells)
    return linked > len(cells) - linked


def _links_of_text(page: Page, navigation: Sequence[Span]) -> set[Link]:
    """The hyperlinks of a page that stand in running text."""
    contexts = _contexts(page)
    starts = [span.start for span in contexts]
    silent = [span.start for span in navigation]
    around: dict[Span, list[Link]] = {}
    for link in page.links:
        index, outer = (bisect_right(known, link.span.start) - 1 for known in (starts, silent))
        is_apart = outer >= 0 and link.span.start < navigation[outer].end
        if index >= 0 and not is_apart and link.span.end <= contexts[index].end:
            around.setdefault(contexts[index], []).append(link)
    running = (link for span, links in around.items() if _is_running(page.text, span, links) for link in links)
    return {link for link in running if _has_words(page.text, link.span)}


def _contexts(page: Page) -> list[Span]:
    """What is judged as a whole: each block that may refer to something, of tables each cell."""
    spans = [item.span for item in page.blocks if item.kind not in _SILENT and item.kind != "table"]
    spans += [cell.span for table in page.tables for cell in table.cells]
    return sorted(spans)


def _is_running(text: str, span: Span, links: Sequence[Link]) -> bool:
    """Beside the words of its links there are others than "Next": enough of them, or one that points."""
    rest, at = [], span.start
    for link in links:
        rest.append(text[at : link.span.start])
        at = link.span.end
    words = " | ".join([*rest, text[at : span.end]])
    others = (match for match in _WORD.finditer(words) if match.group().casefold() not in _LEADING_ABOUT)
    return len(list(islice(others, LEAST_WORDS))) == LEAST_WORDS or bool(_POINTING.search(words))


def _has_words(text: str, span: Span) -> bool:
    return any(map(str.isalnum, text[span.start : span.end]))


def _merged(
    references: Sequence[Reference], pointers: Sequence[_Pointer]
) -> tuple[tuple[Reference, ...], tuple[Hyperlink, ...]]:
    """References and pointers in the order of the text, counted anew, and the targets of those that have one."""
    taken: dict[int, _Pointer] = {}
    gone: set[int] = set()
    made: list[tuple[Reference, _Pointer | None]] = []
    reached = _Overlaps(references)
    for pointer in pointers:
        covered = reached.of(pointer.start, pointer.end)
        if len(covered) == 1 and covered[0] not in taken:
            taken[covered[0]] = pointer
        elif _SAYING.search(pointer.text):
            gone.update(item for item in covered if item not in taken)
            made.append((Reference(0, "link", pointer.start, pointer.end, pointer.text), pointer))
    made += [(item, taken.get(item.ordinal)) for item in references if item.ordinal not in gone]
    made.sort(key=lambda pair: (pair[0].start, pair[0].end))
    ordinals = {item.ordinal: number for number, (item, _) in enumerate(made) if item.kind != "link"}
    found = tuple(_counted(item, number, ordinals) for number, (item, _) in enumerate(made))
    return found, tuple(_targets(made))


class _Overlaps:
    """Which references share characters with a stretch of the text."""

    def __init__(self, references: Sequence[Reference]) -> None:
        self._ordered = sorted(references, key=lambda item: (item.start, item.end))
        self._ends = list(accumulate((item.end for item in self._ordered), max))

    def of(self, start: int, end: int) -> list[int]:
        """Their ordinals."""
        first = bisect_right(self._ends, start)
        behind = map(self._ordered.__getitem__, range(first, len(self._ordered)))
        return [item.ordinal for item in takewhile(lambda item: item.start < end, behind) if item.end > start]


def _counted(reference: Reference, number: int, ordinals: Mapping[int, int]) -> Reference:
    within = None if reference.within is None else ordinals.get(reference.within)
    return replace(reference, ordinal=number, within=within)


def _targets(made: Sequence[tuple[Reference, _Pointer | None]]) -> Iterator[Hyperlink]:
    for number, (_, pointer) in enumerate(made):
        if pointer is not None:
            yield Hyperlink(pointer.file, pointer.place, number)
