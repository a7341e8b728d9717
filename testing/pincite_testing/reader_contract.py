"""The contract of a Reader (needs pytest).

Subclass `ReaderContract` as a class whose name starts with `Test`, and let `make` give the reader.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import pytest

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.ports import Readable, Reader

QUESTION = "How deep must the foundation be?"
ANSWER = Readable("Building rules > Foundations", ("The foundation must be at least 1.2 m deep.", "Doors are painted."))
TEXTS = (
    ANSWER,
    Readable("Seas", ("The deep sea is home to many fish.",)),
    Readable("", ("",)),
    Readable("A path", ("   ", "Wind")),
    Readable("Doors " * 90, ("The fire door stays closed. " * 150, "It is never read so far.")),
    Readable("Größe", ("naïveté, 日本語", "\u2588\u2588, ½")),
    Readable("Table 3 | Posts", ("Post: A |", "Depth: 1.2 m |", "Mass: 40 kg |")),
)
AMPLE = 3600.0
"""Seconds in which anything answers that is asked here."""


class ReaderContract(ABC):
    """What every Reader keeps: what it says of a text depends on the question, that text and the model alone."""

    @abstractmethod
    def make(self) -> Reader:
        """The reader to be tested."""

    @pytest.fixture
    def reader(self) -> Reader:
        """A new reader."""
        return self.make()

    def test_it_says_which_model_it_is(self, reader: Reader) -> None:
        """Two readers of one model have one digest."""
        assert reader.name
        assert reader.digest == self.make().digest != ""

    def test_it_knows_the_script_of_english(self, reader: Reader) -> None:
        """Of others it may say that it does not."""
        assert reader.knows(QUESTION)

    def test_each_text_has_a_reading(self, reader: Reader) -> None:
        """Finite relevance, and evidence for each part, for empty, strange and very long texts too."""
        readings = reader.read(QUESTION, TEXTS)
        assert [len(reading.evidence) for reading in readings] == [len(text.parts) for text in TEXTS]
        assert all(math.isfinite(reading.relevance) for reading in readings)
        assert not any(math.isnan(logit) for reading in readings for logit in reading.evidence)

    def test_no_texts_give_no_readings(self, reader: Reader) -> None:
        """An empty list, not an error."""
        assert reader.read(QUESTION, []) == []

    def test_any_question_may_be_asked(self, reader: Reader) -> None:
        """An empty one, and one longer than any window."""
        for question in ("", "How deep? " * 400):
            assert all(math.isfinite(reading.relevance) for reading in reader.read(question, TEXTS[:2]))

    def test_a_reading_does_not_depend_on_its_company(self, reader: Reader) -> None:
        """Alone, in reverse, twice in one call and by another reader of the same model: the same bits."""
        together = reader.read(QUESTION, TEXTS)
        assert [reader.read(QUESTION, [text])[0] for text in TEXTS] == together
        assert reader.read(QUESTION, TEXTS[::-1])[::-1] == together
        assert reader.read(QUESTION, [*TEXTS, *TEXTS])[: len(TEXTS)] == together
        assert self.make().read(QUESTION, TEXTS) == together

    def test_the_text_that_answers_is_the_most_relevant(self, reader: Reader) -> None:
        """Higher means that it answers better."""
        relevance = [reading.relevance for reading in reader.read(QUESTION, TEXTS)]
        assert relevance.index(max(relevance)) == TEXTS.index(ANSWER)

    def test_nothing_is_read_after_its_deadline(self, reader: Reader) -> None:
        """A ServiceError at once; in time the same as without a deadline."""
        with pytest.raises(ServiceError):
            reader.read(QUESTION, TEXTS, deadline=Deadline.after(0))
        in_time = reader.read(QUESTION, TEXTS[:2], deadline=Deadline.after(AMPLE))
        assert in_time == reader.read(QUESTION, TEXTS[:2])
