"""A reranker in the place of the reader: it says how relevant a text is, and nothing of its sentences."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.deadline import Deadline
from pincite.ports import Readable, Reading, Reranker


class RerankerAsReader:
    """Reads with a Reranker: each text in one piece behind its path, all of whose sentences count as evidence."""

    def __init__(self, reranker: Reranker) -> None:
        self.name, self.digest = reranker.name, reranker.digest
        self._reranker = reranker

    def read(self, question: str, texts: Sequence[Readable], *, deadline: Deadline = Deadline.never()) -> list[Reading]:
        """One reading for each text; ServiceError where the reranker does not answer."""
        whole = [f"{text.path}: {' '.join(text.parts)}" for text in texts]
        scores = self._reranker.scores(question, whole, deadline=deadline).tolist()
        return [Reading(score, (0.0,) * len(text.parts)) for score, text in zip(scores, texts, strict=True)]
