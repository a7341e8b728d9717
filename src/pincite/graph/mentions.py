"""Where a document names things: its names, their short forms and acronyms, and the terms that it defines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from pincite.graph.names import Name, find_names, normal_name, parts_of, title_names
from pincite.records import Anchor, Document, Mention, MentionKind

MENTIONS_VERSION = "5"
LONGEST_SHORTENED = 4
_SKIPPED = ("heading", "furniture", "equation")
_CELL_LINE = re.compile(r"[^\t\n]+")
_ACRONYM = re.compile(r"[^\W\d_a-z]{2,8}s?")


def find_mentions(document: Document, anchors: Sequence[Anchor]) -> tuple[Mention, ...]:
    """The mentions of a document in reading order; offsets are those of its pages' texts joined by form feeds.

    A one-word name that begins or ends a longer one before it has that one as `full`, and so has an acronym that was
    introduced in parentheses ("Markets in Financial Instruments (MiFI)"). A name that the document also uses alone is
    a mention inside a longer one, too ("Tesla" in "Tesla EV").
    """
    found: list[Mention] = []
    short = _ShortForms()
    for title in title_names(document.title or ""):
        short.learn(title)
    for start, text, is_heading in _texts(document):
        if is_heading:
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
            kind: MentionKind = "opening" if name.opens else "name"
            found.append(Mention(kind, start + name.start, start + name.end, normal, short.full_form(normal)))
    found += [*_inside(found), *_terms(document, anchors)]
    return tuple(sorted(found, key=lambda mention: (mention.start, -mention.end, mention.kind, mention.name)))


def _inside(mentions: Sequence[Mention]) -> list[Mention]:
    """For each name, or part of one, the shorter names that begin or end it and that stand alone elsewhere."""
    alone = {mention.name for mention in mentions if mention.kind == "name"}
    return [
        Mention("name", mention.start, mention.end, name, None)
        for mention in mentions
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
    """Which longer name a word stands for, by what was read so far."""

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


def _texts(document: Document) -> Iterator[tuple[int, str, bool]]:
    """Offset and text of each block, of tables of each line of a cell, headings marked; equations and furniture left
    out."""
    page_starts = [0, *accumulate(len(page.text) + 1 for page in document.pages)]
    for page_start, page in zip(page_starts, document.pages, strict=False):
        for block in page.blocks:
            if block.kind == "heading" or block.kind not in _SKIPPED:
                start, text = block.span.start, page.text[block.span.start : block.span.end]
                parts = _CELL_LINE.finditer(text) if block.kind == "table" else re.finditer(r"(?s).+", text)
                for part in parts:
                    yield page_start + start + part.start(), part.group(), block.kind == "heading"


def mentions_within(mentions: Sequence[Mention], starts: Sequence[int], start: int, end: int) -> Sequence[Mention]:
    """The mentions that begin in `[start, end)`; `starts` are their starts, ascending."""
    return mentions[bisect_right(starts, start - 1) : bisect_right(starts, end - 1)]
