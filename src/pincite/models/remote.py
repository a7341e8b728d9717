"""Embedders and rerankers that are services: Ollama, OpenAI-compatible endpoints, and `/rerank` as Text Embeddings
Inference, vLLM, Infinity, Jina and Cohere have it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.models.service import Service
from pincite.ports import Readable, Reading, Reranker, Vector
from pincite.threads import all_of

TEXTS_A_REQUEST = 32
CHARACTERS_A_WINDOW = 4000
PREFIXES = {"nomic-embed-text": ("search_query: ", "search_document: ")}
"""What models want before a question and before a passage, by the beginning of their names."""


class _RemoteEmbedder:
    """Sends texts in requests of 32; a text longer than 4000 characters is sent as several windows. Sends nothing
    before the first call."""

    def __init__(self, base_url: str, model: str, key: str, *, timeout: float, concurrency: int) -> None:
        self.name = model
        found = (prefixes for name, prefixes in PREFIXES.items() if model.rpartition("/")[2].startswith(name))
        self._question_prefix, self._passage_prefix = next(found, ("", ""))
        known = f"{type(self).__name__}\n{model}{self._passage_prefix}"
        self.digest = hashlib.sha256(known.encode()).hexdigest()
        self._service = Service(base_url, model, key, timeout=timeout, option="--embedder")
        self._concurrency = max(1, concurrency)
        self._dimension = 0

    @property
    def dimension(self) -> int:
        """The length of the vectors that the service sends, which is asked where it has sent none yet."""
        if not self._dimension:
            self.embed(["dimension"])
        return self._dimension

    def embed(self, texts: Sequence[str], *, deadline: Deadline = Deadline.never()) -> list[Vector]:
        """One array (windows, dimension) for each text; rows have length 1."""
        return self._embed(texts, self._passage_prefix, deadline)

    def embed_query(self, text: str, *, deadline: Deadline = Deadline.never()) -> Vector:
        """One vector (dimension,): the normalised mean over the question's windows."""
        rows = self._embed([text], self._question_prefix, deadline)[0]
        return np.asarray(_unit(rows.mean(axis=0, keepdims=True))[0], dtype=np.float32)

    def _embed(self, texts: Sequence[str], prefix: str, deadline: Deadline) -> list[Vector]:
        windows = [[prefix + window for window in _windows(text)] for text in texts]
        flat = [window for parts in windows for window in parts]
        requests = [flat[start : start + TEXTS_A_REQUEST] for start in range(0, len(flat), TEXTS_A_REQUEST)]
        if not requests:
            return []
        found = all_of(partial(self._request, deadline), requests, self._concurrency)
        rows = np.vstack([_unit(array) for array in found])
        ends = np.cumsum([len(parts) for parts in windows])
        return [rows[end - len(parts) : end] for end, parts in zip(ends, windows, strict=True)]

    def _request(self, deadline: Deadline, texts: list[str], cancelled: Event) -> Vector:
        """(texts, dimension) as the service sent them; ServiceError where it sent something else."""
        found = self._ask(texts, deadline, cancelled)
        try:
            vectors = np.asarray(self._vectors(found), dtype=np.float32)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ServiceError(f"the embedding service sent no vectors ({error!r}): is its address right?") from error
        if vectors.ndim != 2 or len(vectors) != len(texts):
            sent = len(vectors) if vectors.ndim else 0
            raise ServiceError(f"the embedding service sent {sent} vectors for {len(texts)} texts")
        if self._dimension not in (0, vectors.shape[1]) or not vectors.size or not np.isfinite(vectors).all():
            raise ServiceError(f"the embedding service sent vectors of another kind than {self.name}")
        self._dimension = vectors.shape[1]
        return vectors

    def _ask(self, texts: list[str], deadline: Deadline, cancelled: Event) -> Any:
        raise NotImplementedError

    def _vectors(self, found: Any) -> Any:
        raise NotImplementedError


class OllamaEmbedder(_RemoteEmbedder):
    """Ollama's `/api/embed`."""

    def __init__(self, base_url: str, model: str, *, timeout: float, concurrency: int) -> None:
        super().__init__(base_url, model, "", timeout=timeout, concurrency=concurrency)

    def _ask(self, texts: list[str], deadline: Deadline, cancelled: Event) -> Any:
        return self._service.post("/api/embed", {"input": texts}, deadline, cancelled)

    def _vectors(self, found: Any) -> Any:
        return found["embeddings"]


class OpenAIEmbedder(_RemoteEmbedder):
    """An endpoint that speaks OpenAI's `/embeddings`."""

    def _ask(self, texts: list[str], deadline: Deadline, cancelled: Event) -> Any:
        return self._service.post("/embeddings", {"input": texts}, deadline, cancelled)

    def _vectors(self, found: Any) -> Any:
        return [item["embedding"] for item in sorted(found["data"], key=lambda item: item["index"])]


def _windows(text: str) -> list[str]:
    return [text[start : start + CHARACTERS_A_WINDOW] for start in range(0, len(text), CHARACTERS_A_WINDOW)] or [""]


def _unit(rows: Any) -> Vector:
    array = np.asarray(rows, dtype=np.float32)
    norms = np.sqrt(np.square(array).sum(axis=1, keepdims=True))
    return np.asarray(array / np.maximum(norms, 1e-12), dtype=np.float32)


class RerankerAsReader:
    """Reads with a Reranker: each text in one piece with its path in front, and all of its sentences count as
    evidence."""

    def __init__(self, reranker: Reranker) -> None:
        self.name, self.digest = reranker.name, reranker.digest
        self._reranker = reranker

    def knows(self, question: str) -> bool:
        """True: which scripts a service was trained on it does not say."""
        return bool(question)

    def read(self, question: str, texts: Sequence[Readable], *, deadline: Deadline = Deadline.never()) -> list[Reading]:
        """One reading for each text; ServiceError where the reranker does not answer."""
        whole = [f"{text.path}: {' '.join(text.parts)}" for text in texts]
        scores = self._reranker.scores(question, whole, deadline=deadline).tolist()
        return [Reading(score, (0.0,) * len(text.parts)) for score, text in zip(scores, texts, strict=True)]


LONGEST_READ = 1000
"""Characters of a question, and of a text: both go into the 512 tokens that most rerankers read, and a service may
refuse what is longer. A window has 620 at most."""
LARGEST = float(np.finfo(np.float32).max)
"""What a score may be: scores are kept in float32."""
LEAST_SHARE = float(np.finfo(np.float32).eps)
"""Services round to 0 and 1: the logit of anything nearer could not be distinguished in float32."""


class HttpReranker:
    """Sends `batch` texts a request, one request after the other. With a model's name it speaks the protocol of vLLM,
    Infinity, Jina and Cohere; without one that of Text Embeddings Inference, which serves a single model (llama.cpp
    does, too). That each score depends on its pair alone cannot be verified. Sends nothing before the first call;
    `digest` covers only the model's name and the path of the address."""

    def __init__(self, url: str, model: str, key: str, *, batch: int, timeout: float) -> None:
        base_url = url.rstrip("/").removesuffix("/rerank")
        self._service = Service(base_url, model, key, timeout=timeout, option="--reranker")
        self.name = model or "the reranking service"
        self.digest = hashlib.sha256(f"{type(self).__name__}\n{self._service.path}\n{model}".encode()).hexdigest()
        self._names_model = bool(model)
        self._batch = batch

    def scores(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> NDArray[np.float32]:
        """(texts,) logits, float32, higher where a text answers better; ServiceError where the service sends none."""
        deadline.check(self.name)
        cut = [text[:LONGEST_READ] for text in texts]
        batches = (cut[start : start + self._batch] for start in range(0, len(cut), self._batch))
        found = [self._request(question[:LONGEST_READ], batch, deadline) for batch in batches]
        return np.concatenate([np.empty(0, np.float32), *found])

    def _request(self, question: str, texts: list[str], deadline: Deadline) -> NDArray[np.float32]:
        try:
            return self._requested(question, texts, deadline)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise ServiceError(
                f"the reranking service sent no scores for {len(texts)} texts ({error!r}): is its address right, and "
                "reranker_model as it wants it (empty for Text Embeddings Inference)?"
            ) from error

    def _requested(self, question: str, texts: list[str], deadline: Deadline) -> NDArray[np.float32]:
        if self._names_model:
            found = self._service.post("/rerank", {"query": question, "documents": texts}, deadline)
            return _logits(_in_order(found["results"], "relevance_score", len(texts)))
        body = {"query": question, "texts": texts, "raw_scores": True, "truncate": True}
        return _in_order(self._service.post("/rerank", body, deadline), "score", len(texts)).astype(np.float32)


def _in_order(items: Any, name: str, count: int) -> NDArray[np.float64]:
    """The numbers of this name in the order of the texts; ValueError where not each text has one."""
    found = {item["index"]: item[name] for item in items}
    if len(items) != count or sorted(found) != list(range(count)):
        raise ValueError(f"{len(items)} items, their indexes not 0 to {count - 1}")
    if not all(type(number) in (int, float) and abs(number) <= LARGEST for number in found.values()):
        raise ValueError(f"a {name} that is no number")
    return np.array([found[place] for place in range(count)], dtype=np.float64)


def _logits(shares: NDArray[np.float64]) -> NDArray[np.float32]:
    """What a reranker says before these services make a share from 0 to 1 of it; ValueError for what is none."""
    if ((shares < 0) | (shares > 1)).any():
        raise ValueError("a relevance_score that is not from 0 to 1")
    held = np.clip(shares, LEAST_SHARE, 1 - LEAST_SHARE)
    return np.log(held / (1 - held)).astype(np.float32)
