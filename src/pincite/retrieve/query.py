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
_FIELDS = {"file": "sources", "type": "types", "tag": "tags"}


def parse_query(question: str, languages: Sequence[str | None], given: Filter = Filter()) -> Query:
    """Normalise the question (NFKC, single spaces), take out `file:`, `type:`, `tag:`, `after:` and `before:`, and
    add them to the filter that was given by option."""
    text = " ".join(unicodedata.normalize("NFKC", question).split())
    found = given
    for match in _FILTER.finditer(text):
        found = _with(found, match.group("name"), match.group("quoted") or match.group("bare"))
    search_text = " ".join(_FILTER.sub(_kept, text).split())
    return Query(text=question, search_text=search_text, tokens=tuple(tokenise_for(search_text, languages)), filter=found)


def _with(found: Filter, name: str, value: str) -> Filter:
    if name in _FIELDS:
        field = _FIELDS[name]
        return replace(found, **{field: (*getattr(found, field), value)})
    return replace(found, **{name: value}) if _DATE.fullmatch(value) else found


def _kept(match: re.Match[str]) -> str:
    """`after:` and `before:` without a date are words like any other."""
    is_date_filter = match.group("name") in ("after", "before")
    return match.group() if is_date_filter and not _DATE.fullmatch(match.group("bare") or "") else " "
