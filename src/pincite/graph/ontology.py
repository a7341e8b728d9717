"""Which predicates are the same, and which are the inverse of which? A small table that a user can extend."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from pincite.errors import SettingsError

SHIPPED = "ontology.toml"
_KEYS = frozenset(("forms", "inverse", "inverse_forms"))


@dataclass(frozen=True, slots=True)
class Ontology:
    """`names`: from a predicate, or a predicate with the head of its object ("held patent"), to the name that stands
    for it; `inverses`: from such a name to that of the inverse predicate."""

    names: Mapping[str, str] = field(default_factory=dict)
    inverses: Mapping[str, str] = field(default_factory=dict)

    def name(self, predicate: str, target: str = "") -> str:
        """The name of a predicate; `target` is the head of its object, in lower case."""
        return self.names.get(f"{predicate} {target}") or self.names.get(predicate, predicate)

    def inverse(self, name: str) -> str | None:
        """The inverse of a predicate: as the table has it, else "has_founder" and "founder_of" of each other."""
        if name in self.inverses:
            return self.inverses[name]
        if name.startswith("has_"):
            return f"{name.removeprefix('has_')}_of"
        return f"has_{name.removesuffix('_of')}" if name.endswith("_of") else None


def read_ontology(text: str, base: Ontology | None = None) -> Ontology:
    """The ontology of a TOML text, added to `base`: a table for each predicate with `forms` (other predicates of the
    same meaning), `inverse` and `inverse_forms`.

    SettingsError where the text is no TOML, or a table holds something else.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"the ontology is not TOML ({error}): mend the file") from error
    names = dict(base.names) if base else {}
    inverses = dict(base.inverses) if base else {}
    for name, table in tables.items():
        entry = _checked(name, table)
        names.update(dict.fromkeys(entry.get("forms", ()), name))
        inverse = entry.get("inverse")
        if inverse is not None:
            names.update(dict.fromkeys(entry.get("inverse_forms", ()), inverse))
            inverses |= {name: inverse, inverse: name}
    return Ontology(names, inverses)


@lru_cache(maxsize=1)
def shipped_ontology() -> Ontology:
    """The one that comes with the package."""
    return read_ontology((files("pincite.graph") / SHIPPED).read_text(encoding="utf-8"))


def _checked(name: str, table: Any) -> Mapping[str, Any]:
    if not isinstance(table, dict) or (unknown := set(table) - _KEYS):
        wrong = ", ".join(sorted(unknown)) if isinstance(table, dict) else "no table"
        raise SettingsError(f"the ontology's predicate {name} has {wrong}: it may have {', '.join(sorted(_KEYS))}")
    return table
