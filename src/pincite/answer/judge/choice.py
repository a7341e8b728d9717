"""Which of the judged windows are said: the likeliest, and those nearly as likely, as long as they are few."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence

from pincite.answer.judge.judgement import Judged, Judgement
from pincite.answer.judge.table_lines import table_line
from pincite.answer.material.select import is_new
from pincite.answer.material.windows import Window
from pincite.answer.said.statements import windowed
from pincite.records import Span, Statement

LONGEST_SAID = 700
"""Characters of windows that are said together."""
MOST_SAID = 3
"""Windows that are said together; facts were counted at one window and at three (0508)."""
LEAST_SHARE = 0.45
"""Of the likeliest window's chance, for what stands behind it: on even halves .9, .7, .5, .35 stated .27, .28, .30 and
.32 of the facts of foreign questions, in 34, 40, 48 and 64 words."""
LEAST_BEHIND = 0.5
"""The chance of what stands behind the finding of a plan, which has answered already."""
SURE, FAR = 4.0, 5.0
"""A reranker's score that is seldom wrong, and by how much it outdoes a finding: of 6 such cases on the even halves the
window answered 5 and the finding 2; with 3 instead of 5, 6 and 7 of 11."""


def choose_windows(
    judgement: Judgement,
    said: Collection[tuple[str, Span]],
    room: int = LONGEST_SAID,
    fits: Callable[[Window], bool] | None = None,
    least: float = 0.0,
) -> list[Statement]:
    """What to say in `room` characters of the windows that fit, the likeliest first, each trimmed; behind what a plan
    has `said` (source ids and spans), only what says something else; none whose chance is below `least`."""
    chosen: list[list[Statement]] = []
    texts: set[str] = set()
    lowest = -math.inf
    for item in (item for item in judgement.windows if fits is None or fits(item.window)):
        if item.chance < least or len(chosen) == MOST_SAID:
            break
        if item.score is not None and item.score < lowest:
            continue
        statements = _statements(judgement, item, said, fits)
        folded = " ".join(" ".join(statement.text for statement in statements).casefold().split())
        if not statements or folded in texts or (len(folded) > room and (chosen or said)):
            continue
        if not chosen:
            least = max(least, LEAST_SHARE * item.chance)
            lowest = -math.inf if item.score is None else item.score - FAR
        texts.add(folded)
        chosen.append(statements)
        room -= len(folded) + 1
    return [statement for statements in chosen for statement in statements]


def is_outdone(judgement: Judgement, finding: Sequence[Statement]) -> bool:
    """Whether the reranker is sure of a window and thinks far less of what a plan has found."""
    best = judgement.best_score
    if best is None or best < SURE or any(statement.kind == "missing" for statement in finding):
        return False
    score = judgement.score_of(finding)
    return score is not None and best - score >= FAR


def _statements(
    judgement: Judgement, item: Judged, said: Collection[tuple[str, Span]], fits: Callable[[Window], bool] | None
) -> list[Statement]:
    """What a window says, a line of a table with its heads; nothing where it cannot stand alone or was said."""
    case = judgement.case
    window = item.window if item.window.kind == "table" else judgement.trimmed(item)
    if window is None or not all(is_new(sentence, said) for sentence in window.sentences):
        return []
    if window.kind == "table":
        line = table_line(case, window, item.chance)
        return [] if line is None else [line]
    if fits is not None and not window.is_list:
        window = Window(tuple(sentence for sentence in window.sentences if fits(Window((sentence,)))))
    return windowed(window, item.chance, case.around.chunks)
