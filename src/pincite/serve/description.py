"""The OpenAPI document: what FastAPI tells of the routes, and what it cannot know of them."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from fastapi import FastAPI

from pincite.serve.failures import OPENAI_PATHS
from pincite.serve.shapes import answer_schema

_SCHEMAS = "#/components/schemas/"
ANSWER = {"$ref": f"{_SCHEMAS}Answer"}
"""The schema of an answer within the document."""
PASSAGES = {"$ref": f"{_SCHEMAS}AnswerPassages"}
"""The schema of what a search finds."""
_DEFINITION = re.compile(r"#/\$defs/([\w ]+)")


class Described(FastAPI):
    """An application whose document also holds the schema of an answer. It tells of no parameter that is null, since
    what stands in an address cannot be, and of no 422 to those who speak OpenAI's protocol, who never hear it."""

    def openapi(self) -> dict[str, Any]:
        """The document."""
        document: dict[str, Any] = super().openapi()
        schemas = document["components"]["schemas"]
        schemas |= _answer_schemas()
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        schemas["ChatCompletion"]["properties"]["pincite"] = ANSWER
        for path, operations in document["paths"].items():
            for operation in operations.values():
                for parameter in operation.get("parameters", []):
                    parameter["schema"] = _without_null(parameter["schema"])
                if path.startswith(OPENAI_PATHS):
                    operation["responses"].pop("422", None)
        return document


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    kinds: list[dict[str, Any]] = [kind for kind in schema.get("anyOf", []) if kind != {"type": "null"}]
    if len(kinds) != 1:
        return schema
    return {name: value for name, value in schema.items() if name != "anyOf"} | kinds[0]


@cache
def _answer_schemas() -> dict[str, Any]:
    """The schema of an answer, and what it is made of, under names of their own."""
    moved: dict[str, Any] = json.loads(
        _DEFINITION.sub(lambda found: _SCHEMAS + _named(found[1]), json.dumps(answer_schema()))
    )
    parts = {_named(name): part for name, part in moved.pop("$defs").items()}
    return {"Answer": {name: value for name, value in moved.items() if name != "$schema"}, **parts}


def _named(definition: str) -> str:
    """What a part of it is called: AnswerTextOrNull."""
    return "Answer" + definition.title().replace(" ", "")
