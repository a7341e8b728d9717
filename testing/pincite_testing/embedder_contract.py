"""The contract of an Embedder (needs pytest).

Subclass `EmbedderContract` as a class whose name starts with `Test`, and let `make` give the embedder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import pytest

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.ports import Embedder, Vector

TEXTS = (
    "Snow loads on roofs shall be determined for each design situation.",
    "snow",
    "",
    "   ",
    "The fire door stays closed. " * 150,
    "Größe, naïveté, 日本語, \u2588\u2588, ½",
    "Wind actions on bridges",
    "Snow loads on roofs shall not be determined for each design situation.",
)

AMPLE = 3600.0
"""Seconds in which anything answers that is asked here."""


def same_bits(first: Vector, second: Vector) -> bool:
    """Equal in shape and in every bit."""
    return first.shape == second.shape and first.tobytes() == second.tobytes()


class EmbedderContract(ABC):
    """What every Embedder keeps: a vector depends on its text and the model alone."""

    @abstractmethod
    def make(self) -> Embedder:
        """The embedder to be tested."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        """A new embedder."""
        return self.make()

    def test_it_says_which_model_it_is(self, embedder: Embedder) -> None:
        """Two embedders of one model have one digest."""
        assert embedder.name
        assert embedder.digest == self.make().digest != ""
        assert embedder.dimension > 0

    def test_each_text_has_unit_rows(self, embedder: Embedder) -> None:
        """float32 (windows, dimension), at least one window, an empty text exactly one."""
        arrays = embedder.embed(TEXTS)
        assert len(arrays) == len(TEXTS)
        assert len(arrays[2]) == 1
        for rows in arrays:
            assert rows.dtype == np.float32
            assert rows.shape[0] >= 1
            assert rows.shape[1] == embedder.dimension
            np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)

    def test_no_texts_give_no_arrays(self, embedder: Embedder) -> None:
        """An empty list, not an error."""
        assert embedder.embed([]) == []

    def test_a_vector_does_not_depend_on_its_batch(self, embedder: Embedder) -> None:
        """Alone, together, in reverse and a second time: the same bits."""
        together = embedder.embed(TEXTS)
        alone = [embedder.embed([text])[0] for text in TEXTS]
        reverse = embedder.embed(TEXTS[::-1])[::-1]
        again = self.make().embed(TEXTS)
        for other in (alone, reverse, again):
            assert all(same_bits(a, b) for a, b in zip(together, other, strict=True))

    def test_a_question_is_one_unit_vector(self, embedder: Embedder) -> None:
        """(dimension,), the same bits each time, also for an empty and for a very long question."""
        for text in TEXTS:
            query = embedder.embed_query(text)
            assert query.shape == (embedder.dimension,)
            assert query.dtype == np.float32
            assert float(np.linalg.norm(query)) == pytest.approx(1.0, abs=1e-5)
            assert same_bits(query, embedder.embed_query(text))

    def test_a_short_text_is_nearest_to_itself(self, embedder: Embedder) -> None:
        """Questions and texts share one space."""
        texts = [TEXTS[0], TEXTS[1], TEXTS[6]]
        rows = np.concatenate(embedder.embed(texts))
        for position, text in enumerate(texts):
            assert int(np.argmax(rows @ embedder.embed_query(text))) == position

    def test_nothing_is_embedded_after_its_deadline(self, embedder: Embedder) -> None:
        """A ServiceError at once, for texts and for a question; in time the same bits as without a deadline."""
        with pytest.raises(ServiceError):
            embedder.embed(TEXTS, deadline=Deadline.after(0))
        with pytest.raises(ServiceError):
            embedder.embed_query(TEXTS[0], deadline=Deadline.after(0))
        ample = Deadline.after(AMPLE)
        assert same_bits(embedder.embed_query(TEXTS[0], deadline=ample), embedder.embed_query(TEXTS[0]))
        assert same_bits(embedder.embed(TEXTS[:1], deadline=ample)[0], embedder.embed(TEXTS[:1])[0])
