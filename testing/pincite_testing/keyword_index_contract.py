"""The contract of a KeywordIndex (needs pytest).

Subclass `KeywordIndexContract` as a class whose name starts with `Test`, and let `make` give an empty index.
Sets, order and filters are checked against plain counting; scores are compared within the one engine alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from pincite.errors import ClosedError
from pincite.ports import KeywordField, KeywordIndex, Ranked

Documents = list[Mapping[KeywordField, Sequence[str]]]
WORDS = [f"w{number}" for number in range(30)]


def sample_documents(seed: int, count: int = 80) -> Documents:
    """Seeded chunks of 0 to 25 words, rare and common ones, every third below a heading."""
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, len(WORDS) + 1)
    made: Documents = []
    for number in range(count):
        words = random.choice(WORDS, size=random.integers(0, 26), p=weights / weights.sum()).tolist()
        heading = random.choice(WORDS, size=2).tolist() if number % 3 == 0 else []
        made.append({"body": words, "context": words + heading})
    return made


def holders(documents: Documents, tokens: Sequence[str]) -> set[int]:
    """The ordinals of the chunks whose bodies hold one of these tokens."""
    wanted = set(tokens)
    return {ordinal for ordinal, document in enumerate(documents) if wanted & set(document["body"])}


def ordinals(ranked: Ranked) -> list[int]:
    """The ordinals of a ranking."""
    return [ordinal for ordinal, _ in ranked]


def bodies(*texts: str) -> Documents:
    """Chunks with these words as their bodies."""
    return [{"body": text.split()} for text in texts]


class KeywordIndexContract(ABC):
    """What every KeywordIndex keeps."""

    @abstractmethod
    def make(self, folder: Path) -> KeywordIndex:
        """An empty index; `folder` is its own and does not exist yet."""

    @pytest.fixture
    def index(self, tmp_path: Path) -> Iterator[KeywordIndex]:
        """An empty index, closed after the test."""
        index = self.make(tmp_path / "keywords")
        yield index
        index.close()

    @pytest.fixture(params=range(4))
    def filled(self, index: KeywordIndex, request: pytest.FixtureRequest) -> tuple[KeywordIndex, Documents]:
        """The index with seeded chunks, and the chunks."""
        documents = sample_documents(request.param)
        index.replace(documents)
        return index, documents

    def test_an_empty_index_finds_nothing(self, index: KeywordIndex) -> None:
        """Before the first replace, and after a replace with no chunks."""
        assert index.search(["snow"], 5) == []
        index.replace([])
        assert index.search(["snow"], 5) == []
        assert index.scores(["snow"], []).tolist() == []

    def test_no_words_find_nothing(self, filled: tuple[KeywordIndex, Documents]) -> None:
        """Neither an empty query, nor words that stand nowhere, nor a limit of zero."""
        index, _ = filled
        assert index.search([], 5) == []
        assert index.search(["nowhere"], 5) == []
        assert index.search(["w0"], 0) == []
        assert index.scores([], [0, 1]).tolist() == [0.0, 0.0]

    @pytest.mark.parametrize("tokens", [["w0"], ["w3", "w29"], ["w0", "w1", "w2", "nowhere"], ["w5", "w5"]])
    def test_all_chunks_that_hold_a_word_are_found(
        self, filled: tuple[KeywordIndex, Documents], tokens: list[str]
    ) -> None:
        """In either field, and none besides; all with a score above 0."""
        index, documents = filled
        found = index.search(tokens, len(documents))
        assert len(found) == len(set(ordinals(found)))
        assert set(ordinals(found)) == holders(documents, tokens)
        assert all(score > 0 for _, score in found)

    def test_the_order_is_by_rounded_score_then_ordinal(self, filled: tuple[KeywordIndex, Documents]) -> None:
        """A shorter list is the head of a longer one."""
        index, documents = filled
        found = index.search(["w0", "w2", "w7"], len(documents))
        assert found == sorted(found, key=lambda hit: (-round(hit[1], 6), hit[0]))
        for limit in (1, 3, 10):
            assert ordinals(index.search(["w0", "w2", "w7"], limit)) == ordinals(found)[:limit]

    @pytest.mark.parametrize("limit", [1, 5, 39])
    def test_of_chunks_that_tie_the_lowest_ordinals_are_kept(self, index: KeywordIndex, limit: int) -> None:
        """Also where many more tie than are asked for."""
        index.replace(bodies(*["snow load"] * 40))
        assert ordinals(index.search(["snow"], limit)) == list(range(limit))

    def test_scores_are_those_of_the_search(self, filled: tuple[KeywordIndex, Documents]) -> None:
        """In the order asked for, repeated ordinals too; 0 where no word matches."""
        index, documents = filled
        found = dict(index.search(["w1", "w4"], len(documents)))
        asked = [*reversed(range(len(documents))), 0, 0]
        expected = [found.get(ordinal, 0.0) for ordinal in asked]
        assert index.scores(["w1", "w4"], asked).tolist() == pytest.approx(expected, abs=1e-5)

    @pytest.mark.parametrize("visible", [0, 1, 20, 80])
    def test_only_allowed_chunks_are_found_with_unchanged_scores(
        self, filled: tuple[KeywordIndex, Documents], visible: int
    ) -> None:
        """A filter hides chunks; it does not change what words weigh."""
        index, documents = filled
        allowed = np.zeros(len(documents), dtype=np.bool_)
        allowed[np.random.default_rng(visible).permutation(len(documents))[:visible]] = True
        everything = index.search(["w0", "w6"], len(documents))
        expected = [hit for hit in everything if allowed[hit[0]]]
        for limit in (3, len(documents)):
            found = index.search(["w0", "w6"], limit, allowed)
            assert ordinals(found) == ordinals(expected)[:limit]
            assert [score for _, score in found] == pytest.approx([score for _, score in expected][:limit], abs=1e-5)

    @pytest.mark.parametrize("visible", [0, 1, 20, 80])
    def test_who_sees_some_chunks_finds_them_as_in_an_index_of_these_alone(
        self, filled: tuple[KeywordIndex, Documents], visible: int, tmp_path: Path
    ) -> None:
        """No word of the others weighs, nor does their length."""
        index, documents = filled
        seen = np.zeros(len(documents), dtype=np.bool_)
        seen[np.random.default_rng(visible).permutation(len(documents))[:visible]] = True
        alone, narrowed, numbers = self.make(tmp_path / "alone"), index.seen(seen), np.flatnonzero(seen).tolist()
        alone.replace([documents[number] for number in numbers])
        for tokens in (["w0", "w6"], ["w1", "w1", "w28"], ["nowhere"]):
            expected = [(numbers[ordinal], score) for ordinal, score in alone.search(tokens, 80)]
            assert narrowed.search(tokens, 80) == expected
            assert narrowed.scores(tokens, numbers).tolist() == alone.scores(tokens, range(len(numbers))).tolist()
        alone.close()

    def test_what_is_seen_of_an_index_is_closed_with_it(self, filled: tuple[KeywordIndex, Documents]) -> None:
        """Whoever asks it afterwards is told."""
        index, documents = filled
        narrowed = index.seen(np.ones(len(documents), dtype=np.bool_))
        index.close()
        with pytest.raises(ClosedError, match="was closed"):
            narrowed.search(["w0"], 5)

    def test_a_rare_word_weighs_more_than_a_common_one(self, index: KeywordIndex) -> None:
        """Inverse document frequency."""
        index.replace(bodies("snow load", "wind load", "fire load", "snow snow", "wind wind", "wind fire"))
        assert index.scores(["snow"], [0])[0] > index.scores(["load"], [0])[0] > 0

    def test_more_occurrences_and_shorter_chunks_score_higher(self, index: KeywordIndex) -> None:
        """Saturation of frequency, normalisation of length."""
        index.replace(bodies("snow a b c", "snow snow b c", "snow b", "d e f g"))
        once, twice, short, never = index.scores(["snow"], [0, 1, 2, 3]).tolist()
        assert min(twice, short) > once > never == 0

    def test_the_words_of_headings_are_found_in_the_context_alone(self, index: KeywordIndex) -> None:
        """Each field is searched for itself."""
        index.replace(
            [
                {"body": ["roof", "load"], "context": ["snow", "roof", "load"]},
                {"body": ["snow", "load"], "context": ["snow", "snow", "load"]},
                {"body": ["wind"], "context": ["wind", "wind"]},
            ]
        )
        assert ordinals(index.search(["snow"], 10)) == [1]
        assert ordinals(index.search(["snow"], 10, field="context")) == [1, 0]
        assert index.scores(["snow"], [0])[0] == 0 < index.scores(["snow"], [0], field="context")[0]

    def test_statistics_count_live_chunks_only(self, index: KeywordIndex, tmp_path: Path) -> None:
        """After a replace, scores are those of an index that never held anything else."""
        documents = sample_documents(8)
        index.replace(sample_documents(9, 200))
        index.replace(documents)
        fresh = self.make(tmp_path / "fresh")
        fresh.replace(documents)
        assert index.search(["w0", "w9"], 80) == fresh.search(["w0", "w9"], 80)
        fresh.close()

    def test_a_closed_index_says_so_and_never_that_it_found_nothing(
        self, filled: tuple[KeywordIndex, Documents]
    ) -> None:
        """Closing it twice does no harm."""
        index, _ = filled
        index.close()
        with pytest.raises(ClosedError, match="was closed"):
            index.search(["w0"], 5)
        with pytest.raises(ClosedError, match="was closed"):
            index.scores(["w0"], [0])

    @pytest.mark.parametrize("token", ["5.2(3)p", "Ψ0", "a-b", "AND", "+snow", "*", '"', "C:\\x", "日本", "body:snow"])
    def test_tokens_are_taken_as_they_are(self, index: KeywordIndex, token: str) -> None:
        """No stemming, no folding of case, no query language."""
        index.replace([{"body": ["snow", "loads"]}, {"body": [token, "b"]}, {"body": [token.swapcase() + "x"]}])
        assert ordinals(index.search([token], 10)) == [1]
        assert index.search(["load"], 10) == []
        assert index.search(["Snow"], 10) == []
