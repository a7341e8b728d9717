"""How likely the evidence answers the question at all: a logistic sum of signals, none of which decides alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.answer.material.sentences import share_of_words, weights_of
from pincite.answer.reading.chances import UnitRead, shipped_weights
from pincite.answer.reading.reads import CaseRead
from pincite.answer.words.amounts import gives_measure, measures_asked

MOST_LOOKED_AT = 5
"""Units among which an answer is nearly always the likeliest, if there is one."""
MANY_PASSAGES = 24
"""Passages that are looked at: a store with fewer says little by the words that it lacks."""

SIGNALS = (
    "relevance of the best",
    "relevance of the second",
    "chance of the best",
    "rare words with headings",
    "words with headings",
    "words unknown",
    "words in no unit",
    "names unknown",
    "names not in the best units",
    "measure not in the best units",
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


def is_unlikely(read: CaseRead, known: LookedUp) -> bool:
    """Whether the chance of an answer is so low that it is better to say that there is none."""
    return chance_of_answer(read, known) < _weights(read)["least"]


def chance_of_answer(read: CaseRead, known: LookedUp) -> float:
    """The share of questions with such signals whose answer was right."""
    weights = _weights(read)
    signals = answer_signals(read, known)
    total = weights["constant"] + sum(weights[name] * value for name, value in zip(SIGNALS, signals, strict=True))
    return round(float(1 / (1 + np.exp(-total))), 6)


def _weights(read: CaseRead) -> Mapping[str, float]:
    weights: Mapping[str, float] = shipped_weights()["answerable" if read.reader else "answerable without a reader"]
    return weights


def answer_signals(read: CaseRead, known: LookedUp) -> tuple[float, ...]:
    """The values of SIGNALS."""
    case, units = read.case, read.units[:MOST_LOOKED_AT]
    question, weights = case.question, weights_of(case.question, case.sentences)
    passages = len(case.retrieval.evidence) + len(case.retrieval.beyond)
    size = min(1.0, passages / MANY_PASSAGES)
    relevances = [item.reading.relevance for item in units if item.reading is not None]
    texts, held = " ".join(item.unit.text for item in units), _held(units)
    words = [word for word in question.words if not word.isdisjoint(held)]
    names = [word for word in question.words if word & question.name_roots]
    absent = [word for word in names if word.isdisjoint(held)]
    measures = measures_asked(question.text)
    everything = frozenset[str]().union(*(s.roots | s.context for s in case.sentences))
    nowhere = [word for word in question.words if word.isdisjoint(everything)]
    count = max(1, len(question.words))
    return (
        relevances[0] / 10 if relevances else 0.0,
        relevances[1] / 10 if len(relevances) > 1 else -1.0,
        units[0].chance if units else 0.0,
        max((share_of_words(_held([item]), weights) for item in units), default=0.0),
        len(words) / count,
        size * known.unknown,
        size * len(nowhere) / count,
        known.names_unknown,
        len(absent) / max(1, len(names)),
        float(bool(measures) and not gives_measure(texts, measures)),
        float(known.quantity_lacks_value),
        float(known.anchored),
    )


def _held(items: Sequence[UnitRead]) -> frozenset[str]:
    """The word families of units and of the headings above them."""
    return frozenset[str]().union(*(s.roots | s.context for item in items for s in item.unit.sentences))
