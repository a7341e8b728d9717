"""What a sentence names: names, dates, years, numbers, countries, each with its place in the sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pincite.answer.words.vocabulary import MONTHS, NUMBER_WORDS, country_names

_MONTH = "|".join(name.capitalize() for months in MONTHS for name in months)
_DATE = re.compile(
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+)?(?P<month>{_MONTH})\.?\s+(?:(?P<day_after>\d{{1,2}}),?\s+)?"
    r"(?P<year>\d{3,4})\b|\b(?P<year_alone>1\d{3}|20\d\d)\b"
)
_JOINING = r"(?:of|the|de|la|le|du|van|von|der|den|da|di|del|al|ibn|bin)"
_CAPITAL = r"[A-Z\u00c0-\u00de\u0100-\u024f\u0370-\u03ab\u0410-\u042f\u1e00-\u1eff][\w'’.-]*"
_NAME = re.compile(rf"{_CAPITAL}(?:\s+(?:{_JOINING}\s+){{0,2}}(?:{_CAPITAL}|\d+))*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NO_PART = "".join(rf"(?<!\b{side}\s)" for side in ("North", "South", "East", "West"))
# A number that is a value: with a unit, a sign, a currency, or with decimals; not a clause, a year or a standard.
_VALUE = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:%|°|[kKMG]?[NWJ]\b|[kKmcd]?m[²³23]?\b|kg|percent|per\b|years?\b|days?\b|hours?\b"
    r"|minutes?\b|min\b|units?\b|million|billion|thousand)|[=≤≥<>]\s?\d|\b\d+[.,]\d+\b(?![.(]\d)"
    r"|\b(?:is|of|as|least|most|than|to)\s\d+\b"
)
_NUMBER_OF_A_PART = re.compile(
    r"\b(?:tables?|figures?|sections?|clauses?|chapters?|annex|expressions?|equations?)\s\(?[A-Z]?\.?\d+(?:[.-]\d+)*",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """A date as far as it is given: month and day are 0 where they are not. `text` is as written, `start` its place."""

    year: int
    month: int
    day: int
    start: int
    text: str


def dates_in(text: str) -> list[Moment]:
    """The dates and years of a text, in order."""
    return [_moment(match) for match in _DATE.finditer(text)]


def names_in(text: str) -> list[str]:
    """Runs of capitalised words in order, each once; a run of one word that opens the sentence is kept too."""
    found = (match.group().rstrip(".,'’-") for match in _NAME.finditer(text))
    return list(dict.fromkeys(name for name in found if len(name) > 1))


def country_words(text: str) -> list[tuple[str, str]]:
    """The words of a text that name a country or are its adjective, in order, each with the country's first name; a
    part of the world or of another country is none ("East Azerbaijan")."""
    return [(match.group(), country_names()[match.group()]) for match in _country_pattern().finditer(text)]


def has_number(text: str) -> bool:
    """Whether a number stands there, in digits or as a word."""
    return bool(_NUMBER.search(text)) or any(word.lower() in NUMBER_WORDS for word in _WORD.findall(text))


def has_value(text: str) -> bool:
    """Whether a number stands there that is a value: with a unit, a sign, a currency or decimals, and no table's."""
    return bool(_VALUE.search(_NUMBER_OF_A_PART.sub(" ", text)))


def values_in(text: str) -> list[str]:
    """The numbers of a text that are values, as written, in order."""
    values = [match.span() for match in _VALUE.finditer(text)]
    found = _NUMBER.finditer(text)
    return [number.group() for number in found if any(a < number.end() and number.start() < b for a, b in values)]


def without_aside(title: str) -> str:
    """A title without the words in brackets that tell it apart: "The Base (film)" is "The Base"."""
    return re.sub(r"\s*\([^()]*\)\s*$", "", title).strip() or title


@lru_cache(maxsize=4096)
def folded_name(name: str) -> str:
    """A name as it is compared: its letters and digits in lower case, words parted by single spaces; kept, since the
    sentences of a question are compared again and again."""
    return " ".join(re.findall(r"\w+", name.casefold()))


def _moment(match: re.Match[str]) -> Moment:
    month = (match.group("month") or "").lower()
    number = next((months.index(month) + 1 for months in MONTHS if month in months), 0)
    day = match.group("day") or match.group("day_after") or "0"
    year = match.group("year") or match.group("year_alone")
    return Moment(int(year), number, int(day), match.start(), match.group())


@lru_cache(maxsize=1)
def _country_pattern() -> re.Pattern[str]:
    names = sorted(country_names(), key=lambda name: (-len(name), name))
    return re.compile(rf"(?<!\w){_NO_PART}(?:{'|'.join(map(re.escape, names))})(?!\w)")
