"""From the record to a published generation: all indexes of one revision, built aside (docs/design.md section 5)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from pincite.build.chunk_links import make_chunk_links
from pincite.build.faults import working_on
from pincite.build.graph_names import GraphNames
from pincite.build.link import LINKS_VERSION, link, readers_of
from pincite.build.revisions import note_revisions
from pincite.errors import StoreError
from pincite.graph.network import NETWORK_VERSION, NetworkBuilder
from pincite.ports import Embedder, KeywordField, KeywordIndex, VectorIndex
from pincite.store.arrays import save_arrays, stacked_vectors
from pincite.store.chunk_links import NONE, Ints
from pincite.store.generations import ACCESS, Generations, Ordinals
from pincite.store.live import LiveChunk
from pincite.store.sql_record import SqlRecord
from pincite.text.tokens import tokenise

TOKENS_VERSION = "7"
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
    generations.collect()
    return digest


def generation_digest(record: SqlRecord, embedder: Embedder | None) -> str:
    """A digest of the sorted (source id, content SHA-256, versions) and the model, and of who may see what is closed:
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
    """What the keyword index holds of a chunk: its own words, and in the context those of its document's name and of
    the headings above it too, as far as it lacks them."""
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
