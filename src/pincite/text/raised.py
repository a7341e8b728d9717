"""Raised and lowered characters in plain text: "10³¹", "m²", "H₂O", "x_i"."""

from __future__ import annotations

import re

_UP = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_DOWN = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ"
LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"
_BLANKED = dict.fromkeys(map(ord, RAISED), " ")
_MARKS = frozenset(" ,;–*†‡§¶™℠®©°ºª")
"""What reads the same raised."""
_ENDINGS = frozenset({"st", "nd", "rd", "th", "er", "re", "ère", "ème"})
"""Of ordinal numbers, which are raised for their looks alone."""
_SIGNS = {"tm": "™", "sm": "℠"}
LONGEST = 20
"""Characters: what is longer is text that somebody set high or low."""
_CORE = re.compile(r"\S(?:.*\S)?", re.DOTALL)


def superscript(text: str) -> str:
    """The text raised: in Unicode's superscripts, or behind a "^" where one of its characters has none."""
    return _CORE.sub(lambda match: _raised(match.group()), text)


def subscript(text: str) -> str:
    """The text lowered: in Unicode's subscripts, or behind a "_" where one of its characters has none."""
    return _CORE.sub(lambda match: _shifted(match.group(), _DOWN, LOWERED, "_"), text)


def without_raised(text: str) -> str:
    """The text with a space for each raised character."""
    return text if text.isascii() else text.translate(_BLANKED)


def _raised(text: str) -> str:
    if text.lower() in _ENDINGS:
        return text
    return _SIGNS.get(text.lower()) or _shifted(text, _UP, RAISED, "^")


def _shifted(text: str, table: dict[int, int], shifted: str, sign: str) -> str:
    if len(text) > LONGEST:
        return text
    found = text.translate(table)
    if all(character in shifted or character in _MARKS for character in found):
        return found
    return f"{sign}{text}" if text.isalpha() else f"{sign}({text})"
