"""Amounts and measures of a text: numbers with sign, currency and unit, the measure that a question asks for, and
the words that turn or narrow a statement ("not", "only", "unless")."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pincite.answer.words.vocabulary import MODALS, lexicon, phrases_of
from pincite.text.looks import RAISED
from pincite.text.tokens import fold_number


def as_printed(text: str) -> str:
    """A text with what is always misread as it is printed ("classi fied", "classi'fied")."""
    for slip in lexicon("ocr")["slips"]:
        text = text.replace(slip["read"], slip["stands_for"])
    for slip in lexicon("ocr")["patterns"]:
        text = re.sub(slip["read"], slip["stands_for"], text)
    return text


@lru_cache(maxsize=4096)
def shape(word: str) -> str:
    """What words have in common that text recognition may take for each other: one spelling of letters that look
    alike."""
    shaped = word.casefold()
    for alike in lexicon("ocr")["alike"]:
        letters = (*alike["read"], alike["stands_for"])
        shaped = re.sub("|".join(map(re.escape, letters)), alike["stands_for"], shaped)
    return shaped


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


NUMBER = (
    r"(?:\d+(?:[., \u00a0]\d+)*|\b(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty"
    r"|thirty|forty|fifty|sixty|ninety|hundred|thousand))"
)
_LENGTH_OR_SIZE = re.compile(
    r"\d[\d.,]*(?:\s?[kcm]?m\b(?![²³/])|[\s-]?(?:bits?|[kKMGT]i?B|(?:kilo|mega|giga)?bytes?)\b(?!\s?(?:/|per\b)))"
)
_NO_LENGTH = re.compile(rf"\b(?:{phrases_of('standards', 'no_lengths')})s?$", re.I)


@dataclass(frozen=True, slots=True)
class Measure:
    """A kind of measure: how it is asked for, and how a text gives it."""

    name: str
    asked: re.Pattern[str]
    given: re.Pattern[str]


def measures_asked(question: str) -> tuple[Measure, ...]:
    """The measures that the words of a question may ask for; none where it asks for none that is known."""
    return tuple(measure for measure in _measures() if measure.asked.search(question))


def first_measure_asked(question: str) -> tuple[Measure, ...]:
    """The measures that those words of a question may ask for which come first ("by what percentage is the price");
    no number of things, which any number may be."""
    found = [(match.start(), measure) for measure in _measures() if (match := measure.asked.search(question))]
    first = min((start for start, _ in found), default=0)
    return tuple(measure for start, measure in found if start == first and measure.name != "count")


def gives_measure(text: str, measures: tuple[Measure, ...]) -> bool:
    """Whether a text gives one of these measures."""
    return any(measure.given.search(text) for measure in measures)


def of_quantity(text: str, quantity: str) -> str:
    """A text without the lengths and sizes of data that are no value of a quantity, where it is given in neither: a
    frame rate is no number of bits, a load no number of metres."""
    return _LENGTH_OR_SIZE.sub(" ", text) if _NO_LENGTH.search(quantity.split(" of ", maxsplit=1)[0]) else text


@lru_cache(maxsize=1)
def _measures() -> tuple[Measure, ...]:
    stored = lexicon("measures")
    return tuple(
        Measure(name, re.compile(entry["asked"], re.I), _given(entry["given"])) for name, entry in stored.items()
    )


def _given(pattern: str) -> re.Pattern[str]:
    """A unit stands behind a number, unless the pattern says where the number is, or needs none."""
    if "{number}" in pattern:
        return re.compile(pattern.replace("{number}", NUMBER), re.I)
    starts_itself = pattern.startswith((r"\b", "[$", r"\("))
    return re.compile(pattern, re.I) if starts_itself else re.compile(rf"{NUMBER}\)?\s?(?:{pattern})")


CONDITIONS = frozenset(("unless", "if"))
_WORD = re.compile(r"[^\W\d_]+")
_MONTH = "May"


def operators_in(text: str) -> frozenset[str]:
    """The operators of a text, each as the first word of its group; modal verbs as they are."""
    known = operators()
    words = (word for word in _WORD.findall(text) if word != _MONTH)
    return frozenset(name for word in words for name in known.get(word.casefold(), ()))


@lru_cache(maxsize=1)
def operators() -> dict[str, tuple[str, ...]]:
    """All operators, each with what it is compared as."""
    groups = [group.split() for group in lexicon("models")["operators"]["groups"]]
    found = {word: (group[0],) for group in groups for word in group} | {modal: (modal,) for modal in MODALS}
    return found | {"cannot": ("not", "can")}
