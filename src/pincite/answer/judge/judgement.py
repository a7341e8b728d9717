"""How likely each window answers the question: trees over signals that cost little, then over what a reranker reads.

The trees (`judge.json`) were trained by `tools/train_judge.py` on the even halves of the development sets. Without a
reranker those over the cheap signals have the last word.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pincite.answer.judge.signals import FEATURES, JUDGED, signals_of, with_judge
from pincite.answer.material.case import Case
from pincite.answer.material.windows import Window, windows_of
from pincite.retrieve.learned import Trees, read_trees

WEIGHTS = "judge.json"
MOST_READ = 20
"""Windows that the reranker reads: each costs about 30 ms of one core, and they are to take less than half a second."""

Ensemble = Literal["cheap", "judged"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A window, how likely it answers the question (0 to 1), and what the reranker says of it, where there is one."""

    window: Window
    chance: float
    score: float | None = None


def judge_windows(case: Case) -> list[Judged]:
    """The windows of the evidence that may answer, the likeliest first; ties in the order of the evidence."""
    windows = windows_of(case.sentences)
    signals = signals_of(case, windows)
    cheap = _chances("cheap", signals)
    best = np.lexsort((np.arange(len(windows)), -cheap))[:MOST_READ]
    reranker = case.around.reranker
    if reranker is None or not windows:
        return _ranked([windows[place] for place in best], cheap[best], None)
    read = [windows[place] for place in sorted(best.tolist())]
    scores = reranker.scores(case.question.text, [window.reading for window in read])
    return _ranked(read, _chances("judged", with_judge(signals[np.sort(best)], scores)), scores)


def _ranked(
    windows: Sequence[Window], chances: NDArray[np.float64], scores: NDArray[np.float32] | None
) -> list[Judged]:
    order = np.lexsort((np.arange(len(windows)), -chances))
    return [Judged(windows[i], float(chances[i]), None if scores is None else float(scores[i])) for i in order]


def _chances(ensemble: Ensemble, signals: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance of each row, to 6 decimals."""
    return np.round(1 / (1 + np.exp(-_shipped(ensemble).predict(signals))), 6)


@lru_cache(maxsize=2)
def _shipped(ensemble: Ensemble) -> Trees:
    stored = json.loads((files("pincite.answer.judge") / WEIGHTS).read_text(encoding="utf-8"))
    return read_trees(stored[ensemble], FEATURES if ensemble == "cheap" else JUDGED)
