"""Merging hits that say the same (spec/llmless_retrieval.md 5), but never clauses that differ where it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pincite.ports import Vector
from pincite.records.chunks import ChunkRecord

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
    """Hits with the same content, grouped as they come, best first; the first of a group represents it. Equal content
    merges always. A cosine above 0.92 merges two chunks whose numbers, units, names, negations and modal verbs are the
    same; with `spec_rule` it merges them regardless."""

    def __init__(self, *, spec_rule: bool, merging: bool) -> None:
        self.kept: list[list[Hit]] = []
        self._spec_rule = spec_rule
        self._merging = merging
        self._of_content: dict[str, int] = {}
        self._heads: dict[int, _Heads] = {}

    def add(self, hit: Hit) -> None:
        """Put a hit into the first group that says the same, or into one of its own."""
        group = self._group_of(hit) if self._merging else None
        if group is None:
            self._open(hit)
        else:
            self.kept[group].append(hit)

    def _group_of(self, hit: Hit) -> int | None:
        equal = self._of_content.get(hit.chunk.content_sha256)
        near = self._heads[len(hit.rows)].near(hit.rows) if len(hit.rows) in self._heads else []
        said = (group for group in near if self._says_the_same(self.kept[group][0], hit))
        return min((group for group in (equal, next(said, None)) if group is not None), default=None)

    def _says_the_same(self, first: Hit, second: Hit) -> bool:
        return self._spec_rule or decisive_words(first.chunk.content) == decisive_words(second.chunk.content)

    def _open(self, hit: Hit) -> None:
        number, windows = len(self.kept), len(hit.rows)
        self.kept.append([hit])
        self._of_content.setdefault(hit.chunk.content_sha256, number)
        if windows:
            known = self._heads.get(windows)
            self._heads[windows] = _Heads((number,), hit.rows[None]) if known is None else known.with_head(number, hit)


@dataclass(frozen=True, slots=True)
class _Heads:
    """The numbers of the groups whose first hit has so many vectors, ascending, and these vectors: (groups, windows,
    dimension)."""

    groups: tuple[int, ...]
    rows: Vector

    def with_head(self, group: int, hit: Hit) -> _Heads:
        """These and the first hit of one more group."""
        return _Heads((*self.groups, group), np.concatenate([self.rows, hit.rows[None]]))

    def near(self, rows: Vector) -> list[int]:
        """The groups whose first hit is as near as duplicates are, in each of its windows."""
        cosines = np.einsum("gij,ij->gi", self.rows, rows).min(axis=1)
        return [self.groups[place] for place in np.flatnonzero(cosines > COSINE_OF_DUPLICATES)]


@lru_cache(maxsize=1024)
def decisive_words(text: str) -> frozenset[str]:
    """Numbers, units' signs, names, negations and modal verbs: two texts that differ in them say different things.
    Kept, since one text is held beside many."""
    return frozenset(match.group().casefold() for match in _DECISIVE.finditer(text))
