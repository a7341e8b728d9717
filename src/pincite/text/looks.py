"""Checkboxes of forms as signs. Raised and lowered characters in plain text: "10³¹", "m²", "H₂O", "x_i". Struck-out
text, "~~…~~" in the canonical text of a page: kept to be seen, and not in force."""

from __future__ import annotations

import re

TICKED = "☒"
UNTICKED = "☐"
BOXES = "☐☑☒✓✔✗"
"""All signs that stand for a box, ticked or not."""
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
"""Characters: anything longer is ordinary text that is set high or low."""
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


MARK = "~~"
_STRUCK = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`{1,2})(?!`)[^`\n]{1,200}+(?P=ticks)(?!`)|(?m:^ {0,3})```[^`]{1,20000}+```)"
    r"|(?<!~)~~(?![~\s])(?>(?:[^~\t\n]|~(?!~)|\n(?!\s*\n)){1,5000})(?<!\s)~~(?!~)"
)
_SHOWN = re.compile(r"\S")


def struck(text: str) -> str:
    """The text marked as struck out, line by line; white space at its ends stays outside of the marks."""
    return re.sub(r"[^\s~](?:[^\n]*[^\s~])?", lambda match: f"{MARK}{match.group().replace(MARK, '')}{MARK}", text)


def without_struck(text: str) -> str:
    """The text with blanks in place of what is struck out, so that offsets stay; code is left as it is."""
    if MARK not in text:
        return text
    return _STRUCK.sub(lambda match: match.group() if match["code"] else _SHOWN.sub(" ", match.group()), text)
