"""The words of trades, as data: `lexicons/*.toml`, each table with its domain."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def lexicon(name: str) -> Mapping[str, Any]:
    """A lexicon that is shipped with the package, as its file has it."""
    path = files("pincite.answer") / "lexicons" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def words_of(name: str, entry: str) -> frozenset[str]:
    """The words of an entry."""
    return frozenset(lexicon(name)[entry]["words"].split())


def phrases_of(name: str, entry: str) -> str:
    """The phrases of an entry, each a regular expression, as the alternatives of one."""
    return "|".join(lexicon(name)[entry]["phrases"])


@cache
def pattern_of(name: str, entry: str) -> re.Pattern[str]:
    """What finds an entry, whatever the case: any of its phrases as whole words, or its pattern as it stands; one that
    is spread over lines holds white space that counts for nothing."""
    found = lexicon(name)[entry]
    spread = re.VERBOSE if found.get("spread", False) else re.NOFLAG
    return re.compile(found.get("pattern") or rf"\b(?:{phrases_of(name, entry)})\b", re.IGNORECASE | spread)
