"""Merging hits that say the same (spec/llmless_retrieval.md 5), but never clauses that differ where it counts."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from pincite.ports import Vector
from pincite.records import ChunkRecord

COSINE_OF_DUPLICATES = 0.92
STRICT_PROFILES = frozenset({"auto"})

_DECISIVE = re.compile(
    r"\d+(?:[.,]\d+)*|[%€$£°]|\b(?:not|no|never|none|without|unless|except|nor|neither|cannot)\b"
    r"|\b(?:shall|should|must|may|might|can|could|need|will|would|ought)\b|(?<![.!?]\s)(?<!^)\b[A-ZÀ-Þ]\w*",
    re.MULTILINE,
)


def merge_duplicates(
    chunks: Sequence[ChunkRecord], rows: Sequence[Vector], *, spec_rule: bool
) -> tuple[list[int], dict[int, list[int]]]:
    """Positions of the chunks that stay, in order, and for each of them those that were merged into it.

    `chunks` come best first; `rows` are their vectors (windows, dimension), or empty where there are none. Equal
    content merges always. A cosine above 0.92 merges two chunks whose numbers, units, names, negations and modal
    verbs are the same; with `spec_rule` it merges them whatever they say.
    """
    kept: list[int] = []
    merged: dict[int, list[int]] = {}
    for position, chunk in enumerate(chunks):
        canonical = next(
            (k for k in kept if _same(chunks[k], chunk, rows[k], rows[position], spec_rule=spec_rule)), None
        )
        if canonical is None:
            kept.append(position)
        else:
            merged.setdefault(canonical, []).append(position)
    return kept, merged


def decisive_words(text: str) -> frozenset[str]:
    """Numbers, units' signs, names, negations and modal verbs: two texts that differ in them say different things."""
    return frozenset(match.group().casefold() for match in _DECISIVE.finditer(text))


def _same(first: ChunkRecord, second: ChunkRecord, a: Vector, b: Vector, *, spec_rule: bool) -> bool:
    if first.content_sha256 == second.content_sha256:
        return True
    if not len(a) or len(a) != len(b) or float(np.einsum("ij,ij->i", a, b).min()) <= COSINE_OF_DUPLICATES:
        return False
    return spec_rule or decisive_words(first.content) == decisive_words(second.content)
