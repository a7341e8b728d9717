"""Embedders that are services keep the contract too, over a service of this machine that hashes words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from tests.support.services import JsonService, serving

from pincite.errors import ServiceError
from pincite.models.remote import OllamaEmbedder, OpenAIEmbedder
from pincite.ports import Embedder
from pincite_testing.embedder_contract import EmbedderContract
from pincite_testing.hashing_embedder import HashingEmbedder


class HashingService(JsonService):
    """Speaks Ollama's and OpenAI's way of asking for embeddings; knows the model `hashing`, also by another's name."""

    keys: ClassVar[list[str | None]] = []
    texts: ClassVar[list[str]] = []

    def serve(self) -> None:
        asked = self.asked()
        self.keys.append(self.headers["Authorization"])
        self.texts.extend(asked["input"])
        if asked["model"] not in ("hashing", "nomic-embed-text:v1.5"):
            self.send_error(404)
            return
        vectors = [HashingEmbedder(window=10_000).embed([text])[0][0].tolist() for text in asked["input"]]
        self.answer({"embeddings": vectors} if self.path == "/api/embed" else {"data": _shuffled(vectors)})


def _shuffled(vectors: list[list[float]]) -> list[dict[str, Any]]:
    return [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)][::-1]


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    with serving(HashingService) as address:
        yield address


class RemoteContract(EmbedderContract):
    @pytest.fixture(autouse=True)
    def address(self, service: str) -> None:
        self.url = service


class TestOllamaEmbedder(RemoteContract):
    def make(self) -> Embedder:
        return OllamaEmbedder(self.url, "hashing", timeout=5.0, concurrency=2)

    def test_a_model_that_is_not_there_is_named(self) -> None:
        with pytest.raises(ServiceError, match="404 for the model another"):
            OllamaEmbedder(self.url, "another", timeout=5.0, concurrency=1).embed_query("snow")

    def test_a_model_that_tells_questions_from_passages_by_a_prefix_is_sent_it(self) -> None:
        nomic = OllamaEmbedder(self.url, "nomic-embed-text:v1.5", timeout=5.0, concurrency=1)
        HashingService.texts.clear()
        nomic.embed_query("Where does snow lie?")
        nomic.embed(["Snow lies on the roof."])
        assert HashingService.texts == ["search_query: Where does snow lie?", "search_document: Snow lies on the roof."]

    def test_a_service_that_does_not_answer_is_named(self) -> None:
        with pytest.raises(ServiceError, match="does not answer"):
            OllamaEmbedder("http://127.0.0.1:9", "hashing", timeout=1.0, concurrency=1).embed_query("snow")


class TestOpenAIEmbedder(RemoteContract):
    def make(self) -> Embedder:
        return OpenAIEmbedder(self.url, "hashing", "secret", timeout=5.0, concurrency=2)

    def test_its_key_is_sent(self) -> None:
        HashingService.keys.clear()
        self.make().embed_query("snow")
        assert set(HashingService.keys) == {"Bearer secret"}
