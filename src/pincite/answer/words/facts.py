"""What a sentence names: names, dates, years, numbers, countries, each with its place in the sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.answer.words.amounts import COUNTED
from pincite.answer.words.vocabulary import MONTHS, NUMBER_WORDS, lexicon

_MONTH = "|".join(name.capitalize() for months in MONTHS for name in months)
_DATE = re.compile(
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+)?(?P<month>{_MONTH})\.?\s+(?:(?P<day_after>\d{{1,2}}),?\s+)?"
    r"(?P<year>\d{3,4})\b|\b(?P<iso>(?:1\d|20)\d\d-(?:0\d|1[0-2])-[0-3]\d)\b"
    r"|\b(?P<dotted>[0-3]?\d\.(?:0?\d|1[0-2])\.(?:1\d|20)\d\d)\b|\b(?P<year_alone>1\d{3}|20\d\d)\b"
)
_JOINING = r"(?:of|the|de|la|le|du|van|von|der|den|da|di|del|al|ibn|bin)"
_CAPITAL = r"[A-Z\u00c0-\u00de\u0100-\u024f\u0370-\u03ab\u0410-\u042f\u1e00-\u1eff][\w'’.-]*"
_NAME = re.compile(rf"{_CAPITAL}(?:\s+(?:{_JOINING}\s+){{0,2}}(?:{_CAPITAL}|\d+))*")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# A number that is a value: with a unit, a sign, a currency, or with decimals; not a clause, a year or a standard.
_VALUE = re.compile(
    rf"[$€£¥]\s?\d|\d\s?(?:%|°|(?:{COUNTED}|per|units?|million|billion|thousand)\b)|[=≤≥<>]\s?\d|\b\d+[.,]\d+\b(?![.(]\d)"
    r"|\b(?:is|of|as|least|most|than|to)\s\d+\b"
)
_NUMBER_OF_A_PART = re.compile(
    r"\b(?:tables?|figures?|sections?|clauses?|chapters?|annex|expressions?|equations?)\s\(?[A-Z]?\.?\d+(?:[.-]\d+)*",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]+")
_PART_OF = "".join(rf"(?<!\b{side}\s)" for side in ("North", "South", "East", "West"))
_IN_A_PLACE = re.compile(r"(?:\b(?:in|of|from|to|near|at|across|around|for)\s(?:the\s(?:state\sof\s)?)?|,\s)$")
_NAME_BEHIND = re.compile(r"\s[A-Z]")


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
    part of the world or of another country is none ("East Azerbaijan"), nor who or what is called like one."""
    found = _country_pattern().finditer(text)
    return [(match.group(), _countries()[match.group()]) for match in found if _is_meant(text, match)]


def may_be_one(country: str, other: str) -> bool:
    """Whether a thing of one country may be of the other: the same, or a dissolved state and one that came after."""
    pairs = ((country, other), (other, country))
    return country == other or any(after in _successors().get(before, ()) for before, after in pairs)


def has_number(text: str) -> bool:
    """Whether a number stands there, in digits or as a word."""
    return bool(_NUMBER.search(text)) or any(word.lower() in NUMBER_WORDS for word in _WORD.findall(text))


def has_value(text: str) -> bool:
    """Whether a number stands there that is a value: with a unit, a sign, a currency or decimals, and no table's."""
    return bool(_DIGIT.search(text) and _VALUE.search(_NUMBER_OF_A_PART.sub(" ", text)))


def values_in(text: str) -> list[str]:
    """The numbers of a text that are values, as written, in order."""
    starts, ends = [], []
    for value in _VALUE.finditer(text):
        starts.append(value.start())
        ends.append(value.end())
    return [number.group() for number in _NUMBER.finditer(text) if _overlaps(number, starts, ends)]


def _overlaps(number: re.Match[str], starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether a number shares a character with one of these stretches, which stand in order."""
    nearest = bisect_right(ends, number.start())
    return nearest < len(starts) and starts[nearest] < number.end()


def without_aside(title: str) -> str:
    """A title without the words in brackets that tell it apart: "The Base (film)" is "The Base"."""
    return re.sub(r"\s*\([^()]*\)\s*$", "", title).strip() or title


@lru_cache(maxsize=4096)
def folded_name(name: str) -> str:
    """A name as it is compared: its letters and digits in lower case, words parted by single spaces; kept, since the
    sentences of a question are compared again and again."""
    return " ".join(re.findall(r"\w+", name.casefold()))


def _moment(match: re.Match[str]) -> Moment:
    if match["iso"] or match["dotted"]:
        parts = match["iso"].split("-") if match["iso"] else match["dotted"].split(".")[::-1]
        return Moment(int(parts[0]), int(parts[1]), int(parts[2]), match.start(), match.group())
    month = (match.group("month") or "").lower()
    number = next((months.index(month) + 1 for months in MONTHS if month in months), 0)
    day = match.group("day") or match.group("day_after") or "0"
    year = match.group("year") or match.group("year_alone")
    return Moment(int(year), number, int(day), match.start(), match.group())


def _is_meant(text: str, match: re.Match[str]) -> bool:
    """A name that others share counts behind a preposition or a comma alone, and not in front of another name."""
    if match.group() not in lexicon("encyclopaedia")["shared"]["names"]:
        return True
    is_placed = _IN_A_PLACE.search(text, 0, match.start())
    return bool(is_placed) and not _NAME_BEHIND.match(text, match.end())


@lru_cache(maxsize=1)
def _countries() -> dict[str, str]:
    """Each name of a country and each adjective for it, with its first name; none that is also the name of a state."""
    known = lexicon("encyclopaedia")
    groups = [*known["countries"]["names"], *(state["names"] for state in known["dissolved"])]
    names = {name: group[0] for group in groups for name in group}
    states = known["states"]
    both = names.keys() & set(states["names"])
    every = names | dict.fromkeys(states["names"], states["country"])
    return {name: country for name, country in every.items() if name not in both}


@lru_cache(maxsize=1)
def _successors() -> dict[str, tuple[str, ...]]:
    return {state["names"][0]: tuple(state["successors"]) for state in lexicon("encyclopaedia")["dissolved"]}


@lru_cache(maxsize=1)
def _country_pattern() -> re.Pattern[str]:
    names = sorted(_countries(), key=lambda name: (-len(name), name))
    return re.compile(rf"(?<!\w){_PART_OF}(?:{'|'.join(map(re.escape, names))})(?!\w)")
