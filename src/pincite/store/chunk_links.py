"""How the chunks of a generation hang together: references, sections, reading order, as mapped arrays in `links/`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.store.inverted import load_arrays, save_arrays

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
NONE = -1
_ARRAYS = ("parents", "previous", "following", "sizes", "first_pages", "last_pages")
_DIRECTIONS, _EDGES = ("outgoing", "incoming"), ("starts", "targets", "weights")


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Weighted edges of all chunks in compressed rows: those of ordinal i are `targets[starts[i] : starts[i + 1]]`,
    the heaviest first, ties by ordinal."""

    starts: NDArray[np.int64]
    targets: Ints
    weights: Floats

    @classmethod
    def of(cls, count: int, edges: Iterable[tuple[int, int, float]]) -> Adjacency:
        """From (from, to, weight); of several edges between two chunks the heaviest stays."""
        heaviest: dict[tuple[int, int], float] = {}
        for source, target, weight in edges:
            heaviest[source, target] = max(weight, heaviest.get((source, target), 0.0))
        ordered = sorted(heaviest.items(), key=lambda item: (item[0][0], -item[1], item[0][1]))
        sources = np.array([source for (source, _), _ in ordered], np.int64)
        starts = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=count))]).astype(np.int64)
        targets = np.array([target for (_, target), _ in ordered], np.int32)
        return cls(starts, targets, np.array([weight for _, weight in ordered], np.float32))

    def seen(self, allowed: NDArray[np.bool_]) -> Adjacency:
        """The edges among these chunks alone."""
        owners = np.repeat(np.arange(len(allowed)), np.diff(self.starts))
        kept = allowed[owners] & allowed[self.targets]
        starts = np.concatenate([[0], np.cumsum(np.bincount(owners[kept], minlength=len(allowed)))]).astype(np.int64)
        return Adjacency(starts, self.targets[kept], self.weights[kept])

    def of_chunk(self, ordinal: int, limit: int | None = None) -> tuple[Ints, Floats]:
        """Targets and weights of one chunk's edges, at most `limit` of them."""
        start, end = int(self.starts[ordinal]), int(self.starts[ordinal + 1])
        part = slice(start, end if limit is None else min(end, start + limit))
        return self.targets[part], self.weights[part]

    def counts(self, ordinals: Sequence[int]) -> NDArray[np.int64]:
        """How many edges each of these chunks has."""
        chosen = np.asarray(ordinals, np.int64)
        return np.asarray(self.starts[chosen + 1] - self.starts[chosen])


@dataclass(frozen=True, slots=True)
class ChunkLinks:
    """Arrays with one entry a chunk ordinal; -1 stands for none. `outgoing`: where its references lead; `incoming`:
    what leads to it; `parents`: the chunk that opens the section above; `previous` and `following`: neighbours in
    reading order; `sizes`: tokens; `first_pages`, `last_pages`: physical pages that it touches."""

    outgoing: Adjacency
    incoming: Adjacency
    parents: Ints
    previous: Ints
    following: Ints
    sizes: Ints
    first_pages: Ints
    last_pages: Ints

    def seen(self, allowed: NDArray[np.bool_]) -> ChunkLinks:
        """The links among these chunks alone; what lies within a document is as it was."""
        return replace(self, outgoing=self.outgoing.seen(allowed), incoming=self.incoming.seen(allowed))

    def save(self, folder: Path) -> None:
        """Write the arrays into a folder."""
        edges = {f"{name}_{part}": getattr(getattr(self, name), part) for name in _DIRECTIONS for part in _EDGES}
        save_arrays(folder, edges | {name: getattr(self, name) for name in _ARRAYS})

    @classmethod
    def load(cls, folder: Path) -> ChunkLinks:
        """Map the arrays of a folder into memory; KeyError where one is missing."""
        arrays = load_arrays(folder)
        outgoing, incoming = (Adjacency(*(arrays[f"{name}_{part}"] for part in _EDGES)) for name in _DIRECTIONS)
        return cls(outgoing, incoming, **{name: arrays[name] for name in _ARRAYS})
