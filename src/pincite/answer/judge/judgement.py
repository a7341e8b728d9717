"""How likely each window answers the question: signals that cost little choose what is read, two models read it.

Trees over the cheap signals choose MOST_READ windows, a late-interaction model those of them that a cross-encoder
reads; trees over the signals and both models' scores say how likely each answers. All weights (`judge.json`) were
trained by `tools/train_judge.py` on the even halves of the development sets (docs/decisions/0508, 0111). Without a
reranker the trees over the cheap signals have the last word.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pincite.answer.asked.question import Question
from pincite.answer.judge.signals import FEATURES, signals_of
from pincite.answer.material.case import Case
from pincite.answer.material.select import can_answer
from pincite.answer.material.windows import LONGEST_WINDOW, Window, path_of, windows_of
from pincite.deadline import Deadline
from pincite.ports import Reranker, TokenMatches
from pincite.records import Evidence, Retrieval, Statement
from pincite.retrieve.learned import Trees, read_trees

WEIGHTS = "judge.json"
LEAST_CHANCE = 1e-4
"""Of the trees: they are no surer than that."""
MOST_READ = 24
"""Windows that the first stage reads: each costs about 25 ms of one core. On the even halves 16, with 6 and 3 of them
read by the cross-encoder, lost 4 of 100 foreign questions among three windows; 20, with 4 and 2, none, but 11 of
2wiki's."""
NEAREST, LIKELIEST = 8, 4
"""Of these, windows that the cross-encoder reads: the nearest by the first stage, and the likeliest by the trees, since
what leads from one document to another is not near the question."""
TRIMMED_FOR = 0.008
"""How much farther from the question's words a window may be when it is cut: on the even halves .004, .006, .01, .02
kept 114, 111, 105, 94 of 125 facts of windows, in .79, .74, .66, .51 of their words; the cross-encoder, asked of each
run of sentences, 103 in .61."""
OF_READING = (
    *("late interaction", "late interaction below best", "late interaction's rank"),
    *("cross-encoder", "cross-encoder below best", "cross-encoder's rank"),
)
JUDGED = (*FEATURES, *OF_READING)
"""What the trees see of a window that both models read."""


Ensemble = Literal["cheap", "judged"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A window with its row of FEATURES, how likely it answers the question (0 to 1), and what the reranker and its
    first stage say of it, where there are any."""

    window: Window
    signals: NDArray[np.float64]
    chance: float
    score: float | None = None
    matches: TokenMatches | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The windows of a case that may answer it, the likeliest first; ties in the order of the evidence."""

    case: Case
    windows: tuple[Judged, ...]
    reranker: Reranker | None

    @property
    def best_score(self) -> float | None:
        """The highest score that the reranker gave a window; None without a reranker or windows."""
        return max((item.score for item in self.windows if item.score is not None), default=None)

    def score_of(self, statements: Sequence[Statement]) -> float | None:
        """What the reranker says of statements together; None where there is none."""
        if self.reranker is None:
            return None
        cited = [citation.chunk_id for statement in statements for citation in statement.citations][:1]
        path = "".join(f"{path_of(chunk)}: " for chunk in self.case.around.chunks(cited))
        text = " ".join(statement.text for statement in statements)[:LONGEST_WINDOW]
        asked, around = self.case.question.text, self.case.around
        with around.space.watch.timing("reranker"):
            return float(self.reranker.scores(asked, [path + text], deadline=around.deadline)[0])

    def trimmed(self, item: Judged) -> Window | None:
        """What of a window is said: the shortest run of its sentences whose tokens are as near the question as those of
        all of it; without a first stage its best sentence; a list whole. None where nothing of it can stand alone."""
        window = item.window
        if window.is_list or len(window.sentences) == 1:
            return window if can_answer(window.sentences[0], self.case.question) else None
        runs = _runs(window, self.case.question)
        if not runs or item.matches is None:
            return self._best_sentence(runs)
        heading, places = window.places
        whole = item.matches.score_of([heading, *places.values()])
        scores = [item.matches.score_of([heading, *(places[s.position] for s in run.sentences)]) for run in runs]
        good = [run for run, score in zip(runs, scores, strict=True) if score >= whole - TRIMMED_FOR]
        return min(good or runs[-1:], key=lambda run: len(run.text))

    def _best_sentence(self, runs: Sequence[Window]) -> Window | None:
        """Of the runs of one sentence the one that is nearest the question."""
        scores = {(c.sentence.chunk.chunk_id, c.sentence.position): c.score for c in self.case.ranked}
        single = [run for run in runs if len(run.sentences) == 1]
        return max(single, key=lambda run: scores.get(_place(run), 0.0), default=None)


def judge(case: Case) -> Judgement:
    """What the evidence of a case says, window by window."""
    windows = windows_of([*case.sentences, *case.beyond])
    signals = signals_of(case, windows)
    around, items = case.around, likeliest(windows, signals, _chances("cheap", signals))
    reranker = around.reranker
    if reranker is None or not items:
        return Judgement(case, ranked(items), None)
    with around.space.watch.timing("reranker"):
        read = read_windows(case.question.text, items, reranker, around.deadline)
    return Judgement(case, ranked(read, chances_of(read)), reranker)


def likeliest(windows: Sequence[Window], signals: NDArray[np.float64], chances: NDArray[np.float64]) -> list[Judged]:
    """Those MOST_READ windows with the highest chances, in their order."""
    best = np.sort(np.lexsort((np.arange(len(windows)), -chances))[:MOST_READ])
    return [Judged(windows[place], signals[place], float(chances[place])) for place in best.tolist()]


def read_windows(
    question: str, items: Sequence[Judged], reranker: Reranker, deadline: Deadline = Deadline.never()
) -> list[Judged]:
    """These windows with what the models say of them, their chances still those of the cheap signals; what the first
    stage finds far from the question and nothing else speaks for is left out."""
    first = reranker.first_stage
    if first is not None:
        matches = first.matches(question, [item.window.reading for item in items], deadline=deadline)
        near = np.array([found.score() for found in matches])
        order = np.arange(len(items))
        nearest = np.lexsort((order, -near))[:NEAREST]
        likely = np.lexsort((order, -np.array([item.chance for item in items])))[:LIKELIEST]
        items = [
            replace(items[place], matches=matches[place]) for place in sorted({*nearest.tolist(), *likely.tolist()})
        ]
    scores = reranker.scores(question, [item.window.reading for item in items], deadline=deadline).tolist()
    return [replace(item, score=score) for item, score in zip(items, scores, strict=True)]


def chances_of(read: Sequence[Judged]) -> NDArray[np.float64]:
    """The chance of each window that was read: by the trees over JUDGED where both models read it, else by what the
    cross-encoder and the cheap signals say."""
    if all(item.matches is not None for item in read):
        return _chances("judged", read_signals(read))
    weights: Mapping[str, float] = shipped_weights()["by the cross-encoder"]
    return np.array([_logistic(weights, item) for item in read])


def read_signals(read: Sequence[Judged]) -> NDArray[np.float64]:
    """One row of JUDGED for each window that both models read."""
    near = np.array([item.matches.score() if item.matches else 0.0 for item in read])
    judge = np.array([item.score or 0.0 for item in read])
    columns = [column for scores in (near, judge) for column in _beside_the_others(scores)]
    return np.column_stack([np.array([item.signals for item in read]), *columns])


def cross_encoder_signals(item: Judged) -> dict[str, float]:
    """What is known of a window that the cross-encoder alone has read: the log-odds by the cheap signals, its score."""
    odds = min(max(item.chance, LEAST_CHANCE), 1 - LEAST_CHANCE)
    return {"cheap": math.log(odds / (1 - odds)), "cross-encoder": item.score or 0.0}


def _logistic(weights: Mapping[str, float], item: Judged) -> float:
    total = weights["constant"] + sum(weights[key] * value for key, value in cross_encoder_signals(item).items())
    return round(1 / (1 + math.exp(-total)), 6)


def _beside_the_others(scores: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Scores, how far each lies below the best, and 1 over its rank."""
    ranks = np.empty(len(scores))
    ranks[np.lexsort((np.arange(len(scores)), -np.round(scores, 5)))] = np.arange(len(scores))
    return scores, scores.max(initial=-np.inf) - scores, 1 / (1 + ranks)


def evidence_of(
    retrieval: Retrieval, statements: Sequence[Statement], judgement: Judgement | None
) -> tuple[Evidence, ...]:
    """The hits and what these statements cite behind them, each with the chance of its best window where the reranker
    read one: the likeliest first, the others behind them in the order of their ranks."""
    cited = {citation.chunk_id for statement in statements for citation in statement.citations}
    evidence = [*retrieval.evidence, *(item for item in retrieval.beyond if item.chunk.chunk_id in cited)]
    best: dict[str, float] = {}
    for item in () if judgement is None else judgement.windows:
        if item.score is not None:
            best.setdefault(item.window.chunk.chunk_id, item.chance)
    scored = (replace(item, scores=replace(item.scores, rerank=best.get(item.chunk.chunk_id))) for item in evidence)
    return tuple(sorted(scored, key=lambda item: (-(item.scores.rerank or 0.0), item.rank)))


def _place(window: Window) -> tuple[str, int]:
    return window.chunk.chunk_id, window.sentences[0].position


def _runs(window: Window, question: Question) -> list[Window]:
    """The runs of a window's sentences each of which can stand alone, the longest last."""
    sentences = window.sentences
    runs = [sentences[start:end] for start, end in combinations(range(len(sentences) + 1), 2)]
    able = [run for run in runs if all(can_answer(sentence, question) for sentence in run)]
    return [Window(run) for run in sorted(able, key=len)]


def ranked(items: Sequence[Judged], chances: NDArray[np.float64] | None = None) -> tuple[Judged, ...]:
    """The likeliest first; with the chances that are given."""
    if chances is not None:
        items = [replace(item, chance=float(chance)) for item, chance in zip(items, chances, strict=True)]
    return tuple(sorted(items, key=lambda item: -item.chance))


def _chances(ensemble: Ensemble, signals: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance of each row, to 6 decimals."""
    return np.round(1 / (1 + np.exp(-_trees(ensemble).predict(signals))), 6)


@lru_cache(maxsize=2)
def _trees(ensemble: Ensemble) -> Trees:
    return read_trees(shipped_weights()[ensemble], FEATURES if ensemble == "cheap" else JUDGED)


@lru_cache(maxsize=1)
def shipped_weights() -> Mapping[str, Any]:
    """The trained weights of the judge."""
    found: Mapping[str, Any] = json.loads((files("pincite.answer.judge") / WEIGHTS).read_text(encoding="utf-8"))
    return found
