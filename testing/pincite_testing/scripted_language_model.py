"""A LanguageModel without weights: what it says is a function of the prompt."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from threading import Event

from pincite.deadline import Deadline
from pincite.errors import PromptTooLongError, ServiceError
from pincite.records.prompts import Completion, Prompt
from pincite.text.language import most_tokens, whole_characters

_PIECE = re.compile(r"\S+\s*|\s+")


class ScriptedLanguageModel:
    """Says what `say` makes of a prompt, word by word, and no more tokens than it may. It keeps the `prompts` that it
    was given."""

    def __init__(
        self, say: Callable[[Prompt], str], *, name: str = "scripted", context_size: int = 8192, concurrency: int = 1
    ) -> None:
        self.name = name
        self.digest = hashlib.sha256(f"{name}\n{context_size}".encode()).hexdigest()
        self.context_size = context_size
        self.concurrency = concurrency
        self.prompts: list[Prompt] = []
        self._say = say

    def complete(
        self,
        prompt: Prompt,
        *,
        deadline: Deadline = Deadline.never(),
        cancelled: Event | None = None,
        hear: Callable[[str], None] | None = None,
    ) -> Completion:
        """What it says, looking before each word whether anybody still wants to hear it."""
        self._check(deadline, cancelled)
        asked = sum(self.count_tokens(message.content) for message in prompt.messages)
        if asked + prompt.tokens > self.context_size:
            raise PromptTooLongError(f"the prompt for {self.name} is longer than its context: ask with less")
        self.prompts.append(prompt)
        said: list[str] = []
        tokens, words = 0, _PIECE.findall(whole_characters(self._say(prompt)))
        for word in words:
            tokens += self.count_tokens(word)
            if tokens > prompt.tokens:
                break
            self._check(deadline, cancelled)
            said.append(word)
            if hear is not None:
                hear(word)
        self._check(deadline, cancelled)
        text = "".join(said)
        return Completion(text, "stop" if len(said) == len(words) else "length", asked, self.count_tokens(text))

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has at most."""
        return most_tokens(text)

    def _check(self, deadline: Deadline, cancelled: Event | None) -> None:
        deadline.check(self.name)
        if cancelled is not None and cancelled.is_set():
            raise ServiceError(f"{self.name} is not waited for: the question was cancelled")
