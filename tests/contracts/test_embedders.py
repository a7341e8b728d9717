"""Every Embedder keeps its contract: the hashing one, and those that packages carry, on onnxruntime."""

from __future__ import annotations

from functools import lru_cache

import pytest

from pincite.models.breaker import Breaker, GuardedEmbedder
from pincite.models.onnx_encoder import OnnxEncoder
from pincite.models.weights import PACKAGED
from pincite.ports import Embedder
from pincite_testing.embedder_contract import EmbedderContract
from pincite_testing.hashing_embedder import HashingEmbedder


@lru_cache(maxsize=4)
def packaged(name: str, threads: int) -> Embedder:
    folder = PACKAGED[name].find()
    if folder is None:
        pytest.skip(f"the weights of {PACKAGED[name].name} are not installed (make test does it)")
    return OnnxEncoder.of_package(PACKAGED[name], folder, threads=threads)


class TestHashingEmbedder(EmbedderContract):
    def make(self) -> Embedder:
        return HashingEmbedder()

    def test_a_long_text_has_windows(self) -> None:
        (rows,) = HashingEmbedder(window=10).embed(["word " * 25])
        assert len(rows) == 3


class TestGuardedEmbedder(EmbedderContract):
    def make(self) -> Embedder:
        return GuardedEmbedder(HashingEmbedder(), Breaker("hashing", lambda _: None))


class OfPackage(EmbedderContract):
    name: str

    def make(self) -> Embedder:
        return packaged(self.name, 1)

    def test_threads_do_not_change_a_vector(self) -> None:
        texts = ["snow loads on roofs", "wind " * 300]
        one, two = packaged(self.name, 1).embed(texts), packaged(self.name, 2).embed(texts)
        assert [rows.tobytes() for rows in one] == [rows.tobytes() for rows in two]

    def test_its_digest_is_the_one_that_stores_know_it_by(self) -> None:
        assert self.make().digest == PACKAGED[self.name].digest


class TestOnnxEncoder(OfPackage):
    name = "bge"


class TestOnnxEncoderInBatches(OfPackage):
    name = "minilm"
