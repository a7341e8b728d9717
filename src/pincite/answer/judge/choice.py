"""Which of the judged windows are said: the likeliest, and those nearly as likely, as long as they are few."""

from __future__ import annotations

from collections.abc import Callable, Collection

from pincite.answer.judge.judgement import Judged, Judgement
from pincite.answer.material.select import is_new
from pincite.answer.material.windows import Window
from pincite.records import Span

LONGEST_SAID = 700
"""Characters of windows that are said together."""
MOST_SAID = 4
LEAST_SHARE = 0.5
"""Of the likeliest window's chance, for what stands behind it."""
LEAST_BEHIND = 0.3
"""The chance of what stands behind the finding of a plan, which has answered already."""


def choose_windows(
    judgement: Judgement,
    said: Collection[tuple[str, Span]],
    room: int = LONGEST_SAID,
    fits: Callable[[Window], bool] = lambda window: True,
) -> list[tuple[Window, Judged]]:
    """What to say in `room` characters of the windows that fit, the likeliest first, each trimmed and with its
    judgement; behind what a plan has `said` (source ids and spans), only what says something else and is likely by
    itself."""
    chosen: list[tuple[Window, Judged]] = []
    texts: set[str] = set()
    least = LEAST_BEHIND if said else 0.0
    for item in (item for item in judgement.windows if fits(item.window)):
        if item.chance < least or len(chosen) == MOST_SAID:
            break
        window = judgement.trimmed(item)
        if window is None or not all(is_new(sentence, said) for sentence in window.sentences):
            continue
        folded = " ".join(window.text.casefold().split())
        if folded in texts or (len(folded) > room and (chosen or said)):
            continue
        least = max(least, LEAST_SHARE * item.chance) if not chosen else least
        texts.add(folded)
        chosen.append((window, item))
        room -= len(folded) + 1
    return chosen
