"""From the record's mentions and triplets to the network of chunks and entities of a generation."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pincite.graph.mentions import mentions_within
from pincite.graph.names import names_in, title_names
from pincite.graph.network import SHORT_DOCUMENT, ChunkNames
from pincite.graph.relations import NamesTold
from pincite.records.sources import Readers
from pincite.records.triplets import Told
from pincite.store.live import LiveChunk, LivePart
from pincite.store.sql_structure import ChunkPlace
from pincite.text.tokens import tokenise


class GraphNames:
    """Says of the chunks of some documents under which titles each stands, what it mentions, and of which two things it
    tells something."""

    def __init__(self, part: LivePart, readers: Mapping[str, Readers]) -> None:
        self._part = part
        self._readers = readers
        self._chunks_of_source = Counter(place.source_id for place in part.places)
        self._starts = {source_id: [m.start for m in found] for source_id, found in part.mentions.items()}

    def of_chunk(self, chunk: LiveChunk, place: ChunkPlace, tokens: Sequence[str]) -> ChunkNames:
        """What this chunk with these keyword tokens gives to the graph."""
        titles = list(chunk.section[-1:])
        if chunk.title and self._chunks_of_source[chunk.source_id] <= SHORT_DOCUMENT:
            titles.append(chunk.title)
        found = self._part.mentions.get(chunk.source_id, ())
        starts = self._starts.get(chunk.source_id, ())
        return ChunkNames(
            titles=_with_tokens(titles, chunk.language),
            mentions=mentions_within(found, starts, place.start, place.end),
            tokens=tokens,
            told=[_names_of(item) for item in self._told_in(place)],
            readers=self._readers[chunk.source_id],
        )

    def _told_in(self, place: ChunkPlace) -> Iterator[Told]:
        """What sentences tell that begin in this chunk."""
        told = self._part.told.get(place.source_id, ())
        for page, start, end in place.spans:
            first, behind = (bisect_left(told, (page, offset), key=_place_of) for offset in (start, end))
            yield from told[first:behind]


def _with_tokens(titles: Sequence[str], language: str | None) -> dict[str, tuple[str, ...]]:
    """The normal names of these titles with their keyword tokens; titles without letters name nothing."""
    names = (name for title in titles for name in title_names(title) if any(map(str.isalpha, name)))
    return {name: tuple(tokenise(name, language)) for name in names}


def _place_of(told: Told) -> tuple[int, int]:
    return told.page, told.start


def _names_of(told: Told) -> NamesTold:
    return NamesTold(names_in(told.subject), names_in(told.object), told.confidence, told.label)
