"""What an asker sees of the documents of a store: their text, what they say of the things that they name, and those
that were put in over HTTP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from itertools import combinations

from pincite.answer.relations.entities import NamedOften, describe_entity, most_named
from pincite.build.copies import Copies, find_copies
from pincite.build.uploads import Incoming, Upload, Uploads
from pincite.engine.visibility import Sight, no_document
from pincite.errors import NotThereError, StoreError, UsageError
from pincite.graph.names import normal_name
from pincite.records.chunks import ChunkRecord, EmbeddingRecord, MaskedSpan
from pincite.records.citations import EntityView
from pincite.records.outlines import Anchor, Outline, Reference, ReferenceLink, Section
from pincite.records.pages import Page
from pincite.records.sources import Source, SourceState
from pincite.records.triplets import Triplet
from pincite.retrieve.visible import visible_link
from pincite.structure.resolve import resolve_words
from pincite.structure.works import section_called, section_in_works

MOST_TOGETHER = 2
"""Lines that a name has in a picture of many, unless others want more with it. By eye, not measured."""


class Documents:
    """The documents that an asker may see."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    def sources(self) -> list[SourceState]:
        """All sources with their status, by id."""
        return [state for state in self._sight.views.states() if self._sight.is_open(state.source)]

    def source(self, source_id: str) -> Source:
        """A source as it was handed in; NotThereError for one that the store does not hold."""
        return self._sight.require(source_id)

    def counts(self) -> dict[str, int]:
        """How many sources, pages, sections and chunks the store holds."""
        if not self._sight.hides_something():
            return self._sight.record.counts()
        read = [state for state in self.sources() if state.status != "refused"]
        return {
            "sources": len(read),
            "pages": sum(state.page_count for state in read),
            "sections": sum(len(self._sight.record.sections(state.source.source_id)) for state in read),
            "chunks": sum(state.chunk_count for state in read),
        }

    def outline(self, source_id: str) -> Outline:
        """The sections, anchors and references of a document; NotThereError for one that is not there."""
        found = self._sight.record.outlines(source_id) if self._sight.sees(source_id) else []
        if not found:
            raise no_document(source_id)
        return found[0]

    def is_paged(self, source_id: str) -> bool:
        """Whether a document has pages; NotThereError for one that the store does not hold."""
        return self._sight.is_paged(source_id)

    def sections(self, source_id: str) -> list[Section]:
        """The section tree of a document, in reading order."""
        self.is_paged(source_id)
        return list(self._sight.record.sections(source_id))

    def section(self, source_id: str, number_or_title: str) -> Section:
        """The section that is called so ("5.2", "Annex B", "Snow loads"); NotThereError names the nearest numbers."""
        return section_called(self.sections(source_id), number_or_title)

    def section_in_works(self, number: str, source_id: str | None = None) -> tuple[str, Section]:
        """The document that has the section of this number, and the section: among all documents, or among the files of
        the work that one belongs to. NotThereError where none has it, UsageError where several have."""
        return section_in_works(self._outlines(), number, source_id)

    def section_titles(self) -> list[str]:
        """The titles of all sections, each once, sorted."""
        if not self._sight.hides_something():
            return self._sight.record.section_titles()
        read = (self._sight.record.sections(state.source.source_id) for state in self.sources())
        return sorted({section.title for sections in read for section in sections})

    def anchors(self, source_id: str) -> list[Anchor]:
        """Tables, figures, equations, definitions and the like of a document, in reading order."""
        return list(self.outline(source_id).anchors)

    def references(self, source_id: str) -> list[tuple[Reference, ReferenceLink]]:
        """The references of a document with what became of each, in reading order."""
        self.is_paged(source_id)
        written = {reference.ordinal: reference for reference in self._sight.record.references(source_id)}
        links = self._sight.record.links(source_id)
        return [(written[link.reference], visible_link(link, self._sight.sees)) for link in links]

    def passage(self, source_id: str, chunk_id: str) -> ChunkRecord:
        """A chunk of a document as it is now; NotThereError for one that it does not hold."""
        places = self._sight.record.chunk_places(source_id) if self._sight.sees(source_id) else []
        if chunk_id not in {place.chunk_id for place in places}:
            raise NotThereError(f"the store holds no passage {chunk_id!r} of {source_id!r}: ask again")
        return self._chunk(chunk_id)

    def neighbours(self, chunk_id: str, count: int = 1) -> list[ChunkRecord]:
        """A chunk with up to `count` neighbours before and after it, in reading order; alone where its text changed."""
        ids = [place.chunk_id for place in self._sight.record.chunk_places(self._chunk(chunk_id).source_id)]
        index = ids.index(chunk_id) if chunk_id in ids else None
        chosen = [chunk_id] if index is None else ids[max(0, index - count) : index + count + 1]
        return self._sight.record.chunks(chosen)

    def chunks_at(self, source_id: str, start: int, end: int) -> list[ChunkRecord]:
        """The chunks that touch `[start, end)` of the joined text of a document, in reading order."""
        places = self._sight.record.chunk_places(source_id) if self._sight.sees(source_id) else []
        found = [place.chunk_id for place in places if place.start < end and start < place.end]
        return self._sight.record.chunks(found)

    def resolve(self, reference: str, from_chunk: str) -> list[ReferenceLink]:
        """Where the references in these words lead ("see 5.3.2 and Table 4.1"), read as if they stood in this chunk."""
        chunk = self._chunk(from_chunk)
        return resolve_words(reference, self._outlines(), chunk.source_id, chunk.start)

    def embeddings(self, source_id: str) -> list[EmbeddingRecord]:
        """The vectors of a document's chunks, by chunk id, window by window (spec/phase3_rag.md)."""
        places = self._sight.record.chunk_places(source_id) if self._sight.sees(source_id) else []
        return self._sight.record.embeddings([place.chunk_id for place in places])

    def pages(self, source_id: str) -> list[Page]:
        """The pages of a document: their text, labels and sizes."""
        return self._sight.record.pages(source_id) if self._sight.sees(source_id) else []

    def masked(self, source_id: str) -> list[MaskedSpan]:
        """Where the pages of a document are masked, and what kind of thing stood there, in reading order."""
        return self._sight.record.masked(source_id) if self._sight.sees(source_id) else []

    def copies(self) -> Copies:
        """Which documents are the same, and which are nearly so."""
        return find_copies(self._sight.record, self._sight.is_open)

    def ever_held(self, source_id: str) -> bool:
        """Whether the store holds, or held before it was taken out, a document that is open to this asker."""
        acl = self._sight.record.ever_held().get(source_id)
        return acl is not None and (not acl or bool(set(acl) & set(self._sight.principals)))

    def _outlines(self) -> list[Outline]:
        return [outline for outline in self._sight.record.outlines() if self._sight.sees(outline.source_id)]

    def _chunk(self, chunk_id: str) -> ChunkRecord:
        (chunk,) = self._sight.record.chunks([chunk_id])
        then = self._sight.record.access_of_chunk(chunk_id)
        if not self._sight.sees(chunk.source_id) or any(map(set(self._sight.principals).isdisjoint, then)):
            raise StoreError(f"the record holds no chunk {chunk_id}: run pincite verify")
        return chunk


class Graph:
    """Entities and triplets of the documents that an asker may see."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight

    def entity(self, name: str) -> EntityView:
        """What the documents say of an entity; NotThereError, with the nearest names, where nothing is called so."""
        with self._sight.current() as view:
            return describe_entity(name, view.space, view.space.allowed(self._sight.filter), view.record, view.ontology)

    def most_named(self, limit: int) -> list[NamedOften]:
        """The names in most chunks, of those about which something is stated."""
        with self._sight.current() as view:
            return most_named(view.space, view.space.allowed(self._sight.filter), limit)

    def named_together(self, names: Sequence[str]) -> list[tuple[int, int, int]]:
        """Of these names each with those that it stands together with most, by their numbers in the order given, and in
        how many chunks; more so the fewer chunks name one of them without the other."""
        with self._sight.current() as view:
            chunks, allowed = view.space.network.chunks, view.space.allowed(self._sight.filter)
            known = view.space.network.find([normal_name(name) for name in names]).tolist()
            naming = [set[int](chunks.of_node(number).tolist()) if number >= 0 else set[int]() for number in known]
        if allowed is not None:
            naming = [{ordinal for ordinal in ordinals if allowed[ordinal]} for ordinals in naming]
        shared = {pair: len(naming[pair[0]] & naming[pair[1]]) for pair in combinations(range(len(names)), 2)}

        def closeness(pair: tuple[int, int]) -> tuple[float, tuple[int, int]]:
            return -(shared[pair] ** 2) / (len(naming[pair[0]]) * len(naming[pair[1]])), pair

        best = sorted((pair for pair, count in shared.items() if count), key=closeness)
        kept, drawn = list[tuple[int, int, int]](), Counter[int]()
        for one, other in best:
            if min(drawn[one], drawn[other]) < MOST_TOGETHER:
                kept.append((one, other, shared[one, other]))
                drawn.update((one, other))
        return kept

    def triplets(self, source_id: str) -> list[Triplet]:
        """What the sentences and tables of a document say of the things that they name, in reading order."""
        return self._sight.record.triplets(source_id) if self._sight.sees(source_id) else []


class UploadedDocuments:
    """Takes in documents with access tags of the asker's own."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self._uploads = Uploads(sight.parts.folder)

    def incoming(
        self, name: str, most_bytes: int, *, acl: Iterable[str] | None = None
    ) -> AbstractContextManager[Incoming]:
        """Take in a document that its sender calls `name`: write its bytes, then `keep` it for `Engine.index_uploads`;
        if anything ends this earlier, nothing is left behind. `acl`: the tags of those who may see it, some of the
        asker's own (default: all of them). UsageError for other tags: nobody adds what they could not see, or opens it
        to people who may not see it."""
        own = self._sight.principals
        tags = own if acl is None else tuple(acl)
        if not set(tags) <= set(own) or bool(tags) != bool(own):
            whom = ", ".join(tags) or "everybody"
            may = f"its tags must be some of your own ({', '.join(own)})" if own else "you have no tags"
            raise UsageError(f"a document cannot be added for {whom}: {may}")
        return self._uploads.incoming(name, tags, most_bytes)

    def all(self) -> list[tuple[Upload, SourceState | None]]:
        """The documents that were put in and may be seen, by id, with their state; None: not indexed yet."""
        states = {state.source.source_id: state for state in self._sight.views.states()}
        found = ((upload, states.get(upload.source_id)) for upload in self._uploads.all())
        known = ((replace(upload, acl=state.source.acl) if state else upload, state) for upload, state in found)
        return [
            (upload, state)
            for upload, state in known
            if not upload.acl or set(upload.acl) & set(self._sight.principals)
        ]
