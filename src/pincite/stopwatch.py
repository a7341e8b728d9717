"""How long the steps of one question take."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Milliseconds by step; a step that is taken again adds up. `heard` is told each step as it begins."""

    timings_ms: dict[str, float] = field(default_factory=dict)
    heard: Callable[[str], None] | None = None

    @contextmanager
    def timing(self, step: str) -> Iterator[None]:
        """Time what is done inside, also where it fails."""
        if self.heard is not None:
            self.heard(step)
        started = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - started) * 1000
            self.timings_ms[step] = round(self.timings_ms.get(step, 0.0) + spent, 3)
