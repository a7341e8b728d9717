"""Options, parameters and words that are explained: where the text of each begins and ends, whatever marks it.

Three kinds are known: lines that end in "::" (AsciiDoc), options of manual pages with their text set in below, and
parameters with their type ("checkpoint_timeout (integer)").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pincite.records.pages import BlockKind, Page

LONGEST_TERM = 120
"""Characters of a line that is a term; a longer one is a sentence."""
LONGEST_TERMS = 200
"""Characters of the terms of one item ("-p, --patch") that are given with its text."""
LONGEST_ITEM = 6000
"""Characters of an item; behind them its end was not seen."""
_ASCIIDOC = re.compile(r"(?P<term>\S[^\n]{0,118}?\S|\S):{2,4}$")
_OPTION = re.compile(r"(?P<term>-{1,2}+[\w?@#][^\n]{0,110}+)$")
_TYPES = "integer|string|boolean|bool|enum|float|floating point|real|number|list|duration|size|time|path|array"
_PARAMETER = re.compile(rf"(?P<term>[A-Za-z][\w.]{{1,60}}+ \((?:{_TYPES})\))$")
_ANY = re.compile(r"::$|^[ \t]+-{1,2}[\w?@#]|^[A-Za-z][\w.]{1,60}+ \([a-z][a-z ]{2,20}\)$", re.MULTILINE)
_UNDERLINE = re.compile(r"[-=~^+]{3,}$")


@dataclass(frozen=True, slots=True)
class Item:
    """`term` stands at `start` in the text of its page, its text from `text` to `end`."""

    start: int
    text: int
    end: int
    term: str


@dataclass(slots=True)
class _Open:
    """An item whose end is not yet known. `kind`: how its term is marked; `text` is 0 where it had none."""

    kind: str
    indent: int
    start: int
    terms: list[str]
    text: int = 0
    end: int = 0


class _Line(NamedTuple):
    start: int
    end: int
    indent: int
    text: str


def items_of(page: Page) -> list[Item]:
    """The items of a page in order; they do not overlap: one inside another ends it."""
    if not _ANY.search(page.text):
        return []
    kinds = {block.span.start: block.kind for block in page.blocks}
    return [
        Item(item.start, item.text, min(item.end, item.start + LONGEST_ITEM), ", ".join(item.terms)[:LONGEST_TERMS])
        for item in _items(list(_lines(page.text)), kinds)
        if item.text
    ]


def _items(lines: list[_Line], kinds: Mapping[int, BlockKind]) -> Iterator[_Open]:
    """`kinds`: those of the blocks, by where they begin."""
    held: _Open | None = None
    is_apart = False
    for index, line in enumerate(lines):
        if not line.text:
            is_apart = index == 0 or lines[index - 1].text != "+"
            continue
        following = lines[index + 1] if index + 1 < len(lines) else None
        kind, term = _term(line, following)
        if held and kind == held.kind and not held.text and line.indent == held.indent:
            held.terms.append(term)
            continue
        if held and (kind or _ends(held, line, following, kinds, is_apart=is_apart)):
            yield held
            held = None
        if kind:
            held = _Open(kind, line.indent, line.start, [term])
        elif held:
            held.text, held.end = held.text or line.start, line.end
        is_apart = False
    if held:
        yield held


def _term(line: _Line, following: _Line | None) -> tuple[str, str]:
    """How a line is marked as a term, and the term; twice "" where it is none."""
    if len(line.text) > LONGEST_TERM or following is None:
        return "", ""
    is_above = not following.text or following.indent > line.indent or bool(_ASCIIDOC.match(following.text))
    if is_above and (match := _ASCIIDOC.match(line.text)):
        return "asciidoc", match["term"]
    if line.indent and following.indent > line.indent and (match := _OPTION.match(line.text)):
        return "option", match["term"]
    if match := _PARAMETER.match(line.text):
        return "parameter", match["term"]
    return "", ""


def _ends(held: _Open, line: _Line, following: _Line | None, kinds: Mapping[int, BlockKind], *, is_apart: bool) -> bool:
    """A line that is no term stands outside of the item: a heading, behind its list, or set in less than its text."""
    kind = kinds.get(line.start)
    if kind == "heading" or (kind == "paragraph" and kinds.get(held.start) == "list_item"):
        return True
    if following and _UNDERLINE.match(following.text):
        return True
    if held.kind == "option":
        return line.indent <= held.indent
    return held.kind == "asciidoc" and is_apart and line.indent <= held.indent and line.text != "+"


def _lines(text: str) -> Iterator[_Line]:
    position = 0
    for line in text.split("\n"):
        stripped = line.strip()
        start = position + (line.find(stripped[0]) if stripped else 0)
        indent = len(line[: start - position].expandtabs(8)) if start > position else 0
        yield _Line(start, start + len(stripped), indent, stripped)
        position += len(line) + 1
