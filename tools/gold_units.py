"""Which units of a document answer a written question: those that hold its fact within one of its quotes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import Any

from pincite.answer.material.units import Unit
from pincite.evaluate.measures import letters_and_digits
from pincite.records.answers import Statement

LEAST_OVERLAP = 0.3
"""Of the letters of a gold sentence in a unit that holds the fact, for the unit to count as gold."""
SHORT_FACT = 3
"""Letters: a shorter fact has to stand there as a word of its own."""

Row = Mapping[str, Any]


def is_gold(row: Row, unit: Unit) -> bool:
    """Whether a unit holds the fact, and as much of a gold sentence that it is no other place with the same figure."""
    text = letters_of(unit)
    holds = bool(row["fact"]) and (has_fact(row["fact"], unit.text) or letters_and_digits(row["fact"]) in text)
    return holds and quoted_share(row, unit) >= LEAST_OVERLAP


def quoted_share(row: Row, unit: Unit) -> float:
    """The share of a gold sentence that stands in a unit, the most of all gold sentences."""
    text = letters_of(unit)
    return max((overlap(letters_and_digits(quote), text) for quote in row["quotes"]), default=0.0)


def letters_of(unit: Unit) -> str:
    """The letters and digits of a unit, as its page has them."""
    quoted = unit.quoted[-1:] if unit.row is not None else unit.quoted
    return letters_and_digits(" ".join(quote for passage, _ in quoted for quote in passage.quotes))


def says(row: Row, statements: Iterable[Statement]) -> bool:
    """Whether statements hold the fact."""
    return bool(row["fact"]) and has_fact(row["fact"], " ".join(statement.text for statement in statements))


def has_fact(fact: str, text: str) -> bool:
    """Whether a text holds a fact, letter by letter; a short one as words of their own."""
    if len(letters_and_digits(fact)) > SHORT_FACT:
        return letters_and_digits(fact) in letters_and_digits(text)
    return f" {parted(fact)} " in f" {parted(text)} "


def parted(text: str) -> str:
    """Its words and signs, a space between any two."""
    return " ".join(re.findall(r"\w+|[^\w\s]", unicodedata.normalize("NFKC", text).casefold()))


def overlap(quote: str, text: str) -> float:
    """The share of a quote's letters that stand in a text as one run."""
    if not quote or quote in text:
        return float(bool(quote))
    matcher = SequenceMatcher(None, quote, text, autojunk=False)
    return matcher.find_longest_match().size / len(quote)
