"""What the quotes of a statement refer to, what refers to them, and how such a step is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.answer.material.surroundings import Surroundings
from pincite.printing import printed_name
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkRecord
from pincite.records.citations import Citation
from pincite.records.evidence import Hop
from pincite.records.outlines import Reference

MOST_OF_PLACE = 8
"""Chunks of a place: a longer one is a chapter, which nobody reads for one reference. By eye, not measured."""
UNSPOKEN = ("figure", "equation", "footnote")
"""What has no sentences of its own, so that those around it would be told, which are about something else (0512)."""

_BESIDE = re.compile(r"\b(?:see|as (?:defined|described|given|shown|stated)) (?P<side>above|below)\b", re.I)
_WORD = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A chunk that refers to another place, how it says so, and the chunks of that place, from its beginning on; `back`
    where one goes from the place to the chunk."""

    chunk: ChunkRecord
    written: str
    place: tuple[ChunkRecord, ...]
    back: bool = False

    @property
    def goal(self) -> tuple[ChunkRecord, ...]:
        """The chunks that it leads to."""
        return (self.chunk,) if self.back else self.place

    @property
    def hop(self) -> Hop:
        """The step in words."""
        to, origin = self.goal[0], self.place[0] if self.back else self.chunk
        name = "" if to.source_id == origin.source_id else f"{printed_name(to.filename)}, "
        by, place = _called(self.chunk), _called(self.place[0])
        step = f"{place} is referred to by {by}" if self.back else f"{by} refers to {self.written}"
        return Hop(f"{step} -> {name}{_where(to)}", to.source_id)


def pointers_of(statement: Statement, around: Surroundings) -> list[Pointer]:
    """What a statement hangs on: what its quotes refer to, then what the rest of the passages refers to that it quotes,
    whose conditions are its own."""
    cited = _cited(statement)
    found: list[Pointer] = []
    for chunk in around.chunks(list(dict.fromkeys(citation.chunk_id for citation in cited))):
        quotes = [" ".join(citation.quote.split()) for citation in cited if citation.chunk_id == chunk.chunk_id]
        found += [pointer for quote in quotes for pointer in _beside(chunk, quote, around)]
        found += sorted(pointers_in(chunk, around), key=lambda pointer: not _stands_in(pointer, quotes))
    return found


def pointers_to(statement: Statement, chunks: Sequence[ChunkRecord], around: Surroundings) -> list[Pointer]:
    """What of these chunks refers to the places that a statement stands on."""
    cited = {citation.chunk_id for citation in _cited(statement)}
    found = [pointer for chunk in chunks for pointer in pointers_in(chunk, around)]
    return [replace(item, back=True) for item in found if not cited.isdisjoint(part.chunk_id for part in item.place)]


def pointers_in(chunk: ChunkRecord, around: Surroundings) -> list[Pointer]:
    """The references of a chunk that lead out of it to sentences or tables, in its order."""
    return [
        Pointer(chunk, " ".join(reference.text.split()), tuple(place))
        for reference, place in around.places_of(chunk, MOST_OF_PLACE)
        if place[0].chunk_id != chunk.chunk_id and _speaks(reference)
    ]


def pointers_beside(chunk: ChunkRecord, side: str, around: Surroundings) -> list[Pointer]:
    """The step from a chunk to the one in front of it ("above") or behind it ("below"); none at an end of its
    document."""
    place = around.preceding(chunk) if side == "above" else around.following(chunk)
    return [] if place is None else [Pointer(chunk, f"what stands {side}", (place,))]


def _speaks(reference: Reference) -> bool:
    """Whether a reference leads to sentences; a hyperlink without a word is the mark of a footnote."""
    return reference.unit not in UNSPOKEN and (reference.kind != "link" or bool(_WORD.search(reference.text)))


def _cited(statement: Statement) -> tuple[Citation, ...]:
    """What a statement stands on; where it tells what is missing, nothing."""
    return () if statement.kind == "missing" else statement.citations


def _beside(chunk: ChunkRecord, quote: str, around: Surroundings) -> list[Pointer]:
    """The chunks in front of a chunk and behind it that its words send to ("see above")."""
    sides = map(str.casefold, _BESIDE.findall(quote))
    return [pointer for side in sides for pointer in pointers_beside(chunk, side, around)]


def _stands_in(pointer: Pointer, quotes: Sequence[str]) -> bool:
    written = re.compile(rf"(?<!\w){re.escape(pointer.written)}(?!\w)")
    return any(map(written.search, quotes))


def _called(chunk: ChunkRecord) -> str:
    return chunk.section_number or _where(chunk)


def _where(chunk: ChunkRecord) -> str:
    """The page on which a chunk begins; where there are none, its place."""
    return f"p.{chunk.pages[0]}" if chunk.paged else chunk.locator or printed_name(chunk.filename)
