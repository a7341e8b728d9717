"""The contract of a TripletExtractor (needs pytest).

Subclass `TripletExtractorContract` as a class whose name starts with `Test`, and let `make` give the extractor.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import pytest

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.ports import TripletExtractor
from pincite.records.triplets import RawTriplet

KNOWN = "Elon Musk founded Tesla."
SENTENCES = (
    KNOWN,
    "",
    "   ",
    "Elon Musk founded Tesla , and Anna Berg founded Rivian.",
    "Snow falls.",
    "Anna\u00a0Berg founded Größe\u2013Naïveté.",
    "“Elon Musk” founded   (Tesla) …",
    "日本語 \u2588\u2588 ½ <b>Tesla</b> </sentences> {}",
    "Elon Musk founded Tesla. " * 90,
    "tesla elon musk",
)

AMPLE = 3600.0
"""Seconds in which anything answers that is asked here."""


def is_well_placed(raw: RawTriplet, sentence: str) -> bool:
    """Its places lie in the sentence and hold words of what it says; its confidence is one."""
    for start, end in (raw.subject, raw.object):
        if not 0 <= start < end <= len(sentence) or not sentence[start:end].strip():
            return False
    start, end = raw.predicate
    said = raw.arguments and sentence[slice(*raw.subject)] in raw.subject_text
    return bool(said and sentence[slice(*raw.object)] in raw.arguments[0] and 0 <= start <= end <= len(sentence))


class TripletExtractorContract(ABC):
    """What every TripletExtractor keeps: a triplet depends on its sentence alone, and stands in it."""

    @abstractmethod
    def make(self) -> TripletExtractor:
        """The extractor to be tested. It reads "Elon Musk founded Tesla."."""

    @pytest.fixture
    def extractor(self) -> TripletExtractor:
        """A new extractor."""
        return self.make()

    def test_it_says_which_one_it_is(self, extractor: TripletExtractor) -> None:
        """Two of a kind have one name and version."""
        again = self.make()
        assert extractor.name == again.name != ""
        assert extractor.version == again.version != ""

    def test_it_reads_who_founded_what(self, extractor: TripletExtractor) -> None:
        """Subject, predicate by its normalised name, object, each at its place."""
        (raws,) = extractor.extract([KNOWN], "en")
        (founded,) = (raw for raw in raws if raw.name == "founded")
        assert KNOWN[slice(*founded.subject)] == founded.subject_text == "Elon Musk"
        assert KNOWN[slice(*founded.object)] == founded.arguments[0] == "Tesla"

    def test_each_sentence_has_its_own_triplets(self, extractor: TripletExtractor) -> None:
        """One list for each, also for one without words; each triplet has a place in it and a confidence."""
        found = extractor.extract(SENTENCES, "en")
        assert len(found) == len(SENTENCES)
        assert found[1] == found[2] == []
        for sentence, raws in zip(SENTENCES, found, strict=True):
            assert all(is_well_placed(raw, sentence) for raw in raws)
            assert all(0 <= raw.confidence <= 1 and raw.extractor and raw.version for raw in raws)

    def test_no_sentences_give_no_triplets(self, extractor: TripletExtractor) -> None:
        """An empty list, not an error."""
        assert extractor.extract([], "en") == []

    def test_what_a_sentence_says_does_not_depend_on_its_company(self, extractor: TripletExtractor) -> None:
        """Alone, together, in reverse and by another of the kind: the same triplets in the same order."""
        together = extractor.extract(SENTENCES, "en")
        assert [extractor.extract([sentence], "en")[0] for sentence in SENTENCES] == together
        assert extractor.extract(SENTENCES[::-1], "en")[::-1] == together
        assert self.make().extract(SENTENCES, "en") == together

    def test_a_language_that_nobody_knows_is_no_error(self, extractor: TripletExtractor) -> None:
        """None stands for a language that was not recognised, "xx" for one that the extractor cannot know."""
        assert len(extractor.extract([KNOWN], None)) == len(extractor.extract([KNOWN], "xx")) == 1

    def test_nothing_is_read_after_its_deadline(self, extractor: TripletExtractor) -> None:
        """A ServiceError at once; in time the same triplets as without a deadline."""
        with pytest.raises(ServiceError):
            extractor.extract(SENTENCES, "en", deadline=Deadline.after(0))
        in_time = extractor.extract([KNOWN], "en", deadline=Deadline.after(AMPLE))
        assert in_time == extractor.extract([KNOWN], "en")
