"""Numbered equations: "(5.1)" at the end of a formula's line, or alone where the formula could not be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.records.outlines import Anchor
from pincite.structure.placed import Nest, Placed, mended_number

MAX_TITLE = 160
MAX_WORDS = 6
_NUMBER = (
    r"[A-Z]\s?\.\s?[\dlIOSB]{1,3}\s?[a-z]?|[A-Z]A|"
    r"[A-Z]?\s?[\dlI]{1,2}(?:\s?(?:\.\s?[\dlI]{1,3}|,\d{1,2}(?!\d))){0,2}\s?[a-z]?"
)
_AT_END = re.compile(rf"[(\[]\s?(?P<number>{_NUMBER})\s?[)\]](?:\s[^\w\s]\S{{0,2}})?\s*$")
_FORMULA = re.compile(r"[=<>≤≥±√∑∫]|:::|\bs;|\[\S{1,12}\]$")
_NEGATIVE = re.compile(r"\(\d+[.,]\d+\)")
_WORD = re.compile(r"[^\W\d_]{3,}")
_POINTS = re.compile(
    r"(?:^|\s)(?:[Ee]xpressions?|[Ee]quations?|[Ee]qs?|[Ff]ormula[es]?|[Ss]ee|to|by|in|of|with|from|and|or|than|clause|"
    r"paragraph|[Gg]leichung|[Ff]ormel|équation|nach|und|et|siehe)\.?$"
)


def find_equations(pages: Sequence[Sequence[Placed]], nest: Nest) -> list[Anchor]:
    """The numbered equations; of those with the same number the first. Where numbers name their chapter ("5.1"), those
    that do not are something else.
    """
    found = {
        anchor.number: anchor
        for blocks in reversed(pages)
        for at in reversed(blocks)
        for anchor in _equations_of(at, nest)
    }
    named = [anchor for anchor in found.values() if not (anchor.number or "").isdigit()]
    return named or list(found.values())


def _equations_of(at: Placed, nest: Nest) -> Iterator[Anchor]:
    if at.block.kind == "caption" or not any(mark in at.text for mark in ")]"):
        return
    position, before = at.start, ""
    for line in at.text.split("\n"):
        match = _AT_END.search(line)
        if match is not None:
            chapter = nest.chapter_at(position)
            number = _number(match["number"], chapter)
            formula = line[: match.start()].strip()
            is_glued = number.isdigit() and bool(formula) and not line[match.start() - 1].isspace()
            if number and not is_glued and _is_equation(formula, before, number, numbered=bool(chapter)):
                title = " ".join(formula.split())[:MAX_TITLE]
                yield Anchor(
                    0, "equation", number, title, at.page.number, position, position + len(line), None, at.block.box
                )
        position += len(line) + 1
        before = line


def _is_equation(formula: str, before: str, number: str, *, numbered: bool) -> bool:
    """Before the number stands a formula, what OCR left of one, or nothing; `numbered`: its chapter has a number."""
    if _POINTS.search(formula or before.rstrip()):
        return False
    is_plain = number.isdigit() or not numbered
    if not formula:
        return not is_plain
    words = len(_WORD.findall(formula))
    if _FORMULA.search(formula):
        return words < (MAX_WORDS if is_plain else 2 * MAX_WORDS)
    return not is_plain and words < MAX_WORDS and not _NEGATIVE.search(formula)


def _number(read: str, chapter: str) -> str:
    """The number, mended; empty where its chapter is another one, so that it points there."""
    number = mended_number(read.replace(",", "."), chapter)
    first = re.match(r"\d+|[A-Z]", number)
    if first is None or first[0] == "0" or not any(map(str.isdigit, number)):
        return ""
    names_chapter = "." in number or first[0].isalpha()
    return "" if names_chapter and chapter and first[0] != chapter else number
