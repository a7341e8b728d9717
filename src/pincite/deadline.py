"""Until when an answer is waited for: a moment, handed down from the question to whatever may have to be waited for."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

from pincite.errors import ServiceError

_BEHIND_ALL = 1e15
"""Seconds: a moment behind every deadline, and no endless one."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment of a clock that only goes forward. What takes one gives a ServiceError once it has passed, and asks
    nobody any more."""

    moment: float
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, seconds: float, clock: Callable[[], float] = time.monotonic) -> Deadline:
        """So many seconds from now."""
        return cls(clock() + seconds, clock)

    @classmethod
    def unless_gone(cls, seconds: float, gone: Event) -> Deadline:
        """So many seconds from now, or as soon as the asker is `gone`."""
        return cls.after(seconds, lambda: _BEHIND_ALL if gone.is_set() else time.monotonic())

    @classmethod
    def never(cls) -> Deadline:
        """One that does not pass."""
        return cls(math.inf)

    @property
    def is_never(self) -> bool:
        """Whether it cannot pass."""
        return math.isinf(self.moment)

    @property
    def passed(self) -> bool:
        """Whether nothing is waited for any more."""
        return self.clock() >= self.moment

    @property
    def is_abandoned(self) -> bool:
        """Whether whoever asked has gone away."""
        return self.clock() >= _BEHIND_ALL

    def remaining(self) -> float:
        """The seconds until then; 0 where it has passed."""
        return max(0.0, self.moment - self.clock())

    def within(self, share: float) -> Deadline:
        """An earlier one, after this share of what remains."""
        return self if self.is_never else Deadline.after(share * self.remaining(), self.clock)

    def check(self, who: str) -> None:
        """ServiceError where it has passed: `who` is waited for no longer."""
        if self.passed:
            raise ServiceError(f"{who} had not answered when the time was up: give it more with --timeout SECONDS")
