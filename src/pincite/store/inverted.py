"""From the tokens of chunks to inverted lists in bounded memory: blocks are inverted by themselves, then joined
term by term."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from pincite.ports import KeywordField, Vector
from pincite.threads import ARRAY_HEADS


def save_arrays(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write each array into a file of its name in a folder, which is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values)


def load_array(path: Path) -> NDArray[Any]:
    """Map the array in a file into memory."""
    with ARRAY_HEADS:
        found: NDArray[Any] = np.load(path, mmap_mode="r")
    return found.view(np.ndarray)


def load_arrays(folder: Path) -> dict[str, NDArray[Any]]:
    """Map the arrays of a folder into memory."""
    return {path.stem: load_array(path) for path in sorted(folder.glob("*.npy"))}


@contextmanager
def stacked_vectors(
    packed: Iterable[Sequence[bytes]], dimension: int, folder: Path
) -> Iterator[tuple[Vector, NDArray[np.int32]]]:
    """Rows (rows, dimension) of all chunks in order, and for each row the position of its chunk. The rows are mapped
    from a file in this folder that nobody sees."""
    counts = array("i")
    with TemporaryFile(dir=folder) as file:
        for chunk in packed:
            counts.append(len(chunk))
            file.writelines(chunk)
        file.flush()
        rows = sum(counts)
        vectors = np.memmap(file, "<f4", "r", shape=(rows, dimension)) if rows else np.empty((0, dimension), "<f4")
        yield vectors.view(np.ndarray), np.repeat(np.arange(len(counts), dtype=np.int32), counts)


FIELDS: tuple[KeywordField, ...] = ("body", "context")
MOST_COUNTED = 65_535
"""Occurrences in a chunk: more change no score that is rounded."""
TOKENS_AT_ONCE = 2**20
Tokens = Mapping[KeywordField, Sequence[str]]
_Postings = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""Number of the term, ordinal of the chunk, how often it holds the term (fields, postings); by term, then ordinal."""


def write_inverted(documents: Iterable[Tokens], folder: Path) -> None:
    """Write the arrays of an index of these chunks into a new folder (see `Bm25Keywords`)."""
    numbers = defaultdict[str, int](count().__next__)
    with TemporaryDirectory(dir=folder.parent) as scratch:
        aside, lengths = [], []
        for number, block in enumerate(_blocks(documents, numbers)):
            aside.append([Path(scratch) / f"{number}-{part}.npy" for part in range(3)])
            for path, values in zip(aside[-1], block.postings(), strict=True):
                np.save(path, values)
            lengths.append(np.array(block.sizes, np.int32))
        terms = sorted(numbers, key=encoded)
        order = np.array([numbers[term] for term in terms], np.int64)
        starts = _joined(aside, order, folder)
    names = [encoded(term) for term in terms]
    save_arrays(
        folder,
        {
            "terms": np.frombuffer(b"".join(names), np.uint8),
            "term_starts": np.cumsum([0, *map(len, names)], dtype=np.int64),
            "starts": starts,
            "lengths": np.concatenate(lengths, axis=1),
        },
    )


def encoded(term: str) -> bytes:
    """A term as bytes, by which terms are ordered."""
    return term.encode("utf-8", "surrogatepass")


class _Block:
    """Some chunks in a row."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._tokens = [array("i") for _ in FIELDS]
        self.sizes = [array("i") for _ in FIELDS]

    def add(self, document: Tokens, numbers: Mapping[str, int]) -> int:
        """Add a chunk; how many tokens there are by now."""
        for field, held, size in zip(FIELDS, self._tokens, self.sizes, strict=True):
            words = document.get(field, ())
            held.extend(map(numbers.__getitem__, words))
            size.append(len(words))
        return sum(map(len, self._tokens))

    def postings(self) -> _Postings:
        """The lists of these chunks."""
        chunks = max(1, len(self.sizes[0]))
        owners = (np.repeat(np.arange(len(size)), size) for size in self.sizes)
        held_by = [np.array(held, np.int64) * chunks + of for held, of in zip(self._tokens, owners, strict=True)]
        pairs, times = np.unique(
            np.concatenate([2 * keys + row for row, keys in enumerate(held_by)]), return_counts=True
        )
        is_first = np.diff(pairs // 2, prepend=-1) > 0
        terms, places = np.divmod(pairs[is_first] // 2, chunks)
        counts = np.zeros((len(FIELDS), len(terms)), np.uint16)
        counts[pairs % 2, np.cumsum(is_first) - 1] = np.minimum(times, MOST_COUNTED)
        return terms.astype(np.int32), (places + self._first).astype(np.int32), counts


def _blocks(documents: Iterable[Tokens], numbers: Mapping[str, int]) -> Iterator[_Block]:
    """The chunks in blocks of so many tokens as are inverted at once; one block at least."""
    block = _Block(0)
    for ordinal, document in enumerate(documents):
        if block.add(document, numbers) >= TOKENS_AT_ONCE:
            yield block
            block = _Block(ordinal + 1)
    yield block


def _joined(blocks: Sequence[Sequence[Path]], order: NDArray[np.int64], folder: Path) -> NDArray[np.int64]:
    """Write `ordinals` and `counts`, lists in this order of terms, into the new folder; where each list begins."""
    totals = np.zeros(len(order), np.int64)
    for path, *_ in blocks:
        totals += np.bincount(load_array(path), minlength=len(order))
    starts = np.concatenate([[0], np.cumsum(totals[order])]).astype(np.int64)
    free = np.empty(len(order), np.int64)
    free[order] = starts[:-1]
    folder.mkdir()
    all_ordinals = open_memmap(folder / "ordinals.npy", "w+", np.int32, (int(starts[-1]),))
    all_counts = open_memmap(folder / "counts.npy", "w+", np.uint16, (len(FIELDS), int(starts[-1])))
    for terms, ordinals, counts in (map(np.load, paths) for paths in blocks):
        held, firsts, sizes = np.unique(terms, return_index=True, return_counts=True)
        places = np.repeat(free[held] - firsts, sizes) + np.arange(len(terms))
        all_ordinals[places], all_counts[:, places] = ordinals, counts
        free[held] += sizes
    return starts
