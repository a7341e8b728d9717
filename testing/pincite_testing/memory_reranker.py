"""A Reranker and a Reader without weights: what counts are the words that question and text share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.deadline import Deadline
from pincite.ports import Readable, Reading

WORD = re.compile(r"\w+")


class MemoryReranker:
    """Scores are from -10 (no word in common) to 10 (the same words)."""

    name = "word overlap"
    digest = hashlib.sha256(b"word overlap 1").hexdigest()

    def scores(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> NDArray[np.float32]:
        """(texts,) the share of words that question and text have in common, from -10 to 10."""
        deadline.check("the reranker")
        asked = _words(question)
        return np.array([_overlap(asked, _words(text)) * 20 - 10 for text in texts], dtype=np.float32)


class MemoryReader:
    """Relevance and evidence are from -10 (no word in common) to 10 (the same words)."""

    name = "word overlap"
    digest = hashlib.sha256(b"word overlap of parts 1").hexdigest()

    def knows(self, question: str) -> bool:
        """True: it compares words of any script."""
        return bool(question)

    def read(self, question: str, texts: Sequence[Readable], *, deadline: Deadline = Deadline.never()) -> list[Reading]:
        """The share of words that the question has in common with each text and with each of its parts."""
        deadline.check("the reader")
        asked = _words(question)
        return [
            Reading(
                _score(asked, " ".join((text.path, *text.parts))), tuple(_score(asked, part) for part in text.parts)
            )
            for text in texts
        ]


def _score(asked: set[str], text: str) -> float:
    return _overlap(asked, _words(text)) * 20 - 10


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.casefold()))


def _overlap(first: set[str], second: set[str]) -> float:
    return len(first & second) / max(1, len(first | second))
