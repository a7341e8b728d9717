"""Merging hits that say the same (spec/llmless_retrieval.md 5), but never clauses that differ where it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from pincite.ports import Vector
from pincite.records import ChunkRecord

COSINE_OF_DUPLICATES = 0.92
"""The specification's (spec/llmless_retrieval.md 5); clauses that differ in one word reach .98: `decisive_words`."""
STRICT_PROFILES = frozenset({"auto"})

_DECISIVE = re.compile(
    r"\d+(?:[.,]\d+)*|[%€$£°]|\b(?:not|no|never|none|without|unless|except|nor|neither|cannot)\b"
    r"|\b(?:shall|should|must|may|might|can|could|need|will|would|ought)\b|(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ]\w*",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A candidate in its place among all of them: `rows` are its vectors (windows, dimension), perhaps none."""

    index: int
    chunk: ChunkRecord
    rows: Vector


class Groups:
    """Hits that say the same, put together as they come, best first; the first of a group stands for it.

    Equal content merges always. A cosine above 0.92 merges two chunks whose numbers, units, names, negations and
    modal verbs are the same; with `spec_rule` it merges them whatever they say.
    """

    def __init__(self, *, spec_rule: bool, merging: bool) -> None:
        self.kept: list[list[Hit]] = []
        self._spec_rule = spec_rule
        self._merging = merging

    def add(self, hit: Hit) -> None:
        """Put a hit into the first group that says the same, or into one of its own."""
        group = next((group for group in self.kept if self._same(group[0], hit)), None) if self._merging else None
        if group is None:
            self.kept.append([hit])
        else:
            group.append(hit)

    def _same(self, first: Hit, second: Hit) -> bool:
        if first.chunk.content_sha256 == second.chunk.content_sha256:
            return True
        if not len(first.rows) or len(first.rows) != len(second.rows):
            return False
        if float(np.einsum("ij,ij->i", first.rows, second.rows).min()) <= COSINE_OF_DUPLICATES:
            return False
        return self._spec_rule or decisive_words(first.chunk.content) == decisive_words(second.chunk.content)


def decisive_words(text: str) -> frozenset[str]:
    """Numbers, units' signs, names, negations and modal verbs: two texts that differ in them say different things."""
    return frozenset(match.group().casefold() for match in _DECISIVE.finditer(text))
