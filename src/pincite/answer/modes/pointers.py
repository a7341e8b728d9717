"""What the quotes of a statement refer to, place by place, and how such a step is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.answer.material.surroundings import Surroundings
from pincite.records import ChunkRecord, Reference, Statement
from pincite.text.names import printed_name

MOST_OF_PLACE = 8
"""Chunks of a place that are looked at: a longer one is a chapter, which nobody reads for one reference. By eye, not
measured."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A reference of a chunk, and the chunks of the place that it leads to, from its beginning on."""

    chunk: ChunkRecord
    reference: Reference
    place: tuple[ChunkRecord, ...]

    @property
    def hop(self) -> str:
        """The step in words: "5.2(3)P refers to Annex B -> p.33"."""
        return f"{_called(self.chunk)} refers to {_written(self.reference)} -> {_place_of(self.place[0], self.chunk)}"


def pointers_of(statement: Statement, around: Surroundings) -> Iterator[Pointer]:
    """What a statement hangs on: the references in its quotes, then those in the rest of the passages that it quotes,
    whose conditions are its own."""
    if statement.kind == "missing":
        return
    chunk_ids = list(dict.fromkeys(citation.chunk_id for citation in statement.citations))
    for chunk in around.chunks(chunk_ids):
        quotes = [citation.quote for citation in statement.citations if citation.chunk_id == chunk.chunk_id]
        found = pointers_in(chunk, around)
        yield from sorted(found, key=lambda pointer: not _stands_in(pointer.reference, quotes))


def pointers_in(chunk: ChunkRecord, around: Surroundings) -> list[Pointer]:
    """The references of a chunk that lead out of it, in its order."""
    led = around.places_of(chunk, MOST_OF_PLACE)
    return [Pointer(chunk, reference, tuple(place)) for reference, place in led if place[0].chunk_id != chunk.chunk_id]


def _stands_in(reference: Reference, quotes: Sequence[str]) -> bool:
    written = re.compile(rf"(?<!\w){re.escape(reference.text)}(?!\w)")
    return any(map(written.search, quotes))


def _written(reference: Reference) -> str:
    return " ".join(reference.text.split())


def _called(chunk: ChunkRecord) -> str:
    """A passage by the number of its section, else by its page or its place."""
    return chunk.section_number or _where(chunk)


def _place_of(chunk: ChunkRecord, origin: ChunkRecord) -> str:
    """Where a place begins, with its document where that is another one."""
    name = "" if chunk.source_id == origin.source_id else f"{printed_name(chunk.filename)}, "
    return f"{name}{_where(chunk)}"


def _where(chunk: ChunkRecord) -> str:
    return f"p.{chunk.pages[0]}" if chunk.paged else chunk.locator or printed_name(chunk.filename)
