"""Labels of rows that are ranges or tiers ("51 to 60", "over 5 m up to 7 m", "67 years and over", "before 17:00")."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from pincite.answer.material.limits import LESS, MORE, NUMBER, value_of
from pincite.structure.numbering import NUMBER_WORDS

_NUMBER = rf"\d{{1,2}}:\d\d(?!\d)|{NUMBER}"
_UNIT = r"[^\W\d_]{1,12}|%|°C?"
_LOW = rf"(?P<low>{_NUMBER})\s?(?P<low_unit>(?!to\b|up\b|and\b|or\b|until\b)(?:{_UNIT}))?"
_HIGH = rf"(?P<high>{_NUMBER})\s?(?P<high_unit>(?!and\b|or\b)(?:{_UNIT}))?"
_ABOVE, _FROM = rf"{MORE}|after|>", r"from|at least|since|≥|>="
_BELOW, _UP_TO = rf"{LESS}|before|<", r"up to|at most|until|till|within|≤|<="
_RANGE = re.compile(
    r"(?:age[sd]?|between)?\s*(?:"
    rf"(?:(?P<above>{_ABOVE})|(?:{_FROM})?)\s*{_LOW}"
    rf"(?:\s*(?:,|and|but)?\s*(?:(?P<below>{_BELOW})|-|–|—|to|and|{_UP_TO})\s*{_HIGH})?"
    r"(?P<rest>\s*(?:\+|(?:and|or) (?:over|above|more|older|up|upwards|later)))?"
    rf"|(?:(?P<under>{_BELOW})|{_UP_TO})\s*(?P<most>{_NUMBER})\s?(?P<most_unit>{_UNIT})?"
    r")(?: old| of age)?",
    re.IGNORECASE,
)
_ASKED = re.compile(rf"(?<![\w.,:–-])(?P<number>{_NUMBER}|(?i:{'|'.join(NUMBER_WORDS)})\b)[\s-]?(?P<unit>{_UNIT})?")
_UNIT_OF_HEAD = re.compile(rf"[(\[](?P<unit>{_UNIT})[)\]]\s*$")
_ONE_SPELLING = {
    **{"metre": "m", "meter": "m", "kilometre": "km", "kilometer": "km", "kilogram": "kg", "kilo": "kg", "gram": "g"},
    **{"kilometer": "km", "gramme": "g", "euro": "€", "pound": "£"},
    **{"litre": "l", "liter": "l", "hour": "h", "minute": "min", "percent": "%", "yr": "year", "y": "year"},
}
_YEARS = (1900, 2100)
_TIME = "time"


class Measured(NamedTuple):
    """A number and its unit in one spelling, empty where it has none."""

    number: float
    unit: str


class Range(NamedTuple):
    """From `low` to `high`, which belong to it or not; `unit` is empty where it has none."""

    low: float
    high: float
    has_low: bool
    has_high: bool
    unit: str

    def holds(self, number: float) -> bool:
        """Whether a number lies inside."""
        is_over = number > self.low or (self.has_low and number == self.low)
        return is_over and (number < self.high or (self.has_high and number == self.high))


def range_of(label: str) -> Range | None:
    """The range that a label is; None where it is none, or a number alone."""
    match = _RANGE.fullmatch(" ".join(label.split()))
    if match is None:
        return None
    if match["most"]:
        most = _amount(match["most"], match["most_unit"])
        return Range(-math.inf, most.number, has_low=True, has_high=not match["under"], unit=most.unit)
    low = _amount(match["low"], match["low_unit"])
    high = _amount(match["high"], match["high_unit"]) if match["high"] else Measured(math.inf, "")
    is_open = bool(match["above"] or match["rest"]) or re.match(rf"(?:{_FROM})\b", label.strip(), re.I) is not None
    if match["high"] is None and not is_open:
        return None
    unit = high.unit or low.unit
    return Range(low.number, high.number, has_low=not match["above"], has_high=not match["below"], unit=unit)


def lies_in(question: str, label: str, head: str = "") -> bool | None:
    """Whether what the question gives lies in the range that a label is, in its unit or that of the `head` above it;
    None where it is none, or in another unit."""
    found = range_of(label)
    above = None if found is None or found.unit else _UNIT_OF_HEAD.search(head)
    if found is not None and above is not None:
        found = found._replace(unit=_amount("0", above["unit"]).unit)
    given = [] if found is None else [amount.number for amount in _asked(question) if _fits(amount, found)]
    return any(map(found.holds, given)) if found is not None and given else None


@lru_cache(maxsize=256)
def _asked(question: str) -> tuple[Measured, ...]:
    """The numbers of a question."""
    return tuple(_amount(match["number"], match["unit"]) for match in _ASKED.finditer(question))


def _fits(amount: Measured, found: Range) -> bool:
    """Whether a number is measured as a range is. A year lies in no range of other numbers."""
    if found.unit:
        return amount.unit == found.unit
    bounds = [bound for bound in (found.low, found.high) if math.isfinite(bound)]
    return amount.unit != _TIME and _is_year(amount.number) == all(map(_is_year, bounds))


def _is_year(number: float) -> bool:
    return _YEARS[0] <= number <= _YEARS[1] and number == int(number)


def _amount(number: str, unit: str | None) -> Measured:
    if ":" in number:
        hours, minutes = number.split(":")
        return Measured(60 * int(hours) + int(minutes), _TIME)
    if number.casefold() in NUMBER_WORDS:
        number = str(NUMBER_WORDS[number.casefold()])
    name = (unit or "").casefold()
    name = name if len(name) < 3 else name.rstrip("s")
    return Measured(value_of(number), _ONE_SPELLING.get(name, name))
