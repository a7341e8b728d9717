"""In which order sources are read and stored, however long each takes to be read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from pincite.build.sources import Found

READ_AHEAD = 64
"""So many sources may have been read, or be under way, while one before them is not done; as many more for each level
of files inside files. A bound on the documents held in memory and the copies of objects on disk: 336 HTML files behind
one PDF of 3.6 MB took 19 to 22 s and 132 to 134 MB with 2, 16, 64 and 1,000, two runs each."""

Step = Callable[[], None]


class Turns:
    """The sources of a run that have to be read, in the order of their turns: as they were added, what lies inside a
    file right behind it. What is to be done with each is done in its turn, so that the order of what is stored depends
    on neither the speed nor the number of readers."""

    def __init__(self) -> None:
        self._unread: deque[Found] = deque()
        self._order: deque[str] = deque()
        self._steps: dict[str, Step] = {}

    def __bool__(self) -> bool:
        """Whether any is not done."""
        return bool(self._order)

    def add(self, item: Found) -> None:
        """Add a source as the last one, or as the next one where it lies inside a file."""
        if item.inside:
            self._unread.appendleft(item)
            self._order.appendleft(item.source_id)
        else:
            self._unread.append(item)
            self._order.append(item.source_id)

    def next_unread(self) -> Found | None:
        """The next source to be read; None where there is none, or too many are ahead of one that is not done."""
        if not self._unread:
            return None
        ahead = len(self._order) - len(self._unread)
        return self._unread.popleft() if ahead < READ_AHEAD * (1 + len(self._unread[0].inside)) else None

    def ready(self, source_id: str, step: Step) -> None:
        """Say what is to be done with a source in its turn, now that it was read; do all that can be done now."""
        self._steps[source_id] = step
        while self._order and self._order[0] in self._steps:
            self._steps.pop(self._order.popleft())()
