"""Values that are made when they are first asked for, once, whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Once(Generic[Made]):
    """Makes its value when it is first called; of several threads one makes it and the others wait. What fails raises,
    and is tried again with the next call."""

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._made: list[Made] = []
        self._lock = Lock()

    def __call__(self) -> Made:
        """The value, made now where it was not yet."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]

    def taken(self) -> Made | None:
        """The value, which is forgotten; None where nobody asked for it."""
        with self._lock:
            return self._made.pop() if self._made else None
