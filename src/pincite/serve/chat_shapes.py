"""The shapes of what programs that speak OpenAI's protocol are answered."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict


class ChatModel(TypedDict):
    """A way in which answers are made."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ChatModels(TypedDict):
    """All of them."""

    object: Literal["list"]
    data: list[ChatModel]


class ChatAnswer(TypedDict):
    """An answer as Markdown."""

    role: Literal["assistant"]
    content: str
    refusal: None


class Choice(TypedDict):
    """The one answer that there is."""

    index: int
    message: ChatAnswer
    finish_reason: Literal["stop"]
    logprobs: None


class Usage(TypedDict):
    """The tokens of a language model: none where none was asked."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatCompletion(TypedDict):
    """An answer; what `pincite ask --json` prints stands in `pincite`."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[Choice]
    usage: Usage
    pincite: dict[str, Any]
