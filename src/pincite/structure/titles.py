"""Headings without numbers: by the source's own word, by bookmarks, by the table of contents, by their looks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pincite.structure.contents import Contents, folded
from pincite.structure.headings import MAX_TITLE, is_distinct
from pincite.structure.lines import Body, Line
from pincite.structure.numbering import read_number

MAX_REPEATS = 2
MAX_LINES = 4
MAX_WORDS = 18
MANY_BOOKMARKS = 8
MIN_FOLLOWING = 40
MIN_TEXT = 800
SHORT_DOCUMENT = 3
_BROKEN_END = re.compile(
    r"(?:[,;\-]|[^.]\.|\b(?:and|or|of|the|to|in|for|with|a|an|by|at|from|on|as|is|are|which|that))$", re.IGNORECASE
)
_NOT_TITLE = re.compile(
    r"[=<>±®~|_{}^\\°\[\]]|[^\W\d_],[^\W\d_]|\s,|[.;]\s|\(\d|"
    r"^(?:note|table|figure|fig|example|source|equation|tabelle|abbildung|bild|tableau)\b[\s.:]",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Title:
    """A heading without number. `promised`: a bookmark, the table of contents or the source itself names it."""

    line: Line
    text: str
    promised: bool


def find_titles(
    pages: Sequence[Sequence[Line]],
    body: Body,
    contents: Contents,
    marked: Mapping[int, int],
    numbered: Iterable[tuple[int, str, str]],
) -> list[Title]:
    """The headings without numbers, in order. `marked`: levels of bookmarks by offset; `numbered`: offset, number and
    title of the headings that are known already, which are no titles a second time (running headers repeat them).
    """
    known = list(numbered)
    taken = {start for start, _, _ in known}
    numbers = {number for _, number, _ in known}
    heads = [
        line
        for lines in pages
        for line in lines
        if line.head
        and (line.block.kind == "heading" or contents.titles or line.start in marked)
        and line.start not in taken
        and _may_be(line)
    ]
    repeats = Counter(folded(line.block_text) for line in heads)
    titles_of_numbers = {folded(title) for _, _, title in known if title}
    first_page = min(contents.until, default=_first_page(pages))
    looks = {_looks(line) for line in heads if line.start in marked}
    strict = len(marked) >= MANY_BOOKMARKS
    found: list[Title] = []
    for line in heads:
        if line.block.level is None and (contents.holds(line) or _repeats_number(line, numbers)):
            continue
        folded_text = folded(line.block_text)
        if folded_text in titles_of_numbers and line.block.level is None:
            continue
        repeated = repeats[folded_text] > MAX_REPEATS or line.page < first_page
        looks_right = _stands_out(line, body, contents) and (not strict or _looks(line) in looks)
        if line.start in marked or line.block.level is not None or (looks_right and not repeated):
            promised = line.start in marked or _is_promised(line, contents)
            found.append(Title(line, " ".join(line.block_text.split()), promised))
    return found


def _first_page(pages: Sequence[Sequence[Line]]) -> int:
    """The first page that is no cover: one with running text, or any page of a short document."""
    if len(pages) <= SHORT_DOCUMENT:
        return 1
    return 1 if sum(len(line.text) for line in pages[0] if line.block.kind == "paragraph") >= MIN_TEXT else 2


def _repeats_number(line: Line, numbers: set[str]) -> bool:
    """It opens with a number that is a heading elsewhere."""
    return any(reading.number.text in numbers for reading in read_number(line.text))


def _may_be(line: Line) -> bool:
    text = line.block_text
    if line.block.level is not None:
        return line.block.kind == "heading" and bool(_WORD.search(text))
    if line.block.kind not in ("heading", "paragraph") or len(text) > MAX_TITLE or text.count("\n") >= MAX_LINES:
        return False
    return len(text.split()) <= MAX_WORDS and bool(_WORD.search(text)) and _is_clean(text)


def _is_clean(text: str) -> bool:
    """Starts like a title, does not break off, holds words rather than symbols, and is no caption or note."""
    first = text.lstrip("\"“‘'«¿[")[:1]
    if not first.isalnum() or first.islower() or _BROKEN_END.search(text) or _NOT_TITLE.search(text):
        return False
    letters = sum(character.isalpha() or character.isspace() for character in text)
    words = text.split()
    return letters >= 0.65 * len(text) and sum(len(word) >= 3 for word in words) >= 0.5 * len(words)


def _stands_out(line: Line, body: Body, contents: Contents) -> bool:
    """The table of contents names it, or it is set as a heading and text follows that it can be the heading of."""
    if _is_promised(line, contents):
        return True
    small = bool(body.size) and (line.block.font_size or 0.0) < 0.95 * body.size
    if line.after[:1].islower():
        return False
    followed = len(line.after) >= MIN_FOLLOWING or bool(read_number(line.after)) or line.after_is_heading
    return line.block.kind == "heading" and is_distinct(line, body) and not small and followed


def _is_promised(line: Line, contents: Contents) -> bool:
    return line.block.level is not None or folded(line.block_text) in contents.titles


def _looks(line: Line) -> tuple[float, bool]:
    return round(line.block.font_size or 0.0), line.block.bold
