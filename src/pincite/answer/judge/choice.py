"""Which of the judged windows are said: the likeliest, and those nearly as likely, as long as they are few."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pincite.answer.judge.judgement import Judged
from pincite.answer.material.select import is_new, says_something
from pincite.records import Span

LONGEST_SAID = 700
"""Characters of windows that are said together."""
MOST_SAID = 4
LEAST_SHARE = 0.5
"""Of the likeliest window's chance, for what stands behind it."""
LEAST_BEHIND = 0.3
"""The chance of what stands behind the finding of a plan, which has answered already."""


def choose_windows(judged: Sequence[Judged], said: Collection[tuple[str, Span]], room: int) -> list[Judged]:
    """The windows to say in `room` characters, the likeliest first, each text once; behind what a plan has `said`
    (source ids and spans), only those that say something else and are likely by themselves."""
    able = [item for item in judged if all(map(says_something, item.window.sentences))]
    best = max((item.chance for item in able), default=0.0)
    least = max(LEAST_SHARE * best, LEAST_BEHIND if said else 0.0)
    chosen: list[Judged] = []
    texts: set[str] = set()
    for item in able:
        window, folded = item.window, " ".join(item.window.text.casefold().split())
        if item.chance < least or folded in texts or not all(is_new(s, said) for s in window.sentences):
            continue
        if len(chosen) == MOST_SAID or (len(window.text) > room and (chosen or said)):
            break
        texts.add(folded)
        chosen.append(item)
        room -= len(window.text) + 1
    return chosen
