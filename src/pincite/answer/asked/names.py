"""What a question calls by a name of its own: identifiers, codes, quoted words, symbols that look like small words."""

from __future__ import annotations

import re

from pincite.text.language import FUNCTION_WORDS

MOST_QUOTED = 6
"""More words in quotation marks are somebody's sentence, and not a name. By eye, not measured."""

_QUOTED = re.compile(r"[“\"‘'](?P<name>[^“”\"‘’']{2,60})[”\"’'](?!\w)")
# Words joined by underscores, options of a command ("--jobs"), letters with numbers behind them ("S275", "AB-12/4").
_IDENTIFIER = re.compile(r"(?<![\w-])(?:--[a-z][\w-]+|\w*[^\W_]_\w+|[^\W\d_]{1,12}[-./]?\d[\w./-]*)(?![\w-])", re.I)
# Periods ("FY22", "mid-2023") and places ("p.3").
_NO_IDENTIFIER = re.compile(r"(?:FY|Q|H|CY|p|pp|sec|fig|no)[-.]?\d[\d./-]*|(?-i:[a-z]+)[-.]\d[\d.-]*", re.I)
_CAPITALS = re.compile(r"\b[A-Z]{2,5}\b")


def identifiers_in(question: str) -> tuple[str, ...]:
    """The identifiers and codes of a question, as typed; periods and places are none."""
    found = (match.group().rstrip(".-/") for match in _IDENTIFIER.finditer(question))
    return tuple(dict.fromkeys(name for name in found if not _NO_IDENTIFIER.fullmatch(name)))


def quoted_in(question: str) -> tuple[str, ...]:
    """The words in quotation marks."""
    found = (match["name"].strip() for match in _QUOTED.finditer(question))
    return tuple(dict.fromkeys(name for name in found if 0 < len(name.split()) <= MOST_QUOTED))


def is_symbol(word: str) -> bool:
    """Whether a word is typed in capitals and would be a small word in small letters."""
    return bool(_CAPITALS.fullmatch(word)) and word.casefold() in FUNCTION_WORDS["en"]
