"""Printed tables of contents: which lines belong to them, and which headings they promise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.structure.lines import Line
from pincite.structure.numbering import read_number, roman_value

MIN_ENTRIES = 5
MIN_SHARE = 0.45
_PAGE = re.compile(r"(?:(?<=[\s.·…_])\d{1,4}|(?<=\s)[ivxl]{1,7}|(?<=[a-z])\d{1,3})$")
_LONGEST_PAGE = 8
_LEADERS = " \t.·…_\u2024\u2025"
_HEADING = re.compile(r"(?:table of )?contents\b|inhalt(?:sverzeichnis)?$|sommaire$|table des mati", re.IGNORECASE)
_NOT_WORD = re.compile(r"[\W\d_]+")


@dataclass(slots=True)
class Contents:
    """What the printed tables of contents say. `until`: for each page with one, the offset where it ends; `numbers`:
    folded titles by number as read, `mended` by what the number may have been before OCR ("0.2" is "D.2").
    """

    until: dict[int, int] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    mended: dict[str, str] = field(default_factory=dict)
    titles: set[str] = field(default_factory=set)

    def holds(self, line: Line) -> bool:
        """The line stands in a table of contents."""
        return line.start < self.until.get(line.page, -1)

    def promises(self, number: str, title: str) -> bool:
        """The table of contents has this number, and the same title as far as both go."""
        return any(alike(known.get(number, ""), folded(title)) for known in (self.numbers, self.mended))


def find_contents(pages: Sequence[Sequence[Line]]) -> Contents:
    """Look at the lines of every page; a table of contents may run over several of them."""
    contents = Contents()
    reached = 0
    for lines in pages:
        entries = [(line, page) for line in lines if (page := _printed_page(line.text))]
        if _is_contents(lines, entries, reached):
            _take(contents, lines, entries)
            reached = _page_value(entries[-1][1])
        else:
            reached = 0
    return contents


def folded(title: str) -> str:
    """A title without case, digits, marks and spaces, for comparing."""
    return _NOT_WORD.sub("", title).lower()


def alike(one: str, other: str) -> bool:
    """Two folded titles are the same, or one is the start of the other (a title that goes on in the next line)."""
    short, long = sorted((one, other), key=len)
    return bool(short) and (long.startswith(short) or nearly(short, long))


def nearly(one: str, other: str) -> bool:
    """Two folded titles are the same but for what OCR does to them."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) > 6 and _slips(short, long) <= len(long) // 8)


def _slips(short: str, long: str) -> int:
    """Characters that differ place by place, for titles of about the same length."""
    if len(long) - len(short) > 2:
        return len(long)
    return sum(a != b for a, b in zip(short, long, strict=False)) + len(long) - len(short)


def _is_contents(lines: Sequence[Line], entries: Sequence[tuple[Line, str]], reached: int) -> bool:
    """`reached`: the last page number of a table of contents on the page before, 0 where there was none."""
    titled = any(_HEADING.match(line.text) for line in lines[:8])
    values = [_page_value(page) for _, page in entries]
    if not values:
        return False
    rising = sum(later >= earlier for earlier, later in pairwise(values))
    in_order = rising >= 0.75 * (len(values) - 1)
    if titled or 0 < reached <= values[0]:
        return in_order and len(entries) >= 2 and len(entries) >= 0.3 * len(lines)
    return (
        in_order and len(entries) >= MIN_ENTRIES and len(entries) >= MIN_SHARE * len(lines) and values[-1] > values[0]
    )


def _take(contents: Contents, lines: Sequence[Line], entries: Sequence[tuple[Line, str]]) -> None:
    last = entries[-1][0]
    contents.until[last.page] = last.end
    printed = {line.start: line.text.removesuffix(page).rstrip(_LEADERS) for line, page in entries}
    for line in lines:
        if line.start > last.start:
            break
        title = printed.get(line.start, line.text)
        for number, rest, mended in _numbered(title):
            (contents.mended if mended else contents.numbers).setdefault(number, folded(rest))
        if line.start in printed:
            contents.titles.add(folded(title))


def _numbered(title: str) -> Iterator[tuple[str, str, bool]]:
    """Number and title of an entry, in each way to read the number, and whether characters were exchanged for it."""
    for reading in read_number(title):
        rest = title[reading.end :]
        again = read_number(rest.strip())
        rest = rest.strip()[again[0].end :] if again and again[0].worded else rest
        yield reading.number.text, rest, reading.repaired


def _printed_page(text: str) -> str:
    """The page number at the end of a line that has words before it, empty where there is none."""
    match = _PAGE.search(text, max(1, len(text) - _LONGEST_PAGE))
    return match.group() if match and any(map(str.isalpha, text[: match.start()])) else ""


def _page_value(text: str) -> int:
    return int(text) if text.isdigit() else roman_value(text)
