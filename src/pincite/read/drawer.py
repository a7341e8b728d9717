"""Drawing pages in a child process: a file that hangs, crashes or swells is refused, and the next page is drawn."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import TypeVar

from pincite.errors import ClosedError
from pincite.read.child import Child
from pincite.read.transport import unpack_boxes, unpack_picture
from pincite.records.pages import Box, Span

DRAWING_SECONDS = 30.0
"""For a page; one that is read by OCR has so long from each sign of life. By eye, not measured."""
CALLED = "the process that draws"

_Drawn = TypeVar("_Drawn")


class Drawer:
    """One kept process, started when it is first asked. Of several threads that ask, one after the other is served,
    each with its own time. Whoever opens it calls `close`."""

    def __init__(self, *, memory_bytes: int, passwords: tuple[str, ...] = (), seconds: float = DRAWING_SECONDS) -> None:
        self._child = Child("pincite.read.drawing", seconds, memory_bytes, called=CALLED, task="draw")
        self._passwords = passwords
        self._lock = Lock()

    def boxes(self, path: Path, spans: Sequence[Span]) -> list[list[Box]]:
        """For each span its boxes, a line each; none in a file whose pages cannot be drawn. Raises ReadError."""
        if not spans:
            return []
        return self._ask(lambda data: unpack_boxes(data, len(spans)), "boxes", path, list(spans))

    def picture(self, path: Path, number: int, marks: Sequence[Box], hidden: Sequence[Box] = ()) -> bytes:
        """The PNG of physical page `number` (from 1), `marks` tinted and `hidden` black; raises ReadError where it
        cannot be drawn."""
        return self._ask(unpack_picture, "picture", path, number, list(marks), list(hidden))

    def close(self) -> None:
        """End the process at once; what it was drawing is lost, and whoever asks from now on gets a ClosedError."""
        self._child.stop()
        with self._lock:
            self._child.end()

    def _ask(self, unpack: Callable[[bytes], _Drawn], what: str, path: Path, *how: object) -> _Drawn:
        with self._lock:
            if self._child.stopped.is_set():
                raise ClosedError.of(CALLED)
            return self._child.ask((what, os.fsencode(path.absolute()), *how, self._passwords), unpack)
