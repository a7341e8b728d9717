"""A KeywordIndex that scores every chunk with exact BM25: the oracle of the contract kit."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from threading import Event

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ClosedError
from pincite.ports import Bitmap, KeywordField, Ranked

K1 = 1.2
B = 0.75
FIELDS: tuple[KeywordField, ...] = ("body", "context")


class MemoryKeywords:
    """BM25 (Robertson and Zaragoza 2009) of each field with statistics of its own; idf never negative.

    A token that the query holds twice counts twice.
    """

    def __init__(self) -> None:
        self._closed = Event()
        self._visible: Bitmap | None = None
        self._fields: dict[KeywordField, list[Counter[str]]] = {field: [] for field in FIELDS}

    def replace(self, documents: Iterable[Mapping[KeywordField, Sequence[str]]]) -> None:
        """Hold exactly these chunks, ordinals in this order; each maps a field to its tokens."""
        held = list(documents)
        self._fields = {field: [Counter(document.get(field, ())) for document in held] for field in FIELDS}

    def seen(self, visible: Bitmap) -> MemoryKeywords:
        """The same index for somebody who may see these chunks alone."""
        narrowed = copy(self)
        narrowed._visible = visible
        return narrowed

    def search(
        self, tokens: Sequence[str], limit: int, allowed: Bitmap | None = None, *, field: KeywordField = "body"
    ) -> Ranked:
        """The best chunks as (ordinal, BM25): by score rounded to 6 decimals, then ordinal; no score of 0."""
        scores = self._field_scores(field, tokens)
        found = [o for o, score in enumerate(scores) if score > 0 and (allowed is None or allowed[o])]
        found.sort(key=lambda ordinal: (-round(scores[ordinal], 6), ordinal))
        return [(ordinal, scores[ordinal]) for ordinal in found[:limit]]

    def scores(
        self, tokens: Sequence[str], ordinals: Sequence[int], *, field: KeywordField = "body"
    ) -> NDArray[np.float32]:
        """The BM25 score of each of these chunks, in their order; 0 where no token matches."""
        scores = self._field_scores(field, tokens)
        return np.array([scores[ordinal] for ordinal in ordinals], dtype=np.float32)

    def close(self) -> None:
        """Let go of the chunks; who asks afterwards gets a ClosedError."""
        self.replace([])
        self._closed.set()

    def _field_scores(self, field: KeywordField, tokens: Sequence[str]) -> list[float]:
        if self._closed.is_set():
            raise ClosedError.of("the index in memory")
        all_chunks = self._fields[field]
        is_seen = [True] * len(all_chunks) if self._visible is None else self._visible.tolist()
        held = [counts for counts, seen in zip(all_chunks, is_seen, strict=True) if seen]
        average = sum(counts.total() for counts in held) / max(1, len(held)) or 1.0
        weights = {token: _idf(held, token) for token in set(tokens)}
        return [
            seen * sum(weights[token] * _saturated(counts[token], counts.total() / average) for token in tokens)
            for counts, seen in zip(all_chunks, is_seen, strict=True)
        ]


def _idf(held: Sequence[Counter[str]], token: str) -> float:
    frequency = sum(1 for counts in held if token in counts)
    return math.log(1 + (len(held) - frequency + 0.5) / (frequency + 0.5))


def _saturated(count: int, relative_length: float) -> float:
    return count * (K1 + 1) / (count + K1 * (1 - B + B * relative_length))
