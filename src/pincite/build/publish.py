"""From the record to a published generation: references linked over all documents, all indexes of one revision built
aside (docs/design.md section 5); and whether a published one is what the record would give again."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice, pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.build.copies import note_revisions
from pincite.build.faults import all_together, working_on
from pincite.errors import StoreError
from pincite.graph.mentions import mentions_within
from pincite.graph.names import names_in, title_names
from pincite.graph.network import NETWORK_VERSION, SHORT_DOCUMENT, ChunkNames, NetworkBuilder
from pincite.graph.relations import NamesTold
from pincite.ports import Embedder, KeywordField, KeywordIndex, Ranked, VectorIndex
from pincite.records.outlines import Outline, ReferenceLink, Section, Target
from pincite.records.sources import Readers, may_all_see
from pincite.records.triplets import RelationStated
from pincite.store.chunk_links import NONE, Adjacency, ChunkLinks, Ints
from pincite.store.generations import ACCESS, Generations, Ordinals, Pinned
from pincite.store.inverted import load_arrays, save_arrays, stacked_vectors
from pincite.store.live import LiveChunk, LivePart
from pincite.store.sql_record import SqlRecord
from pincite.store.sql_structure import ChunkPlace
from pincite.structure.resolve import link_references
from pincite.text.tokens import tokenise

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
            told=[_names_of(item) for item in self._relations_in(place)],
            readers=self._readers[chunk.source_id],
        )

    def _relations_in(self, place: ChunkPlace) -> Iterator[RelationStated]:
        """What sentences tell that begin in this chunk."""
        told = self._part.told.get(place.source_id, ())
        for page, start, end in place.spans:
            first, behind = (bisect_left(told, (page, offset), key=_place_of) for offset in (start, end))
            yield from told[first:behind]


def _with_tokens(titles: Sequence[str], language: str | None) -> dict[str, tuple[str, ...]]:
    """The normal names of these titles with their keyword tokens; titles without letters name nothing."""
    names = (name for title in titles for name in title_names(title) if any(map(str.isalpha, name)))
    return {name: tuple(tokenise(name, language)) for name in names}


def _place_of(told: RelationStated) -> tuple[int, int]:
    return told.page, told.start


def _names_of(told: RelationStated) -> NamesTold:
    return NamesTold(names_in(told.subject), names_in(told.object), told.confidence, told.label)


TOKENS_VERSION = "8"
ACCESS_VERSION = "1"
VECTORS = "vectors"
KIND = "vector_index"
"""The manifest's key for the kind of its vector index; those that were written before there were several have none."""
FIRST_KIND = "flat"
_SEPARATORS = re.compile(r"[._-]+")


@dataclass(frozen=True, slots=True)
class IndexMakers:
    """How the indexes in a folder are opened, empty ones where it holds none. `vectors` has each kind of vector index
    by its name, `kind_for` says which suits so many rows."""

    vectors: Mapping[str, Callable[[Path, int], VectorIndex]]
    keywords: Callable[[Path], KeywordIndex]
    kind_for: Callable[[int], str]

    def vectors_of(self, folder: Path, manifest: Mapping[str, Any]) -> VectorIndex:
        """The vector index of a generation; StoreError where it is of a kind that is not known here."""
        kind = manifest.get(KIND, FIRST_KIND)
        if kind not in self.vectors:
            raise StoreError(
                f"the generation {folder.name} has vectors of a kind that this pincite does not know ({kind}): install "
                "a newer pincite, or run pincite index --mode full"
            )
        return self.vectors[kind](folder / VECTORS, int(manifest["dimension"]))


def publish(
    record: SqlRecord,
    generations: Generations,
    embedder: Embedder | None,
    makers: IndexMakers,
    embed_all: Callable[[], None] = lambda: None,
) -> str:
    """Publish the record's current revision, unless the current generation is of the very same content.

    `embed_all` is called when all is done that needs no vectors: then the record has to hold those of all chunks.
    Returns the digest of the generation; DocumentError where a document cannot be published.
    """
    digest = generation_digest(record, embedder)
    note_revisions(record, generations, digest)
    current = generations.current()
    if current is not None and current.endswith(digest[:16]) and not generations.problems():
        generations.share()
        return digest
    places = record.chunk_places()
    sizes = np.full(len(places), NONE, np.int32)
    links = make_chunk_links(places, *link(record), sizes)
    ordinals = Ordinals.of([place.chunk_id for place in places], [place.source_id for place in places])
    del places
    facts: dict[str, Any] = {
        "model": None if embedder is None else embedder.digest,
        "dimension": 0 if embedder is None else embedder.dimension,
        "languages": sorted({document.language or "" for document in record.documents()}),
        ACCESS: ACCESS_VERSION,
    }

    def fill(folder: Path) -> None:
        _fill_words(makers.keywords(folder / "keywords"), record, folder / "graph", sizes)
        links.save(folder / "links")
        if embedder is not None:
            embed_all()
            facts[KIND] = _fill_vectors(makers, record, embedder, folder)

    generations.publish(record.revision(), digest, ordinals, facts, fill)
    generations.share()
    generations.collect()
    return digest


def generation_digest(record: SqlRecord, embedder: Embedder | None) -> str:
    """A digest of the sorted (source id, content SHA-256, versions), the model, and the access to closed documents:
    never a counter or a time."""
    states = [state for state in record.sources() if state.status in ("indexed", "warned")]
    content: dict[str, Any] = {
        "sources": sorted((s.source.source_id, s.source.content_sha256, sorted(s.versions.items())) for s in states),
        "model": None if embedder is None else embedder.digest,
        "tokens": TOKENS_VERSION,
        "links": LINKS_VERSION,
        "graph": NETWORK_VERSION,
    }
    closed = {s.source.source_id: sorted(map(sorted, s.source.readers)) for s in states if s.source.readers}
    if closed:
        content[ACCESS] = [ACCESS_VERSION, sorted(closed.items())]
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def keyword_fields(chunk: LiveChunk) -> Mapping[KeywordField, Sequence[str]]:
    """The keyword fields of a chunk: its own words, and as context those words of the document's name and the headings
    above that it lacks."""
    content = " ".join(chunk.content.split())
    file_stem = PurePosixPath(chunk.source_id).stem
    names = dict.fromkeys(_SEPARATORS.sub(" ", name) for name in (chunk.title or "", file_stem, *chunk.section))
    above = "\n".join(name for name in names if name not in content)
    body = tokenise(chunk.content, chunk.language)
    return {"body": body, "context": [*body, *tokenise(above, chunk.language)]}


def _fill_words(index: KeywordIndex, record: SqlRecord, graph: Path, sizes: Ints) -> None:
    """Write the keyword index and the graph, and into `sizes` how many tokens each chunk has."""
    builder = NetworkBuilder()

    def documents() -> Iterator[Mapping[KeywordField, Sequence[str]]]:
        readers, ordinals = readers_of(record), count()
        for part in record.live_parts():
            names = GraphNames(part, readers)
            for chunk, place in zip(part.chunks, part.places, strict=True):
                with working_on(chunk.source_id, "indexing its words"):
                    fields = keyword_fields(chunk)
                    sizes[next(ordinals)] = len(fields["body"])
                    builder.add(names.of_chunk(chunk, place, fields["body"]))
                yield fields

    index.replace(documents())
    index.close()
    save_arrays(graph, builder.build().arrays())


def _fill_vectors(makers: IndexMakers, record: SqlRecord, embedder: Embedder, folder: Path) -> str:
    """Write the vector index; its kind."""
    packed = record.chunk_vectors(embedder.digest)
    with stacked_vectors(packed, embedder.dimension, folder) as (vectors, owners):
        kind = makers.kind_for(len(vectors))
        index = makers.vectors[kind](folder / VECTORS, embedder.dimension)
        index.replace(vectors, owners)
    index.close()
    return kind


NOT_PUBLISHED = "the current generation is older than the record: run pincite index to publish it"
"""What a run leaves that was stopped between its last document and its end."""
CHUNKS_AT_ONCE = 2_000
SAMPLE = 200
LIMIT = 20


def verify_store(
    record: SqlRecord, generations: Generations, embedder: Embedder | None, makers: IndexMakers
) -> list[str]:
    """What is wrong, one line each; empty where all is well."""
    problems = record.problems() + generations.problems()
    if problems:
        return problems
    pinned = generations.pin()
    if pinned is None:
        return ["no generation is published yet: run pincite index"]
    with pinned.held():
        if pinned.manifest["generation"] != generation_digest(record, embedder):
            return [NOT_PUBLISHED]
        return _compare_with_rebuilt(record, pinned, embedder, makers)


def _compare_with_rebuilt(
    record: SqlRecord, pinned: Pinned, embedder: Embedder | None, makers: IndexMakers
) -> list[str]:
    with tempfile.TemporaryDirectory() as scratch:
        rebuilt = Generations(Path(scratch))
        publish(record, rebuilt, embedder, makers)
        other = rebuilt.pin()
        if other is None:
            return ["the indexes could not be built again: run pincite index --mode full"]
        with other.held():
            return _differences(record, pinned, other, embedder, makers)


def _differences(
    record: SqlRecord, first: Pinned, second: Pinned, embedder: Embedder | None, makers: IndexMakers
) -> list[str]:
    if not np.array_equal(first.ordinals.chunk_ids, second.ordinals.chunk_ids):
        return ["the chunks of the current generation are not those of the record: run pincite index --mode full"]
    problems = []
    if embedder is not None:
        one, other = (makers.vectors_of(pinned.folder, pinned.manifest) for pinned in (first, second))
        everything = range(len(first.ordinals))
        parts = [everything[start : start + CHUNKS_AT_ONCE] for start in everything[::CHUNKS_AT_ONCE]]
        if not all(
            np.array_equal(a, b) for part in parts for a, b in zip(one.rows(part), other.rows(part), strict=True)
        ):
            problems.append("the vector index differs from the record: run pincite index --mode full")
    for folder, what in (("links", "links between chunks differ"), ("graph", "graph differs")):
        if not _are_equal(*(load_arrays(pinned.folder / folder) for pinned in (first, second))):
            problems.append(f"the {what} from the record: run pincite index --mode full")
    keywords = [makers.keywords(pinned.folder / "keywords") for pinned in (first, second)]
    for chunk in islice(record.live_chunks(), None, None, max(1, len(first.ordinals) // SAMPLE)):
        fields = ((field, list(dict.fromkeys(words))[:LIMIT]) for field, words in keyword_fields(chunk).items())
        if any(_found(keywords[0], *asked) != _found(keywords[1], *asked) for asked in fields):
            problems.append("the keyword index differs from the record: run pincite index --mode full")
            break
    return problems


def _are_equal(first: Mapping[str, NDArray[Any]], second: Mapping[str, NDArray[Any]]) -> bool:
    return first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)


def _found(index: KeywordIndex, field: KeywordField, tokens: list[str]) -> Ranked:
    return index.search(tokens, LIMIT, field=field)
