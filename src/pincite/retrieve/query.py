"""A question as it was typed becomes a Query: normalised, its filters taken out, its keyword tokens made."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from pincite.records.questions import Filter, Query
from pincite.retrieve.scope import with_scope
from pincite.text.tokens import tokenise_for

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
