"""Running headers, footers, page numbers and margin notes: what stands at the same place on page after page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from pincite.read.layout import Line, PageLayout

EDGE_LINES = 4
"""So many lines from the top and from the bottom of a page may be furniture."""
EDGE_SHARE = 0.16
"""... and lines within this share of the page's height from its edges."""
OFTEN = 0.3
"""Of all pages: a line that stands close to the text is furniture if it comes on so many."""
NEAR = 4.0
"""Points by which the lines of one row may differ in height."""
JITTER = 24.0
"""Points that the same piece of furniture may move between pages, as in scans."""
NUMBER = re.compile(r"\d+")
LONE_NUMBER = re.compile(
    r"(?:page|p\.|seite)?\s*+(?:[-–—|]\s*+)?(\d{1,5})\s*+"
    r"(?:[-–—|](?:\s*+(?:of|/|von)\s*+\d{1,5})?|(?:of|/|von)\s*+\d{1,5})?$",
    re.IGNORECASE,
)
FIRST_NUMBER = re.compile(r"^(\d{1,5})(?=\s+\D.{2,100}$)")
LAST_NUMBER = re.compile(r"(?<=\s)(\d{1,5})$")
OWN_TEXT = re.compile(r"(?:figure|table|fig|where|note)#?[a-z]?#*$")
ROMAN = re.compile(r"\b[ivxlc]{1,7}\b")


@dataclass(frozen=True, slots=True)
class _Candidate:
    page: int
    line: int
    key: str
    edge: float
    loose: bool
    inwards: int | None
    rank: int
    large: bool


def find_furniture(layouts: Sequence[PageLayout]) -> list[set[int]]:
    """For each page the positions of the lines that are furniture. What repeats is peeled off from the edges inwards,
    so that a heading or table head that recurs inside pages stays. Margins and turned text are judged by themselves."""
    repeated: list[set[int]] = [set() for _ in layouts]
    candidates = [item for page, layout in enumerate(layouts) for item in _candidates(page, layout)]
    for item in _repeated(_same_place(candidates), len(layouts)):
        repeated[item.page].add(item.line)
    for page, line in _page_numbers(layouts):
        repeated[page].add(line)
    return [_peeled(layout, lines) for layout, lines in zip(layouts, repeated, strict=True)]


def _peeled(layout: PageLayout, repeated: set[int]) -> set[int]:
    aside = {i for i in repeated if layout.lines[i].angle != 0 or _in_margin(layout.lines[i], layout)}
    found = set(aside)
    rows = [row for row in _rows(layout) if not set(row) <= aside]
    for inwards in (rows, rows[::-1]):
        for row in inwards[:EDGE_LINES]:
            if not repeated & set(row):
                break
            found |= repeated & set(row)
    return found


def _rows(layout: PageLayout) -> list[list[int]]:
    """Positions of the lines that stand at one height, from top to bottom."""
    order = sorted(range(len(layout.lines)), key=lambda i: (layout.lines[i].box.bottom, i))
    rows: list[list[int]] = []
    for i in order:
        if rows and layout.lines[i].box.bottom - layout.lines[rows[-1][0]].box.bottom < NEAR:
            rows[-1].append(i)
        else:
            rows.append([i])
    return rows


def _page_numbers(layouts: Sequence[PageLayout]) -> list[tuple[int, int]]:
    """(page, line) of first and last rows whose number counts the pages, wherever they stand.

    A lone number counts where three pages agree; one at the end or the start of other words where a fifth of all
    pages do.
    """
    found: list[tuple[int, int, int, bool]] = []
    for page, layout in enumerate(layouts):
        rows = _rows(layout)
        for i in sorted({i for row in rows[:1] + rows[-1:] for i in row}):
            text = layout.text[layout.lines[i].start : layout.lines[i].end].strip()
            lone = LONE_NUMBER.match(text)
            ends = [lone[1]] if lone else [*FIRST_NUMBER.findall(text), *LAST_NUMBER.findall(text)]
            found += [(int(value) - page, page, i, lone is not None) for value in set(ends)]
    counts = Counter(shift for shift, *_ in found)
    many = max(3.0, 0.2 * len(layouts))
    return [(page, i) for shift, page, i, lone in found if counts[shift] >= (3 if lone else many)]


def furniture_key(text: str) -> str:
    """What stays the same of a running line when its numbers change."""
    folded = NUMBER.sub("#", text.lower())
    folded = ROMAN.sub("#", folded)
    return "".join(char for char in folded if char.isalnum() or char == "#")


def _candidates(page: int, layout: PageLayout) -> list[_Candidate]:
    order = sorted(range(len(layout.lines)), key=lambda position: (layout.lines[position].box.top, position))
    usual = median(line.size for line in layout.lines) if layout.lines else 0.0
    found = []
    for rank, position in enumerate(order):
        line = layout.lines[position]
        from_end = len(order) - 1 - rank
        top, bottom = line.box.top, layout.height - line.box.bottom
        edge = min(top, bottom) < EDGE_SHARE * layout.height
        turned = line.angle != 0
        outermost = (edge and min(rank, from_end) < EDGE_LINES) or min(top, bottom) < 0.05 * layout.height
        if not (turned or outermost or _in_margin(line, layout)):
            continue
        key = furniture_key(layout.text[line.start : line.end])
        if line.table is not None or OWN_TEXT.match(key):
            continue
        place = top if top <= bottom else -bottom
        inwards = _next_inwards(line, layout, order, rank)
        large = line.size > 1.1 * usual or line.bold
        found.append(_Candidate(page, position, key, place, inwards is None, inwards, min(rank, from_end), large))
    return found


def _in_margin(line: Line, layout: PageLayout) -> bool:
    """Small text beside the running text, in the outer eighth of the page."""
    box = line.box
    return box.right < 0.125 * layout.width or box.left > 0.875 * layout.width


def _next_inwards(line: Line, layout: PageLayout, order: list[int], rank: int) -> int | None:
    """The position of the line that is next towards the middle of the page; None where more than a line's height is in
    between."""
    from_top = line.box.top < layout.height - line.box.bottom
    towards = order[rank + 1 :] if from_top else order[:rank][::-1]
    for position in towards:
        other = layout.lines[position]
        gap = other.box.top - line.box.bottom if from_top else line.box.top - other.box.bottom
        if gap > -0.5 * line.size:
            return None if gap > 0.9 * line.size else position
    return None


def _same_place(candidates: Sequence[_Candidate]) -> list[list[_Candidate]]:
    """Candidates that say the same at the same end of the page, at heights that lie near each other."""
    ordered = sorted(candidates, key=lambda item: (*_end(item), item.edge, item.page, item.line))
    groups: list[list[_Candidate]] = []
    for item in ordered:
        first = groups[-1][0] if groups else None
        if first and _end(first) == _end(item) and (item.rank == 0 or item.edge - first.edge <= JITTER):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _end(item: _Candidate) -> tuple[bool, str, bool]:
    """Top or bottom, what it says, and whether it is the outermost line: that may stand at any height."""
    return item.edge >= 0, item.key, item.rank == 0


def _repeated(groups: Sequence[Sequence[_Candidate]], page_count: int) -> list[_Candidate]:
    """The members of the groups that come often enough, and what reads nearly like them at their place. A line is loose
    as well where it comes on many pages and the next one inwards is of such a group: a head of several lines."""
    for _ in range(EDGE_LINES):
        known = {(item.page, item.line) for group in groups if _comes_often(group, page_count) for item in group}
        groups = [
            [replace(item, loose=item.loose or (item.page, item.inwards) in known) for item in group]
            if len({item.page for item in group}) >= OFTEN * page_count
            else group
            for group in groups
        ]
    kept = [group for group in groups if _comes_often(group, page_count)]
    models = {(group[0].key, round(group[0].edge / JITTER)): group[0] for group in kept}
    rest = [item for group in groups if not _comes_often(group, page_count) for item in group if item.loose]
    near = [item for item in rest if any(_is_like(item, model) for model in models.values())]
    return [item for group in kept for item in group] + near


def _comes_often(group: Sequence[_Candidate], page_count: int) -> bool:
    pages = {item.page for item in group}
    loose = sum(item.loose for item in group) >= 0.5 * len(group)
    if len(pages) >= 3:
        large = sum(item.large for item in group) > 0.5 * len(group)
        least = max(3.0, (0.12 if large else 0.04) * page_count)
        return len(pages) >= least and (loose or len(pages) >= max(6, OFTEN * page_count))
    return page_count <= 4 and len(pages) == 2 and loose and not any(item.large or item.rank > 1 for item in group)


def _is_like(item: _Candidate, model: _Candidate) -> bool:
    return (
        abs(item.edge - model.edge) <= JITTER and (item.edge >= 0) == (model.edge >= 0) and _alike(item.key, model.key)
    )


def _alike(one: str, other: str) -> bool:
    """Nearly the same, as when a scan was read a little differently each time."""
    if min(len(one), len(other)) < 6:
        return False
    first = {one[i : i + 2] for i in range(len(one) - 1)}
    second = {other[i : i + 2] for i in range(len(other) - 1)}
    return len(first & second) >= 0.65 * len(first | second)
