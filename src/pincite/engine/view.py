"""One generation as one reader sees it: its indexes, the record of its revision, and who may see what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

from pincite.build.publish import IndexMakers
from pincite.deadline import Deadline
from pincite.errors import ServiceError, StoreError
from pincite.graph.network import EntityNetwork
from pincite.graph.ontology import Ontology
from pincite.ports import Bitmap, Embedder, LanguageModel, Readable, Reader, Reading, Vector
from pincite.records.questions import Filter
from pincite.records.sources import Source, SourceState
from pincite.retrieve.asked import SeenPlaces, asked_chunks
from pincite.retrieve.candidates import Embed, SearchSpace
from pincite.retrieve.named import titles_of_long
from pincite.retrieve.visible import is_visible
from pincite.stopwatch import Stopwatch
from pincite.store.chunk_links import ChunkLinks
from pincite.store.generations import ACCESS, Ordinals, Pinned, damaged
from pincite.store.inverted import load_arrays
from pincite.store.known_document import KnownDocument, documents_of
from pincite.store.sql_record import SqlRecord
from pincite.threads import Lazy

KEPT_FILTERS = 16
KEPT_SPACES = 4
"""For groups of askers with different closed documents: each needs memory for the graph of what it may see."""
KEPT_QUESTIONS = 16
EMBEDDING_SHARE = 0.5
"""Of the time that a question has left: an embedder that is silent is not to take that of the reader, too."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownSources:
    """The sources of a record with their states, in the order of their ids, and by id, as they were at one moment."""

    states: Sequence[SourceState]
    by_id: Mapping[str, Source]


@dataclass(frozen=True, slots=True)
class View:
    """A generation, open for one question. `sources` are those of its record by id, as they were when the question
    began; `documents` gives what the record knows of one of them; `ontology` says which predicates are the inverse of
    which; `embedder`, `reader` and `language_model` are the models, where there are any that can be used, and
    `deadline` is until when they are waited for; `faults` say why one could not be used."""

    pinned: Pinned
    space: SearchSpace
    record: SqlRecord
    sources: Mapping[str, Source]
    documents: Callable[[str], KnownDocument]
    ontology: Ontology
    embedder: Embedder | None
    reader: Reader | None
    language_model: LanguageModel | None = None
    deadline: Deadline = field(default_factory=Deadline.never)
    faults: list[str] = field(default_factory=list)

    @property
    def generation(self) -> str:
        """The digest of the generation."""
        return str(self.pinned.manifest["generation"])

    @property
    def revision(self) -> int:
        """The revision that the generation was made of."""
        return int(self.pinned.manifest["revision"])


class OpenGeneration:
    """A pinned generation with its indexes and the record of its revision, which it closes; any number of questions may
    be asked of it at once."""

    def __init__(self, view: View, adapters: Adapters) -> None:
        self._view = view
        self._adapters = adapters
        self._sources = sources_of(view.record)
        self._allowed = lru_cache(maxsize=KEPT_FILTERS)(partial(_allowed, view.pinned))
        self._open_sources = lru_cache(maxsize=KEPT_FILTERS)(partial(_open_sources, view.pinned))
        self._seen = lru_cache(maxsize=KEPT_SPACES)(partial(_seen_space, view))
        self._embedded = lru_cache(maxsize=KEPT_QUESTIONS)(_no_vector_yet)

    @property
    def name(self) -> str:
        """The name of the generation's folder."""
        return self._view.pinned.folder.name

    def asked(self, deadline: Deadline, principals: Sequence[str]) -> View:
        """The view for a question that begins now, by an asker with these principals: sources and access are those of
        this moment, and nothing in it reveals what is closed to them."""
        known, faults = self._sources(), list[str]()
        embedder, embed = self._embedding(faults, deadline)
        seen = self._seen(self._open_sources(known, tuple(principals)))
        space = replace(seen, allowed=partial(self._allowed, known), embed=embed, watch=Stopwatch())
        return replace(
            self._view, space=space, sources=known.by_id, embedder=embedder, deadline=deadline, faults=faults
        )

    def close(self) -> None:
        """Let go of the indexes, of the record and of the generation."""
        self._view.space.keywords.close()
        if self._view.space.vectors is not None:
            self._view.space.vectors.close()
        self._view.record.close()
        self._view.pinned.release()

    def _embedding(self, faults: list[str], deadline: Deadline) -> tuple[Embedder | None, Embed | None]:
        """The embedder, and how it embeds a question: without a vector, and with a fault, where it does not answer."""
        try:
            embedder = self._adapters.embedder()
        except ServiceError as error:
            faults.append(str(error))
            return None, lambda _: None
        return embedder, None if embedder is None else partial(self._vector, embedder, deadline, faults)

    def _vector(self, embedder: Embedder, deadline: Deadline, faults: list[str], text: str) -> Vector | None:
        """The vector of a text; none where the embedder did not answer once: a question waits for it no second time."""
        if faults:
            return None
        kept = self._embedded(text)
        try:
            if not kept:
                kept.append(embedder.embed_query(text, deadline=deadline.within(EMBEDDING_SHARE)))
        except ServiceError as error:
            faults.append(str(error))
            return None
        return kept[0]


def _no_vector_yet(_: str) -> list[Vector]:
    """Where the vector of a text is kept."""
    return []


class MissingReader:
    """In place of a reader that the settings name and that is not available; says why when it is used."""

    name = digest = "none"

    def __init__(self, error: ServiceError) -> None:
        self._error = error

    def knows(self, question: str) -> bool:
        """True: whoever asks is told why it is missing."""
        return bool(question)

    def read(self, question: str, texts: Sequence[Readable], *, deadline: Deadline = Deadline.never()) -> list[Reading]:
        """Nothing: a ServiceError."""
        raise ServiceError(str(self._error)) from self._error


@dataclass(frozen=True, slots=True)
class Adapters:
    """What a generation is opened with. `embedder` gives the one that the settings name (None: they name none), or
    raises a ServiceError."""

    indexes: IndexMakers
    embedder: Callable[[], Embedder | None]
    reader: Reader | None
    language_model: LanguageModel | None
    ontology: Ontology

    def embeds(self) -> bool:
        """Whether the settings name an embedder, even if it does not respond just now."""
        try:
            return self.embedder() is not None
        except ServiceError:
            return True


def open_generation(pinned: Pinned, record: SqlRecord, adapters: Adapters) -> OpenGeneration:
    """Open the indexes of a generation; `record` is that of its revision. StoreError where one is damaged."""
    dimension = int(pinned.manifest["dimension"])
    makers, ordinals = adapters.indexes, pinned.ordinals
    has_vectors = dimension > 0 and adapters.embeds()
    with _reporting_damage(pinned.folder):
        links, network = _arrays_of(pinned)
        vectors = makers.vectors_of(pinned.folder, pinned.manifest) if has_vectors else None
        keywords = makers.keywords(pinned.folder / "keywords")

    space = SearchSpace(
        vectors=vectors,
        keywords=keywords,
        links=links,
        network=network,
        documents=ordinals.chunk_sources,
        source_ids=ordinals.sources,
        embed=None,
        languages=tuple(language or None for language in pinned.manifest["languages"]),
        chunk_id=ordinals.chunk_id,
        find=ordinals.find,
        chunks=record.chunks,
        allowed=lambda wanted: None,
        asked=partial(_asked_chunks, ordinals, links, SeenPlaces(record, frozenset(ordinals.sources))),
        titles=Lazy(lambda: titles_of_long(record.document_names(), ordinals.sources, ordinals.chunk_sources)),
        inverse=adapters.ontology.inverse,
        known=ordinals.sources,
    )
    view = View(
        pinned,
        space,
        record,
        sources={},
        documents=documents_of(record),
        ontology=adapters.ontology,
        embedder=None,
        reader=adapters.reader,
        language_model=adapters.language_model,
    )
    return OpenGeneration(view, adapters)


@contextmanager
def _reporting_damage(folder: Path) -> Iterator[None]:
    """What an index says of bytes that it cannot read is a StoreError."""
    try:
        yield
    except (ValueError, OSError, EOFError, RuntimeError, TypeError, LookupError) as error:
        raise damaged(folder, str(error)) from error


def _arrays_of(pinned: Pinned) -> tuple[ChunkLinks, EntityNetwork]:
    """The links and the graph of a generation; StoreError where it is of a version that wrote others."""
    try:
        links = ChunkLinks.load(pinned.folder / "links")
        return links, EntityNetwork.from_arrays(load_arrays(pinned.folder / "graph"))
    except (FileNotFoundError, KeyError) as error:
        raise _of_another_version(pinned) from error


def _of_another_version(pinned: Pinned) -> StoreError:
    return StoreError(
        f"the generation {pinned.folder.name} was written by another version of pincite: run pincite index FOLDER"
    )


def sources_of(record: SqlRecord) -> Callable[[], KnownSources]:
    """A function that gives the sources of a record, read again only after a change."""

    @lru_cache(maxsize=1)
    def read(_: tuple[int, ...]) -> KnownSources:
        states = record.sources()
        return KnownSources(states, {state.source.source_id: state.source for state in states})

    return lambda: read(record.stamp())


def _allowed(pinned: Pinned, known: KnownSources, wanted: Filter) -> Bitmap | None:
    """Which ordinals a filter lets through, by what is known of their sources; None for all."""
    sources = [known.by_id.get(source_id) for source_id in pinned.ordinals.sources]
    visible = np.array([source is not None and is_visible(source, wanted) for source in sources], np.bool_)
    return None if visible.all() else visible[pinned.ordinals.chunk_sources]


def _open_sources(pinned: Pinned, known: KnownSources, principals: Sequence[str]) -> bytes:
    """A byte for each source of a generation: 0 where it is closed to this asker."""
    asker = Filter(principals=tuple(principals))
    sources = (known.by_id.get(source_id) for source_id in pinned.ordinals.sources)
    return bytes(source is None or is_visible(source, asker) for source in sources)


def _seen_space(view: View, is_open: bytes) -> SearchSpace:
    """The search space of those sources of a generation, as if it held no others."""
    space, seen = view.space, np.frombuffer(is_open, np.bool_)
    if seen.all():
        return space
    if ACCESS not in view.pinned.manifest:
        raise _of_another_version(view.pinned)
    allowed = seen[space.documents]
    known = tuple(np.asarray(space.source_ids)[seen].tolist()) if len(seen) else ()
    languages = view.record.languages()
    return replace(
        space,
        keywords=space.keywords.seen(allowed),
        links=space.links.seen(allowed),
        network=space.network.seen(allowed),
        languages=tuple(name or None for name in sorted({languages.get(source_id) or "" for source_id in known})),
        asked=partial(_asked_chunks, view.pinned.ordinals, space.links, SeenPlaces(view.record, frozenset(known))),
        titles=Lazy(lambda: [item for item in space.titles() if item[0] in known]),
        known=known,
    )


def _asked_chunks(ordinals: Ordinals, links: ChunkLinks, places: SeenPlaces, question: str) -> dict[int, float]:
    """The chunks of the places that a question names."""

    def chunks_of_page(number: int) -> list[tuple[str, int]]:
        found = np.flatnonzero((links.first_pages <= number) & (number <= links.last_pages)).tolist()
        named = ((ordinals.sources[ordinals.chunk_sources[ordinal]], ordinal) for ordinal in found)
        return [item for item in named if item[0] in places.seen]

    return asked_chunks(question, places, ordinals.find, chunks_of_page)
