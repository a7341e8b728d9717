"""A word of the question that no document has, where it is made of words that some have: "Mondumlauf"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from pincite.records.questions import Query
from pincite.text.compounds import COMPOUNDING, compound_parts
from pincite.text.language import detect_language
from pincite.text.tokens import folded_words, tokenise


def with_compound_parts(query: Query, languages: Sequence[str | None], is_known: Callable[[str], bool]) -> Query:
    """The query with the parts of its unknown compounds, where it is in a language that writes words in one.

    A question whose language cannot be told is taken to be in that of the store, where it holds one alone.
    """
    language = detect_language(query.search_text) or (languages[0] if len(languages) == 1 else None)
    if language not in COMPOUNDING.intersection(languages):
        return query

    @cache
    def known(word: str) -> str | None:
        tokens = tokenise(word, language)
        return tokens[0] if len(tokens) == 1 and is_known(tokens[0]) else None

    words = [word for word in folded_words(query.search_text) if word.isalpha() and tokenise(word, language)]
    parts = (part for word in words if known(word) is None for part in compound_parts(word, known))
    return replace(query, tokens=tuple(dict.fromkeys((*query.tokens, *parts))))
