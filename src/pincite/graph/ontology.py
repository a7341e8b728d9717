"""Which predicates are the same, and which are the inverse of which? A small table that a user can extend."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any

from pincite.errors import SettingsError

SHIPPED = "ontology.toml"
_KEYS = frozenset(("forms", "inverse", "inverse_forms"))


@dataclass(frozen=True)
class Ontology:
    """`names`: from a predicate, or a predicate with the head of its object ("held patent"), to the name that stands
    for it; `inverses`: from such a name to that of the inverse predicate."""

    names: Mapping[str, str] = field(default_factory=dict)
    inverses: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """Sixteen hex digits of the SHA-256 of all that the table says."""
        said = json.dumps([dict(self.names), dict(self.inverses)], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()[:16]

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


def read_ontology(text: str, base: Ontology | None = None, *, origin: str = "the ontology") -> Ontology:
    """The ontology of a TOML text, added to `base`: a table for each predicate with `forms` (predicates of the same
    meaning), `inverse` and `inverse_forms`; what it says of a predicate of `base` holds for its forms, too.
    SettingsError names the `origin` where this is no TOML or a table holds something else."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{origin} is not TOML ({error}): correct the file") from error
    own: dict[str, str] = {}
    inverses = dict(base.inverses) if base else {}
    for name, table in tables.items():
        entry = _checked(name, table, origin)
        own.update(dict.fromkeys(entry.get("forms", ()), name))
        inverse = entry.get("inverse")
        if inverse is not None:
            own.update(dict.fromkeys(entry.get("inverse_forms", ()), inverse))
            inverses |= {name: inverse, inverse: name}
    known = {form: own.get(name, name) for form, name in base.names.items()} if base else {}
    return Ontology(known | own, inverses)


@lru_cache(maxsize=1)
def shipped_ontology() -> Ontology:
    """The one that comes with the package."""
    return read_ontology((files("pincite.graph") / SHIPPED).read_text(encoding="utf-8"))


def _checked(name: str, table: Any, origin: str) -> Mapping[str, Any]:
    if not isinstance(table, dict) or (unknown := set(table) - _KEYS):
        wrong = ", ".join(sorted(unknown)) if isinstance(table, dict) else "no table"
        raise SettingsError(f"{origin}: the predicate {name} has {wrong}: it may have {', '.join(sorted(_KEYS))}")
    for key, value in table.items():
        texts = [value] if key == "inverse" else value
        if not isinstance(texts, list) or not all(isinstance(text, str) and text for text in texts):
            wanted = "a predicate" if key == "inverse" else "a list of predicates"
            raise SettingsError(f"{origin}: {key} of the predicate {name} must be {wanted}, not {value!r}")
    if "inverse_forms" in table and "inverse" not in table:
        raise SettingsError(f"{origin}: the predicate {name} has inverse_forms but no inverse: name it")
    return table
