"""Records as what JSON can hold."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import Any

_PLAIN_TYPES = frozenset((str, int, float, bool, type(None)))


def to_plain(value: Any) -> Any:
    """Turn records into what JSON can hold: dicts, lists, strings, numbers. Dates become ISO 8601 strings."""
    kind: Any = type(value)
    if kind in _PLAIN_TYPES:
        return value
    names = _field_names(kind)
    if names is not None:
        return {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    return value


@lru_cache(maxsize=256)
def _field_names(kind: Hashable) -> tuple[str, ...] | None:
    """The names of the fields of a kind of record; None for a kind of something else."""
    return tuple(item.name for item in fields(kind)) if is_dataclass(kind) else None
