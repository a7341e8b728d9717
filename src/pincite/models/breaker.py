"""Models behind services that are left alone for a while where they do not answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Event, Lock
from typing import TypeVar

from pincite.deadline import Deadline
from pincite.errors import PromptTooLongError, ServiceError
from pincite.ports import Embedder, LanguageModel, Readable, Reader, Reading, Vector
from pincite.records.prompts import Completion, Prompt

MOST_FAILURES = 3
"""In a row: a service that is down fails every time, one that is busy now and then. By eye, not measured."""
SLOW_FAILURE = 1.0
"""Seconds: a service that failed by itself after so long a wait is not waited for again. By eye, not measured."""
REST = 30.0
"""Seconds in which nobody waits for it: about as long as a server takes to start. By eye, not measured."""
Answered = TypeVar("Answered")


class Breaker:
    """Stops calling a service for REST seconds once it has failed slowly, or MOST_FAILURES times in a row; then one
    call tries again, and if that fails, the rest begins anew. `rests` is called with the seconds whenever a rest
    begins."""

    def __init__(self, name: str, rests: Callable[[float], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._rests = rests
        self._clock = clock
        self._failures = 0
        self._until = 0.0
        self._lock = Lock()

    def call(
        self, ask: Callable[[], Answered], deadline: Deadline = Deadline.never(), cancelled: Event | None = None
    ) -> Answered:
        """What `ask` returns; ServiceError at once while the service rests. A call whose `deadline` passed is one
        failure however long it was waited for; one that its asker gave up, or gave less than SLOW_FAILURE seconds, is
        none."""
        started = self._clock()
        with self._lock:
            rest = self._until - started
        if rest > 0:
            raise ServiceError(f"{self._name} has not answered lately: it is asked again in {rest:.0f} s")
        try:
            answered = ask()
        except PromptTooLongError:
            self._succeeded()
            raise
        except ServiceError:
            is_slow = self._clock() - started >= SLOW_FAILURE
            if not (deadline.is_abandoned or (cancelled is not None and cancelled.is_set())):
                self._failed(int(is_slow) if deadline.passed else MOST_FAILURES if is_slow else 1)
            raise
        self._succeeded()
        return answered

    def _succeeded(self) -> None:
        with self._lock:
            self._failures = 0

    def _failed(self, weight: int) -> None:
        with self._lock:
            self._failures += weight
            if self._failures < MOST_FAILURES:
                return
            self._failures, self._until = MOST_FAILURES - 1, self._clock() + REST
        self._rests(REST)


class GuardedModel:
    """A language model behind a breaker."""

    def __init__(self, model: LanguageModel, breaker: Breaker) -> None:
        self.name, self.digest = model.name, model.digest
        self.context_size, self.concurrency = model.context_size, model.concurrency
        self._model = model
        self._breaker = breaker

    def complete(
        self,
        prompt: Prompt,
        *,
        deadline: Deadline = Deadline.never(),
        cancelled: Event | None = None,
        hear: Callable[[str], None] | None = None,
    ) -> Completion:
        """The model's answer; ServiceError at once while it rests."""
        return self._breaker.call(
            lambda: self._model.complete(prompt, deadline=deadline, cancelled=cancelled, hear=hear), deadline, cancelled
        )

    def count_tokens(self, text: str) -> int:
        """As many as the model counts."""
        return self._model.count_tokens(text)


class GuardedEmbedder:
    """An embedder behind a breaker."""

    def __init__(self, embedder: Embedder, breaker: Breaker) -> None:
        self.name, self.digest = embedder.name, embedder.digest
        self._embedder = embedder
        self._breaker = breaker

    @property
    def dimension(self) -> int:
        """That of the embedder; ServiceError at once while it rests."""
        return self._breaker.call(lambda: self._embedder.dimension)

    def embed(self, texts: Sequence[str], *, deadline: Deadline = Deadline.never()) -> list[Vector]:
        """The embedder's vectors; ServiceError at once while it rests."""
        return self._breaker.call(lambda: self._embedder.embed(texts, deadline=deadline), deadline)

    def embed_query(self, text: str, *, deadline: Deadline = Deadline.never()) -> Vector:
        """The embedder's vector; ServiceError at once while it rests."""
        return self._breaker.call(lambda: self._embedder.embed_query(text, deadline=deadline), deadline)


class GuardedReader:
    """A reader behind a breaker."""

    def __init__(self, reader: Reader, breaker: Breaker) -> None:
        self.name, self.digest = reader.name, reader.digest
        self._reader = reader
        self._breaker = breaker

    def knows(self, question: str) -> bool:
        """What the reader says."""
        return self._reader.knows(question)

    def read(self, question: str, texts: Sequence[Readable], *, deadline: Deadline = Deadline.never()) -> list[Reading]:
        """The reader's readings; ServiceError at once while it rests."""
        return self._breaker.call(lambda: self._reader.read(question, texts, deadline=deadline), deadline)
