"""The records of what sentences say: triplets as an extractor finds them, and as the record keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RawTriplet:
    """A triplet as a sentence states it. Places are `[start, end)` in the sentence; `predicate` is empty where no word
    states it ("Orkem, a chemical group"). `relation` is its wording ("was founded by"), `name` the normalised predicate
    ("founded_by"); `arguments` are the object's words and further complements, as whole text, also where other words
    stand in between. `kind` is the pattern that found it, `confidence` between 0 and 1."""

    subject: Place
    predicate: Place
    object: Place
    name: str
    relation: str
    subject_text: str
    arguments: tuple[str, ...]
    kind: str
    confidence: float
    extractor: str
    version: str


@dataclass(frozen=True, slots=True)
class Parse:
    """A sentence as a dependency parser reads it: for each word its text and `[start, end)`, its Penn tag, the word
    that it depends on (a root is its own), by which ClearNLP relation, and what it names ("B-person", "O")."""

    words: tuple[tuple[str, int, int], ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Triplet:
    """What one sentence of a document says of two things, as the record keeps it.

    `[start, end)` is the sentence in the canonical text of `page` (its first part, where it runs over a column or page
    break), `subject_place` and `object_place` are the places of the two things there. `predicate` is as written, `name`
    the normalised predicate (`graph/ontology.toml`).
    """

    page: int
    start: int
    end: int
    subject: str
    predicate: str
    name: str
    object: str
    subject_place: Place
    object_place: Place
    confidence: float
    extractor: str
    version: str


class RelationStated(NamedTuple):
    """Of which two things a sentence that begins at `start` of a page says something, how surely, and which: `label` is
    the normalised predicate."""

    page: int
    start: int
    subject: str
    object: str
    confidence: float
    label: str
