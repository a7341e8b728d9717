"""Sections that pages state themselves: the rows of a corpus carry "4.5.2", "Part 11.Chapter 4.117.", "24)"."""

from __future__ import annotations

import re

from pincite.records.pages import Page
from pincite.structure.numbering import Number
from pincite.structure.tree import Opening

MAX_TITLE = 100
MAX_WORDS = 12
_PIECE = re.compile(r"\([^()]*+\)|[^.()]++")
_END_OF_SENTENCE = re.compile(r"[.;:,\u2013\u2014-]$")


def stated_opening(page: Page, start: int) -> Opening:
    """The section that a page opens. Its levels are the pieces of the stated number, whatever they are."""
    stated = (page.section or "").strip()
    pieces = tuple(piece.strip().lower() for piece in _PIECE.findall(stated) if piece.strip())
    number = Number("stated", tuple((0, piece.rstrip(")") if "(" not in piece else piece) for piece in pieces), stated)
    return Opening(start, number if pieces else None, stated, _title(page.text), 0.0, None)


def _title(text: str) -> str:
    """The first line where it reads like a heading."""
    first = text.strip().partition("\n")[0].strip()
    is_title = len(first) <= MAX_TITLE and len(first.split()) <= MAX_WORDS and not _END_OF_SENTENCE.search(first)
    return first if is_title else ""
