"""The gate that every statement passes: its words, numbers and names stand in its quotes (DESIGN.md section 7)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pincite.answer.vocabulary import NEGATIONS_AND_MODALS, TEMPLATE_WORDS
from pincite.records import Statement
from pincite.text.mend import mend
from pincite.text.tokens import tokenise

_COUNT = re.compile(r" \(\d+ found(?:, \w+ to \w+)?\)$")
_VERDICT = re.compile(r"^(?:Yes|No|Yes, where this document applies|Not settled for [^:]+): ")
_UNREADABLE = re.compile(r": cannot be read, see the page itself$")
_WORD = re.compile(r"[^\W\d_]+")


def is_supported(statement: Statement, language: str | None = "en") -> bool:
    """Whether each content word of the statement (by stem) and each number, negation and modal verb (exactly)
    stands in its quotes. A statement of kind `missing` speaks of what is not there and passes."""
    return statement.kind == "missing" or not unsupported_words(statement, language)


def unsupported_words(statement: Statement, language: str | None = "en") -> list[str]:
    """The words of the statement that its quotes do not hold; its locator, its verdict and the count of a list are
    left out."""
    text = statement.text
    if statement.locator and text.startswith(f"{statement.locator}: "):
        text = text[len(statement.locator) + 2 :]
    if statement.kind == "verdict":
        text = _VERDICT.sub("", text)
    if statement.kind == "value":
        text = _UNREADABLE.sub("", text)
    if statement.kind == "list":
        text = _COUNT.sub("", text)
    quotes = " ".join(_readings(citation.quote) for citation in statement.citations)
    known = set(tokenise(quotes, language))
    free = _template_tokens(language)
    missing = [token for token in tokenise(text, language) if token not in known and token not in free]
    return missing + sorted(_decisive(text) - _decisive(quotes))


@lru_cache(maxsize=32)
def _template_tokens(language: str | None) -> frozenset[str]:
    return frozenset(tokenise(" ".join(TEMPLATE_WORDS), language))


def _readings(quote: str) -> str:
    """A quote as it stands, as it reads when mended, and with the hyphens at line ends kept; each other text once."""
    kept = re.sub(r"[\u00ad\u2010-]\s*\n\s*", "-", quote)
    return " ".join(dict.fromkeys((quote, mend(quote).text, kept)))


def _decisive(text: str) -> set[str]:
    words = {word.casefold() for word in _WORD.findall(unicodedata.normalize("NFKC", text))}
    return words & NEGATIONS_AND_MODALS
