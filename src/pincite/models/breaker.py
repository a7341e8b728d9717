"""A language model that is left alone for a while after it has not answered several times in a row."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Lock

from pincite.deadline import Deadline
from pincite.errors import PromptTooLongError, ServiceError
from pincite.language_records import Completion, Prompt
from pincite.ports import LanguageModel

MOST_FAILURES = 3
"""In a row: a service that is down fails every time, one that is busy now and then. By eye, not measured."""
REST = 30.0
"""Seconds in which nobody waits for it: about as long as a server takes to start. By eye, not measured."""


class Breaker:
    """Asks a language model until it has failed MOST_FAILURES times in a row; for REST seconds then every question is
    told at once that it does not answer, and the next one tries again. `told` is told so many seconds whenever that
    begins."""

    def __init__(
        self, model: LanguageModel, told: Callable[[float], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.name, self.digest = model.name, model.digest
        self.context_size, self.concurrency = model.context_size, model.concurrency
        self._model = model
        self._told = told
        self._clock = clock
        self._failures = 0
        self._until = 0.0
        self._lock = Lock()

    def complete(
        self,
        prompt: Prompt,
        *,
        deadline: Deadline = Deadline.never(),
        cancelled: Event | None = None,
        hear: Callable[[str], None] | None = None,
    ) -> Completion:
        """The model's answer; ServiceError at once while it rests."""
        with self._lock:
            rest = self._until - self._clock()
        if rest > 0:
            raise ServiceError(
                f"{self.name} did not answer {MOST_FAILURES} times in a row: it is asked again in {rest:.0f} s"
            )
        try:
            completion = self._model.complete(prompt, deadline=deadline, cancelled=cancelled, hear=hear)
        except PromptTooLongError:
            self._note(failed=False)
            raise
        except ServiceError:
            self._note(failed=cancelled is None or not cancelled.is_set())
            raise
        self._note(failed=False)
        return completion

    def count_tokens(self, text: str) -> int:
        """As many as the model counts."""
        return self._model.count_tokens(text)

    def _note(self, *, failed: bool) -> None:
        with self._lock:
            self._failures = self._failures + 1 if failed else 0
            if self._failures < MOST_FAILURES:
                return
            self._failures, self._until = 0, self._clock() + REST
        self._told(REST)
