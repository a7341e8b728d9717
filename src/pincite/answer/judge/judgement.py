"""How likely each window answers the question: trees over signals that cost little, then over what a reranker reads.

The trees (`judge.json`) were trained by `tools/train_judge.py` on the even halves of the development sets. Without a
reranker those over the cheap signals have the last word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pincite.answer.judge.signals import FEATURES, JUDGED, signals_of, with_judge
from pincite.answer.material.case import Case
from pincite.answer.material.select import says_something
from pincite.answer.material.windows import LONGEST_WINDOW, Window, path_of, windows_of
from pincite.ports import Reranker
from pincite.records import Evidence, Retrieval, Statement
from pincite.retrieve.learned import Trees, read_trees

WEIGHTS = "judge.json"
MOST_READ = 24
"""Windows that the reranker reads: each costs about 30 ms of one core, and they are to take less than half a second."""
TRIMMED_FOR = 0.25
"""What a reranker's score may lose where a window is cut: on the even halves this kept 31 of 31 facts of windows,
in .70 of their words (0.5: 27 in .64)."""
ENOUGH = 6.0
"""A reranker's score with which a run of sentences answers by itself, whatever the whole window has."""

Ensemble = Literal["cheap", "judged"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A window, how likely it answers the question (0 to 1), and what the reranker says of it, where there is one."""

    window: Window
    chance: float
    score: float | None = None


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
        return float(self.reranker.scores(self.case.question.text, [path + text])[0])

    def trimmed(self, item: Judged) -> Window | None:
        """What of a window is said: the shortest run of its sentences which the reranker thinks as good as all of it;
        without one, its best sentence; a list whole. None where nothing of it can stand alone."""
        window = item.window
        if window.is_list or len(window.sentences) == 1:
            return window if all(map(says_something, window.sentences)) else None
        runs = _runs(window)
        if not runs or self.reranker is None or item.score is None:
            return self._best_sentence(runs)
        parts = [run for run in runs if run != window]
        scores = self.reranker.scores(self.case.question.text, [run.reading for run in parts])
        enough = min(item.score - TRIMMED_FOR, ENOUGH)
        good = [run for run, score in zip(parts, scores, strict=True) if score >= enough]
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
    cheap = _chances("cheap", signals)
    best = np.sort(np.lexsort((np.arange(len(windows)), -cheap))[:MOST_READ])
    read = [windows[place] for place in best.tolist()]
    reranker = case.around.reranker
    if reranker is None or not read:
        return Judgement(case, _ranked(read, cheap[best], None), None)
    scores = reranker.scores(case.question.text, [window.reading for window in read])
    return Judgement(case, _ranked(read, _chances("judged", with_judge(signals[best], scores)), scores), reranker)


def evidence_of(
    retrieval: Retrieval, statements: Sequence[Statement], judgement: Judgement | None
) -> tuple[Evidence, ...]:
    """The hits and what these statements cite behind them, each with the score of its best window (0 to 1) where the
    reranker read one."""
    cited = {citation.chunk_id for statement in statements for citation in statement.citations}
    evidence = [*retrieval.evidence, *(item for item in retrieval.beyond if item.chunk.chunk_id in cited)]
    best: dict[str, float] = {}
    for item in () if judgement is None else judgement.windows:
        if item.score is not None:
            known = best.get(item.window.chunk.chunk_id, item.score)
            best[item.window.chunk.chunk_id] = max(known, item.score)
    rerank = {chunk_id: round(float(1 / (1 + np.exp(-score))), 6) for chunk_id, score in best.items()}
    return tuple(
        replace(item, scores=replace(item.scores, rerank=rerank.get(item.chunk.chunk_id))) for item in evidence
    )


def _place(window: Window) -> tuple[str, int]:
    return window.chunk.chunk_id, window.sentences[0].position


def _runs(window: Window) -> list[Window]:
    """The runs of a window's sentences each of which can stand alone, the longest last."""
    sentences = window.sentences
    runs = [sentences[start:end] for start, end in combinations(range(len(sentences) + 1), 2)]
    able = [run for run in runs if all(map(says_something, run))]
    return [Window(run) for run in sorted(able, key=len)]


def _ranked(
    windows: Sequence[Window], chances: NDArray[np.float64], scores: NDArray[np.float32] | None
) -> tuple[Judged, ...]:
    order = np.lexsort((np.arange(len(windows)), -chances))
    return tuple(Judged(windows[i], float(chances[i]), None if scores is None else float(scores[i])) for i in order)


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
