"""Checks answers against the published JSON Schema."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

from pincite.records.answers import Answer


@lru_cache(maxsize=1)
def validator() -> Draft202012Validator:
    """The validator of the schema that the package ships, formats checked too."""
    schema = json.loads(files("pincite").joinpath("answer.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=FormatChecker())


def faults(plain: Any) -> list[str]:
    """What the schema says against this object."""
    return [f"{error.json_path}: {error.message}" for error in validator().iter_errors(plain)]


def checked(answer: Answer) -> Answer:
    """This answer, each of whose forms in JSON keeps the schema."""
    for stable in (False, True):
        plain = json.loads(json.dumps(answer.to_dict(stable=stable, explain=not stable)))
        assert faults(plain) == []
    return answer
