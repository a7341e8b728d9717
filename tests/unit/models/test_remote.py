"""Embedding services are spoken to over HTTP; what goes wrong is told in one line."""

from __future__ import annotations

import gzip
import signal
import time
from collections.abc import Iterator
from threading import Event
from typing import ClassVar

import numpy as np
import pytest
from tests.support.services import JsonService, serving

from pincite.errors import ServiceError
from pincite.models.remote import OllamaEmbedder, OpenAIEmbedder
from pincite_testing.hashing_embedder import HashingEmbedder

HASHING = HashingEmbedder(32)


class Handler(JsonService):
    """Answers like Ollama and like an OpenAI-compatible endpoint; knows one model and one key."""

    def serve(self) -> None:
        body = self.asked()
        if body["model"] != "known":
            self.answer({"error": "model not found"}, 404)
            return
        vectors = [HASHING.embed_query(text).tolist() for text in body["input"]]
        if self.path == "/api/embed":
            self.answer({"embeddings": vectors})
        elif self.headers["Authorization"] == "Bearer key":
            data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
            self.answer({"data": data[::-1]})
        else:
            self.answer({"error": "no"}, 401)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(Handler) as address:
        yield address


TEXTS = [f"text number {n}" for n in range(70)]


def test_ollama_gives_the_vectors_in_the_order_of_the_texts(url: str) -> None:
    embedder = OllamaEmbedder(url, "known", timeout=5, concurrency=3)
    assert embedder.dimension == 32
    rows = embedder.embed(TEXTS)
    assert np.allclose(np.vstack(rows), np.vstack([HASHING.embed_query(text) for text in TEXTS]), atol=1e-6)


def test_an_openai_compatible_endpoint_may_answer_in_any_order(url: str) -> None:
    embedder = OpenAIEmbedder(url, "known", "key", timeout=5, concurrency=1)
    assert np.allclose(embedder.embed_query("snow"), HASHING.embed_query("snow"), atol=1e-6)


def test_a_long_text_is_covered_by_windows(url: str) -> None:
    (rows,) = OllamaEmbedder(url, "known", timeout=5, concurrency=1).embed(["snow " * 2000])
    assert rows.shape == (3, 32)


def test_an_unknown_model_is_named(url: str) -> None:
    with pytest.raises(ServiceError, match="answered 404 for the model other"):
        OllamaEmbedder(url, "other", timeout=5, concurrency=1).embed_query("snow")


def test_a_ctrl_c_ends_the_wait_for_a_silent_service() -> None:
    """Two requests of three are under way; the third is never sent."""
    heard: list[str] = []

    class Silent(JsonService):
        def serve(self) -> None:
            heard.append(self.path)
            if len(heard) == 2:
                signal.raise_signal(signal.SIGINT)
            gone.wait(30)

    gone = Event()
    with serving(Silent) as address:
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            OllamaEmbedder(address, "known", timeout=30, concurrency=2).embed(TEXTS)
        assert time.monotonic() - started < 20
        gone.set()
    assert heard == ["/api/embed", "/api/embed"]


def test_a_dead_service_says_what_to_do() -> None:
    with pytest.raises(ServiceError, match=r"does not answer .* choose another --embedder"):
        OllamaEmbedder("http://127.0.0.1:9", "known", timeout=2, concurrency=1).embed_query("snow")


def test_a_wrong_key_is_never_shown(url: str) -> None:
    with pytest.raises(ServiceError) as caught:
        OpenAIEmbedder(url, "known", "very-secret", timeout=5, concurrency=1).embed_query("snow")
    assert "very-secret" not in str(caught.value)


class Packer(JsonService):
    """Compresses what it answers, asked or not, twice."""

    asked_for: ClassVar[list[str | None]] = []

    def serve(self) -> None:
        self.asked()
        self.asked_for.append(self.headers["Accept-Encoding"])
        content = gzip.compress(gzip.compress(bytes(64 * 1024 * 1024)))
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip, gzip")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def test_a_few_bytes_that_unpack_to_many_are_not_unpacked() -> None:
    with serving(Packer) as url, pytest.raises(ServiceError, match="compressed"):
        OllamaEmbedder(url, "known", timeout=20, concurrency=1).embed_query("snow")
    assert set(Packer.asked_for) == {"identity"}
