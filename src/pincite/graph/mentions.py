"""Where a document names things: its names, their short forms and acronyms, and the terms that it defines."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pincite.graph.names import Name, find_names, normal_name, parts_of, title_names
from pincite.records.chunks import Mention, MentionKind
from pincite.records.outlines import Anchor
from pincite.records.pages import Cell, Document, Page, page_offsets

MENTIONS_VERSION = "6"
LONGEST_SHORTENED = 4
_SKIPPED = ("heading", "furniture", "equation")
_CELL_LINE = re.compile(r"[^\t\n]+")
_ACRONYM = re.compile(r"[^\W\d_a-z]{2,8}s?")


def find_mentions(document: Document, anchors: Sequence[Anchor]) -> tuple[Mention, ...]:
    """The mentions of a document in reading order, with offsets in its joined text. A one-word name that begins or ends
    a longer one before it has that one as `full`, as has an acronym introduced in parentheses ("Markets in Financial
    Instruments (MiFI)"). A name that also stands alone is a mention inside a longer one, too ("Tesla" in "Tesla EV").
    An `opening` may be no name: a word that opens a sentence, a name behind such a word ("After Earth"), the head of a
    column."""
    found: list[Mention] = []
    short = _ShortForms()
    for title in title_names(document.title or ""):
        short.learn(title)
    for start, text, kind in _texts(document):
        if kind == "heading":
            for title in title_names(text):
                short.learn(title)
            continue
        names = list(find_names(text))
        expansions = _expansions(text, names)
        for index, name in enumerate(names):
            normal = normal_name(name.text)
            if len(normal) < 2:
                continue
            short.learn(normal)
            if index in expansions:
                short.introduce(normal, normal_name(names[expansions[index]].text))
            if name.first < name.start:
                whole = normal_name(text[name.first : name.end])
                found.append(Mention("opening", start + name.first, start + name.end, whole, None))
            doubt: MentionKind = "opening" if name.opens or kind == "head" else "name"
            found.append(Mention(doubt, start + name.start, start + name.end, normal, short.full_form(normal)))
    found += [*_inside(found), *_terms(document, anchors)]
    return tuple(sorted(found, key=lambda mention: (mention.start, -mention.end, mention.kind, mention.name)))


def _inside(mentions: Sequence[Mention]) -> list[Mention]:
    """For each name, or part of one, the shorter names that begin or end it and that stand alone elsewhere."""
    alone = {mention.name for mention in mentions if mention.kind == "name"}
    return [
        Mention("name", mention.start, mention.end, name, None)
        for mention in mentions
        if mention.kind == "name"
        for name in _shorter(mention.name)
        if name in alone
    ]


@lru_cache(maxsize=65536)
def _shorter(name: str) -> tuple[str, ...]:
    """What begins or ends a name of up to LONGEST_SHORTENED words, or a part of one."""
    wholes = [whole.split() for whole in (name, *parts_of(name))]
    return tuple(
        dict.fromkeys(
            " ".join(part)
            for words in wholes
            if len(words) <= LONGEST_SHORTENED
            for cut in range(1, len(words))
            for part in (words[:cut], words[cut:])
        )
    )


class _ShortForms:
    """Which longer name a word abbreviates, by the text so far."""

    def __init__(self) -> None:
        self._longer: dict[str, str] = {}
        self._introduced: dict[str, str] = {}

    def learn(self, name: str) -> None:
        """Take note of a name of two to four words."""
        words = name.split()
        if 1 < len(words) <= LONGEST_SHORTENED:
            self._longer[words[0]] = self._longer[words[-1]] = name

    def introduce(self, acronym: str, full: str) -> None:
        """Take note of an acronym that the text explains."""
        self._introduced[acronym] = full

    def full_form(self, name: str) -> str | None:
        """The name that this one is short for, if any."""
        return self._introduced.get(name) or self._longer.get(name)


def _expansions(text: str, names: Sequence[Name]) -> dict[int, int]:
    """Index of each acronym in parentheses to the index of the name before it that it abbreviates."""
    return {
        index: index - 1
        for index in range(1, len(names))
        if _ACRONYM.fullmatch(names[index].text)
        and text[names[index - 1].end : names[index].start].strip() == "("
        and text[names[index].end : names[index].end + 1] == ")"
        and _is_made_of(names[index].text, names[index - 1].text)
    }


def _is_made_of(acronym: str, full: str) -> bool:
    """The letters of the acronym stand in the full name in order, the first of them first of all."""
    letters = iter(full.casefold())
    wanted = acronym.rstrip("s").casefold()
    return full[:1].casefold() == wanted[:1] and all(letter in letters for letter in wanted)


def _terms(document: Document, anchors: Sequence[Anchor]) -> Iterator[Mention]:
    """Each place where a term that the document defines is used, whatever its case."""
    defined = {normal_name(anchor.title) for anchor in anchors if anchor.kind == "definition"}
    wanted = sorted((term for term in defined if len(term) > 2), key=lambda term: (-len(term), term))
    if not wanted:
        return
    words = r"[\s\-]+".join
    first_letters = re.escape("".join(sorted({term[0] for term in wanted})))
    pattern = re.compile(
        rf"\b(?=[{first_letters}])(?:" + "|".join(words(map(re.escape, term.split())) for term in wanted) + r")\b", re.I
    )
    for start, text, _ in _texts(document):
        for match in pattern.finditer(text):
            yield Mention("term", start + match.start(), start + match.end(), normal_name(match.group()), None)


def _texts(document: Document) -> Iterator[tuple[int, str, str]]:
    """Offset and text of each block, of tables of each line of a cell; equations and furniture left out. What it is:
    `heading`, `head` of a column, `text`."""
    for page_start, page in zip(page_offsets(document.pages), document.pages, strict=False):
        heads = _column_heads(page)
        for block in page.blocks:
            if block.kind == "heading" or block.kind not in _SKIPPED:
                start, text = block.span.start, page.text_of(block.span)
                parts = _CELL_LINE.finditer(text) if block.kind == "table" else re.finditer(r"(?s).+", text)
                for part in parts:
                    at = start + part.start()
                    kind = "heading" if block.kind == "heading" else "head" if _is_within(at, heads) else "text"
                    yield page_start + at, part.group(), kind


def _column_heads(page: Page) -> list[tuple[int, int]]:
    """Where the rows of tables stand that hold nothing but heads, ascending."""
    found: list[tuple[int, int]] = []
    for table in page.tables:
        rows: dict[int, list[Cell]] = {}
        for cell in table.cells:
            rows.setdefault(cell.row, []).append(cell)
        for row in rows.values():
            if all(cell.header for cell in row):
                found.extend((cell.span.start, cell.span.end) for cell in row)
    return sorted(found)


def _is_within(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether one of these spans, ascending and apart, holds the offset."""
    place = bisect_right(spans, (offset, sys.maxsize)) - 1
    return place >= 0 and offset < spans[place][1]


def mentions_within(mentions: Sequence[Mention], starts: Sequence[int], start: int, end: int) -> Sequence[Mention]:
    """The mentions that begin in `[start, end)`; `starts` are their starts, ascending."""
    return mentions[bisect_right(starts, start - 1) : bisect_right(starts, end - 1)]
