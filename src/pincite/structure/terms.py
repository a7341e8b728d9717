"""Defined terms and symbols: numbered terms, the entries of glossaries, lists of symbols, "X means ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pincite.records.outlines import Anchor, AnchorKind, Section
from pincite.structure.placed import Nest, Placed
from pincite.text.raised import RAISED

MAX_TERM = 90
MAX_TITLE = 160
MAX_SYMBOL = 12
MAX_WORDS = 10
_OF_TERMS = re.compile(
    r"glossar|definition|\bterms?\b|terminology|vocabular|interpretation|begriffe|abbreviations|acronyms", re.IGNORECASE
)
_OF_SYMBOLS = re.compile(r"symbol|notation|nomenclature|formelzeichen", re.IGNORECASE)
_ITEM = r"(?:[(\[]?[a-z\d]{1,3}[)\].]\s+)?"
_ENTRY = re.compile(
    rf"{_ITEM}(?P<term>[^\W\d_][^:.;]{{1,{MAX_TERM}}}?)(?:(?<=[a-z])\d{{1,3}})?\s?:[-\u2013\u2014]?\s+\S"
)
_MEANS = re.compile(
    rf"[\"\u201c\u2018'](?P<term>[^\"\u201d\u2019']{{2,{MAX_TERM}}})[\"\u201d\u2019']\s"
    r"(?:means|has the meaning|is defined as)\b"
)
_MEANS_UNQUOTED = re.compile(rf"(?P<term>[^\W\d_][^:\n.;,]{{1,{MAX_TERM}}}?)\s(?:means|has the meaning)\b")
_SYMBOL = re.compile(rf"(?P<symbol>\S{{1,{MAX_SYMBOL}}})[\s\t]+(?P<meaning>[^\W\d_][\w'’-]*[\s,;].*)$")
_NO_SYMBOL = re.compile(r"(?:The|the|an|For|for|In|in|See|see|and|or|NOTE:?|Note:?|[a-z]{4}|[^\W\d_]{5,}\W*)$")
_NO_TERM = re.compile(
    r"(?:notwithstanding|if|where|when|for|in|by|this|that|it|which|note|see|example)\b|.*\b(?:when|that|the|of|is|are|as|following)$",
    re.IGNORECASE | re.DOTALL,
)
_SKIPPED = ("caption", "table")


def find_terms(pages: Sequence[Sequence[Placed]], nest: Nest) -> Iterator[Anchor]:
    """Definitions and symbols, in no order."""
    kinds = [_list_kind(nest, section) for section in nest.sections]
    yield from _numbered_terms(nest, kinds)
    for blocks in pages:
        for at in blocks:
            if nest.starts_at(at.start):
                continue
            ordinal = nest.at(at.start)
            kind = None if ordinal is None else kinds[ordinal]
            if kind == "symbol":
                yield from _symbols_of(at)
            elif kind == "definition" and not (ordinal is not None and _is_term(nest, kinds, nest.sections[ordinal])):
                yield from _entry(at, _ENTRY, _MEANS, _MEANS_UNQUOTED)
            else:
                yield from _entry(at, _MEANS)


def _list_kind(nest: Nest, section: Section) -> AnchorKind | None:
    """What the section lists, by its own title or that of a section around it."""
    for outer in nest.above(section.ordinal):
        if _OF_SYMBOLS.search(outer.title):
            return "symbol"
        if _OF_TERMS.search(outer.title):
            return "definition"
    return None


def _numbered_terms(nest: Nest, kinds: Sequence[AnchorKind | None]) -> Iterator[Anchor]:
    """Sections whose title is a term: "1.6.5 undrifted snow load on the roof"."""
    for section in nest.sections:
        if _is_term(nest, kinds, section):
            yield Anchor(0, "definition", section.number, section.title, section.first_page, section.start, section.end)


def _is_term(nest: Nest, kinds: Sequence[AnchorKind | None], section: Section) -> bool:
    inside = section.parent is not None and kinds[section.parent] == "definition"
    return inside and bool(section.number) and section.title[:1].islower()


def _entry(at: Placed, *forms: re.Pattern[str]) -> Iterator[Anchor]:
    """The term that a block opens with, in one of these forms, without the mark of a footnote."""
    if at.block.kind in _SKIPPED:
        return
    match = next((found for form in forms if (found := form.match(at.text))), None)
    if match is None or len(match["term"].split()) > MAX_WORDS or _NO_TERM.match(match["term"]):
        return
    title = match["term"].strip().rstrip(RAISED)
    yield Anchor(0, "definition", None, " ".join(title.split()), at.page.number, at.start, at.end, None, at.block.box)


def _symbols_of(at: Placed) -> Iterator[Anchor]:
    position = at.start
    for line in at.text.split("\n"):
        match = _SYMBOL.match(line)
        if match is not None and not _NO_SYMBOL.match(match["symbol"]) and not line.startswith("("):
            title = " ".join(line.split())[:MAX_TITLE]
            yield Anchor(0, "symbol", None, title, at.page.number, position, position + len(line), None, at.block.box)
        position += len(line) + 1
