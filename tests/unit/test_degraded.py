"""1. A model that cannot be used ends no question: the others answer, and `degraded` says so. 2. Such an answer is not
kept for the next who asks. 3. A replay repeats what was done without."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from http.server import ThreadingHTTPServer
from pathlib import Path
from socket import socket
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.documents import document, source
from tests.support.engines import hashing_engine
from tests.support.services import JsonService, running
from tests.support.small_models import write_cross_encoder

from pincite.deadline import Deadline
from pincite.engine.asking import RERANKER_SILENT
from pincite.engine.engine import Engine
from pincite.errors import ServiceError, StoreError
from pincite.records.answers import Answer
from pincite.retrieve.search import EMBEDDER_SILENT
from pincite.settings import Settings
from pincite.wiring import open_engine
from pincite_testing.memory_reranker import MemoryReranker

QUESTION = "Does snow lie on the roof?"
TEXTS = {
    "a.pdf": "Snow lies on the roof. It shall be cleared by the owner.",
    "b.pdf": "Wind acts on the wall. The wall carries 0.4 kN.",
}


def put(engine: Engine) -> None:
    items = TEXTS.items()
    engine.index_documents(
        [(source(name, sha256(text.encode()).hexdigest()), document(text, title=name)) for name, text in items]
    )


def is_cached(answer: Answer) -> bool:
    return set(answer.trace.timings_ms) == {"cache"}


# --- the reranker ------------------------------------------------------------------------------------------


class SilentReranker(MemoryReranker):
    """Says nothing until it is told to speak."""

    def __init__(self) -> None:
        self.speaks = False

    def scores(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> NDArray[np.float32]:
        if not self.speaks:
            raise ServiceError("the weights are damaged: install them again")
        return super().scores(question, texts, deadline=deadline)


def test_a_reranker_that_cannot_be_used_ends_no_question(tmp_path: Path) -> None:
    with hashing_engine(tmp_path / "without") as engine:
        put(engine)
        expected = engine.ask(QUESTION).to_dict(stable=True)
    with hashing_engine(tmp_path / "silent", reranker=SilentReranker()) as engine:
        put(engine)
        answer = engine.ask(QUESTION)
    assert answer.degraded == (RERANKER_SILENT,)
    assert answer.notices == ("the weights are damaged: install them again",)
    assert answer.to_dict(stable=True) | {"degraded": []} == expected
    assert "roof" in answer.summary


def _garbled(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_bytes(b"\x00garbage")


def _cut(folder: Path) -> object:
    whole = (folder / "model.onnx").read_bytes()
    return (folder / "model.onnx").write_bytes(whole[: len(whole) // 2])


def _gone(folder: Path) -> object:
    return (folder / "model.onnx").unlink()


@pytest.mark.parametrize("damage", [_garbled("model.onnx"), _garbled("tokenizer.json"), _cut, _gone])
def test_damaged_weights_of_a_reranker_end_no_question(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    folder = write_cross_encoder(tmp_path / "reranker", 1)
    damage(folder)
    with open_engine(Settings(embedder="none", reranker=str(folder)), tmp_path / "store", create=True) as engine:
        put(engine)
        answer = engine.ask(QUESTION)
    assert RERANKER_SILENT in answer.degraded
    assert "roof" in answer.summary


def test_a_reranker_that_can_be_used_again_is_used_again(tmp_path: Path) -> None:
    reranker = SilentReranker()
    with hashing_engine(tmp_path, reranker=reranker) as engine:
        put(engine)
        first = engine.ask(QUESTION)
        reranker.speaks = True
        second, third = engine.ask(QUESTION), engine.ask(QUESTION)
    assert [bool(answer.degraded) for answer in (first, second, third)] == [True, False, False]
    assert [is_cached(answer) for answer in (first, second, third)] == [False, False, True]


@pytest.mark.parametrize("from_hits", [False, True])
def test_a_replay_repeats_what_was_done_without_a_reranker(tmp_path: Path, *, from_hits: bool) -> None:
    reranker = SilentReranker()
    with hashing_engine(tmp_path, reranker=reranker) as engine:
        put(engine)
        answer = engine.ask(QUESTION)
        reranker.speaks = True
        assert engine.session().audit.replay(answer.trace_id, from_hits=from_hits).same
        assert engine.check_chain().problems == ()


# --- the embedder ------------------------------------------------------------------------------------------


class Vectors(JsonService):
    """Ollama's /api/embed with one dimension for each letter."""

    def serve(self) -> None:
        texts = self.asked()["input"]
        self.answer({"embeddings": [[text.casefold().count(chr(97 + n)) + 0.1 for n in range(26)] for text in texts]})


def free_port() -> int:
    with socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """Those of a store that was made with an embedder that answers no longer."""
    port = free_port()
    made = Settings(embedder="ollama", reranker="none", ollama_base_url=f"http://127.0.0.1:{port}", embed_concurrency=1)
    with (
        running(ThreadingHTTPServer(("127.0.0.1", port), Vectors)),
        open_engine(made, tmp_path, create=True) as engine,
    ):
        put(engine)
        assert engine.ask(QUESTION, receipt=False).degraded == ()
    yield made


def test_an_embedder_that_does_not_answer_ends_no_question(settings: Settings, tmp_path: Path) -> None:
    with open_engine(settings, tmp_path) as engine:
        answer = engine.ask(QUESTION)
        found = engine.search(QUESTION)
    assert answer.degraded == found.trace.degraded == (EMBEDDER_SILENT,)
    assert "does not answer" in answer.notices[0]
    assert "roof" in answer.summary
    assert found.evidence[0].chunk.source_id == "a.pdf"
    assert found.evidence[0].scores.vec is None


def test_an_embedder_that_answers_again_is_used_again(settings: Settings, tmp_path: Path) -> None:
    port = int(settings.ollama_base_url.rpartition(":")[2])
    with open_engine(settings, tmp_path) as engine:
        first = engine.ask(QUESTION)
        with running(ThreadingHTTPServer(("127.0.0.1", port), Vectors)):
            second = engine.ask(QUESTION)
            third = engine.ask(QUESTION)
        fourth = engine.ask("Who clears the roof?")
    assert [bool(answer.degraded) for answer in (first, second, third, fourth)] == [True, False, False, True]
    assert [is_cached(answer) for answer in (first, second, third, fourth)] == [False, False, True, False]
    assert second.evidence[0].scores.vec is not None


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"embeddings": None},
        {"embeddings": [[1.0, 0.0]]},
        {"embeddings": [["a", "b"]]},
        {"embeddings": [[float("nan")] * 26]},
        {"embeddings": [[1.0] * 26, [1.0] * 26]},
        {"error": "model not found"},
        [1],
    ],
    ids=str,
)
def test_an_embedder_that_answers_something_else_ends_no_question(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: Any
) -> None:
    port = int(settings.ollama_base_url.rpartition(":")[2])
    with running(ThreadingHTTPServer(("127.0.0.1", port), Vectors)), open_engine(settings, tmp_path) as engine:
        engine.ask("Who clears the roof?", receipt=False)
        monkeypatch.setattr(Vectors, "serve", lambda service: service.answer(body))
        answer = engine.ask(QUESTION)
    assert answer.degraded == (EMBEDDER_SILENT,)
    assert "the embedding service sent" in answer.notices[0]
    assert "roof" in answer.summary


@pytest.mark.parametrize("from_hits", [False, True])
def test_a_replay_repeats_what_was_done_without_an_embedder(
    settings: Settings, tmp_path: Path, *, from_hits: bool
) -> None:
    port = int(settings.ollama_base_url.rpartition(":")[2])
    with open_engine(settings, tmp_path) as engine:
        answer = engine.ask(QUESTION)
        assert engine.session().audit.replay(answer.trace_id, from_hits=from_hits).same
        with running(ThreadingHTTPServer(("127.0.0.1", port), Vectors)):
            assert engine.session().audit.replay(answer.trace_id, from_hits=from_hits).same


def test_a_question_waits_but_once_for_an_embedder_that_does_not_answer(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = int(settings.ollama_base_url.rpartition(":")[2])
    waited = []

    def fail(service: Vectors) -> None:
        waited.append(service.asked()["input"])
        service.answer({"error": "out of memory"}, 500)

    with running(ThreadingHTTPServer(("127.0.0.1", port), Vectors)), open_engine(settings, tmp_path) as engine:
        engine.index_documents([(source("Roofs_2024.md"), document("Snow lies on the roofs.", title="Roofs 2024"))])
        engine.ask("Who clears the roof?", receipt=False)
        monkeypatch.setattr(Vectors, "serve", fail)
        answer = engine.ask("Does snow lie on the roof, as Roofs 2024 says?")
    assert len(waited) == 1
    assert answer.degraded == (EMBEDDER_SILENT,)


def test_nothing_is_indexed_without_the_embedder_of_the_store(settings: Settings, tmp_path: Path) -> None:
    with open_engine(settings, tmp_path) as engine, pytest.raises(ServiceError, match="does not answer"):
        engine.index_documents([(source("c.pdf"), document("Rain falls."))])


def test_another_embedder_than_that_of_the_store_is_still_refused(settings: Settings, tmp_path: Path) -> None:
    with (
        open_engine(replace(settings, embedder="none"), tmp_path) as engine,
        pytest.raises(StoreError, match="was made with the model"),
    ):
        engine.ask(QUESTION)
