"""The gate that every statement passes: its words, numbers and names stand in its quotes (docs/design.md section 7)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from pincite.answer.said.deeds import base_tokens
from pincite.answer.words.amounts import Amount, amounts_in, free_units, operators_in
from pincite.answer.words.vocabulary import LIGHT_WORDS, NEGATIONS, NEGATIONS_AND_MODALS, TEMPLATE_WORDS
from pincite.graph.names import find_names
from pincite.records.answers import Statement
from pincite.records.citations import Citation, Mark
from pincite.text.mend import mend
from pincite.text.tokens import tokenise

_COUNT = re.compile(r" \(\d+ found(?:, \w+ to \w+|, the first \d+ here)?\)$")
_VERDICT = re.compile(r"^(?:Yes|No|Yes, where this document applies|Not settled for [^:]+): ")
_COMPUTED = re.compile(
    r"^Computed, (?:(?:latest|earliest|largest(?: rise| fall)?|smallest|\d+) of \d+|(?:most|least) often, \d+ of \d+"
    r"|(?:difference|sum|change in percent|share in percent) -?[\d.,]+(?: %)?(?: of \d+)?): "
)
_UNREADABLE = re.compile(r": cannot be read, see the page itself$")
_WORD = re.compile(r"[^\W\d_]+")
_SPOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_IDENTIFIER = re.compile(r"(?=[\w./-]*\d)(?=[\w./-]*[^\W\d_])\w+(?:[-./]\w+)*")

DELIMITED = (".csv", ".tsv", ".tab")
"""How names of files of delimited text end, of which a number may stand right beside another."""
CELLS = " | "
"""Between the cells of a row that is said."""
LEAST_SUPPORTED = 0.8
"""The share of a language model's content words that stand in its quotes, as docs/design.md section 7 sets it."""
MOST_WORDS = 2
"""Times as many as its quotes have: who says a word over and over restates nothing. By eye, not measured."""
UNREADABLE = "\N{REPLACEMENT CHARACTER}"

Step = tuple[str, str, frozenset[str]]
"""Two words that follow each other, small words aside, and the negations and modal verbs between them."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """How much of what a statement says stands in its quotes: what may never be missing and is (numbers, units, names,
    identifiers, negations, modal verbs), the other words that are, and the share of its content words that are not."""

    broken: tuple[str, ...]
    marks: tuple[Mark, ...]
    share: float

    @property
    def holds(self) -> bool:
        """Whether a language model may say it so."""
        return not self.broken and self.share >= LEAST_SUPPORTED


def is_supported(statement: Statement, language: str | None = "en") -> bool:
    """Whether all that the statement says stands in its quotes. A statement of kind `missing` speaks of what is not
    there and passes."""
    return statement.kind == "missing" or not unsupported_words(statement, language)


def unsupported_words(statement: Statement, language: str | None = "en") -> list[str]:
    """The words of the statement that its quotes do not hold; its locator, its verdict and the count of a list are
    left out.

    Content words are compared by stem; numbers with their sign, currency and unit, names, identifiers, negations and
    modal verbs exactly. A negation or modal verb that the quotes have between two words stands between them here too.
    """
    text = _claim(statement)
    quotes = _quotes_beside(text, statement)
    if quotes is None:
        return []
    missing = [
        *_missing_tokens(text, quotes, language),
        *sorted(_decisive(text) - _decisive(quotes)),
        *_exactly(text, quotes, in_order=statement.kind != "value"),
        *(word for part in _in_order(text, statement) for word in _lost(part, quotes, language)),
    ]
    return list(dict.fromkeys(missing))


def _in_order(text: str, statement: Statement) -> list[str]:
    """The parts of a statement whose words stand in the order of its quotes: of a row each cell without its head."""
    if statement.kind != "value" or CELLS not in text:
        return [text]
    return [cell.rpartition(": ")[2] for cell in text.split(CELLS)]


def weigh(statement: Statement, language: str | None = "en") -> Weighed:
    """How much of a language model's statement stands in its quotes."""
    text = statement.text
    quotes = _quotes_beside(text, statement)
    if quotes is None:
        return Weighed((), (), 1.0)
    content = content_tokens(text, language)
    read = base_tokens(quotes, language)
    known = set(read)
    missing = [token for token in content if token not in known]
    numbers = [token for token in missing if token[:1].isdigit()]
    unknown = set(missing)
    marks = (
        Mark(*word.span())
        for word in _SPOKEN.finditer(text)
        if unknown.intersection(base_tokens(word.group(), language))
    )
    gained = sorted(operators_in(text) - operators_in(quotes))
    broken = dict.fromkeys([*numbers, *gained, *_exactly(text, quotes, in_order=True)])
    if UNREADABLE in text and UNREADABLE not in quotes:
        broken[UNREADABLE] = None
    if len(content) > MOST_WORDS * len(read):
        broken["far more words than its source has"] = None
    return Weighed(tuple(broken), tuple(marks), 1 - len(missing) / len(content) if content else 0.0)


def content_tokens(text: str, language: str | None) -> list[str]:
    """The tokens of what a text says, without those that only put its sentences together."""
    free = _template_tokens(language) | _light_tokens(language)
    return [token for token in base_tokens(text, language) if token not in free]


def _quotes_beside(text: str, statement: Statement) -> str | None:
    """All readings of a statement's quotes, and of them in a row, as a word may go on over pages; None where it is the
    end of one, so that nothing else has to be looked at."""
    cited = statement.citations
    joined = [replace(cited[0], quote="\n".join(citation.quote for citation in cited))] if len(cited) > 1 else []
    readings = [reading for citation in (*cited, *joined) for reading in _readings(citation)]
    return None if any(_is_end_of(text, reading) for reading in readings) else " ".join(readings)


def _missing_tokens(text: str, quotes: str, language: str | None) -> list[str]:
    known, free = set(tokenise(quotes, language)), _template_tokens(language)
    return [token for token in tokenise(text, language) if token not in known and token not in free]


def _exactly(text: str, quotes: str, *, in_order: bool) -> Iterator[str]:
    """What is compared exactly and stands otherwise in the quotes."""
    yield from _wrong_amounts(text, quotes)
    yield from _wrong_identifiers(text, quotes)
    yield from _wrong_names(text, quotes, in_order=in_order)


def _claim(statement: Statement) -> str:
    """What the statement says of its own, without what its template adds."""
    text = statement.text
    if statement.locator and text.startswith(f"{statement.locator}: "):
        text = text[len(statement.locator) + 2 :]
    if statement.kind == "verdict":
        text = _VERDICT.sub("", text)
    if statement.kind == "value":
        text = _COMPUTED.sub("", _UNREADABLE.sub("", text))
    if statement.kind == "list":
        text = _COUNT.sub("", text)
    return text


@lru_cache(maxsize=32)
def _template_tokens(language: str | None) -> frozenset[str]:
    return frozenset(tokenise(" ".join(TEMPLATE_WORDS), language))


@lru_cache(maxsize=32)
def _light_tokens(language: str | None) -> frozenset[str]:
    return frozenset(tokenise(" ".join(LIGHT_WORDS), language))


def _readings(citation: Citation) -> list[str]:
    """A quote as it stands, as it reads when mended, with the hyphens at line ends kept, and with the cells of
    delimited text apart, each once."""
    quote = citation.quote
    kept = re.sub(r"[\u00ad\u2010-]\s*\n\s*", "-", quote)
    apart = re.sub(r"[,;]", "\t", quote) if citation.filename.casefold().endswith(DELIMITED) else quote
    return list(dict.fromkeys((quote, mend(quote).text, kept, apart)))


def _is_end_of(text: str, reading: str) -> bool:
    """Whether a text is a quote itself, or all of it behind its label: then nothing else has to be looked at."""
    said, read = " ".join(text.split()), " ".join(reading.split())
    before = read[: len(read) - len(said)]
    return bool(said) and read.endswith(said) and not before[-1:].strip() and not _decisive(before)


def _decisive(text: str) -> set[str]:
    words = {word.casefold() for word in _WORD.findall(unicodedata.normalize("NFKC", text))}
    return words & NEGATIONS_AND_MODALS


def _wrong_amounts(text: str, quotes: str) -> Iterator[str]:
    """Numbers whose sign, currency or unit is another one in the quotes; in a table it may stand apart from its
    number, in the quotes and in the statement."""
    said = list(amounts_in(text)) if any(map(str.isdigit, text)) else []
    if not said:
        return
    known = set(amounts_in(quotes))
    numbers = {other.number for other in known}
    odd = [amount for amount in said if amount.number in numbers and amount not in known]
    given, apart = (free_units(quotes), free_units(text)) if odd else (frozenset(), frozenset())
    for amount in odd:
        if not any(_fits(amount, other, given, apart) for other in known if other.number == amount.number):
            yield f"{amount.minus}{amount.currency}{amount.number} {amount.unit}".strip()


def _fits(amount: Amount, other: Amount, given: Collection[str], apart: Collection[str]) -> bool:
    currency = amount.currency in ("", other.currency) or (not other.currency and amount.currency in given)
    unit = amount.unit == other.unit or (not other.unit and amount.unit in given)
    return amount.minus == other.minus and currency and (unit or (not amount.unit and other.unit in apart))


def _wrong_names(text: str, quotes: str, *, in_order: bool) -> Iterator[str]:
    """Names that do not stand in the quotes as they are; of the cells of a table, where names follow each other that
    do not belong together, only their words count."""
    plain = f" {_plain(quotes)} "
    for name in find_names(text):
        parts = [_plain(name.text)] if in_order else _plain(name.text).split()
        if not name.opens and any(f" {part} " not in plain for part in parts):
            yield name.text


def _wrong_identifiers(text: str, quotes: str) -> Iterator[str]:
    """Numbers with letters ("AB-12/4") that do not stand in the quotes to the letter, white space aside."""
    squeezed = re.sub(r"\s", "", quotes).casefold()
    for match in _IDENTIFIER.finditer(text):
        if match.group().casefold() not in squeezed:
            yield match.group()


def _plain(text: str) -> str:
    return " ".join(_PART.findall(re.sub(r"['’]s\b", "", unicodedata.normalize("NFKC", text)).casefold()))


def _lost(text: str, quotes: str, language: str | None) -> Iterator[str]:
    """Negations and modal verbs that the quotes have between two words, and the statement has not, or has others; and
    negations in front of its first words."""
    held: dict[tuple[str, str], set[frozenset[str]]] = {}
    denied: dict[tuple[str, str], set[frozenset[str]]] = {}
    for (_, first, in_front), (before, after, between) in pairwise(_steps(quotes, language)):
        held.setdefault((before, after), set()).add(between)
        denied.setdefault((first, after), set()).add(in_front & NEGATIONS)
    steps = list(_steps(text, language))
    for (_, first, in_front), (_, after, _) in pairwise(steps[:2]):
        known = denied.get((first, after))
        if known and in_front & NEGATIONS not in known:
            yield from sorted(min(known, key=sorted))
    for before, after, between in steps:
        known = held.get((before, after))
        if known and between not in known:
            yield from sorted(min(known, key=sorted) ^ between)


def _steps(text: str, language: str | None) -> Iterator[Step]:
    before, between = "", frozenset[str]()
    for word in _PART.findall(unicodedata.normalize("NFKC", text)):
        if word.casefold() in NEGATIONS_AND_MODALS:
            between |= {word.casefold()}
            continue
        for token in _tokens(word, language):
            yield before, token, between
            before, between = token, frozenset()


@lru_cache(maxsize=8192)
def _tokens(word: str, language: str | None) -> tuple[str, ...]:
    return tuple(tokenise(word, language))
