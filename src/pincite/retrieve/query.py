"""A question as it was typed becomes a Query: filters taken out, keyword tokens made, compounds parted
("Mondumlauf"), misspelt names searched as the documents write them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache
from string import capwords

import numpy as np

from pincite.graph.concepts import find_concepts
from pincite.graph.network import EntityNetwork
from pincite.ports import Bitmap
from pincite.records.questions import Filter, Query
from pincite.retrieve.scope import with_scope
from pincite.text.language import detect_language
from pincite.text.tokens import folded_words, tokenise, tokenise_for

COMPOUNDING = frozenset({"da", "de", "fi", "nl", "no", "sv"})
LEAST_LETTERS = 3
_LINKS = ("", "s", "es", "n", "en", "er", "e")


def compound_parts(word: str, known: Callable[[str], str | None]) -> tuple[str, ...]:
    """The tokens of the two parts of a word, letters that link them left out; else of its end alone; else none.

    `known` gives the token of a part that is known, None for others. The longest end is tried first.
    """
    for cut in range(LEAST_LETTERS, len(word) - LEAST_LETTERS + 1):
        end = known(word[cut:])
        if end is not None:
            beginning = _beginning(word[:cut], known)
            return (end,) if beginning is None else (beginning, end)
    return ()


def _beginning(part: str, known: Callable[[str], str | None]) -> str | None:
    for link in _LINKS:
        bare = part.removesuffix(link) if link else part
        token = known(bare) if len(bare) >= LEAST_LETTERS else None
        if token is not None:
            return token
    return None


_NAMES = "file|source|type|tag|domain|company|date|after|before"
_FILTER = re.compile(
    rf'(?<!\S)(?P<name>{_NAMES})[:=](?:"(?P<quoted>[^"]+)"|\[(?P<several>[^\[\]]+)\]|(?P<bare>[^\s"\[]\S*))'
)
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
SourceIds = Callable[[Filter], Collection[str]]


def parse_query(
    question: str, languages: Sequence[str | None], given: Filter = Filter(), source_ids: SourceIds = lambda _: ()
) -> Query:
    """Normalise the question (NFKC, single spaces), take its filters out and add them to the one given by option.

    `file:` or `source:`, `type:`, `tag:` or `domain:`, `company:`, `date:`, `after:` and `before:`, also with "=", in
    quotes, or several at once ("company=[Tesla|Rivian]"); and what its words take in or leave out of `source_ids`,
    those that a filter lets through ("according to rules.pdf, ...", "not counting the minutes").
    """
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    found = given
    for match in _FILTER.finditer(text):
        found = _with(found, match["name"], _values(match))
    rest = _FILTER.sub(_kept, text)
    found, rest = with_scope(found, rest, lambda: source_ids(found))
    return replace(plain_query(rest, languages, found), text=question)


def plain_query(text: str, languages: Sequence[str | None], given: Filter) -> Query:
    """Words to look for through a filter, none of which is read as one: a text that the asker did not write."""
    search_text = " ".join(unicodedata.normalize("NFKC", text).split())
    return Query(text, search_text, tuple(tokenise_for(search_text, languages)), given, tuple(languages))


def _values(match: re.Match[str]) -> tuple[str, ...]:
    if match["several"]:
        return tuple(value.strip() for value in match["several"].split("|") if value.strip())
    return (match["quoted"] or match["bare"].rstrip("?!,;"),)


def _with(found: Filter, name: str, values: tuple[str, ...]) -> Filter:
    match name:
        case "file" | "source":
            return replace(found, sources=(*found.sources, *values))
        case "type":
            return replace(found, types=(*found.types, *values))
        case "tag" | "domain":
            return replace(found, tags=(*found.tags, *values))
        case "company":
            return replace(found, companies=(*found.companies, *values))
    date = values[0] if _DATE.fullmatch(values[0]) else None
    after = date if date and name != "before" else found.after
    return replace(found, after=after, before=date if date and name != "after" else found.before)


def _kept(match: re.Match[str]) -> str:
    """`date:`, `after:` and `before:` without a date are words like any other."""
    is_of_time = match["name"] in ("date", "after", "before")
    return match.group() if is_of_time and not _DATE.fullmatch(_values(match)[0]) else " "


def with_compound_parts(query: Query, languages: Sequence[str | None], is_known: Callable[[str], bool]) -> Query:
    """The query with the parts of its unknown compounds, where its language writes compounds as one word. A question of
    unknown language is taken to be in the store's, if that has only one."""
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


def with_names_mended(query: Query, network: EntityNetwork, allowed: Bitmap | None) -> Query:
    """The query with the name of a visible chunk in the place of each misspelt one; its text stays as it was asked."""
    text = query.search_text
    for concept in reversed(find_concepts(network, text, query.languages)):
        if concept.misspelt and is_named(network, concept.entity, allowed):
            text = text[: concept.start] + capwords(network.name(concept.entity)) + text[concept.end :]
    if text == query.search_text:
        return query
    return replace(query, search_text=text, tokens=tuple(tokenise_for(text, query.languages)))


def is_named(network: EntityNetwork, entity: int, allowed: Bitmap | None) -> bool:
    """Whether a visible chunk names the entity."""
    return allowed is None or bool(allowed[network.chunks.of_nodes(np.array([entity], np.int64))[1]].any())
