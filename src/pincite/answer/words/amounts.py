"""Numbers with what belongs to them: minus, currency, unit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.text.raised import RAISED
from pincite.text.tokens import fold_number

_SI = r"[TGMkhcmµμn]?(?:Wh|Pa|Hz|bar|mol|[NJWVAgmslLtKΩ])[23]?"
UNIT = (
    rf"(?:(?:{_SI}|°[CF]?)(?:[/·](?:{_SI}|h|min|a|year|day))*|km/h|mph|%|‰|percent|min|h|ha|kWh|MWh|inch(?:es)?|feet|ft"
    r"|tonnes?|litres?|met(?:er|re)s?|years?|months?|weeks?|days?|hours?|minutes?|seconds?|degrees?"
    r"|thousand|million|billion|trillion|dozen)(?![\w/])"
)
"""A unit behind a number, or a word that multiplies it; superscripts as plain digits."""
COUNTED = (
    r"(?:square |cubic )?(?:(?:centi|milli|kilo)?met(?:er|re)s?|feet|inch(?:es)?)|[kKmcdµ]?m[²³23]?"
    r"|(?:kilo|milli)?grams?|[kmµ]?g|lit(?:er|re)s?|m?l|[kKMG]?[NWJ](?:/m[²2])?|m?[VA]|[kMG]?Hz|[kKMGT]i?B|(?:kilo|mega|giga|tera)bytes?"
    r"|percent|people|persons|years?|months?|weeks?|days?|hours?|minutes?|min|seconds?"
)
"""What numbers of questions and texts are counted in most."""
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|(?<![\w.,])\d+(?:[.,]\d+)*")
_BEFORE = re.compile(r"(?P<minus>(?<![\w)\].,])[-−])?(?P<currency>[$€£¥]\s?)?$")
_UNIT = re.compile(rf"\s?(?P<unit>{UNIT})")
_CURRENCY = re.compile(r"(?:\s?(?:thousand|million|billion|trillion))?\s?(?P<name>euro|dollar|pound|yen)s?\b")
_SIGNS = {"euro": "€", "dollar": "$", "pound": "£", "yen": "¥"}
_RAISED_BEHIND = re.compile(rf"(?<=\d)[{RAISED}]+")
"""The mark of a note, or a power, which no digit of the number is."""
LONGEST_BEFORE = 4
"""Characters: a minus, a currency sign and spaces."""
_FREE_UNIT = re.compile(rf"(?<![\w/·])(?<!\d )(?P<unit>{UNIT})")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in one spelling, and what stands with it; empty strings for what does not."""

    number: str
    minus: str
    currency: str
    unit: str


def amounts_in(text: str) -> Iterator[Amount]:
    """The numbers of a text in order."""
    folded = unicodedata.normalize("NFKC", _RAISED_BEHIND.sub("", text))
    for match in _NUMBER.finditer(folded):
        before = _BEFORE.search(folded, max(0, match.start() - LONGEST_BEFORE), match.start())
        unit = _UNIT.match(folded, match.end())
        minus, currency = (before["minus"] or "", before["currency"] or "") if before else ("", "")
        number = fold_number(re.sub(r"\s", "", match.group()))
        named = None if currency else _CURRENCY.match(folded, match.end())
        sign = _SIGNS[named["name"]] if named else currency.strip()
        yield Amount(number, "-" if minus else "", sign, _one_spelling(unit["unit"] if unit else ""))


def free_units(text: str) -> frozenset[str]:
    """The units and currencies of a text that stand with no number: those of the head of a table."""
    folded = unicodedata.normalize("NFKC", text)
    units = {_one_spelling(match["unit"]) for match in _FREE_UNIT.finditer(folded)}
    return frozenset(units | set(re.findall(r"[$€£¥](?!\s?\d)", folded)))


def _one_spelling(unit: str) -> str:
    words = {"percent": "%", "inches": "inch", "feet": "ft"}
    return words.get(unit, unit.rstrip("s") if len(unit) > 2 and unit.islower() else unit)
