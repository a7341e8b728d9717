"""Whether the evidence answers the question at all: a logistic sum of several signals, none of which decides alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.answer.judge.judgement import Judged, Judgement, shipped_weights
from pincite.answer.material.sentences import share_of_words, weights_of
from pincite.answer.words.measures import gives_measure, measures_asked

MOST_LOOKED_AT = 5
"""Windows among which an answer is nearly always the likeliest, if there is one."""
MANY_PASSAGES = 24
"""Passages that are looked at: a store with fewer says little by the words that it lacks."""

SIGNALS = (
    "best chance",
    "chance of the best five",
    "cross-encoder",
    "late interaction",
    "rare words with headings",
    "words with headings",
    "words unknown",
    "words in no window",
    "names unknown",
    "names not in the best windows",
    "measure not in the best windows",
    "quantity without a value",
    "section or document named",
)


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What the store tells of a question. `unknown`: the share of its words that stand in no document, `names_unknown`
    of those in its names; `quantity_lacks_value`: it asks for a quantity that stands beside no value; `anchored`: it
    names a section or a document of the evidence."""

    unknown: float
    names_unknown: float
    quantity_lacks_value: bool
    anchored: bool


def is_unlikely(judgement: Judgement, signals: Sequence[float]) -> bool:
    """Whether so few of the questions with these SIGNALS are answered by their windows that it is better to refuse."""
    name = "answerable" if judgement.reranker else "answerable without a judge"
    weights: Mapping[str, float] = shipped_weights()[name]
    total = weights["constant"] + sum(weights[name] * value for name, value in zip(SIGNALS, signals, strict=True))
    return bool(round(float(1 / (1 + np.exp(-total))), 6) < weights["least"])


def answer_signals(judgement: Judgement, known: LookedUp) -> tuple[float, ...]:
    """The values of SIGNALS, each about 0 to 1."""
    case, windows = judgement.case, judgement.windows[:MOST_LOOKED_AT]
    question, weights = case.question, weights_of(case.question, case.sentences)
    passages = len(case.retrieval.evidence) + len(case.retrieval.beyond)
    size, score = min(1.0, passages / MANY_PASSAGES), judgement.best_score
    near = max((item.matches.score() for item in judgement.windows if item.matches), default=0.0)
    texts, held = " ".join(item.window.text for item in windows), _held(windows)
    words = [word for word in question.words if not word.isdisjoint(held)]
    names = [word for word in question.words if word & question.name_roots]
    absent = [word for word in names if word.isdisjoint(held)]
    measures = measures_asked(question.text)
    everything = frozenset[str]().union(*(s.roots | s.context for s in case.sentences))
    nowhere = [word for word in question.words if word.isdisjoint(everything)]
    count = max(1, len(question.words))
    return (
        windows[0].chance if windows else 0.0,
        1 - float(np.prod([1 - item.chance for item in windows])),
        0.0 if score is None else float(1 / (1 + np.exp(-score / 4))),
        near,
        max((share_of_words(_held([item]), weights) for item in windows), default=0.0),
        len(words) / count,
        size * known.unknown,
        size * len(nowhere) / count,
        known.names_unknown,
        len(absent) / max(1, len(names)),
        float(bool(measures) and not gives_measure(texts, measures)),
        float(known.quantity_lacks_value),
        float(known.anchored),
    )


def _held(items: Sequence[Judged]) -> frozenset[str]:
    """The word families of windows and of the headings above them."""
    return frozenset[str]().union(*(s.roots | s.context for item in items for s in item.window.sentences))
