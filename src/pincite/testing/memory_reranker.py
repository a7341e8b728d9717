"""A Reranker and a LateInteraction without weights: what counts are the words that question and text share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.deadline import Deadline
from pincite.ports import LateInteraction, TokenMatches

WORD = re.compile(r"\w+")


class MemoryReranker:
    """Scores are from -10 (no word in common) to 10 (the same words)."""

    name = "word overlap"
    digest = hashlib.sha256(b"word overlap 1").hexdigest()
    first_stage: LateInteraction | None = None

    def scores(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> NDArray[np.float32]:
        """(texts,) the share of words that question and text have in common, from -10 to 10."""
        deadline.check("the reranker")
        asked = _words(question)
        return np.array([_overlap(asked, _words(text)) * 20 - 10 for text in texts], dtype=np.float32)


class MemoryLateInteraction:
    """A LateInteraction without weights: tokens are words, equal ones are as near as can be, others are as far."""

    name = "equal words"
    digest = hashlib.sha256(b"equal words 1").hexdigest()

    def matches(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> list[TokenMatches]:
        """Cosines of 1 and 0."""
        deadline.check("the first stage of the reranker")
        asked = WORD.findall(question.casefold())
        return [_matches(asked, text) for text in texts]


def _matches(asked: Sequence[str], text: str) -> TokenMatches:
    found = list(WORD.finditer(text))
    cosines = np.array([[word == match.group().casefold() for match in found] for word in asked], np.float32)
    places = np.array([match.span() for match in found], np.int64)
    is_word = np.ones(len(asked), bool)
    return TokenMatches(cosines.reshape(len(asked), len(found)), places.reshape(len(found), 2), is_word)


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.casefold()))


def _overlap(first: set[str], second: set[str]) -> float:
    return len(first & second) / max(1, len(first | second))
