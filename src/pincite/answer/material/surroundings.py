"""What composition may look up beyond the evidence: other chunks, the words of the store, what is missing from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pincite.answer.words.vocabulary import pattern_of
from pincite.deadline import Deadline
from pincite.graph.concepts import Concept, find_concepts
from pincite.graph.ontology import Ontology
from pincite.ports import Bitmap, LanguageModel, Reader
from pincite.records.chunks import ChunkRecord
from pincite.records.outlines import Reference
from pincite.records.questions import Filter
from pincite.records.triplets import Triplet
from pincite.retrieve.candidates import SearchSpace
from pincite.retrieve.visible import is_visible
from pincite.store.chunk_links import NONE
from pincite.store.known_document import KnownDocument
from pincite.store.sql_record import SqlRecord
from pincite.text.tokens import tokenise_for

MOST_TOLD = 1000
"""Triplets of a name; behind these stand those of names that everything is about. By eye, not measured."""
TELLING = 20
"""Chunks that say something of a name, as many as an answer is looked for in."""
NAMED = 5
"""The best chunks on a name; those behind them only mention it. By eye, not measured."""
MOST_OF_SCOPE = 12
"""Chunks: a scope is a page or two. By eye, not measured."""

SCOPE_TITLE = pattern_of("standards", "scope_title")
"""The title of a section on the scope of its document, with its number or without."""

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """One generation as one asker sees it. `allowed` says which chunks are visible, None for all; `documents` gives
    what the record knows of a document; `ontology` which predicates are the inverse of which; `reader` how well texts
    answer and `language_model` what writes in their words, where there are any, and `deadline` until when these are
    waited for. What is read of a document or of a word is read once."""

    generation: str
    space: SearchSpace
    record: SqlRecord
    documents: Callable[[str], KnownDocument]
    allowed: Bitmap | None
    ontology: Ontology
    reader: Reader | None = None
    language_model: LanguageModel | None = None
    deadline: Deadline = field(default_factory=Deadline.never)
    _known: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False)
    _triplets: dict[str, list[Triplet]] = field(default_factory=dict, repr=False)

    def is_known(self, token: str) -> bool:
        """Whether this token stands in any visible chunk."""
        return self._once(self._stands, token)

    def chunks(self, chunk_ids: Sequence[str]) -> list[ChunkRecord]:
        """Chunks by id."""
        return self.space.chunks(chunk_ids)

    def named(self, name: str, *, without: str | None = None) -> list[ChunkRecord]:
        """The visible chunks that hold the words of a name, best first; those of one document can be left out."""
        allowed = self.allowed
        if without is not None:
            others = ~self._of(without)
            allowed = others if allowed is None else others & allowed
        return self.space.chunks(self._holding(name, allowed))

    def telling(self, names: Sequence[str]) -> list[ChunkRecord]:
        """The visible chunks of the whole store whose triplets have one of these normal names as subject or object, the
        surest first (spec/llmless_retrieval.md 4.1)."""
        network = self.space.network
        found = network.find(names)
        told = network.triplets.of_entities(np.unique(found[found >= 0]), MOST_TOLD)[1]
        chunks = network.triplets.chunks_of(told)
        is_visible = np.ones(len(chunks), np.bool_) if self.allowed is None else self.allowed[chunks]
        order = np.lexsort((chunks[is_visible], -network.triplets.weights[told[is_visible]]))
        ordinals = dict.fromkeys(chunks[is_visible][order].tolist())
        return self.space.chunks([self.space.chunk_id(ordinal) for ordinal in islice(ordinals, TELLING)])

    def all_named(self, names: Sequence[str]) -> list[list[ChunkRecord]]:
        """For each of these names the visible chunks that hold its words, best first; all are read at once."""
        found = [self._holding(name, self.allowed) for name in names]
        chunks = iter(self.space.chunks([chunk_id for chunk_ids in found for chunk_id in chunk_ids]))
        return [list(islice(chunks, len(chunk_ids))) for chunk_ids in found]

    def concepts(self, text: str) -> list[Concept]:
        """The entities that a text names."""
        return self._once(self._concepts_in, text)

    def following(self, chunk: ChunkRecord) -> ChunkRecord | None:
        """The chunk behind another in its document, None behind the last."""
        return self._beside(chunk, self.space.links.following)

    def preceding(self, chunk: ChunkRecord) -> ChunkRecord | None:
        """The chunk in front of another in its document, None in front of the first."""
        return self._beside(chunk, self.space.links.previous)

    def visible_sources(self) -> list[str]:
        """The ids of the documents that have a visible chunk, sorted."""
        return self.space.sources_of(self.allowed)

    def size(self, source_id: str) -> int:
        """How many chunks a document has."""
        return self._once(self._count, source_id)

    def scope(self, source_id: str) -> list[ChunkRecord]:
        """The chunks of a document's sections on its scope, in reading order."""
        document = self._document(source_id)
        found = [
            place.chunk_id
            for section in document.sections
            if SCOPE_TITLE.fullmatch(section.title.strip())
            for place in document.places
            if section.start <= place.start < section.end
        ]
        return self.space.chunks(list(dict.fromkeys(found))[:MOST_OF_SCOPE])

    def absent(self, source_id: str, within: ChunkRecord | None = None) -> list[str]:
        """The documents that a document, or one chunk of it, refers to and that the store does not hold, as written,
        the most frequent first."""
        document = self._document(source_id)
        external = {link.reference for link in document.links if link.status == "external"}
        named = (item for item in document.references if item.ordinal in external and item.kind != "link")
        counts = Counter(
            " ".join((item.document or item.text).split())
            for item in named
            if within is None or within.start <= item.start < within.end
        )
        return sorted(counts, key=lambda name: (-counts[name], name))

    def targets(self, chunk: ChunkRecord) -> list[tuple[Reference, ChunkRecord]]:
        """The references of a chunk that lead to one place of a visible document, in its order, each with the chunk
        that holds the beginning of that place."""
        return [(reference, place[0]) for reference, place in self.places_of(chunk, 1)]

    def places_of(self, chunk: ChunkRecord, most: int) -> list[tuple[Reference, list[ChunkRecord]]]:
        """The same references, each with the chunks of its place from the beginning on, at most so many."""
        document = self._document(chunk.source_id)
        written = [item for item in document.references if chunk.start <= item.start < chunk.end]
        known = document.links if written else []
        links = {link.reference: link for link in known if link.status == "resolved"}
        found = []
        for item in written:
            if item.ordinal in links:
                target = links[item.ordinal].targets[0]
                if not self._once(self._is_visible, target.source_id):
                    continue
                places = self._document(target.source_id).places
                first = next(
                    (n for n, place in enumerate(places) if place.start <= target.start < place.end), len(places)
                )
                ids = [
                    place.chunk_id
                    for place in places[first : first + most]
                    if place.start <= max(target.start, target.end - 1)
                ]
                found += [(item, chunks)] if (chunks := self.space.chunks(ids)) else []
        return found

    def triplets(self, chunks: Sequence[ChunkRecord]) -> dict[str, list[Triplet]]:
        """By chunk id the triplets whose sentence begins in the chunk."""
        unread = [chunk for chunk in chunks if chunk.chunk_id not in self._triplets]
        if unread:
            self._triplets.update(self.record.triplets_of_chunks(unread))
        return {chunk.chunk_id: self._triplets[chunk.chunk_id] for chunk in chunks}

    def document(self, source_id: str) -> list[ChunkRecord]:
        """All chunks of a document, in reading order."""
        return self._once(self._chunks_of, source_id)

    def _concepts_in(self, text: str) -> list[Concept]:
        return find_concepts(self.space.network, text, self.space.languages)

    def _count(self, source_id: str) -> int:
        return int(self._of(source_id).sum())

    def _is_visible(self, source_id: str) -> bool:
        return source_id in self.visible_sources()

    def _document(self, source_id: str) -> KnownDocument:
        return self._once(self.documents, source_id)

    def _chunks_of(self, source_id: str) -> list[ChunkRecord]:
        return self.space.chunks([place.chunk_id for place in self._document(source_id).places])

    def _beside(self, chunk: ChunkRecord, neighbours: NDArray[np.int32]) -> ChunkRecord | None:
        """The neighbour of a chunk of the store."""
        ordinal = self.space.find(chunk.chunk_id)
        beside = NONE if ordinal is None else int(neighbours[ordinal])
        return None if beside == NONE else self.space.chunks([self.space.chunk_id(beside)])[0]

    def _of(self, source_id: str) -> Bitmap:
        """Which chunks are those of a document."""
        return np.asarray(self.space.documents == self.space.source_ids.index(source_id))

    def _holding(self, name: str, allowed: Bitmap | None) -> list[str]:
        """The ids of the best of the allowed chunks that hold the words of a name."""
        found = self.space.keywords.search(tokenise_for(name, self.space.languages), NAMED, allowed)
        return [self.space.chunk_id(ordinal) for ordinal, _ in found]

    def _stands(self, token: str) -> bool:
        if self.allowed is None:
            return self.space.network.has_tokens([token])
        return bool(self.space.keywords.search([token], 1, self.allowed))

    def _once(self, read: Callable[[str], _Read], asked: str) -> _Read:
        key = (read.__name__, asked)
        if key not in self._known:
            self._known[key] = read(asked)
        found: _Read = self._known[key]
        return found

    def unreadable(self, wanted: Filter) -> list[tuple[str, int]]:
        """(source id, page) of pages whose text could not be read, of the documents that a filter lets through."""
        pages = self.record.unreadable_pages()
        sources = {state.source.source_id: state.source for state in self.record.sources()} if pages else {}
        return [(name, page) for name, page in pages if name in sources and is_visible(sources[name], wanted)]
