"""A conversation with a language model for one question: every call is kept, and all of them have one deadline."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import Event
from typing import Any

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.ports import LanguageModel
from pincite.records.plain import to_plain
from pincite.records.prompts import Call, Completion, Prompt
from pincite.stopwatch import Steps
from pincite.threads import all_of

MOST_CALLS = 16
"""Calls for one question: a planner, five passages and an answer (spec/agentic_rag.md), each asked again once."""
LANGUAGE_MODEL = "llm"
"""The step of one call."""


class Talk:
    """Asks one language model, and keeps what it was asked and answered in order; each call is one of the `steps`."""

    def __init__(self, model: LanguageModel, deadline: Deadline, steps: Steps | None = None) -> None:
        self.model = model
        self.calls: list[Call] = []
        self._deadline = deadline
        self._steps = steps or Steps()

    def ask(self, stage: str, prompt: Prompt) -> Completion:
        """What the model answers; ServiceError where it does not, or where it was asked often enough."""
        (answer,) = self._asked(stage, [prompt])
        if isinstance(answer, ServiceError):
            raise answer
        return answer

    def ask_all(self, stage: str, prompts: Sequence[Prompt]) -> list[Completion | None]:
        """What the model answers to each of these, None where it does not; as many at once as it takes."""
        return [None if isinstance(answer, ServiceError) else answer for answer in self._asked(stage, prompts)]

    def room_beside(self, prompt: Prompt) -> int:
        """How many tokens of the model's context a prompt and its answer leave for more."""
        written = sum(self.model.count_tokens(message.content) for message in prompt.messages)
        return self.model.context_size - prompt.tokens - written

    def _asked(self, stage: str, prompts: Sequence[Prompt]) -> list[Completion | ServiceError]:
        if len(self.calls) + len(prompts) > MOST_CALLS:
            enough = ServiceError(
                f"{self.model.name} was asked {len(self.calls)} times for one question: that is enough"
            )
            return [enough for _ in prompts]
        answers = all_of(partial(self._called, stage), prompts, self.model.concurrency)
        self.calls += [call for call, _ in answers]
        return [answer for _, answer in answers]

    def _called(self, stage: str, prompt: Prompt, cancelled: Event) -> tuple[Call, Completion | ServiceError]:
        started = time.perf_counter()
        try:
            with self._steps.taking(LANGUAGE_MODEL) as facts:
                facts["stage"] = stage
                completion = self.model.complete(prompt, deadline=self._deadline, cancelled=cancelled)
                facts["prompt_tokens"] = completion.prompt_tokens
                facts["completion_tokens"] = completion.completion_tokens
        except ServiceError as error:
            return Call(stage, prompt, None, str(error), _milliseconds(started)), error
        return Call(stage, prompt, completion, milliseconds=_milliseconds(started)), completion


class ReplayedModel:
    """Answers as a language model did before: to the same prompt the same, and to another one nothing."""

    concurrency = 1

    def __init__(self, described: Mapping[str, Any], calls: Sequence[Call], count_tokens: Callable[[str], int]) -> None:
        self.name, self.digest = str(described["name"]), str(described["digest"])
        self.context_size = int(described["context_size"])
        self._count = count_tokens
        self._calls: dict[bytes, list[Call]] = defaultdict(list)
        for call in calls:
            self._calls[_key(call.prompt)].append(call)

    def complete(
        self,
        prompt: Prompt,
        *,
        deadline: Deadline = Deadline.never(),
        cancelled: Event | None = None,
        hear: Callable[[str], None] | None = None,
    ) -> Completion:
        """What was answered then; ServiceError where nothing was."""
        known = self._calls.get(_key(prompt))
        if not known:
            raise ServiceError(f"{self.name} was asked something else then")
        call = known.pop(0) if len(known) > 1 else known[0]
        if call.completion is None:
            raise ServiceError(call.failure)
        if hear is not None:
            hear(call.completion.text)
        return call.completion

    def count_tokens(self, text: str) -> int:
        """As many as the model counted."""
        return self._count(text)


def _key(prompt: Prompt) -> bytes:
    return json.dumps(to_plain(prompt), sort_keys=True).encode()


def _milliseconds(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
