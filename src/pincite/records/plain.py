"""Records as what JSON can hold, and back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

_PLAIN_TYPES = frozenset((str, int, float, bool, type(None)))
_Record = TypeVar("_Record")
_Maker = Callable[[Any], Any]


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


def from_plain(kind: type[_Record], plain: Mapping[str, Any], *, exact: bool = False) -> _Record:
    """The record of this kind with these fields; missing fields get their defaults, and unknown ones are ignored, or
    raise a ValueError if the fields have to be `exact`."""
    wanted: Any = kind
    if exact and (unknown := sorted(plain.keys() - set(_field_names(wanted) or ()))):
        raise ValueError(f"unknown: {', '.join(unknown)}")
    record: _Record = _record_maker(wanted)(plain)
    return record


@lru_cache(maxsize=256)
def _field_names(kind: Hashable) -> tuple[str, ...] | None:
    """The names of the fields of a kind of record; None for a kind of something else."""
    return tuple(item.name for item in fields(kind)) if is_dataclass(kind) else None


@lru_cache(maxsize=1024)
def _maker(kind: Any) -> _Maker | None:
    """What makes a value of this kind of a plain one; None where a plain one is one already."""
    if kind is datetime:
        return datetime.fromisoformat
    if kind is bool:
        return bool
    if _field_names(kind) is not None:
        return _record_maker(kind)
    items = get_args(kind)
    if get_origin(kind) is tuple and items:
        return _tuple_maker(items)
    makers = [maker for maker in map(_maker, items) if maker] if type(None) in items else []
    return _optional_maker(makers[0]) if makers else None


@lru_cache(maxsize=256)
def _record_maker(kind: Hashable) -> _Maker:
    record: Any = kind
    known, makers = frozenset(_field_names(kind) or ()), field_makers(kind)

    def make(plain: Any) -> Any:
        if isinstance(plain, record):
            return plain
        values = dict(plain) if plain.keys() <= known else {name: plain[name] for name in plain if name in known}
        for name, maker in makers.items():
            if name in values:
                values[name] = maker(values[name])
        return record(**values)

    return make


def field_makers(kind: Any) -> dict[str, _Maker]:
    """What makes the fields of a record of plain values, by their names; those that are plain are left out."""
    hints = get_type_hints(kind)
    return {name: maker for name in _field_names(kind) or () if (maker := _maker(hints[name]))}


def _tuple_maker(items: tuple[Any, ...]) -> _Maker:
    if items[-1] is not Ellipsis:
        makers = [_maker(item) or _same for item in items]
        return lambda plain: tuple(maker(value) for maker, value in zip(makers, plain, strict=True))
    maker = _maker(items[0])
    return tuple if maker is None else lambda plain: tuple(map(maker, plain))


def _optional_maker(maker: _Maker) -> _Maker:
    return lambda plain: None if plain is None else maker(plain)


def _same(value: Any) -> Any:
    return value
