"""From what the record knows of structure to the links between the chunks of a generation. The link pass: what depends
on all documents of a store together (docs/design.md section 5)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from pincite.build.faults import all_together
from pincite.records.outlines import Outline, ReferenceLink, Section, Target
from pincite.records.sources import Readers, may_all_see
from pincite.store.chunk_links import NONE, Adjacency, ChunkLinks, Ints
from pincite.store.sql_record import SqlRecord
from pincite.store.sql_structure import ChunkPlace
from pincite.structure.resolve import link_references

FOLLOWED = ("resolved", "ambiguous")


def make_chunk_links(
    places: Sequence[ChunkPlace],
    outlines: Iterable[Outline],
    links: Iterable[ReferenceLink],
    sizes: Ints,
) -> ChunkLinks:
    """The links of all chunks. `places` by source id and reading order, as ordinals go; `sizes` holds how many tokens
    each has, and may be filled later. A reference that leads to n places gives each of them 1 / n."""
    ordinals = {chunk_id: ordinal for ordinal, chunk_id in enumerate(place.chunk_id for place in places)}
    documents = {source_id: _Chunks(found, ordinals) for source_id, found in _by_source(places).items()}
    known = {outline.source_id: outline for outline in outlines}
    edges = list(_edges(known, documents, links))
    return ChunkLinks(
        outgoing=Adjacency.of(len(places), edges),
        incoming=Adjacency.of(len(places), ((target, source, weight) for source, target, weight in edges)),
        parents=_parents(documents, known, len(places)),
        previous=_filled(len(places), ((later, earlier) for earlier, later in _neighbours(documents))),
        following=_filled(len(places), _neighbours(documents)),
        sizes=sizes,
        first_pages=_filled(len(places), ((ordinals[place.chunk_id], place.spans[0][0]) for place in places)),
        last_pages=_filled(len(places), ((ordinals[place.chunk_id], place.spans[-1][0]) for place in places)),
    )


class _Chunks:
    """The chunks of one document in reading order."""

    def __init__(self, places: Sequence[ChunkPlace], ordinals: Mapping[str, int]) -> None:
        self.ordinals = [ordinals[place.chunk_id] for place in places]
        self.sections = [place.section for place in places]
        self._places = places
        self._starts = [place.start for place in places]

    def at(self, offset: int) -> list[int]:
        """The ordinals of the chunks that hold this offset of the joined text (two where they overlap)."""
        index = bisect_right(self._starts, offset)
        return [self.ordinals[i] for i in range(max(0, index - 2), index) if offset < self._places[i].end]

    def first_of(self, target: Target) -> list[int]:
        """The chunk where a target begins: the last that begins before it or with it, else the next one inside."""
        found = self.at(target.start)
        if found:
            return found[-1:]
        index = bisect_right(self._starts, target.start)
        return self.ordinals[index : index + 1] if index < len(self._starts) else []


def _by_source(places: Sequence[ChunkPlace]) -> dict[str, list[ChunkPlace]]:
    found: dict[str, list[ChunkPlace]] = {}
    for place in places:
        found.setdefault(place.source_id, []).append(place)
    return found


def _edges(
    known: Mapping[str, Outline], documents: Mapping[str, _Chunks], links: Iterable[ReferenceLink]
) -> Iterator[tuple[int, int, float]]:
    for link in links:
        reference = known[link.source_id].references[link.reference]
        if link.status not in FOLLOWED or reference.relative == "this":
            continue
        targets = [target for target in link.targets if target.section is not None or target.anchor is not None]
        for target in targets:
            chunks = documents.get(target.source_id)
            for end in chunks.first_of(target) if chunks else ():
                for start in documents[link.source_id].at(reference.start) if link.source_id in documents else ():
                    if start != end:
                        yield start, end, 1 / len(targets)


def _parents(documents: Mapping[str, _Chunks], known: Mapping[str, Outline], count: int) -> Ints:
    """For each chunk the first one of the section above its own."""
    parents: list[tuple[int, int]] = []
    for source_id, chunks in documents.items():
        sections: Sequence[Section] = known[source_id].sections
        opening: dict[int, int] = {}
        for ordinal, section in zip(chunks.ordinals, chunks.sections, strict=True):
            if section is not None:
                opening.setdefault(section, ordinal)
        for ordinal, section in zip(chunks.ordinals, chunks.sections, strict=True):
            above = None if section is None else sections[section].parent
            if above is not None and above in opening and opening[above] != ordinal:
                parents.append((ordinal, opening[above]))
    return _filled(count, parents)


def _neighbours(documents: Mapping[str, _Chunks]) -> list[tuple[int, int]]:
    return [pair for chunks in documents.values() for pair in pairwise(chunks.ordinals)]


def _filled(count: int, entries: Iterable[tuple[int, int]]) -> Ints:
    array = np.full(count, NONE, np.int32)
    for position, value in entries:
        array[position] = value
    return array


LINKS_VERSION = "5"


def link(record: SqlRecord) -> tuple[list[Outline], list[ReferenceLink]]:
    """Find where every reference of the current documents leads, and write it in one transaction; the outlines of
    the documents, and the links. A reference leads to nothing that only some readers of its document may see.
    DocumentError names the document with which it begins to fail."""
    outlines, readers = record.outlines(), readers_of(record)

    def linked(part: Sequence[Outline]) -> list[ReferenceLink]:
        return [link for readable in _by_readers(part, readers) for link in readable]

    links = all_together(linked, outlines, lambda item: item.source_id, "linking")
    links.sort(key=lambda item: (item.source_id, item.reference))
    record.put_links(links)
    return outlines, links


def readers_of(record: SqlRecord) -> dict[str, Readers]:
    """Who may see each of the current documents, by source id."""
    return {state.source.source_id: state.source.readers for state in record.sources()}


def _by_readers(outlines: Sequence[Outline], readers: Mapping[str, Readers]) -> Iterator[Iterable[ReferenceLink]]:
    """The links of the documents that the same people may see, among all that these may see."""
    for own in dict.fromkeys(readers[outline.source_id] for outline in outlines):
        seen = [outline for outline in outlines if may_all_see(own, readers[outline.source_id])]
        yield (link for link in link_references(seen) if readers[link.source_id] == own)
