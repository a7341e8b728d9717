"""Embedders that are services: Ollama (spec/phase3_rag.md) and OpenAI-compatible endpoints."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from threading import Event
from typing import Any

import numpy as np

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.models.service import Service
from pincite.ports import Vector
from pincite.threads import all_of

TEXTS_A_REQUEST = 32
CHARACTERS_A_WINDOW = 4000
PREFIXES = {"nomic-embed-text": ("search_query: ", "search_document: ")}
"""What models want before a question and before a passage, by the beginning of their names."""


class _RemoteEmbedder:
    """Sends texts in requests of 32; a text longer than 4000 characters is sent as several windows. Nothing is sent
    before somebody asks."""

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
