"""Every KeywordIndex keeps its contract: the memory version and tantivy."""

from __future__ import annotations

import math
import time
from pathlib import Path

import pytest

from pincite.ports import KeywordIndex
from pincite.store.tantivy_keywords import TantivyKeywords
from pincite.testing.keyword_index_contract import KeywordIndexContract, bodies, sample_documents
from pincite.testing.memory_keywords import MemoryKeywords


class TestMemoryKeywords(KeywordIndexContract):
    def make(self, folder: Path) -> KeywordIndex:
        return MemoryKeywords()


class TestTantivyKeywords(KeywordIndexContract):
    def make(self, folder: Path) -> KeywordIndex:
        return TantivyKeywords(folder)

    def test_it_is_the_same_when_opened_again(self, tmp_path: Path) -> None:
        written = TantivyKeywords(tmp_path / "keywords")
        written.replace(sample_documents(3))
        expected = written.search(["w0", "w5"], 20)
        written.close()
        again = TantivyKeywords(tmp_path / "keywords")
        assert again.search(["w0", "w5"], 20) == expected
        assert len(expected) == 20
        again.close()

    def test_an_open_index_writes_nothing_into_its_folder(self, tmp_path: Path) -> None:
        folder = tmp_path / "keywords"
        index = TantivyKeywords(folder)
        index.replace(sample_documents(3))
        (folder / ".tantivy-meta.lock").unlink()
        meta = folder / "meta.json"
        meta.write_text(meta.read_text() + " ")
        before = sorted(folder.iterdir())
        time.sleep(1.2)
        assert sorted(folder.iterdir()) == before
        index.close()

    def test_its_scores_are_exact_bm25_for_short_chunks(self, tmp_path: Path) -> None:
        documents = sample_documents(5)
        index, oracle = TantivyKeywords(tmp_path / "keywords"), MemoryKeywords()
        for held in (index, oracle):
            held.replace(documents)
        tokens, everyone = ["w0", "w2", "w2", "w11"], range(len(documents))
        expected = oracle.scores(tokens, everyone).tolist()
        assert max(expected) > 1
        assert index.scores(tokens, everyone).tolist() == pytest.approx(expected, rel=1e-4)
        index.close()


def test_the_oracle_scores_two_chunks_as_computed_by_hand() -> None:
    index = MemoryKeywords()
    index.replace(bodies("snow load snow", "wind"))
    idf = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert index.search(["snow"], 5) == [(0, pytest.approx(expected))]
