"""Compressed rows over all chunks: their keyword tokens (where titles stand, which chunk holds which), and what they
say of two of their entities."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pincite.text.tokens import hashes_of

NUMBERS_AT_ONCE = 2**20
"""What takes many bytes a number is done with so many at a time."""


class Ragged:
    """Rows of 32-bit numbers: row i is `values[starts[i] : starts[i + 1]]`. None is added once they are looked at."""

    def __init__(self) -> None:
        self._values = array("i")
        self._starts = array("q", [0])

    def add(self, row: Iterable[int]) -> None:
        """Add a row."""
        self._values.extend(row)
        self._starts.append(len(self._values))

    def __len__(self) -> int:
        return len(self._starts) - 1

    @property
    def values(self) -> NDArray[np.int32]:
        """All numbers."""
        return np.frombuffer(self._values, np.int32)

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each row begins, and where the last ends."""
        return np.frombuffer(self._starts, np.int64)

    def owners(self) -> NDArray[np.int64]:
        """The row of each number."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def parts(self, most: int) -> Iterator[tuple[int, NDArray[np.int32], NDArray[np.int64]]]:
        """The rows in groups of at most so many numbers, or of one row: the first row, its values and those of the
        rows behind it, and the sizes of these rows."""
        first, values, starts = 0, self.values, self.starts
        while first < len(self):
            end = max(first + 1, int(np.searchsorted(starts, starts[first] + most, side="right")) - 1)
            yield first, values[starts[first] : starts[end]], np.diff(starts[first : end + 1])
            first = end


LONGEST_TITLE = 8


class ChunkTokens:
    """The keyword tokens of all chunks as one array of numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._tokens = Ragged()

    def add(self, tokens: Sequence[str]) -> None:
        """Take in the tokens of the next chunk."""
        numbers = self._numbers
        self._tokens.add(numbers.setdefault(token, len(numbers)) for token in tokens)

    def titles(self, titles: Mapping[int, tuple[str, ...]], is_wanted: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
        """(ordinal, title) for each title of two to eight tokens that stand in a row in one of the wanted chunks;
        inside a longer title that was found there, shorter ones do not count."""
        wanted: dict[int, dict[tuple[int, ...], list[int]]] = {}
        for title, tokens in titles.items():
            if 2 <= len(tokens) <= LONGEST_TITLE and all(token in self._numbers for token in tokens):
                numbered = tuple(self._numbers[token] for token in tokens)
                wanted.setdefault(len(tokens), {}).setdefault(numbered, []).append(title)
        longest_first = [
            (length, wanted[length], _rolled(np.array(list(wanted[length])))) for length in sorted(wanted, reverse=True)
        ]
        for first, held, sizes in self._tokens.parts(NUMBERS_AT_ONCE) if wanted else ():
            of_block = np.repeat(np.arange(first, first + len(sizes)), sizes)
            is_here = is_wanted[of_block]
            ids, owners = held[is_here], of_block[is_here]
            taken = np.zeros(len(ids), bool)
            for length, named, hashes in longest_first:
                for place in _places(ids, owners, length, hashes):
                    found = named.get(tuple(ids[place : place + length].tolist()), ())
                    if found and not taken[place : place + length].all():
                        taken[place : place + length] = True
                        yield from ((int(owners[place]), title) for title in found)

    def arrays(self) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.uint64], NDArray[np.int32]]:
        """The hashes of each chunk's distinct tokens, ascending within a chunk, and where each chunk's begin; all
        hashes, ascending, and how often each stands among the former."""
        hashes = hashes_of(self._numbers)
        found, starts, times = array("Q"), [np.zeros(1, np.int64)], np.zeros(len(hashes), np.int64)
        for _, ids, sizes in self._tokens.parts(NUMBERS_AT_ONCE):
            distinct = np.unique(np.repeat(np.arange(len(sizes)), sizes) * len(hashes) + ids)
            owners, distinct_ids = np.divmod(distinct, max(len(hashes), 1))
            held = hashes[distinct_ids]
            found.frombytes(held[np.lexsort((held, owners))].tobytes())
            starts.append(np.bincount(owners, minlength=len(sizes)))
            times += np.bincount(distinct_ids, minlength=len(hashes))
        vocabulary, places = np.unique(hashes, return_inverse=True)
        counts = np.zeros(len(vocabulary), np.int32)
        np.add.at(counts, places, times)
        return np.frombuffer(found, np.uint64), np.cumsum(np.concatenate(starts)), vocabulary, counts


def _places(ids: NDArray[np.int32], owners: NDArray[np.int64], length: int, hashes: NDArray[np.uint64]) -> list[int]:
    """Where one of the sequences of tokens with these hashes may begin inside a chunk, ascending."""
    if len(ids) < length:
        return []
    rolled = _rolled(np.lib.stride_tricks.sliding_window_view(ids, length))
    inside = owners[: len(rolled)] == owners[length - 1 :]
    found: list[int] = np.flatnonzero(np.isin(rolled, hashes) & inside).tolist()
    return found


def _rolled(windows: NDArray[np.integer]) -> NDArray[np.uint64]:
    """A polynomial hash of each row."""
    powers = np.uint64(1_000_003) ** np.arange(windows.shape[1], dtype=np.uint64)
    return np.asarray((windows.astype(np.uint64) + np.uint64(1)) @ powers)


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
        return text_at(self.names, self.name_ends, number)


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
            is_here, _ = positions(named, chunks[owners // 2] * len(entity) + names)
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


def positions(held: NDArray[np.integer], wanted: NDArray[np.integer]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Which of the wanted numbers are among the held ones (ascending), and where those stand."""
    places = np.searchsorted(held, wanted)
    here = places < len(held)
    here[here] = held[places[here]] == wanted[here]
    return here, places[here]


def text_at(texts: NDArray[np.uint8], ends: NDArray[np.int64], number: int) -> str:
    """The text of this number among texts in UTF-8 that stand behind one another, cut by their `ends`."""
    return bytes(texts[int(ends[number - 1]) if number else 0 : int(ends[number])]).decode()


def places_of(
    starts: NDArray[np.int64], nodes: NDArray[np.int64], limit: int | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the entries of these nodes stand in compressed rows, at most `limit` each: index into `nodes`, place."""
    counts = starts[nodes + 1] - starts[nodes]
    return _first_places(starts[nodes], counts if limit is None else np.minimum(counts, limit))


def _first_places(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    owners = np.repeat(np.arange(len(starts)), counts)
    return owners, np.arange(len(owners)) + np.repeat(starts - np.cumsum(counts) + counts, counts)
