"""A Reranker without weights: the more of a question's words a text holds, and the fewer others, the higher."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WORD = re.compile(r"\w+")


class MemoryReranker:
    """Scores are from -10 (no word in common) to 10 (the same words)."""

    name = "word overlap"
    digest = hashlib.sha256(b"word overlap 1").hexdigest()

    def scores(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(texts,) the share of words that question and text have in common, from -10 to 10."""
        asked = _words(question)
        return np.array([_overlap(asked, _words(text)) * 20 - 10 for text in texts], dtype=np.float32)


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.casefold()))


def _overlap(first: set[str], second: set[str]) -> float:
    return len(first & second) / max(1, len(first | second))
