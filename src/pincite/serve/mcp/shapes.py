"""The shapes of what the tools give back: those of `pincite ask --json` and `pincite show --json`, and lists."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from pincite.serve.shapes import PlaceText, answer_schema


@cache
def passages_schema() -> dict[str, Any]:
    """The JSON Schema of passages that were found: each is as among the results of an answer."""
    return {
        "type": "object",
        "required": ["query", "degraded", "results", "next_offset"],
        "properties": {
            "query": {"type": "string"},
            "degraded": {"$ref": "#/$defs/strings"},
            "results": {"type": "array", "items": {"$ref": "#/$defs/chunk"}},
            "next_offset": {
                "type": ["integer", "null"],
                "description": "Where to get on; null: no more.",
            },
        },
        "$defs": answer_schema()["$defs"],
    }


def schema_of(shape: type) -> dict[str, Any]:
    """The JSON Schema of one of the shapes below."""
    return TypeAdapter(shape).json_schema()


class ShownPlace(PlaceText):
    """A place of a document with its text. `start` and `end` are its offsets in the text of the document; where
    `next_offset` is no null, the text goes on there."""

    next_offset: int | None


class FoundPlace(TypedDict):
    """Where a reference leads; `page` is physical, null where the document has no pages."""

    source_id: str
    kind: str
    name: str
    title: str
    page: int | None
    label: str | None


class FollowedReference(TypedDict):
    """What became of a reference: `resolved` to one place, `ambiguous` between some, `external` to a document that is
    not there, or `dangling`: its document has no such place."""

    status: str
    reason: str | None
    targets: list[FoundPlace]


class FollowedReferences(TypedDict):
    """The references of some words, in their order, read as they stand in the document `source_id`."""

    source_id: str
    references: list[FollowedReference]


class ListedDocument(TypedDict):
    """A document, or a file that was refused, with the reason."""

    source_id: str
    source_type: str
    date: str | None
    tags: list[str]
    status: str
    reason: str | None
    page_count: int
    chunk_count: int


class ListedDocuments(TypedDict):
    """Some of the `total` documents that were asked for, by id; null as `next_offset`: there are no more."""

    total: int
    documents: list[ListedDocument]
    next_offset: int | None
