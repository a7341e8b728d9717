"""Fit the weights of `pincite.answer.material.select`: the sentences that hold a gold answer are to come first.

    python tools/fit_sentence_weights.py WORK SET [SET ...]

Each SET is a BEIR folder with gold answers. Even questions (first byte of the SHA-256 of the id) are fitted, each
set counting the same. Stores are made in WORK, or taken up again. Writes `sentence_weights.json` into the package:
the weights, digests of the data, and the share of questions of each half whose best five sentences hold the answer.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import pincite.answer.material
from pincite.answer.material.case import Case
from pincite.answer.material.select import STORED_WEIGHTS
from pincite.answer.material.sentence_features import FEATURES, features_of
from pincite.answer.material.sentences import Sentence
from pincite.evaluate.answer_sets import YES_NO, contains
from pincite.evaluate.files import content_key
from pincite.evaluate.report import is_held_out
from pincite.evaluate.retrieval import Question, load_set
from pincite.settings import Settings
from training_questions import cases_of, set_engine

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


def examples_of(folder: Path, work: Path, settings: Settings) -> list[Example]:
    """The questions of a set that a sentence can answer, with what composition sees of them."""
    loaded = load_set(folder)
    asked = [q for q in loaded.questions if q.answers and q.answers[0].lower() not in YES_NO]
    cases = cases_of(set_engine(loaded, work, settings), [question.text for question in asked], None)
    return [_example(loaded.name, question, case) for question, case in zip(asked, cases, strict=True)]


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
    """Read the arguments, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path, help="folder for stores; kept for the next run")
    parser.add_argument("sets", metavar="SET", type=Path, nargs="+")
    parser.add_argument("--embedder", default="bge")
    arguments = parser.parse_args()
    settings = Settings(embedder=arguments.embedder)
    examples = [example for folder in arguments.sets for example in examples_of(folder, arguments.work, settings)]
    weights = np.round(fit([example for example in examples if example.even and example.holds.any()]), 2)
    figures = {}
    for name in dict.fromkeys(example.set for example in examples):
        for half in (True, False):
            own = [example for example in examples if example.set == name and example.even == half]
            key = f"{name}, {'even' if half else 'odd'}"
            figures[key] = {"questions": len(own), f"among {BEST}": round(accuracy(own, weights), 4)}
            print(key, figures[key])
    stored = {
        "weights": dict(zip(FEATURES, weights.tolist(), strict=True)),
        "script": Path(__file__).name,
        "data": {f"{path.name}/queries": content_key(next(path.glob("queries.jsonl*"))) for path in arguments.sets},
        "embedder": arguments.embedder,
        "versions": {"numpy": version("numpy")},
        "figures": figures,
    }
    target = Path(pincite.answer.material.__file__).parent / STORED_WEIGHTS
    target.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
