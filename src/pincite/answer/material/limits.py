"""Limits that a scope sets ("altitudes above 1 500 m", "heights up to 200 m"), and what a question gives for them."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pincite.answer.asked.question import roots_of
from pincite.answer.material.document import EXCLUDES
from pincite.answer.words.amounts import COUNTED, as_printed
from pincite.answer.words.vocabulary import phrases_of

Bound = Callable[[float, float], bool]

NUMBER = r"\d{1,3}(?:[ \u00a0,]\d{3}){1,6}(?!\d)|\d+(?:[.,]\d+)?"
UNIT = rf"(?:{COUNTED}|MW|°C?|%|{phrases_of('planning', 'counted')})(?!\w)"
"""What a number is counted in."""
_AMOUNT = re.compile(rf"(?<![\d.,])(?P<number>{NUMBER})\s?(?P<unit>{UNIT})")
_NOT = r"\b(?:no|not)\s(?:\w+\s){0,2}"
_GREATER = "greater|more|higher|longer|larger|bigger|taller|heavier|older|deeper|wider|thicker|hotter|faster|later"
_SMALLER = "less|fewer|lower|shorter|smaller|lighter|younger|narrower|thinner|colder|slower|earlier"
MORE = rf"(?:above|over|exceed\w*|(?:{_GREATER}) than)"
LESS = rf"(?:below|under|(?:{_SMALLER}) than)"
BEYOND = rf"(?:{MORE}|{LESS})"
"""In front of a number: more or less than that."""
_BOUNDS: tuple[tuple[re.Pattern[str], Bound], ...] = (
    (re.compile(rf"(?:≤|\b(?:up to|at most|within)|{_NOT}{MORE})\s*$", re.I), operator.le),
    (re.compile(rf"(?:≥|\bat least|{_NOT}{LESS})\s*$", re.I), operator.ge),
    (re.compile(rf"(?:>|\b{MORE})\s*$", re.I), operator.gt),
    (re.compile(rf"(?:<|\b{LESS})\s*$", re.I), operator.lt),
)
_WORD = re.compile(r"[^\W\d_]{3,}")
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
    words, excluding = roots_of(question, "en"), bool(EXCLUDES.search(rule))
    return any(
        bound(own, limit.number) == excluding
        for limit, bound, given in _compared(question, rule)
        if (bound in (operator.gt, operator.ge)) == excluding and not words.isdisjoint(roots_of(limit.before, "en"))
        for own in given
    )


def admits(question: str, label: str) -> bool | None:
    """Whether what the question gives lies within the limits of a label ("sites at altitude H > 1000 m"); None where
    the two share no unit or no other word."""
    label = as_printed(label)
    found = [any(bound(own, limit.number) for own in given) for limit, bound, given in _compared(question, label)]
    return all(found) if found and not _words(question).isdisjoint(_words(label)) else None


def _compared(question: str, rule: str) -> Iterator[tuple[Amount, Bound, list[float]]]:
    """Each limit of a rule, how it bounds, and the numbers of the same unit that the question gives."""
    asked = list(_amounts(question))
    for limit in _amounts(rule) if asked else ():
        bound = next((bound for pattern, bound in _BOUNDS if pattern.search(limit.before)), None)
        given = [own.number for own in asked if own.unit == limit.unit]
        if bound is not None and given:
            yield limit, bound, given


def _words(text: str) -> frozenset[str]:
    return roots_of(" ".join(_WORD.findall(text)), "en")


def _amounts(text: str) -> Iterator[Amount]:
    for match in _AMOUNT.finditer(text):
        before = _CLAUSE.split(text[: match.start()])[-1]
        yield Amount(value_of(match["number"]), match["unit"].casefold().rstrip("s"), before)


def value_of(number: str) -> float:
    """What digits say, with a space or comma in front of each three, or a decimal comma."""
    if re.fullmatch(r"\d{1,3}(?:[ \u00a0,]\d{3})+", number):
        return float(re.sub(r"\D", "", number))
    return float(number.replace(",", "."))
