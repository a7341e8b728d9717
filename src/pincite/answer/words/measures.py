"""Which measures a question asks for, and which a text gives: lengths, money, shares, moments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pincite.answer.words.lexicon import lexicon, phrases_of

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
