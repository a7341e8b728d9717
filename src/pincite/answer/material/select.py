"""Which sentences are near the question: a weighted sum of what each shares with it; and which can stand alone.

The weights (`sentence_weights.json`) are written by `tools/fit_sentence_weights.py`: fitted on the even halves of three
multi-hop sets, so that the sentences that hold the gold answer come first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from pincite.answer.asked.question import Question
from pincite.answer.material.sentence_features import FEATURES, features_of
from pincite.answer.material.sentences import Sentence
from pincite.records.pages import Span

MOST_SAID = 0.5
"""Of a sentence on spans that were said, for it to be new."""
SEVERAL_VALUES = 3
"""Cells of a line that say nothing without their heads."""
LONGEST_SALUTATION = 6
"""Words that open a letter."""
LONGEST_SMALL_WORD = 3
"""Letters of the words that a title writes small ("of", "the")."""

STORED_WEIGHTS = "sentence_weights.json"

NEARNESS: Mapping[str, float] = {
    "coverage": 0.5,
    "coverage with heading": 1.0,
    "coverage without names": 0.5,
    "chunk score": 1.0,
    "heading in question": 1.0,
    "names another heading": 0.3,
    "place in chunk": 0.2,
    "table": -1.0,
}
"""Weights by feature; what makes a sentence's names worth following: it is about the question, not yet its
answer. By eye, not fitted as the stored weights are."""

IN_LONG: Mapping[str, float] = {"first in chunk": 0.0, "place in chunk": 0.0, "length": 0.0, "chunk score": 1.5}
"""What weighs otherwise in a long document, whose chunks are parts of one text: tried on 40 questions (0507)."""

_VALUE_CELL = re.compile(r"\t(?:[$€£]\s?)?\(?\d[\d.,]*\)?\s?%?(?=\t|$)")
_ENDS_IN_AMOUNTS = re.compile(r"(?:\s[$€£]\s?\(?\d[\d.,]*\)?){2,}$")
_LETTER = re.compile(r"[^\W\d_]")
_LABEL = re.compile(r"^\d[\d.]*\s+")
_ASKS_FOR_QUESTIONS = re.compile(r"\bquestions?\b|\bask(?:ed|s)?\b", re.IGNORECASE)
_ASKS_WHERE = re.compile(
    r"\b(?:where|whom?|contact|information|details|visit|read|web ?site|address|phone|source)\b", re.IGNORECASE
)
_MORE = r"(?:more|further|additional|detailed|full) (?:information|details?|help|guidance|advice)\b"
_LEADS_ON = r"(?:see|visit|contact|refer|read|consult|go|check|click|call|look)\b"
_POINTS_ON = re.compile(
    rf"(?:for|to (?:get|find|obtain|read)) {_MORE}[^.;:]{{0,80}}?,? (?:please )?{_LEADS_ON}[^;]{{0,100}}"
    rf"|(?:please )?{_LEADS_ON}[^;:]{{0,100}} for {_MORE}[^;:]{{0,60}}"
    rf"|{_MORE}[^;:]{{0,60}} (?:can|may) be (?:found|obtained|read)\b[^;]{{0,120}}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence with its score; `coverage` is the share of the question's words that it and its headings hold."""

    sentence: Sentence
    score: float
    coverage: float


def rank_sentences(question: Question, sentences: Sequence[Sentence], long: Collection[str] = ()) -> list[Candidate]:
    """All sentences, best first by the stored weights, those of `long` documents weighed as parts of these; ties in the
    order of the evidence."""
    return ranked_by(features_of(question, sentences, long), sentences, stored_weights(), long)


def ranked_by(
    features: NDArray[np.float64], sentences: Sequence[Sentence], weights: Mapping[str, float], long: Collection[str]
) -> list[Candidate]:
    """The same of sentences whose FEATURES are known, a row each, by any weights."""
    scores = scores_of(features, sentences, weights, long)
    coverage = features[:, FEATURES.index("coverage with heading")]
    order = np.argsort(-scores, kind="stable")
    return [Candidate(sentences[i], float(scores[i]), float(coverage[i])) for i in order]


def scores_of(
    features: NDArray[np.float64], sentences: Sequence[Sentence], weights: Mapping[str, float], long: Collection[str]
) -> NDArray[np.float64]:
    """The weighted sum of each row of FEATURES, to 6 decimals; those of `long` documents are weighed as parts of
    these."""
    short, part = (
        features @ np.array([own.get(name, 0.0) for name in FEATURES]) for own in (weights, {**weights, **IN_LONG})
    )
    is_part = np.array([sentence.chunk.source_id in long for sentence in sentences], dtype=bool)
    return np.asarray(np.round(np.where(is_part, part, short), 6))


@lru_cache(maxsize=1)
def stored_weights() -> Mapping[str, float]:
    """The weight of each of FEATURES."""
    stored = json.loads((files("pincite.answer.material") / STORED_WEIGHTS).read_text(encoding="utf-8"))
    weights: Mapping[str, float] = stored["weights"]
    return weights


def is_new(sentence: Sentence, said: Collection[tuple[str, Span]]) -> bool:
    """Whether a sentence stands for the most part on spans of its source that were not `said`."""
    own = [span for source_id, span in said if source_id == sentence.chunk.source_id]
    length = sum(span.end - span.start for span in sentence.passage.spans)
    return sum(_overlap(span, other) for span in sentence.passage.spans for other in own) <= length * MOST_SAID


def says_something(sentence: Sentence) -> bool:
    """Whether a sentence can stand alone: no caption, no title (nor one that its paragraph opens with), no labels of a
    figure, no row of several values or amounts, which need their heads."""
    text, quote, kind = sentence.text, sentence.passage.quotes[0], sentence.passage.kind
    if kind == "caption" or not _LETTER.search(text) or (kind != "table" and _is_title(text)):
        return False
    if text.endswith(".") and _LABEL.sub("", text) == sentence.heading:
        return False
    return len(_VALUE_CELL.findall(quote)) < SEVERAL_VALUES and not _ENDS_IN_AMOUNTS.search(text)


def can_answer(sentence: Sentence, question: Question) -> bool:
    """Whether a sentence can stand alone as an answer: a question cannot, nor what only says where more is to be read,
    but where questions are asked for, or a place to look."""
    if not says_something(sentence) or _addresses_reader(sentence.text):
        return False
    if sentence.text.endswith("?"):
        return bool(_ASKS_FOR_QUESTIONS.search(question.text))
    return not _POINTS_ON.fullmatch(sentence.text) or bool(_ASKS_WHERE.search(question.text))


def _addresses_reader(text: str) -> bool:
    """Whether a text opens a letter ("Dear Dr Haddad,")."""
    return text.endswith(",") and len(text.split()) <= LONGEST_SALUTATION


def _is_title(text: str) -> bool:
    """Whether a text is words with capitals, small ones between them, without a number or a sign at its end."""
    words = text.split()
    plain = text[-1].isalpha() and not any(map(str.isdigit, text))
    return plain and all(word[0].isupper() or len(word) <= LONGEST_SMALL_WORD for word in words)


def _overlap(span: Span, other: Span) -> int:
    """How many characters two spans share."""
    return max(0, min(span.end, other.end) - max(span.start, other.start)) if span.page == other.page else 0
