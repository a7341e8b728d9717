"""The tables of language models in settings: one a model."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from typing import Any, get_args

from pincite.errors import SettingsError
from pincite.records.prompts import Api, LanguageService

Tables = tuple[tuple[str, LanguageService], ...]

SMALLEST_CONTEXT = 512
"""Tokens: a question, one clause and an answer."""
_TEXTS = ("url", "model", "api", "key")
_KNOWN = tuple(item.name for item in fields(LanguageService))


def language_tables(value: Any, origin: str) -> Tables:
    """The models of these tables, by name; in an environment they are TOML. SettingsError for what cannot be."""
    if isinstance(value, str):
        value = _from_toml(value, origin)
    if not isinstance(value, dict):
        raise SettingsError(f'{origin}: language_models must be tables ([language_models.mine], url = "...")')
    return tuple((name, _service(name, table, origin)) for name, table in sorted(value.items()))


def shown_tables(tables: Tables, mask: str) -> dict[str, dict[str, Any]]:
    """What the tables say, their keys masked."""
    masked = ((name, replace(service, key=mask if service.key else "")) for name, service in tables)
    return {name: {key: getattr(service, key) for key in _KNOWN} for name, service in masked}


def _from_toml(text: str, origin: str) -> Any:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        raise SettingsError(f'{origin}: language_models must be TOML (mine = {{url = "...", model = "..."}})') from None


def _service(name: str, table: Any, origin: str) -> LanguageService:
    """The model of one table. Error messages do not repeat the table's values, which may include a key."""
    place = f"{origin}: the language model {name}"
    if not isinstance(table, dict):
        raise SettingsError(f"{place} must be a table")
    for key, value in table.items():
        if key not in _KNOWN:
            raise SettingsError(f"{place} knows no {key!r}: it may have {', '.join(_KNOWN)}")
        if key in _TEXTS and not isinstance(value, str):
            raise SettingsError(f"{place}: {key} must be a text")
        if key not in _TEXTS and not _is_number(value, is_whole=key != "timeout"):
            raise SettingsError(f"{place}: {key} must be a number above 0")
    if not all(table.get(key) for key in ("url", "model")):
        raise SettingsError(f"{place} has no url or no model: name both")
    return _checked(LanguageService(**table), place)


def _is_number(value: Any, *, is_whole: bool) -> bool:
    kinds = int if is_whole else int | float
    return isinstance(value, kinds) and not isinstance(value, bool) and 0 < value < float("inf")


def _checked(service: LanguageService, place: str) -> LanguageService:
    if service.api not in get_args(Api):
        raise SettingsError(f"{place}: api must be {' or '.join(get_args(Api))}, not {service.api!r}")
    if not service.url.startswith(("http://", "https://")):
        raise SettingsError(f"{place}: url must begin with http:// or https://")
    if service.context < SMALLEST_CONTEXT:
        raise SettingsError(f"{place}: context must be at least {SMALLEST_CONTEXT} tokens, not {service.context}")
    if service.tokens >= service.context:
        raise SettingsError(f"{place}: tokens must be fewer than context ({service.context}), not {service.tokens}")
    return service
