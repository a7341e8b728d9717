"""What chunks say of two of their entities, as arrays: which chunk says it, of which two, under which label."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


class NamesTold(NamedTuple):
    """A triplet in normal names, each end by those that it may be taken for, the best first; how sure it is, and the
    normalised predicate ("invested_in"), empty where none is known."""

    subject: Sequence[str]
    object: Sequence[str]
    confidence: float
    label: str = ""


class Between(NamedTuple):
    """A triplet between two entities, by their numbers."""

    subject: int
    object: int
    confidence: float
    label: str


@dataclass(frozen=True, slots=True)
class Triplets:
    """What chunks say of two of their entities, in compressed rows: for those of chunk i, at `starts[i]` to
    `starts[i + 1]`, subject, object and confidence, and in `labels` the number of the predicate.

    `names` is all predicates as UTF-8, ascending, cut by `name_ends`. The triplets of entity i, as their subject or
    object, are `ending[ending_starts[i] : ending_starts[i + 1]]`, ascending.
    """

    starts: NDArray[np.int64]
    subjects: Ints
    objects: Ints
    weights: Floats
    labels: Ints
    names: NDArray[np.uint8]
    name_ends: NDArray[np.int64]
    ending: NDArray[np.int64]
    ending_starts: NDArray[np.int64]

    @classmethod
    def of(cls, told: Sequence[Sequence[Between]], entities: int) -> Triplets:
        """From what each chunk says, in ascending order of ordinal, of so many entities."""
        found = list(chain.from_iterable(told))
        subjects = np.array([item.subject for item in found], np.int32)
        objects = np.array([item.object for item in found], np.int32)
        labels = sorted({item.label for item in found})
        number = {label: index for index, label in enumerate(labels)}
        ending, ending_starts = _by_end(subjects, objects, entities)
        encoded = [label.encode() for label in labels]
        return cls(
            starts=np.cumsum([0, *map(len, told)], dtype=np.int64),
            subjects=subjects,
            objects=objects,
            weights=np.array([item.confidence for item in found], np.float32),
            labels=np.array([number[item.label] for item in found], np.int32),
            names=np.frombuffer(b"".join(encoded), np.uint8),
            name_ends=np.cumsum([len(label) for label in encoded], dtype=np.int64),
            ending=ending,
            ending_starts=ending_starts,
        )

    def seen(self, allowed: NDArray[np.bool_]) -> Triplets:
        """What these chunks say, as if there were no others."""
        counts = np.diff(self.starts)
        kept = np.repeat(allowed, counts)
        subjects, objects = self.subjects[kept], self.objects[kept]
        ending, ending_starts = _by_end(subjects, objects, len(self.ending_starts) - 1)
        return replace(
            self,
            starts=np.concatenate([[0], np.cumsum(np.where(allowed, counts, 0))]).astype(np.int64),
            subjects=subjects,
            objects=objects,
            weights=self.weights[kept],
            labels=self.labels[kept],
            ending=ending,
            ending_starts=ending_starts,
        )

    def of_chunks(self, chunks: NDArray[np.int64]) -> tuple[Ints, Ints, Floats]:
        """Subjects, objects and confidences of all triplets of these chunks."""
        places = places_of(self.starts, chunks)[1]
        return self.subjects[places], self.objects[places], self.weights[places]

    def of_entities(self, entities: NDArray[np.int64], limit: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The triplets of these entities, those of the first ones first, at most `limit` together: index into
        `entities`, number of the triplet."""
        counts = self.ending_starts[entities + 1] - self.ending_starts[entities]
        room = np.clip(limit - (np.cumsum(counts) - counts), 0, counts)
        owners, places = _first_places(self.ending_starts[entities], room)
        return owners, self.ending[places]

    def chunks_of(self, triplets: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ordinal of the chunk that says each of these."""
        return np.searchsorted(self.starts, triplets, side="right") - 1

    def label(self, number: int) -> str:
        """The predicate of this number."""
        start = int(self.name_ends[number - 1]) if number else 0
        return bytes(self.names[start : int(self.name_ends[number])]).decode()


def _by_end(subjects: Ints, objects: Ints, entities: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of triplets by their ends, and where those of each entity begin."""
    ends = np.concatenate([subjects, objects])
    places = np.tile(np.arange(len(subjects)), 2)
    starts = np.cumsum([0, *np.bincount(ends, minlength=entities)], dtype=np.int64)
    return places[np.lexsort((places, ends))].astype(np.int64), starts


def between(number: Mapping[str, int], told: Sequence[NamesTold], here: Container[str]) -> list[Between]:
    """The triplets whose ends a chunk names, two different ones."""
    ends = [
        (next(filter(here.__contains__, item.subject), None), next(filter(here.__contains__, item.object), None))
        for item in told
    ]
    return [
        Between(number[subject], number[target], item.confidence, item.label)
        for item, (subject, target) in zip(told, ends, strict=True)
        if subject is not None and target is not None and subject != target
    ]


def places_of(
    starts: NDArray[np.int64], nodes: NDArray[np.int64], limit: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the entries of these nodes stand in compressed rows, at most `limit` each: index into `nodes`, place."""
    counts = starts[nodes + 1] - starts[nodes]
    return _first_places(starts[nodes], counts if limit is None else np.minimum(counts, limit))


def _first_places(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    owners = np.repeat(np.arange(len(starts)), counts)
    return owners, np.arange(len(owners)) + np.repeat(starts - np.cumsum(counts) + counts, counts)
