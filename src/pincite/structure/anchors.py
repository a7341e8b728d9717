"""Anchors, what text can point to other than sections: tables, figures, equations, notes, items of lists, defined
terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.records.outlines import Anchor, AnchorKind, Section
from pincite.records.pages import Document
from pincite.structure.exhibits import find_exhibits
from pincite.structure.lines import Nest, Placed, mended_number, placed_pages
from pincite.text.looks import RAISED

MAX_TITLE = 160
MOST_WORDS = 6
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
        return words < (MOST_WORDS if is_plain else 2 * MOST_WORDS)
    return not is_plain and words < MOST_WORDS and not _NEGATIVE.search(formula)


def _number(read: str, chapter: str) -> str:
    """The number, mended; empty where its chapter is another one, so that it points there."""
    number = mended_number(read.replace(",", "."), chapter)
    first = re.match(r"\d+|[A-Z]", number)
    if first is None or first[0] == "0" or not any(map(str.isdigit, number)):
        return ""
    names_chapter = "." in number or first[0].isalpha()
    return "" if names_chapter and chapter and first[0] != chapter else number


MAX_NOTE_TITLE = 80
MAX_GAP = 10
_FOOTNOTE_LINE = re.compile(r"^[(\[]?(?P<mark>\d{1,3}|[*†‡§]{1,3})[)\].]?\s+(?=\S)", re.MULTILINE)
_NOTE_LINE = re.compile(
    r"^(?:(?:NOTE|ANMERKUNG|REMARQUE)|\A(?:Note|Anmerkung))(?![^\W\d])\s?(?P<mark>\d{1,2})?"
    r"\s?(?:[:.)\u2013\u2014-]\s*|(?=\s?[A-Z])\s?|$)",
    re.MULTILINE,
)
_LIST_ITEM = re.compile(r"[(\[]?(?P<mark>[a-z]{1,2}|[ivxl]{1,6}|[A-Z]|\d{1,2})[)\].]P?\s+(?=\S)")


def find_marks(pages: Sequence[Sequence[Placed]], nest: Nest) -> Iterator[Anchor]:
    """Footnotes, notes and list items, in order; what is a section of its own is left out."""
    last = 0
    for blocks in pages:
        for at in blocks:
            if at.block.kind == "footnote":
                found = list(_footnotes(at, last))
                last = max([last, *(int(item.number or 0) for item in found if (item.number or "").isdigit())])
                yield from found
            elif _NOTE_LINE.search(at.text):
                yield from _marked(at, "note", list(_NOTE_LINE.finditer(at.text)))
            elif at.block.kind == "list_item" and not nest.starts_at(at.start) and (item := _LIST_ITEM.match(at.text)):
                yield from _marked(at, "list_item", [item])


def _footnotes(at: Placed, last: int) -> Iterator[Anchor]:
    """The footnotes of a block: the first line's, and those of lines with the number that comes next."""
    taken: list[re.Match[str]] = []
    for match in _FOOTNOTE_LINE.finditer(at.text):
        is_number = match["mark"].isdigit()
        fits = int(match["mark"]) <= last + MAX_GAP if is_number else not taken
        if (match.start() == 0 and fits) or (taken and is_number and int(match["mark"]) == last + 1):
            taken.append(match)
            last = int(match["mark"]) if is_number else last
    yield from _marked(at, "footnote", taken)


def _marked(at: Placed, kind: AnchorKind, marks: Sequence[re.Match[str]]) -> Iterator[Anchor]:
    """One anchor a mark, each up to the next."""
    ends = [*(match.start() for match in marks[1:]), len(at.text)]
    for match, end in zip(marks, ends, strict=False):
        words = at.text[match.start() : end].rstrip()
        title = " ".join(at.text[match.end() : end][:MAX_NOTE_TITLE].split())
        start = at.start + match.start()
        yield Anchor(0, kind, match["mark"], title, at.page.number, start, start + len(words), None, at.block.box)


MAX_TERM = 90
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


def find_anchors(document: Document, sections: Sequence[Section]) -> tuple[Anchor, ...]:
    """Tables, figures, equations, definitions, symbols, footnotes, notes and list items, in the order of the text.

    `sections` are those of the same document.
    """
    pages, nest = placed_pages(document), Nest(sections)
    found = [
        *find_exhibits(pages, nest),
        *find_equations(pages, nest),
        *find_terms(pages, nest),
        *find_marks(pages, nest),
    ]
    found.sort(key=lambda anchor: (anchor.start, anchor.kind, anchor.end))
    return tuple(replace(item, ordinal=index, section=nest.at(item.start)) for index, item in enumerate(found))
