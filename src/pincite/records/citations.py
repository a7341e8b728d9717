"""Places that statements stand on, and triplets with the sentences that say them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from pincite.records.pages import Span


@dataclass(frozen=True, slots=True)
class Citation:
    """One place that a statement stands on. `page` is physical, None where the source has no pages."""

    filename: str
    source_id: str
    page: int | None
    locator: str | None
    label: str | None
    chunk_id: str
    span: Span
    quote: str


@dataclass(frozen=True, slots=True)
class CitedTriplet:
    """What one sentence says of two things. `predicate` is normalised (`graph/ontology.toml`), `relation` is how the
    sentence says it; the citation's quote is the sentence. `inverse` says the same from the object's side."""

    subject: str
    predicate: str
    object: str
    relation: str
    confidence: float
    extractor: str
    version: str
    citation: Citation
    inverse: str | None = None


@dataclass(frozen=True, slots=True)
class TripletPath:
    """A path of names that begins with one of the question's; step i leads along `edges[i]` from `path[i]` to `path[i +
    1]`, and `citations[i]` quotes the sentence behind it."""

    path: tuple[str, ...]
    edges: tuple[str, ...]
    citations: tuple[Citation, ...]
    score: float


@dataclass(frozen=True, slots=True)
class EntityView:
    """What a store knows of one entity: in how many chunks it is named, with which other entities (and in how many of
    its chunks), the sentences that name it, and what these say of it."""

    name: str
    chunk_count: int
    beside: tuple[tuple[str, int], ...]
    mentions: tuple[Citation, ...]
    triplets: tuple[CitedTriplet, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A word that a language model chose and that the quotes do not hold: `[start, end)` in the text of its
    statement."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SupportingTriplet:
    """What a sentence says of two things, and the chunk that it stands in."""

    subject: str
    predicate: str
    object: str
    source_chunk_id: str

    @property
    def triplet_id(self) -> str:
        """The same for the same triplet of the same chunk."""
        said = (self.source_chunk_id, self.subject, self.predicate, self.object)
        return hashlib.sha256("\0".join(said).encode()).hexdigest()
