"""The contract of a LateInteraction (needs pytest).

Subclass `LateInteractionContract` as a class whose name starts with `Test`, and let `make` give the model.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import pytest

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.ports import LateInteraction, TokenMatches
from pincite.testing.reranker_contract import AMPLE, ANSWER, QUESTION, TEXTS


class LateInteractionContract(ABC):
    """What every LateInteraction keeps: what it says of a text depends on text, question and model alone."""

    @abstractmethod
    def make(self) -> LateInteraction:
        """The model to be tested."""

    @pytest.fixture
    def model(self) -> LateInteraction:
        """A new model."""
        return self.make()

    def test_it_says_which_model_it_is(self, model: LateInteraction) -> None:
        """Two of one model have one digest."""
        assert model.name
        assert model.digest == self.make().digest != ""

    def test_each_token_has_its_place_and_its_cosines(self, model: LateInteraction) -> None:
        """For empty, strange and very long texts too; places ascend and lie inside the text."""
        found = model.matches(QUESTION, TEXTS)
        assert len(found) == len(TEXTS)
        for text, matches in zip(TEXTS, found, strict=True):
            assert matches.cosines.dtype == np.float32
            assert matches.cosines.shape[1] == len(matches.places)
            assert np.isfinite(matches.cosines).all()
            assert (np.abs(matches.cosines) <= 1.001).all()
            assert (np.diff(matches.places[:, 0]) >= 0).all()
            assert ((matches.places >= 0) & (matches.places <= len(text))).all()

    def test_the_words_of_a_text_are_its_tokens(self, model: LateInteraction) -> None:
        """A place gives back what stands there."""
        (matches,) = model.matches(QUESTION, ["Snow lies deep, very deep."])
        words = {"Snow lies deep, very deep."[start:end] for start, end in matches.places.tolist()}
        assert {"Snow", "lies", "deep", "very"} <= words
        assert not {",", "."} & words

    def test_no_texts_give_no_matches(self, model: LateInteraction) -> None:
        """An empty list, not an error."""
        assert model.matches(QUESTION, []) == []

    def test_any_question_may_be_asked(self, model: LateInteraction) -> None:
        """An empty one, and one longer than any window."""
        for question in ("", "How deep? " * 400):
            assert all(np.isfinite(found.score()) for found in model.matches(question, TEXTS[:2]))

    def test_matches_do_not_depend_on_their_company(self, model: LateInteraction) -> None:
        """Alone, in reverse, twice in one call and a second time: the same bits."""
        together = _bytes(model.matches(QUESTION, TEXTS))
        assert [_bytes(model.matches(QUESTION, [text]))[0] for text in TEXTS] == together
        assert _bytes(model.matches(QUESTION, TEXTS[::-1]))[::-1] == together
        assert _bytes(self.make().matches(QUESTION, [*TEXTS, *TEXTS])) == [*together, *together]

    def test_the_text_that_answers_is_the_nearest(self, model: LateInteraction) -> None:
        """Higher means nearer."""
        scores = [found.score() for found in model.matches(QUESTION, TEXTS)]
        assert int(np.argmax(scores)) == TEXTS.index(ANSWER)

    def test_nothing_is_read_after_its_deadline(self, model: LateInteraction) -> None:
        """A ServiceError at once; in time the same bits as without a deadline."""
        with pytest.raises(ServiceError):
            model.matches(QUESTION, TEXTS, deadline=Deadline.after(0))
        in_time = model.matches(QUESTION, TEXTS[:2], deadline=Deadline.after(AMPLE))
        assert _bytes(in_time) == _bytes(model.matches(QUESTION, TEXTS[:2]))


def _bytes(found: Sequence[TokenMatches]) -> list[bytes]:
    return [matches.cosines.tobytes() + matches.places.tobytes() for matches in found]
