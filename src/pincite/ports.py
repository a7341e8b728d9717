"""The plugs: what an engine from outside has to do to be used here (docs/design.md section 5).

Every port has a contract kit in `pincite_testing`. Signatures speak of records and arrays, of batches and
filters, never of SQL or files. Chunk ordinals are 0-based positions in the order of sources and of reading of
one generation; `allowed` is a boolean array over ordinals, None for all.

What may have to wait, for a service or for a long run of a model, takes a `deadline`: a ServiceError as soon as it has
passed, and at once where it had before. It changes nothing of what is answered in time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pincite.deadline import Deadline
from pincite.records.audit import AuditEvent, RetrievalHit, RetrievalQuery, Run
from pincite.records.pages import Document
from pincite.records.prompts import Completion, Prompt, QuestionCost, QuestionFailure
from pincite.records.triplets import RawTriplet

Vector = NDArray[np.float32]
Bitmap = NDArray[np.bool_]
Ranked = list[tuple[int, float]]
OcrPolicy = Literal["auto", "never", "always"]
KeywordField = Literal["body", "context"]
Restored = TypeVar("Restored")


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a source is read. `ocr`: auto reads a page's image only where its text layer is missing or worthless.

    `tables`: look for tables; without, their words are plain lines.
    """

    ocr: OcrPolicy = "auto"
    ocr_languages: tuple[str, ...] = ("eng",)
    passwords: tuple[str, ...] = ()
    max_pages: int = 20_000
    max_characters: int = 100_000_000
    tables: bool = True


class FileReader(Protocol):
    """Reads one kind of file. `version` changes whenever the same bytes may give another Document."""

    @property
    def name(self) -> str:
        """What this kind of file is called."""
        ...

    @property
    def version(self) -> str:
        """The name of the kind, a space, and whatever tells versions apart."""
        ...

    @property
    def suffixes(self) -> frozenset[str]:
        """How the names of such files end, in lower case with their dot."""
        ...

    def read(self, path: Path, options: ReadOptions) -> Document:
        """Read the file at `path`; raise ReadError with a one-line reason where that cannot be done."""
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors. A vector depends on its text and the model alone, never on its batch."""

    name: str
    digest: str

    @property
    def dimension(self) -> int:
        """The length of a vector; ServiceError where a service has to be asked for it and does not answer."""
        ...

    def embed(self, texts: Sequence[str], *, deadline: Deadline = Deadline.never()) -> list[Vector]:
        """One array (windows, dimension) for each text, float32, rows of length 1; an empty text has one window."""
        ...

    def embed_query(self, text: str, *, deadline: Deadline = Deadline.never()) -> Vector:
        """One vector (dimension,) for a question; what lies beyond the model's window is averaged in."""
        ...


@dataclass(frozen=True, slots=True)
class Readable:
    """What a reader is given to read: the headings that it stands under, and its sentences or cells in order."""

    path: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader says of one text: how well it answers (a logit), and of each part how likely it belongs to the
    answer (a logit; minus infinity where it was not read)."""

    relevance: float
    evidence: tuple[float, ...]


class Reader(Protocol):
    """Reads texts with a question in mind. What it says of a text depends on the question, that text and the model
    alone, never on its company."""

    name: str
    digest: str

    def knows(self, question: str) -> bool:
        """Whether it was trained on the script of a question; else it is not asked."""
        ...

    def read(self, question: str, texts: Sequence[Readable], *, deadline: Deadline = Deadline.never()) -> list[Reading]:
        """One reading for each text; text beyond the model's window is not read. ServiceError where the model is not
        available."""
        ...


class Reranker(Protocol):
    """Says how well texts answer a question. A score depends on its pair and the model alone, never on its company."""

    name: str
    digest: str

    def scores(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> NDArray[np.float32]:
        """One score (texts,) for each text, float32, higher where it answers better: raw, comparable within one model.
        Text beyond the model's window is not read. ServiceError where the model is not available."""
        ...


class LanguageModel(Protocol):
    """Continues a conversation. Its words are never trusted unchecked. `digest` covers what its answers depend on, as
    far as known: kind of service, model, context size. `context_size` counts tokens of prompt and answer;
    `concurrency`: how many prompts it may get at once."""

    name: str
    digest: str
    context_size: int
    concurrency: int

    def complete(
        self,
        prompt: Prompt,
        *,
        deadline: Deadline = Deadline.never(),
        cancelled: Event | None = None,
        hear: Callable[[str], None] | None = None,
    ) -> Completion:
        """Its answer. `hear` is called with each piece as it comes, in the caller's thread; if it raises, the call
        ends. ServiceError where the service does not answer in time, or `cancelled` was set meanwhile;
        PromptTooLongError where prompt and answer do not fit into its context."""
        ...

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has at most, as near as can be known without asking anybody."""
        ...


class TripletExtractor(Protocol):
    """Says what sentences say of two things. What it finds in a sentence depends on that sentence and its language
    alone; `version` changes whenever that may be something else."""

    name: str
    version: str

    def extract(
        self, sentences: Sequence[str], language: str | None, *, deadline: Deadline = Deadline.never()
    ) -> list[list[RawTriplet]]:
        """The triplets of each sentence, each place inside its sentence; ServiceError where its model does not
        answer."""
        ...


class VectorIndex(Protocol):
    """Nearest neighbours by cosine. A chunk has one row or more (its windows) and scores as its best row."""

    def replace(self, vectors: Vector, owners: NDArray[np.int32]) -> None:
        """Hold exactly these rows: `vectors` (rows, dimension) of length 1, `owners` (rows,) their chunk ordinals,
        ascending."""
        ...

    def search(self, query: Vector, limit: int, allowed: Bitmap | None = None) -> Ranked:
        """The best chunks as (ordinal, cosine): by cosine rounded to 6 decimals, then ordinal. At most `limit`."""
        ...

    def scores(self, query: Vector, ordinals: Sequence[int]) -> NDArray[np.float32]:
        """The cosine of each of these chunks, in their order; -1 for a chunk without rows."""
        ...

    def rows(self, ordinals: Sequence[int]) -> list[Vector]:
        """The rows (windows, dimension) of each of these chunks."""
        ...

    def close(self) -> None:
        """Release memory and files; later questions raise a ClosedError rather than find nothing."""
        ...


class KeywordIndex(Protocol):
    """BM25 over given tokens; statistics count live chunks only. A chunk has two fields with statistics of their own:
    `body`, its own words, and `context`, these with the words of the headings above it and of its document's name."""

    def replace(self, documents: Iterable[Mapping[KeywordField, Sequence[str]]]) -> None:
        """Hold exactly these chunks, ordinals in this order; each maps fields to tokens."""
        ...

    def seen(self, visible: Bitmap) -> KeywordIndex:
        """The same index restricted to these chunks, as if it held no others. It is closed with this one."""
        ...

    def search(
        self, tokens: Sequence[str], limit: int, allowed: Bitmap | None = None, *, field: KeywordField = "body"
    ) -> Ranked:
        """The best chunks as (ordinal, BM25): by score rounded to 6 decimals, then ordinal; no score of 0."""
        ...

    def scores(
        self, tokens: Sequence[str], ordinals: Sequence[int], *, field: KeywordField = "body"
    ) -> NDArray[np.float32]:
        """The BM25 score of each of these chunks, in their order; 0 where no token matches."""
        ...

    def close(self) -> None:
        """Release memory and files; later questions raise a ClosedError rather than find nothing."""
        ...


class ReceiptStore(Protocol):
    """Where questions, their hits, their answers and what else was done are kept for the audit trail; never touches the
    record."""

    def put_retrieval(self, query: RetrievalQuery, hits: Sequence[RetrievalHit]) -> None:
        """Store one retrieval with its hits in a short transaction."""
        ...

    def put_run(
        self,
        seal: Callable[[int, str], Run],
        contents: Sequence[bytes],
        query: RetrievalQuery,
        hits: Sequence[RetrievalHit],
    ) -> Run:
        """Store a run with its artifacts and its retrieval, in a short transaction. `seal` gets its number and the
        digest of the entry before (1 and "" at first) and gives the run; no other entry gets that number, whoever
        writes meanwhile."""
        ...

    def put_event(self, seal: Callable[[int, str], AuditEvent]) -> AuditEvent:
        """Store one event in the same chain, in the same way."""
        ...

    def retrievals(self, limit: int | None = 50) -> list[RetrievalQuery]:
        """The latest retrievals, newest first."""
        ...

    def hits(self, retrieval_id: str) -> list[RetrievalHit]:
        """The hits of one retrieval, by rank."""
        ...

    def runs(self, limit: int | None = None, prefix: str = "") -> list[Run]:
        """The latest runs whose ids begin with `prefix`, newest first; all of them without a limit."""
        ...

    def events(self, limit: int | None = None, prefix: str = "") -> list[AuditEvent]:
        """The latest events, chosen and ordered in the same way."""
        ...

    def content(self, sha256: str) -> bytes | None:
        """The content of an artifact; None where it was purged."""
        ...

    def purge(self, digests: Iterable[str]) -> None:
        """Forget the content of these artifacts; the runs that name them stay."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


class AnswerStore(Protocol):
    """Answers that were given lately, by key, for some minutes. What it holds may be gone at any time."""

    def find(self, key: str, restore: Callable[[bytes], Restored]) -> Restored | None:
        """What was kept under this key, as `restore` makes it of the bytes; None where nothing was. What is found is
        counted."""
        ...

    def keep(self, key: str, content: bytes) -> None:
        """Keep an answer that was looked for and not found."""
        ...

    def clear(self) -> None:
        """Forget all answers; the counts stay. StoreError where that cannot be done."""
        ...

    def counts(self) -> dict[str, int]:
        """How often an answer was found (`hits`), and how often not (`misses`)."""
        ...

    def close(self) -> None:
        """Let go of the connections."""
        ...


class RateLimit(Protocol):
    """So many requests in a minute for each caller."""

    def wait(self, who: str) -> float:
        """How many seconds they have to wait; 0, and the request counted, where they may make one. ServiceError where
        the service that counts does not answer."""
        ...


@dataclass(frozen=True, slots=True)
class StoredObject:
    """What lies in an object store. `address` is `s3://BUCKET/KEY`, the key as it is; `size` in bytes; `stamp` is
    another whenever the bytes are others."""

    address: str
    size: int
    stamp: str
    modified_ns: int = 0


class ObjectStore(Protocol):
    """Files of an object store, by their addresses; may be used from several threads. ServiceError where it does not
    answer, or accepts none of our keys; ReadError where a single object cannot be fetched."""

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        """All objects whose addresses begin with this, page by page, in any order. ServiceError where the listing is
        incomplete."""
        ...

    def find(self, address: str) -> StoredObject | None:
        """The object at this address; None where there is none."""
        ...

    def fetch(self, wanted: StoredObject, path: Path) -> None:
        """Write its bytes to `path`, a piece at a time; ReadError where it is gone, or another than `wanted`."""
        ...

    def put(self, address: str, path: Path, *, replacing: StoredObject | None) -> bool:
        """Put a file there, whole or not at all, if `replacing` lies there, or where it is None nothing; whether that
        was so. Of several who do it at once, one is told that it was."""
        ...

    def remove(self, address: str) -> None:
        """Remove the object at this address, if there is one."""
        ...

    def link(self, address: str, *, seconds: int, as_pdf: bool) -> str:
        """A URL that gives the object to anybody who has it, for so many seconds: a PDF to be viewed, anything else to
        be saved. It is made without a request, and stored nowhere."""
        ...


class Telemetry(Protocol):
    """Receives the cost of each finished question, from any thread. What it raises is ignored; the answer waits for it,
    so anything slow has to be done elsewhere. The engine that uses it closes it."""

    def answered(self, cost: QuestionCost) -> None:
        """A question was answered, or refused, and this is what it cost."""
        ...

    def failed(self, failure: QuestionFailure) -> None:
        """A question ended with an error."""
        ...

    def rests(self, service: str, seconds: float) -> None:
        """A service (`language_model`) did not answer several times in a row: it is left alone for so long."""
        ...

    def close(self) -> None:
        """No more is coming: finish what is pending, within a few seconds. May be called again."""
        ...
