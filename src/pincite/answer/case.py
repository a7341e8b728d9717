"""What every kind of answer is made from: the question, its evidence, and what may be looked up beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answer.hops import follow_names
from pincite.answer.question import Question, understand
from pincite.answer.select import NEARNESS, Candidate, rank_sentences
from pincite.answer.sentences import Sentence, sentences_of, sentences_of_chunk
from pincite.answer.surroundings import Surroundings
from pincite.graph.network import SHORT_DOCUMENT
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
    """Read the question, rank the sentences of its evidence, follow the names of the best, rank again; of a long
    document that the question names, its own sentences alone."""
    question = understand(retrieval.query)
    sentences = sentences_of(retrieval.evidence)
    near = [candidate.sentence for candidate in rank_sentences(question, sentences, NEARNESS)[:BEST]]
    followed = follow_names(question.text, near, sentences, around.all_named)
    for rank, chunk in enumerate(followed, start=len(retrieval.evidence) + 1):
        sentences += sentences_of_chunk(chunk, None, rank)
    ranked = rank_sentences(question, sentences)
    named = _long_ones(retrieval.trace.documents, around)
    own = tuple(candidate for candidate in ranked if candidate.sentence.chunk.source_id in named)
    return Case(question, retrieval, own or tuple(ranked), around)


def _long_ones(documents: Sequence[str], around: Surroundings) -> Sequence[str]:
    """The documents that a question names, where all are long ones, of which what answers it is a part ("Boeing" and
    its annual report); a short one may be no more than the first step to another."""
    is_long = all(around.size(source_id) > SHORT_DOCUMENT for source_id in documents)
    return documents if is_long else ()
