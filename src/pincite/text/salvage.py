"""What can be made of the answer of a language model that was to be JSON.

Small models wrap JSON into talk, break it off, or answer otherwise. What fits the schema is kept, the rest is its
defaults. Of a schema `type`, `properties`, `items`, `enum`, `maxItems` and `default` are looked at; where it says no
type, it means text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from pincite.text.language import whole_characters

How = Literal["json", "found", "default"]

MOST_TRIES = 20
"""Places of a text where an object, or the value of a property, is looked for: each may be read to the end of the text,
and a model that has not come to the point by then does not."""

_OPENS = re.compile(r"\{")
_NEXT_ITEM = re.compile(r"\s*+,?+\s*+")
_WORD = re.compile(r"(true|false|null)\b|'([^'\n]*+)'", re.IGNORECASE)
_NAMED_VALUES = {"true": True, "false": False, "null": None}
_WORDS_OF_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_EMPTY = {"boolean": False, "integer": 0, "number": 0.0, "string": ""}
_DECODER = json.JSONDecoder()
_NOTHING = object()
"""For a value that is missing or does not fit."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """A value that fits its schema, and how it was come by: the whole text was JSON, some of it was found in the text,
    or all of it is the schema's defaults."""

    value: dict[str, Any]
    how: How


def salvaged(text: str, schema: Mapping[str, Any]) -> Salvaged:
    """What a text says of the properties of a schema for an object; never an error.

    The whole text as JSON; else the first object in it; else each property where its name stands: the first of them
    that says something of a property. What is missing or of another type has the schema's `default`, and where there is
    none false, 0, "" or empty.
    """
    properties = _properties(schema)
    for how, found in _readings(text, properties.keys()):
        if any(_fitted(found.get(name, _NOTHING), of_it) is not _NOTHING for name, of_it in properties.items()):
            return Salvaged(_object(found, schema), how)
    return Salvaged(_object({}, schema), "default")


def _readings(text: str, names: Iterable[str]) -> Iterator[tuple[How, dict[str, Any]]]:
    """What a text may have meant, the most certain first."""
    whole = _parsed(text)
    if isinstance(whole, dict):
        yield "json", whole
    for found in _objects(text):
        yield "found", found
    yield "found", {name: _value_of(name, text) for name in names}


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOTHING


def _parsed_at(text: str, place: int) -> tuple[Any, int]:
    """The JSON that begins at this place and where it ends; _NOTHING where none does."""
    try:
        return _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return _NOTHING, place


def _objects(text: str) -> Iterator[dict[str, Any]]:
    for match in islice(_OPENS.finditer(text), MOST_TRIES):
        found, _ = _parsed_at(text, match.start())
        if isinstance(found, dict):
            yield found


def _value_of(name: str, text: str) -> Any:
    """The first value that stands behind this name and a colon."""
    named = re.compile(rf"(?<!\w)[\"']?{re.escape(name)}[\"']?\s*+:\s*+", re.IGNORECASE)
    for match in islice(named.finditer(text), MOST_TRIES):
        value = _loose_value(text, match.end())
        if value is not _NOTHING:
            return value
    return _NOTHING


def _loose_value(text: str, place: int) -> Any:
    """The value at this place, be it written as in Python or broken off in the middle of a list."""
    value, _ = _parsed_at(text, place)
    if value is not _NOTHING:
        return value
    if text.startswith("[", place):
        return list(_items(text, place + 1))
    match = _WORD.match(text, place)
    if match is None:
        return _NOTHING
    return match[2] if match[1] is None else _NAMED_VALUES[match[1].lower()]


def _items(text: str, place: int) -> Iterator[Any]:
    """The items of a list that is not whole, up to the first that is not."""
    while True:
        item, place = _parsed_at(text, place)
        if item is _NOTHING:
            return
        yield item
        gap = _NEXT_ITEM.match(text, place)
        place = gap.end() if gap else place


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = schema.get("properties") or {}
    return found


def _object(found: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of a schema with what was found, or their defaults."""
    made = {}
    for name, of_it in _properties(schema).items():
        value = _fitted(found.get(name, _NOTHING), of_it)
        made[name] = _default(of_it) if value is _NOTHING else value
    return made


def _default(schema: Mapping[str, Any]) -> Any:
    """The default of a schema, where it fits; else its first choice, or what is empty."""
    for value in (schema.get("default", _NOTHING), *schema.get("enum", ())[:1]):
        fitted = _fitted(value, schema)
        if fitted is not _NOTHING:
            return fitted
    kind = _kinds(schema)[0]
    if kind == "object":
        return _object({}, schema)
    return [] if kind == "array" else _EMPTY.get(kind)


def _kinds(schema: Mapping[str, Any]) -> tuple[str, ...]:
    kinds = schema.get("type", "string")
    return (kinds,) if isinstance(kinds, str) else tuple(kinds)


def _fitted(value: Any, schema: Mapping[str, Any]) -> Any:
    """This value as the schema has it; _NOTHING where that cannot be."""
    for kind in _kinds(schema):
        made = _as_kind(value, kind, schema)
        if made is not _NOTHING and made in schema.get("enum", (made,)):
            return made
    return _NOTHING


def _as_kind(value: Any, kind: str, schema: Mapping[str, Any]) -> Any:
    if value is _NOTHING or (value is None) != (kind == "null"):
        return _NOTHING
    match kind:
        case "null":
            return None
        case "boolean":
            return _WORDS_OF_TRUTH.get(str(value).strip().lower(), _NOTHING)
        case "string":
            return _as_text(value)
        case "integer" | "number":
            return _as_number(value, is_whole=kind == "integer")
        case "array":
            return _as_list(value, schema)
        case "object":
            return _object(value, schema) if isinstance(value, dict) else _NOTHING
    return _NOTHING


def _as_text(value: Any) -> Any:
    if isinstance(value, dict | list):
        return _NOTHING
    return whole_characters(value if isinstance(value, str) else json.dumps(value))


def _as_number(value: Any, *, is_whole: bool) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return _NOTHING
    if isinstance(value, int):
        return value
    try:
        number = float(value)
    except ValueError:
        return _NOTHING
    if not math.isfinite(number) or (is_whole and not number.is_integer()):
        return _NOTHING
    return int(number) if is_whole else number


def _as_list(value: Any, schema: Mapping[str, Any]) -> Any:
    """Each item that fits; a value that stands alone is the only one of its list."""
    items = value if isinstance(value, list) else [value]
    made = (_fitted(item, schema.get("items") or {}) for item in items)
    return [item for item in made if item is not _NOTHING][: schema.get("maxItems")]
