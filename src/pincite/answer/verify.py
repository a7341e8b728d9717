"""The gate that every statement passes: its words, numbers and names stand in its quotes (DESIGN.md section 7)."""

from __future__ import annotations

import re
import unicodedata

from pincite.records import Statement
from pincite.text.mend import mend
from pincite.text.tokens import tokenise

TEMPLATE_WORDS = frozenset(
    "yes no step settled for where this part applies information found referred to but not in this folder "
    "nearest answer against higher lower also two figures on two bases cannot be read see the page itself "
    "expression other gives question does give symbol basis report".split()
)
NEGATIONS_AND_MODALS = frozenset(
    "not no never none without unless except nor neither cannot "
    "shall should must may might can could need will would".split()
)
_WORD = re.compile(r"[^\W\d_]+")


def is_supported(statement: Statement, language: str | None = "en") -> bool:
    """Whether each content word of the statement (by stem) and each number, negation and modal verb (exactly)
    stands in its quotes. A statement of kind `missing` speaks of what is not there and passes."""
    return statement.kind == "missing" or not unsupported_words(statement, language)


def unsupported_words(statement: Statement, language: str | None = "en") -> list[str]:
    """The words of the statement, its locator left out, that its quotes do not hold."""
    text = statement.text
    if statement.locator and text.startswith(f"{statement.locator}: "):
        text = text[len(statement.locator) + 2 :]
    quotes = " ".join(_readings(citation.quote) for citation in statement.citations)
    known = set(tokenise(quotes, language))
    free = set(tokenise(" ".join(TEMPLATE_WORDS), language))
    missing = [token for token in tokenise(text, language) if token not in known and token not in free]
    return missing + sorted(_decisive(text) - _decisive(quotes))


def _readings(quote: str) -> str:
    """A quote as it stands, as it reads when mended, and with the hyphens at line ends kept."""
    kept = re.sub(r"[\u00ad\u2010-]\s*\n\s*", "-", quote)
    return f"{quote} {mend(quote).text} {kept}"


def _decisive(text: str) -> set[str]:
    words = {word.casefold() for word in _WORD.findall(unicodedata.normalize("NFKC", text))}
    return words & NEGATIONS_AND_MODALS
