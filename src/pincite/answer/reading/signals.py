"""What is known of each unit without reading it: what it shares with the question, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.answer.asked.question import Question, asks_steps
from pincite.answer.material.case import Case, long_documents
from pincite.answer.material.select import scores_of, stored_weights
from pincite.answer.material.sentence_features import FEATURES as OF_SENTENCES
from pincite.answer.material.sentence_features import features_of
from pincite.answer.material.sentences import Sentence, SharedWords
from pincite.answer.material.units import LONGEST_UNIT, Unit
from pincite.answer.words.amounts import gives_measure, measures_asked
from pincite.answer.words.facts import has_number, has_value
from pincite.models.nearness import nearness

Matrix = NDArray[np.float64]

OF_UNITS = (
    "words of the question",
    "words of the question with headings",
    "nearness",
    "nearness below best",
    "cosine below best",
    "bm25",
    "final score",
    "final below best",
    "rank",
    "found by reference",
    "found by graph",
    "found by structure",
    "sentences",
    "length",
    "list",
    "holds a number",
    "holds a value",
    "holds a duty",
    "holds the measure",
    "ends in a colon",
    "long document",
    "question asks for a measure",
    "question asks for a value",
    "question asks for a date or a name",
    "question asks for a verdict",
    "question asks for steps",
    "question asks for a meaning",
    "words in the question",
    "words of the question in no unit",
)
FEATURES = (*(f"most: {name}" for name in (*OF_SENTENCES, "score")), *OF_UNITS)

_DUTY = re.compile(r"\b(?:shall|must|should|may|need not|required|permitted|prohibited|recommended)\b", re.I)


def signals_of(case: Case, units: Sequence[Unit]) -> Matrix:
    """One row of FEATURES for each unit; all of them together are what a unit is compared with."""
    if not units:
        return np.zeros((0, len(FEATURES)))
    sentences = [sentence for unit in units for sentence in unit.sentences]
    long = long_documents(sentences, case.around)
    words = SharedWords.of(case.question, sentences)
    of_sentences = features_of(case.question, sentences, long, words)
    scored = np.column_stack([of_sentences, scores_of(of_sentences, sentences, stored_weights(), long)])
    ends = np.cumsum([len(unit.sentences) for unit in units])
    starts = ends - [len(unit.sentences) for unit in units]
    most = np.maximum.reduceat(scored, starts, axis=0)
    shared = np.column_stack(
        [words.share(np.logical_or.reduceat(held, starts, axis=0)) for held in (words.held, words.with_headings)]
    )
    anywhere = words.with_headings.any(axis=0, keepdims=True)
    unknown = 1 - float(words.share(np.asarray(anywhere))[0])
    near = nearness(case.question.text, [unit.text for unit in units])
    meant = np.column_stack([near, near.max() - near])
    return np.hstack([most, shared, meant, _of_units(case, units, sentences, long, unknown)])


def _of_units(
    case: Case, units: Sequence[Unit], sentences: Sequence[Sentence], long: Collection[str], unknown: float
) -> Matrix:
    question = case.question
    best_final = max((s.evidence.scores.final for s in sentences if s.evidence), default=0.0)
    best_cosine = max((s.evidence.scores.vec or 0.0 for s in sentences if s.evidence), default=0.0)
    measures = measures_asked(question.text)
    rows = []
    for unit in units:
        evidence, text = unit.sentences[0].evidence, unit.text
        given = evidence.scores if evidence else None
        by = evidence.retrieved_by if evidence else ()
        final, cosine = (given.final, given.vec or 0.0) if given else (0.0, 0.0)
        rows.append(
            (
                best_cosine - cosine,
                (given.bm25 or 0.0) if given else 0.0,
                final,
                best_final - final,
                1 / unit.sentences[0].rank,
                "reference" in by,
                "graph" in by,
                "structure" in by,
                len(unit.sentences),
                len(text) / LONGEST_UNIT,
                unit.is_list,
                has_number(text),
                has_value(text),
                bool(_DUTY.search(text)),
                gives_measure(text, measures),
                text.endswith(":"),
                unit.chunk.source_id in long,
                bool(measures),
                *_asked(question),
                len(question.words),
                unknown,
            )
        )
    return np.array(rows, np.float64)


def _asked(question: Question) -> tuple[bool, ...]:
    return (
        question.expected in ("number", "value"),
        question.expected in ("date", "place", "person", "country"),
        question.yes_no,
        asks_steps(question.text),
        question.term is not None,
    )
