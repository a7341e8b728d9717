"""The shapes of what the service answers, and the OpenAPI document that is made of them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NotRequired

from fastapi import FastAPI
from typing_extensions import TypedDict

from pincite.records.outlines import Anchor, Reference, ReferenceStatus, Section, Target
from pincite.records.pages import Span
from pincite.records.sources import SourceState
from pincite.serve.failures import OPENAI_PATHS
from pincite.trail import Step


@cache
def answer_schema() -> dict[str, Any]:
    """The JSON Schema of an answer, as it is published with the package."""
    return dict(json.loads(files("pincite").joinpath("answer.schema.json").read_text(encoding="utf-8")))


class Start(TypedDict):
    """The store at a glance: what it is called, how much of it whoever asks may see, when it changed last, in UTC, how
    many documents are of each type and have each tag, whether any has a date, and whether they may put documents in."""

    name: str
    documents: int
    pages: int
    changed: str | None
    types: dict[str, int]
    tags: dict[str, int]
    dated: bool
    may_put_in: bool


class Suggestions(TypedDict):
    """Questions that the documents suggest and answer."""

    questions: list[str]


class Named(TypedDict):
    """A name as it is written, and in how many passages; `is_term`: it is written in small letters."""

    name: str
    chunk_count: int
    is_term: bool


class MostNamed(TypedDict):
    """The names that stand in most passages, and which two of them stand together in how many."""

    entities: list[Named]
    together: list[tuple[int, int, int]]


class Holdings(TypedDict):
    """What the store holds. `found` and `states` are told where a `limit` was asked for."""

    counts: dict[str, int]
    generation: str | None
    revision: int
    masked: dict[str, int]
    sources: list[SourceState]
    found: NotRequired[int]
    states: NotRequired[dict[str, int]]


class Kept(TypedDict):
    """A document that was put in; it waits to be indexed."""

    source_id: str
    filename: str
    bytes: int
    sha256: str
    acl: list[str]


class TakenOut(TypedDict):
    """A document that is not there any more."""

    source_id: str
    status: Literal["removed", "purged"]


class UploadState(TypedDict):
    """What became of a document that was put in: how much of it was indexed, or the reason why nothing was."""

    source_id: str
    filename: str
    status: Literal["queued", "indexing", "indexed", "warned", "refused", "vanished"]
    pages: NotRequired[int]
    chunks: NotRequired[int]
    warnings: NotRequired[list[str]]
    reason: NotRequired[str | None]


class IndexingState(TypedDict):
    """Documents that were put in; `stage` and `problem` are told while some are being indexed."""

    stage: str
    problem: str
    uploads: list[UploadState]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedSection(Section):
    """A section, with what is printed on its first page."""

    label: str | None


class Sections(TypedDict):
    """The sections of a document, in reading order."""

    source_id: str
    paged: bool
    sections: list[ListedSection]


class Anchors(TypedDict):
    """The anchors of a document, in reading order."""

    source_id: str
    anchors: list[Anchor]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedReference(Reference):
    """A reference as it is written, and where it leads."""

    status: ReferenceStatus
    targets: tuple[Target, ...]
    reason: str | None


class References(TypedDict):
    """The references of a document, in reading order."""

    source_id: str
    references: list[ListedReference]


class ShownPage(TypedDict):
    """What of a place stands on one page, and what is printed on that page where something is."""

    page: int
    label: str | None
    text: str


class Word(TypedDict):
    """A word of a page, and where it stands: left, top, right, bottom."""

    text: str
    box: tuple[float, float, float, float]


class PageSize(TypedDict):
    """How many pages a document has, and how wide and high one of them is."""

    pages: int
    width: float
    height: float


class PageWords(PageSize):
    """The words of a page in reading order, in the units of its width; none where it is not known where they stand."""

    words: list[Word]


class PageMarks(PageSize):
    """The boxes of some places of a page (left, top, right, bottom, in the units of its width): of each one a line."""

    marks: list[list[list[float]]]


class Found(TypedDict):
    """Where words stand in a document, in reading order, and whether they stand in more places."""

    places: list[Span]
    more: bool


class PlaceText(TypedDict):
    """A place of a document with its text. `start` and `end` are its offsets in the text of the document."""

    source_id: str
    paged: bool
    kind: str
    name: str
    title: str
    start: int
    end: int
    pages: list[ShownPage]


class Neighbour(TypedDict):
    """A passage, and where it stands; `page` is null where the document has no pages. `raw_text` is the text as it is
    laid out there, a tab between the cells of a row."""

    chunk_id: str
    source_id: str
    page: int | None
    locator: str | None
    section: list[str]
    text: str
    raw_text: str


class Passage(Neighbour):
    """A passage between its neighbours, and what it refers to."""

    before: list[Neighbour]
    after: list[Neighbour]
    references: list[Step]


class Link(TypedDict):
    """Where a document can be opened, and until when; null: as long as it is there."""

    url: str
    expires: str | None


class Health(TypedDict):
    """Whether the service runs."""

    status: Literal["ok", "ending"]


class Readiness(TypedDict):
    """Whether questions can be asked."""

    status: Literal["ready", "not ready"]


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
