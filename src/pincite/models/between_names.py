"""Triplets of rules, held against the names that a model has found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pincite.records.triplets import Place, RawTriplet


class FoundName(NamedTuple):
    """A name at `[start, end)` of a sentence, how sure the model is of it, and its kind."""

    start: int
    end: int
    score: float
    kind: str


def between_names(
    raws: Sequence[RawTriplet], names: Sequence[FoundName], extractor: str, version: str
) -> Iterator[RawTriplet]:
    """Those triplets whose subject and object contain different names; the confidence of each combines its rule's with
    the lower one of its two names."""
    for raw in raws:
        subject, target = _held(raw.subject, names), _held(raw.object, names)
        if subject is not None and target is not None and subject != target:
            confidence = round(raw.confidence * min(subject.score, target.score), 3)
            yield replace(raw, confidence=confidence, extractor=extractor, version=version)


def _held(place: Place, names: Sequence[FoundName]) -> FoundName | None:
    """The surest name in a place, the first of equals."""
    inside = [name for name in names if name.start < place[1] and place[0] < name.end]
    return max(inside, key=lambda name: (name.score, -name.start), default=None)
