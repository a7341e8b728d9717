"""What chunks say of two of their entities, as arrays: which chunk says it, of which two, under which label."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.graph.tokens import NUMBERS_AT_ONCE, Ragged

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]


class NamesTold(NamedTuple):
    """A triplet in normal names, each end by those that it may be taken for, the best first; how sure it is, and the
    normalised predicate ("invested_in"), empty where none is known."""

    subject: Sequence[str]
    object: Sequence[str]
    confidence: float
    label: str = ""


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
    def of(
        cls,
        starts: NDArray[np.int64],
        ends: tuple[Ints, Ints],
        weights: Floats,
        labels: tuple[Ints, Sequence[str]],
        entities: int,
    ) -> Triplets:
        """From where those of each chunk begin, their subjects and objects, how sure each is, the number of the label
        of each with the names that are numbered, and how many entities there are."""
        numbers, known = labels
        used = sorted(np.unique(numbers).tolist(), key=known.__getitem__)
        ranks = np.zeros(len(known), np.int32)
        ranks[used] = np.arange(len(used))
        encoded = [known[number].encode() for number in used]
        ending, ending_starts = _by_end(*ends, entities)
        return cls(
            starts=starts,
            subjects=ends[0],
            objects=ends[1],
            weights=weights,
            labels=ranks[numbers],
            names=np.frombuffer(b"".join(encoded), np.uint8),
            name_ends=np.cumsum([len(label) for label in encoded], dtype=np.int64),
            ending=ending,
            ending_starts=ending_starts,
        )

    @classmethod
    def none(cls, chunks: int, entities: int) -> Triplets:
        """Those of so many chunks that say nothing of so many entities."""
        nothing = np.empty(0, np.int32)
        starts = np.zeros(chunks + 1, np.int64)
        return cls.of(starts, (nothing, nothing), np.empty(0, np.float32), (nothing, ()), entities)

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


class ToldNames:
    """What chunks say of two names, taken in chunk by chunk; names are numbers."""

    def __init__(self) -> None:
        self._counts = array("i")
        self._ends = Ragged()
        self._confidences = array("d")
        self._labels: dict[str, int] = {}
        self._label = array("i")

    def add(self, told: Sequence[NamesTold], number: Callable[[str], int]) -> None:
        """Take in what the next chunk says."""
        self._counts.append(len(told))
        for item in told:
            self._ends.add(map(number, item.subject))
            self._ends.add(map(number, item.object))
            self._confidences.append(item.confidence)
            self._label.append(self._labels.setdefault(item.label, len(self._labels)))

    def between(self, named: NDArray[np.int64], entity: Ints, entities: int) -> Triplets:
        """The triplets whose ends a chunk names, two different ones. `named`, ascending, holds ordinal times the count
        of all names plus a name for each name of a chunk; `entity` is that of each name, of which there are so many."""
        chunks = np.repeat(np.arange(len(self._counts)), np.asarray(self._counts))
        found = np.full(len(self._ends), -1, np.int32)
        for first, names, sizes in self._ends.parts(NUMBERS_AT_ONCE):
            owners = np.repeat(np.arange(first, first + len(sizes)), sizes)
            is_here = _among(named, chunks[owners // 2] * len(entity) + names)
            rows, places = np.unique(owners[is_here], return_index=True)
            found[rows] = entity[names[is_here][places]]
        subjects, objects = found[0::2], found[1::2]
        is_told = (subjects >= 0) & (objects >= 0) & (subjects != objects)
        counts = np.bincount(chunks[is_told], minlength=len(self._counts))
        return Triplets.of(
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            (subjects[is_told], objects[is_told]),
            np.asarray(self._confidences)[is_told].astype(np.float32),
            (np.asarray(self._label)[is_told], list(self._labels)),
            entities,
        )


def _among(held: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of the wanted numbers are among the held ones, which ascend."""
    places = np.searchsorted(held, wanted)
    is_inside = places < len(held)
    is_inside[is_inside] = held[places[is_inside]] == wanted[is_inside]
    return is_inside


def places_of(
    starts: NDArray[np.int64], nodes: NDArray[np.int64], limit: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the entries of these nodes stand in compressed rows, at most `limit` each: index into `nodes`, place."""
    counts = starts[nodes + 1] - starts[nodes]
    return _first_places(starts[nodes], counts if limit is None else np.minimum(counts, limit))


def _first_places(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    owners = np.repeat(np.arange(len(starts)), counts)
    return owners, np.arange(len(owners)) + np.repeat(starts - np.cumsum(counts) + counts, counts)
