"""What every kind of answer is made from: the question, its evidence, and what may be looked up beyond it."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.answer.hops import follow_names
from pincite.answer.question import Question, understand
from pincite.answer.select import NEARNESS, Candidate, rank_sentences
from pincite.answer.sentences import Sentence, sentences_of, sentences_of_chunk
from pincite.answer.surroundings import Surroundings
from pincite.records import Retrieval

BEST = 6


@dataclass(frozen=True, slots=True)
class Case:
    """One question with all sentences that could answer it, best first."""

    question: Question
    retrieval: Retrieval
    ranked: tuple[Candidate, ...]
    around: Surroundings

    @property
    def sentences(self) -> list[Sentence]:
        """The sentences alone, best first."""
        return [candidate.sentence for candidate in self.ranked]


def case_of(retrieval: Retrieval, around: Surroundings) -> Case:
    """Read the question, rank the sentences of its evidence, follow the names of the best, rank again."""
    question = understand(retrieval.query)
    sentences = sentences_of(retrieval.evidence)
    near = [candidate.sentence for candidate in rank_sentences(question, sentences, NEARNESS)[:BEST]]
    followed = follow_names(question.text, near, sentences, around.all_named)
    for rank, chunk in enumerate(followed, start=len(retrieval.evidence) + 1):
        sentences += sentences_of_chunk(chunk, None, rank)
    return Case(question, retrieval, tuple(rank_sentences(question, sentences)), around)
