"""How long the steps of one question take, and when each was taken."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from threading import get_ident

Facts = dict[str, str | int]
"""Further facts about a step, by name: never words of a question or of a document."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step that was taken once: its number among those of a question, in the order in which they began, when it began
    and ended (milliseconds since the question did), the number of the step inside which it was taken (None: the
    question itself), and the kind of the error that ended it, if one did."""

    number: int
    name: str
    began_ms: float
    ended_ms: float
    inside: int | None = None
    error: str = ""
    facts: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Timeline:
    """When a question began (nanoseconds since 1970), how many milliseconds later it ended, and its steps."""

    began_ns: int = 0
    ended_ms: float = 0.0
    steps: tuple[Step, ...] = ()


class Steps:
    """Notes when the steps of a question are taken, which begins now, in this thread. A step that another thread takes
    is inside the one that this thread is at."""

    def __init__(self) -> None:
        self._began_ns, self._began = time.time_ns(), time.perf_counter()
        self._own = get_ident()
        self._numbers = count()
        self._open: dict[int, list[int]] = {self._own: []}
        self._taken: list[Step] = []

    @contextmanager
    def taking(self, name: str, note: Callable[[Step], None] = lambda _: None) -> Iterator[Facts]:
        """The block is a step of this name, even if it fails; facts about it may be added. `note` is called with the
        step at its end."""
        here = self._open.setdefault(get_ident(), [])
        inside = (here or self._open[self._own])[-1:]
        facts, number, began, error = Facts(), next(self._numbers), self._now(), ""
        here.append(number)
        try:
            yield facts
        except BaseException as failure:
            error = type(failure).__name__
            raise
        finally:
            here.pop()
            parent = inside[0] if inside else None
            step = Step(number, name, began, self._now(), parent, error, facts)
            self._taken.append(step)
            note(step)

    def timeline(self) -> Timeline:
        """The question as it went until now."""
        return Timeline(self._began_ns, self._now(), tuple(sorted(self._taken, key=lambda step: step.number)))

    def _now(self) -> float:
        return (time.perf_counter() - self._began) * 1000


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Milliseconds by step; repeated steps add up. `heard` is called with each step as it begins, `steps` records when
    each was taken."""

    timings_ms: dict[str, float] = field(default_factory=dict)
    heard: Callable[[str], None] | None = None
    steps: Steps = field(default_factory=Steps)

    @contextmanager
    def timing(self, step: str) -> Iterator[None]:
        """Time what is done inside, also where it fails."""
        if self.heard is not None:
            self.heard(step)
        with self.steps.taking(step, self._add):
            yield

    def _add(self, step: Step) -> None:
        spent = step.ended_ms - step.began_ms
        self.timings_ms[step.name] = round(self.timings_ms.get(step.name, 0.0) + spent, 3)
