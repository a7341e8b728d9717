"""Limits that a scope sets ("altitudes above 1 500 m", "heights up to 200 m"), and what a question gives for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.answer.document import EXCLUDES
from pincite.answer.question import roots_of

_NUMBER = r"\d{1,3}(?:[ \u00a0,]\d{3})+(?!\d)|\d+(?:[.,]\d+)?"
_UNIT = (
    r"(?:[kcm]?m[²³23]?|kN(?:/m[²2])?|kg|MW|°C?|%|percent|years?|days?|storeys?|stories|hectares?|ha|homes|dwellings|units"
    r"|employees)(?!\w)"
)
_AMOUNT = re.compile(rf"(?<![\d.,])(?P<number>{_NUMBER})\s?(?P<unit>{_UNIT})")
_ABOVE = re.compile(
    r"(?P<no>\b(?:no|not)\s(?:\w+\s){0,2})?\b(?:above|over|exceed\w*|(?:greater|more|higher|longer) than)\s*$", re.I
)
_UP_TO = re.compile(r"\b(?:up to|at most|below|less than|within)\s*$", re.I)
_CLAUSE = re.compile(r"[.;:•]\s")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit, and the text of its clause in front of it."""

    number: float
    unit: str
    before: str


def exceeds(question: str, rule: str) -> bool:
    """Whether the question gives more of a thing than the rule lets in: the same unit, and a word of the question in
    front of the rule's number."""
    asked = list(_amounts(question))
    words = roots_of(question, "en")
    return any(
        own.unit == limit.unit and own.number > limit.number and not words.isdisjoint(roots_of(limit.before, "en"))
        for limit in _amounts(rule)
        if _is_upper(limit.before, excluding=bool(EXCLUDES.search(rule)))
        for own in asked
    )


def _is_upper(before: str, *, excluding: bool) -> bool:
    """Whether what is in front of a number makes it the most that is let in: "up to", "no more than", or "above" in a
    sentence on what is left out."""
    above = _ABOVE.search(before)
    if above is None:
        return bool(_UP_TO.search(before)) and not excluding
    return excluding != bool(above["no"])


def _amounts(text: str) -> Iterator[Amount]:
    for match in _AMOUNT.finditer(text):
        before = _CLAUSE.split(text[: match.start()])[-1]
        yield Amount(_value(match["number"]), match["unit"].casefold().rstrip("s"), before)


def _value(number: str) -> float:
    """What digits say, with a space or comma in front of each three, or a decimal comma."""
    if re.fullmatch(r"\d{1,3}(?:[ \u00a0,]\d{3})+", number):
        return float(re.sub(r"\D", "", number))
    return float(number.replace(",", "."))
