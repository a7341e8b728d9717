"""An Embedder without weights: it hashes words. Texts that share words are near each other."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from pincite.deadline import Deadline
from pincite.ports import Vector

WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Each word adds 1 or -1 to one of `dimension` places, chosen by its SHA-256; the sum is made a unit vector.

    Windows hold `window` words each and do not overlap. A text without words gets the first unit vector.
    """

    def __init__(self, dimension: int = 64, *, window: int = 200) -> None:
        self.name = "hashing"
        self.dimension = dimension
        self.digest = hashlib.sha256(f"hashing {dimension} {window}".encode()).hexdigest()
        self._window = window

    def embed(self, texts: Sequence[str], *, deadline: Deadline = Deadline.never()) -> list[Vector]:
        """One array (windows, dimension) for each text, float32, rows of length 1."""
        deadline.check("the embedder")
        return [self._embed_one(text) for text in texts]

    def embed_query(self, text: str, *, deadline: Deadline = Deadline.never()) -> Vector:
        """One vector (dimension,): the normalised sum over the question's windows."""
        return self._unit(self.embed([text], deadline=deadline)[0].astype(np.float64).sum(axis=0))

    def _embed_one(self, text: str) -> Vector:
        words = WORD.findall(text.casefold())
        starts = range(0, max(1, len(words)), self._window)
        return np.stack([self._embed_words(words[start : start + self._window]) for start in starts])

    def _embed_words(self, words: Sequence[str]) -> Vector:
        total = np.zeros(self.dimension)
        for word in words:
            digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
            total[int.from_bytes(digest[:8], "little") % self.dimension] += 1 if digest[8] % 2 else -1
        return self._unit(total)

    def _unit(self, total: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Vector:
        length = float(np.linalg.norm(total))
        if not length:
            total, length = np.eye(1, self.dimension)[0], 1.0
        return np.asarray(total / length, dtype=np.float32)
