"""Headings without numbers: by the source's own word, by bookmarks, by the table of contents, by their looks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from pincite.structure.headings import MAX_TITLE, is_distinct
from pincite.structure.lines import Body, Line
from pincite.structure.numbering import read_number
from pincite.structure.tree import Contents, folded, nearly

MAX_REPEATS = 2
MAX_LINES = 4
MAX_WORDS = 18
MANY_BOOKMARKS = 8
MIN_FOLLOWING = 40
MIN_TEXT = 800
SHORT_DOCUMENT = 3
MIN_DIVIDER = 1.5
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
    """A heading without number. `promised`: a bookmark, the table of contents or the source itself names it; `alone`:
    it has a page to itself.
    """

    line: Line
    text: str
    promised: bool
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known of a document before its headings without numbers are looked for.

    `marked`: levels of bookmarks by offset; `numbered`: offset, number and title of the headings that are known
    already; `exhibits`: where what looks like a heading belongs to a table or figure.
    """

    body: Body
    contents: Contents
    marked: Mapping[int, int]
    numbered: Sequence[tuple[int, str, str]]
    exhibits: Container[int] = ()


def find_titles(pages: Sequence[Sequence[Line]], setting: Setting) -> list[Title]:
    """The headings without numbers, in order. Numbered ones are no titles a second time (running headers repeat them);
    of the same title twice on a page the first counts.
    """
    heads = _heads(pages, setting)
    alone = {lines[0].start for lines in pages if lines and _is_divider(lines, setting.body)}
    is_new = _not_known(setting, alone, {lines[0].start for lines in pages if lines})
    stands_out = _looks_right(heads, setting, alone, min(setting.contents.until, default=_first_page(pages)))
    on_page: set[tuple[int, str]] = set()
    found: list[Title] = []
    for line in heads:
        if line.block.level is None and not is_new(line):
            continue
        stated = line.start in setting.marked or line.block.level is not None
        name = (line.page, folded(line.block_text))
        if stated or (name not in on_page and stands_out(line)):
            promised = line.start in setting.marked or _is_promised(line, setting.contents)
            found.append(Title(line, " ".join(line.block_text.split()), promised, line.start in alone))
            on_page.add(name)
    return found


def _heads(pages: Sequence[Sequence[Line]], setting: Setting) -> list[Line]:
    """First lines of blocks that may be titles, and are no numbered headings."""
    taken = {start for start, _, _ in setting.numbered}
    contents = setting.contents
    return [
        line
        for lines in pages
        for line in lines
        if line.head
        and (line.block.kind == "heading" or contents.titles or line.start in setting.marked)
        and line.start not in taken
        and _may_be(line)
    ]


def _not_known(setting: Setting, alone: Container[int], tops: Container[int]) -> Callable[[Line], bool]:
    """Whether a line is neither of the table of contents nor a numbered heading once more; at the top of a page also
    not one that OCR read otherwise.
    """
    numbers = {number for _, number, _ in setting.numbered}
    known = {folded(title) for _, _, title in setting.numbered if title}

    def is_new(line: Line) -> bool:
        if setting.contents.holds(line) or _repeats_number(line, numbers):
            return False
        if line.start in alone:
            return True
        name = folded(line.block_text)
        return name not in known and not (line.start in tops and any(nearly(name, title) for title in known))

    return is_new


def _looks_right(
    heads: Sequence[Line], setting: Setting, alone: Container[int], first_page: int
) -> Callable[[Line], bool]:
    """Whether a line is a title by its looks, where neither a bookmark nor the source says so."""
    repeats = Counter(folded(line.block_text) for line in heads)
    looks = {_looks(line) for line in heads if line.start in setting.marked}
    strict = len(setting.marked) >= MANY_BOOKMARKS

    def stands_out(line: Line) -> bool:
        if line.page < first_page:
            return False
        if line.start in alone:
            return True
        if repeats[folded(line.block_text)] > MAX_REPEATS or (strict and _looks(line) not in looks):
            return False
        if line.start in setting.exhibits and not _is_promised(line, setting.contents):
            return False
        return _stands_out(line, setting.body, setting.contents)

    return stands_out


def _is_divider(lines: Sequence[Line], body: Body) -> bool:
    """A page with nothing but a large heading, which opens what follows it."""
    first = lines[0]
    large = bool(body.size) and (first.block.font_size or 0.0) >= MIN_DIVIDER * body.size
    return large and first.head and first.block.kind == "heading" and lines[-1].block is first.block


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
