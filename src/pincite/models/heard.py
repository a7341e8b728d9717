"""What is heard of a language model: lines of a stream, and an answer put together piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pincite.records.prompts import Completion, Ending, Prompt
from pincite.text.language import most_tokens, whole_characters

CHARACTERS_A_TOKEN = 8
"""Twice those of a token of prose; what is longer than that for each token that may be said is no answer any more."""
SLACK_CHARACTERS = 256
"""For short answers, whose few tokens may be long words."""
BYTES_A_TOKEN = 4096
"""Of a stream for each token: some servers wrap each into half a kilobyte, or into more with its alternatives."""
SLACK_BYTES = 65_536
"""Of a stream for what is no token: signs of life, counts."""
TOKENS_A_MESSAGE = 8
"""What a chat template writes around a message; those in use need four to seven."""


def prompt_tokens(prompt: Prompt) -> int:
    """How many tokens the messages of a prompt have at most."""
    return sum(most_tokens(message.content) + TOKENS_A_MESSAGE for message in prompt.messages)


def lines_of(pieces: Iterator[bytes], tokens: int) -> Iterator[str]:
    """The lines of a stream that may say so many tokens; none behind the place where it is longer than that."""
    rest, budget = bytearray(), tokens * BYTES_A_TOKEN + SLACK_BYTES
    for piece in pieces:
        *lines, tail = piece[:budget].split(b"\n")
        budget -= len(piece)
        for line in lines:
            yield (rest + line).decode("utf-8", "replace")
            rest.clear()
        rest += tail
        if budget <= 0:
            return
    if rest:
        yield rest.decode("utf-8", "replace")


class Heard:
    """An answer to a prompt while it is being heard.

    `hear` is told each piece. What the model thinks is not told, but counts as said. An answer that is longer than
    anything its tokens could say is cut. `ended` is None until the service says how; `is_over` when no more is wanted;
    `calls_tools` where it asks for something to be done instead.
    """

    def __init__(self, prompt: Prompt, tokens: int, hear: Callable[[str], None] | None) -> None:
        self.ended: Ending | None = None
        self.is_over = False
        self.calls_tools = False
        self._prompt = prompt
        self._room = tokens * CHARACTERS_A_TOKEN + SLACK_CHARACTERS
        self._hear = hear
        self._pieces: list[str] = []
        self._half = ""
        self._counted: dict[str, int] = {}

    @property
    def has_begun(self) -> bool:
        """Whether anything was said."""
        return bool(self._pieces or self._half)

    def add(self, piece: Any) -> None:
        """The model says this; nothing, where it is no text."""
        if isinstance(piece, str) and piece:
            self._tell(self._half + piece[: max(0, self._room)])
            self._take(len(piece))

    def think(self, piece: Any) -> None:
        """The model thinks this."""
        if isinstance(piece, str):
            self._take(len(piece))

    def count(self, **counted: Any) -> None:
        """The service has counted so many tokens of the `prompt` and of the `completion`."""
        self._counted |= {name: value for name, value in counted.items() if type(value) is int and value >= 0}

    def completion(self) -> Completion:
        """What was said, with what nobody counted estimated."""
        self._say(whole_characters(self._half))
        text = "".join(self._pieces)
        return Completion(
            text,
            self.ended or "stop",
            self._counted.get("prompt", prompt_tokens(self._prompt)),
            self._counted.get("completion", most_tokens(text)),
        )

    def _take(self, characters: int) -> None:
        self._room -= characters
        if self._room < 0:
            self.ended, self.is_over = "length", True

    def _tell(self, text: str) -> None:
        """Tell on what is whole: a server may send a character in two halves."""
        self._half = text[-1] if "\ud800" <= text[-1:] <= "\udbff" else ""
        self._say(whole_characters(text.removesuffix(self._half)))

    def _say(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            if self._hear is not None:
                self._hear(text)
