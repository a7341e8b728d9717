"""Words and numbers in one form: verbs by their base, small numbers as digits."""

from __future__ import annotations

import re

from pincite.graph.verbs import base_of
from pincite.structure.numbering import NUMBER_WORDS
from pincite.text.tokens import tokenise

_DIGITS = {word: str(number) for word, number in NUMBER_WORDS.items() if number > 1}
_NUMBER = re.compile(rf"\b(?:{'|'.join(_DIGITS)})\b(?!-)", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


def base_tokens(text: str, language: str | None) -> list[str]:
    """The tokens of a text whose verbs and small numbers have one form: "sold" is "sell", and "two" is "2"."""
    return tokenise(_WORD.sub(lambda match: base_of(match.group().lower()), with_digits(text)), language)


def with_digits(text: str) -> str:
    """A text with the small numbers in it as digits; "one" is left, which is a pronoun too."""
    return _NUMBER.sub(lambda match: _DIGITS[match.group().lower()], text)
