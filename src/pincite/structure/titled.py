"""Places that text calls by their titles: "see Glossary", "the Housing Provision section", "shown on the Key Map"."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from pincite.records.outlines import Anchor, Section
from pincite.structure.names import normal_name
from pincite.structure.units import UNIT_OF
from pincite.structure.wording import Item, Token

SHORTEST = 5
_WORDS = r"[A-Z][\w’'&/-]*(?:\s[\w’'&/-]+){0,7}"
_UNIT = r"(?P<unit>section|chapter|policy)\b(?!\s*[A-Z]{0,5}\s?\d)"
_TELLS = r"shown|set\s+out|identified|defined|listed|illustrated|described|given|indicated|contained|found"
_DRAWN = r"(?:shown|identified|illustrated|indicated|defined)\b[^.;]{0,40}?\son\s+the\s+"
_BY_TITLE = re.compile(
    rf"\b(?:(?P<see>[Ss]ee)\s+(?:also\s+)?(?:the\s+)?|{_DRAWN}|(?:{_TELLS})\s+in\s+the\s+)"
    rf"[“‘\"']?(?P<title>{_WORDS})"
    rf"|\b[Tt]he\s+(?P<name>(?:(?!the\b)[\w’'&-]+\s+){{1,7}}?)(?={_UNIT})"
)
_BEHIND = re.compile(rf"\s+{_UNIT}")
_WORD = re.compile(r"(?<!\S)\S++(?!\s+[A-Z])")


@dataclass(frozen=True, slots=True)
class Titles:
    """What a document has titles for: its sections, and the terms that it defines, in the form of `title_key`."""

    sections: frozenset[str] = frozenset()
    terms: frozenset[str] = frozenset()


def titles_of(sections: Sequence[Section], anchors: Sequence[Anchor]) -> Titles:
    """The titles of a document by which text may call its places."""
    terms = (title_key(anchor.title) for anchor in anchors if anchor.kind == "definition")
    return Titles(frozenset(title_key(section.title) for section in sections) - {""}, frozenset(terms) - {""})


def title_key(title: str) -> str:
    """The form in which titles are compared; empty for what is too short to be known by its title."""
    key = normal_name(title)
    return key if len(key) >= SHORTEST else ""


def titled_places(text: str, titles: Titles) -> Iterator[Token]:
    """The places of a text that are called by their titles; for defined terms it has to say "see"."""
    for match in _BY_TITLE.finditer(text):
        start = match.start("title") if match["title"] else match.start("name")
        if match["title"]:
            end = _longest(match["title"], titles.sections | titles.terms if match["see"] else titles.sections)
        else:
            end = len(match["name"].rstrip()) if title_key(match["name"]) in titles.sections else 0
        if end:
            yield _place(text, start, start + end)


def _longest(words: str, titles: Container[str]) -> int:
    """How much of some words is a title; 0 where they start with none."""
    ends = [match.end() for match in _WORD.finditer(words)]
    return next((end for end in reversed(ends) if title_key(words[:end]) in titles), 0)


def _place(text: str, start: int, end: int) -> Token:
    title, behind = " ".join(text[start:end].split()), _BEHIND.match(text, end)
    end = end if behind is None else behind.end()
    unit = "" if behind is None else UNIT_OF[behind["unit"]]
    return Token("places", start, end, text[start:end], unit, (Item(start, end, title),))
