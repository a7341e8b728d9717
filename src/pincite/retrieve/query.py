"""A question as it was typed becomes a Query: normalised, its filters taken out, its keyword tokens made."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from pincite.records import Filter, Query
from pincite.text.tokens import tokenise_for

_FILTER = re.compile(r'(?<!\S)(?P<name>file|type|tag|after|before):(?:"(?P<quoted>[^"]+)"|(?P<bare>\S+))')
_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")


def parse_query(question: str, languages: Sequence[str | None], given: Filter = Filter()) -> Query:
    """Normalise the question (NFKC, single spaces), take out `file:`, `type:`, `tag:`, `after:` and `before:`, and
    add them to the filter that was given by option."""
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    found = given
    for match in _FILTER.finditer(text):
        found = _with(found, match.group("name"), match.group("quoted") or match.group("bare"))
    search_text = " ".join(_FILTER.sub(_kept, text).split())
    return Query(question, search_text, tuple(tokenise_for(search_text, languages)), found, tuple(languages))


def _with(found: Filter, name: str, value: str) -> Filter:
    match name:
        case "file":
            return replace(found, sources=(*found.sources, value))
        case "type":
            return replace(found, types=(*found.types, value))
        case "tag":
            return replace(found, tags=(*found.tags, value))
    if not _DATE.fullmatch(value):
        return found
    return replace(found, after=value) if name == "after" else replace(found, before=value)


def _kept(match: re.Match[str]) -> str:
    """`after:` and `before:` without a date are words like any other."""
    is_date_filter = match.group("name") in ("after", "before")
    return match.group() if is_date_filter and not _DATE.fullmatch(match.group("bare") or "") else " "
