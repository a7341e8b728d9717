"""Who answers questions: the engine of this process, or processes of their own."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from threading import Event
from typing import Protocol

from pincite.engine.engine import Engine
from pincite.serve.asked import Heard, Search
from pincite.settings import Settings


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked, by whom, and the tags of what they may see."""

    asked: Search
    principals: tuple[str, ...] = ()
    who: str = ""


class Askers(Protocol):
    """Answers one question in each thread that calls it."""

    def answer(self, task: Task, gone: Event, heard: Heard | None = None) -> bytes:
        """The JSON of what was found; `heard` is told each stage as it begins, and once whoever asks is `gone` no model
        is waited for. Raises what the engine raises."""
        ...

    def at_rest(self) -> AbstractContextManager[None]:
        """Nothing is answered meanwhile by other engines than that of this process, as far as can be waited for."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...


@dataclass(frozen=True, slots=True)
class Here:
    """The engine of this process, which whoever opened it closes."""

    engine: Engine
    settings: Settings

    def answer(self, task: Task, gone: Event, heard: Heard | None = None) -> bytes:
        """See Askers."""
        return task.asked.found_in(self.engine.session(task.principals, task.who), self.settings, gone, heard)

    def again(self, task: Task, gone: Event) -> bytes | None:
        """What is kept of an answer to the same; None where it has to be made."""
        return task.asked.found_again_in(self.engine.session(task.principals, task.who), self.settings, gone)

    def at_rest(self) -> AbstractContextManager[None]:
        """There are none."""
        return nullcontext()

    def close(self) -> None:
        """Nothing is its own."""
