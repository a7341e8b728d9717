"""The contract of a Reranker (needs pytest).

Subclass `RerankerContract` as a class whose name starts with `Test`, and let `make` give the reranker.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import pytest

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.ports import Reranker

QUESTION = "How deep must the foundation be?"
ANSWER = "The foundation must be at least 1.2 m deep."
TEXTS = (
    ANSWER,
    "The deep sea is home to many fish.",
    "",
    "   ",
    "The fire door stays closed. " * 150,
    "Größe, naïveté, 日本語, \u2588\u2588, ½",
    "5 > 5.2: Every foundation rests on firm ground. It is inspected before concrete is poured.",
    "Wind",
    "Foundations",
)

AMPLE = 3600.0
"""Seconds in which anything answers that is asked here."""


class RerankerContract(ABC):
    """What every Reranker keeps: a score depends on its question, its text and the model alone."""

    @abstractmethod
    def make(self) -> Reranker:
        """The reranker to be tested."""

    @pytest.fixture
    def reranker(self) -> Reranker:
        """A new reranker."""
        return self.make()

    def test_it_says_which_model_it_is(self, reranker: Reranker) -> None:
        """Two rerankers of one model have one digest."""
        assert reranker.name
        assert reranker.digest == self.make().digest != ""

    def test_each_text_has_a_score(self, reranker: Reranker) -> None:
        """float32 (texts,), finite, for empty, strange and very long texts too."""
        scores = reranker.scores(QUESTION, TEXTS)
        assert scores.shape == (len(TEXTS),)
        assert scores.dtype == np.float32
        assert np.isfinite(scores).all()

    def test_no_texts_give_no_scores(self, reranker: Reranker) -> None:
        """An empty array, not an error."""
        assert reranker.scores(QUESTION, []).shape == (0,)

    def test_any_question_may_be_asked(self, reranker: Reranker) -> None:
        """An empty one, and one longer than any window."""
        for question in ("", "How deep? " * 400):
            assert np.isfinite(reranker.scores(question, TEXTS[:2])).all()

    def test_a_score_does_not_depend_on_its_company(self, reranker: Reranker) -> None:
        """Alone, in reverse, beside half of the others, twice in one call and a second time: the same bits."""
        together = reranker.scores(QUESTION, TEXTS)
        alone = np.concatenate([reranker.scores(QUESTION, [text]) for text in TEXTS])
        reverse = reranker.scores(QUESTION, TEXTS[::-1])[::-1]
        again = self.make().scores(QUESTION, TEXTS)
        twice = reranker.scores(QUESTION, [*TEXTS, *TEXTS])
        for other in (alone, reverse, again, twice[: len(TEXTS)], twice[len(TEXTS) :]):
            assert other.tobytes() == together.tobytes()
        assert reranker.scores(QUESTION, TEXTS[::2]).tobytes() == together[::2].tobytes()

    def test_the_text_that_answers_is_the_best(self, reranker: Reranker) -> None:
        """Higher means that it answers better."""
        assert int(np.argmax(reranker.scores(QUESTION, TEXTS))) == TEXTS.index(ANSWER)

    def test_nothing_is_read_after_its_deadline(self, reranker: Reranker) -> None:
        """A ServiceError at once; in time the same bits as without a deadline."""
        with pytest.raises(ServiceError):
            reranker.scores(QUESTION, TEXTS, deadline=Deadline.after(0))
        in_time = reranker.scores(QUESTION, TEXTS[:2], deadline=Deadline.after(AMPLE))
        assert in_time.tobytes() == reranker.scores(QUESTION, TEXTS[:2]).tobytes()
