"""Engines on real indexes with the hashing embedder, so that tests need no weights."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from pincite.build.objects import KeptFiles
from pincite.build.publish import FIRST_KIND, IndexMakers
from pincite.build.stages import TripletStage
from pincite.engine.engine import Engine, Parts
from pincite.engine.views import COPIES, Objects
from pincite.errors import UsageError
from pincite.graph.ontology import shipped_ontology
from pincite.graph.triplets import RuleExtractor
from pincite.models.remote import RerankerAsReader
from pincite.ports import KeywordIndex, LanguageModel, ReadOptions, Reranker, Telemetry, TripletExtractor
from pincite.read.sandbox import Drawer, Sandbox
from pincite.records.chunks import ChunkPolicy
from pincite.store.answer_cache import AnswerCache
from pincite.store.bm25_keywords import Bm25Keywords
from pincite.store.database import Place
from pincite.store.faiss_vectors import FaissVectors
from pincite.store.generations import Generations
from pincite.store.sql_receipts import SqlReceipts
from pincite.store.sql_record import SqlRecord
from pincite.threads import Lazy
from pincite_testing.hashing_embedder import HashingEmbedder
from pincite_testing.memory_objects import MemoryObjects
from pincite_testing.memory_telemetry import MemoryTelemetry

MEMORY = Path("/dev/shm")
RULES = RuleExtractor(shipped_ontology())


@contextmanager
def passing_folder() -> Iterator[Path]:
    """A folder that is gone afterwards; it lies in memory where the system has a place for that, so that stores that
    are made by the hundred wait for no disk."""
    with TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        yield Path(folder)


def _no_files() -> Sandbox:
    raise UsageError("this engine takes documents, not files")


def hashing_engine(
    folder: Path,
    *,
    extractor: TripletExtractor | None = RULES,
    reranker: Reranker | None = None,
    language_model: LanguageModel | None = None,
    telemetry: Telemetry | None = None,
    keywords: Callable[[Path], KeywordIndex] = Bm25Keywords,
    place: Place | None = None,
    reader: Callable[[], Sandbox] = _no_files,
) -> Engine:
    """An engine on a store in `folder` that takes documents through `index_documents`, and files where it is given
    what reads them; by default rules find its triplets, and nothing judges its passages. Record and receipts are in
    `place` where one is given."""
    folder.mkdir(parents=True, exist_ok=True)
    objects = Lazy(MemoryObjects)
    return Engine(
        Parts(
            folder=folder,
            record=SqlRecord(place or folder / "record.sqlite"),
            generations=Generations(folder),
            receipts=lambda: SqlReceipts(place or folder / "audit.sqlite"),
            cache=lambda: AnswerCache(folder / "cache.sqlite", minutes=15),
            embedder=HashingEmbedder,
            bulk_embedder=HashingEmbedder,
            answer_reader=lambda: None if reranker is None else RerankerAsReader(reranker),
            language_model=lambda: language_model,
            embedding_threads=2,
            ontology=shipped_ontology,
            triplets=lambda: TripletStage(lambda: extractor, shipped_ontology()),
            reader=reader,
            drawer=Drawer(memory_bytes=10**9),
            indexes=IndexMakers({FIRST_KIND: FaissVectors}, keywords, lambda _: FIRST_KIND),
            policy=ChunkPolicy(chunk_size=300, overlap=50),
            options=ReadOptions(),
            telemetry=telemetry or MemoryTelemetry(),
            objects=Objects(objects, 10**9, KeptFiles(folder / COPIES, objects, most_bytes=10**9), 300),
        )
    )
