"""Every KeywordIndex keeps its contract: the memory version and that of the store."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from pincite.ports import KeywordIndex
from pincite.store.bm25_keywords import Bm25Keywords
from pincite_testing.keyword_index_contract import KeywordIndexContract, bodies, sample_documents
from pincite_testing.memory_keywords import MemoryKeywords


class TestMemoryKeywords(KeywordIndexContract):
    def make(self, folder: Path) -> KeywordIndex:
        return MemoryKeywords()


class TestBm25Keywords(KeywordIndexContract):
    def make(self, folder: Path) -> KeywordIndex:
        return Bm25Keywords(folder)

    def test_it_is_the_same_when_opened_again(self, tmp_path: Path) -> None:
        written = Bm25Keywords(tmp_path / "keywords")
        written.replace(sample_documents(3))
        expected = written.search(["w0", "w5"], 20)
        written.close()
        again = Bm25Keywords(tmp_path / "keywords")
        assert again.search(["w0", "w5"], 20) == expected
        assert len(expected) == 20
        again.close()

    def test_each_of_many_chunks_is_found_by_a_word_of_its_own(self, tmp_path: Path) -> None:
        count = 50_000
        index = Bm25Keywords(tmp_path / "keywords")
        index.replace({"body": [f"w{number}"], "context": [f"w{number}"]} for number in range(count))
        for number in (0, 1, count // 2, count - 1):
            assert [ordinal for ordinal, _ in index.search([f"w{number}"], 5)] == [number]
        index.close()

    def test_its_scores_are_exact_bm25(self, tmp_path: Path) -> None:
        documents = sample_documents(5)
        index, oracle = Bm25Keywords(tmp_path / "keywords"), MemoryKeywords()
        for held in (index, oracle):
            held.replace(documents)
        tokens, everyone = ["w0", "w2", "w2", "w11"], range(len(documents))
        expected = oracle.scores(tokens, everyone).tolist()
        assert max(expected) > 1
        assert index.scores(tokens, everyone).tolist() == pytest.approx(expected, abs=1e-6)
        index.close()


def test_the_oracle_scores_two_chunks_as_computed_by_hand() -> None:
    index = MemoryKeywords()
    index.replace(bodies("snow load snow", "wind"))
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert index.search(["snow"], 5) == [(0, pytest.approx(expected))]
