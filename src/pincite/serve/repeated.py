"""Questions that were answered lately: their answers may be kept, so that nobody need wait behind others for them."""

from __future__ import annotations

from collections import OrderedDict

from pincite.serve.askers import Task

MOST_KEPT = 1000
"""As many as the cache keeps."""


class Repeated:
    """What was asked lately, as it was asked; used by one thread. It says where a look into the cache is worth while,
    and nothing of what is there."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._answered: OrderedDict[tuple[str, tuple[str, ...]], None] = OrderedDict()
        self._most = most

    def note(self, task: Task) -> None:
        """This was answered, and the answer may be kept."""
        key = _key(task)
        self._answered[key] = None
        self._answered.move_to_end(key)
        while len(self._answered) > self._most:
            self._answered.popitem(last=False)

    def forget(self, task: Task) -> None:
        """Nothing is kept of it any more."""
        self._answered.pop(_key(task), None)

    def __contains__(self, task: Task) -> bool:
        """Whether the same was answered lately to somebody who may see the same."""
        return _key(task) in self._answered


def _key(task: Task) -> tuple[str, tuple[str, ...]]:
    return repr(task.asked), task.principals
