"""Fit the weights of `pincite.answer.material.select`: the sentences that hold a gold answer are to come first.

    python tools/fit_sentence_weights.py SET... --store DIR

Each SET is a BEIR folder with gold answers. Even questions (first byte of the SHA-256 of the id) are fitted, each
set counting the same; printed are the weights, and the share of odd questions whose best five sentences hold it.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import pincite.answer.compose as composing
from pincite.answer.material.case import Case
from pincite.answer.material.sentences import FEATURES, Sentence, features_of
from pincite.evaluate.answer_sets import YES_NO, contains
from pincite.evaluate.beir import Question, load_set
from pincite.evaluate.report import is_held_out
from pincite.evaluate.retrieval import index_set
from pincite.settings import load_settings
from pincite.wiring import open_engine

STEPS, RATE, SHRINKAGE = 400, 0.05, 0.01
BEST = 5


@dataclass(frozen=True, slots=True)
class Example:
    """One question: features of its sentences, and which of them hold a gold answer."""

    set: str
    question: Question
    sentences: Sequence[Sentence]
    features: NDArray[np.float64]
    holds: NDArray[np.bool_]

    @property
    def even(self) -> bool:
        """Whether it is fitted on."""
        return not is_held_out(self.question.id)


def examples_of(folder: Path, store: Path) -> list[Example]:
    """The questions of a set that a sentence can answer, with what composition sees of them."""
    loaded, settings = load_set(folder), load_settings()[0]
    place = store / f"beir-{loaded.corpus_key}"
    index_set(settings, place, loaded)
    seen: list[Case] = []
    make = composing.case_of
    composing.case_of = lambda *given: seen.append(make(*given)) or seen[-1]  # type: ignore[func-returns-value]
    with open_engine(settings, place) as engine:
        asked = [q for q in loaded.questions if q.answers and q.answers[0].lower() not in YES_NO]
        for question in asked:
            engine.ask(question.text, receipt=False)
    composing.case_of = make
    return [_example(loaded.name, question, case) for question, case in zip(asked, seen, strict=True)]


def _example(name: str, question: Question, case: Case) -> Example:
    holds = np.array([contains(sentence.text, question.answers) for sentence in case.sentences], np.bool_)
    return Example(name, question, case.sentences, features_of(case.question, case.sentences), holds)


def fit(examples: Sequence[Example]) -> NDArray[np.float64]:
    """Weights under which a softmax over the sentences of a question gives most to those that hold the answer."""
    counts: dict[str, int] = defaultdict(int)
    for example in examples:
        counts[example.set] += 1
    weights = np.zeros(len(FEATURES))
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = SHRINKAGE * weights
        for example in examples:
            share = np.exp(example.features @ weights - np.max(example.features @ weights))
            share /= share.sum()
            wanted = share * example.holds / (share * example.holds).sum()
            slope = slope + example.features.T @ (share - wanted) / (len(counts) * counts[example.set])
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        weights = weights - RATE * mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def accuracy(examples: Sequence[Example], weights: NDArray[np.float64]) -> float:
    """The share of questions whose best sentences hold the answer."""
    right = []
    for example in examples:
        scores = example.features @ weights
        order = np.argsort(-scores, kind="stable")
        best = [example.sentences[place].text for place in order[:BEST]]
        right.append(contains("\n".join(best), example.question.answers))
    return float(np.mean(right))


def main() -> None:
    """Read the arguments, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", metavar="SET", type=Path, nargs="+")
    parser.add_argument("--store", type=Path, required=True)
    arguments = parser.parse_args()
    examples = [example for folder in arguments.sets for example in examples_of(folder, arguments.store)]
    weights = fit([example for example in examples if example.even and example.holds.any()])
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"{name:50} {weight:6.2f}")
    for folder in arguments.sets:
        odd = [e for e in examples if e.set == folder.resolve().name and not e.even]
        print(f"{folder.name}: {accuracy(odd, weights):.3f} of {len(odd)} odd questions")


if __name__ == "__main__":
    main()
