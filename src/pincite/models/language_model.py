"""Language models behind HTTP: endpoints that speak OpenAI's `/chat/completions` (vLLM, llama.cpp, LM Studio), and
Ollama's `/api/chat`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

from pincite.deadline import Deadline
from pincite.errors import PromptTooLongError, ServiceError
from pincite.models.service import PAUSES, RefusedError, Service
from pincite.records.prompts import Completion, Ending, LanguageService, Prompt
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
    """The lines of a stream limited to so many tokens; it ends where more come."""
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


class Arriving:
    """An answer to a prompt as it arrives. `hear` gets each piece; thinking is not passed on, but counts. An answer
    longer than its tokens allow is cut. `ended` is the finish reason once there is one; `is_over`: no more is wanted;
    `calls_tools`: it asks for tools instead."""

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
        """Whether any text has arrived."""
        return bool(self._pieces or self._half)

    def add(self, piece: Any) -> None:
        """The model says this; nothing, where it is no text."""
        if isinstance(piece, str) and piece:
            self._add_whole(self._half + piece[: max(0, self._room)])
            self._take(len(piece))

    def think(self, piece: Any) -> None:
        """The model thinks this."""
        if isinstance(piece, str):
            self._take(len(piece))

    def count(self, **counted: Any) -> None:
        """The service has counted so many tokens of the `prompt` and of the `completion`."""
        self._counted |= {name: value for name, value in counted.items() if type(value) is int and value >= 0}

    def completion(self) -> Completion:
        """The finished answer; token counts that the service omits are estimated."""
        self._pass_on(whole_characters(self._half))
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

    def _add_whole(self, text: str) -> None:
        """Tell on what is whole: a server may send a character in two halves."""
        self._half = text[-1] if "\ud800" <= text[-1:] <= "\udbff" else ""
        self._pass_on(whole_characters(text.removesuffix(self._half)))

    def _pass_on(self, text: str) -> None:
        if text:
            self._pieces.append(text)
            if self._hear is not None:
                self._hear(text)


_TOO_LONG = re.compile(
    r"context[ _](?:size|length|window)|exceed\w* \w*context|maximum model length|prompt (?:is )?too long",
    re.IGNORECASE,
)
"""How servers say that prompt and answer do not fit: llama.cpp (context size), vLLM (context length, model length),
Ollama (context length, prompt too long), LM Studio (context length)."""
_NOT_TAKEN = (400, 422)
"""What a server answers to a request that has something in it that it does not know, such as a schema."""
_FIELD = re.compile(r":|(?:event|id|retry):")
"""How lines of server-sent events begin that are no data."""


class _ChatModel:
    """What both have in common. A service that takes no schema is asked without one, and not again with one."""

    kind: str
    path: str
    listing: str

    def __init__(self, service: LanguageService, *, option: str = "--language-model") -> None:
        self.name = f"{self.kind}:{service.model}"
        self.context_size = service.context
        self.concurrency = max(1, service.concurrency)
        known = f"{self.kind}\n{service.model}\n{service.context}\n{service.tokens}"
        self.digest = hashlib.sha256(known.encode()).hexdigest()
        self._tokens = service.tokens
        self._takes_schema = True
        self._service = Service(
            service.url,
            service.model,
            service.key,
            timeout=service.timeout,
            option=option,
            pauses=PAUSES,
            keeps_connections=False,
        )

    def complete(
        self,
        prompt: Prompt,
        *,
        deadline: Deadline = Deadline.never(),
        cancelled: Event | None = None,
        hear: Callable[[str], None] | None = None,
    ) -> Completion:
        """Its answer, with at most as many tokens as the prompt and the settings allow."""
        tokens = min(prompt.tokens, self._tokens)
        needed = prompt_tokens(prompt) + tokens
        if needed > self.context_size:
            raise PromptTooLongError(
                f"the prompt for {self.name} needs up to {needed:,} tokens with its answer, and its context has "
                f"{self.context_size:,}: ask with less, or give it more (context)"
            )
        has_schema = prompt.schema is not None and self._takes_schema
        try:
            return self._streamed(prompt, tokens, deadline, cancelled, hear, has_schema=has_schema)
        except RefusedError as error:
            self._check_length(error.told, error)
            if not has_schema or error.status not in _NOT_TAKEN:
                raise
        completion = self._streamed(prompt, tokens, deadline, cancelled, hear, has_schema=False)
        self._takes_schema = False
        return completion

    def count_tokens(self, text: str) -> int:
        """How many tokens a text has at most; the service is not asked."""
        return most_tokens(text)

    def models_there(self, deadline: Deadline) -> tuple[str, ...]:
        """The models that the service says it has; ServiceError where it does not answer."""
        found = self._service.get(self.listing, deadline)
        return tuple(sorted(self._listed(found)))

    def _streamed(
        self,
        prompt: Prompt,
        tokens: int,
        deadline: Deadline,
        cancelled: Event | None,
        hear: Callable[[str], None] | None,
        *,
        has_schema: bool,
    ) -> Completion:
        body = self._body(prompt, tokens) | (self._schema(prompt) if has_schema else {})
        heard = Arriving(prompt, tokens, hear)
        with self._service.streamed(self.path, body, deadline, cancelled) as pieces:
            for message in self._messages(lines_of(pieces, tokens)):
                self._check_error(message)
                self._take(message, heard)
                if heard.is_over:
                    break
        where = self._service.where(self.path)
        if heard.calls_tools:
            raise ServiceError(f"{where} called a tool that nobody offered: is {self.name} a model for chat?")
        if heard.ended is None:
            what = "broke off its answer" if heard.has_begun else "sent no answer"
            raise ServiceError(f"{where} {what}: is {self.name} a model for chat, and what does its log say?")
        if cancelled is not None and cancelled.is_set():
            raise ServiceError(f"{where} is not waited for: the question was cancelled")
        return heard.completion()

    def _parsed(self, line: str) -> dict[str, Any]:
        """The object of a line; ServiceError where it is none."""
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            where = self._service.where(self.path)
            raise ServiceError(f"{where} sent a line that is no JSON object: is it the address of a language model?")
        return found

    def _check_error(self, message: dict[str, Any]) -> None:
        """An error that comes after the answer has begun, or with a status that says that all went well."""
        error = message.get("error")
        if error:
            self._check_length(json.dumps(error), None)
            raise ServiceError(f"{self._service.where(self.path)} failed while {self.name} answered: see its log")

    def _check_length(self, told: str, error: RefusedError | None) -> None:
        if _TOO_LONG.search(told):
            raise PromptTooLongError(
                f"{self._service.where(self.path)} says that the prompt does not fit into the context of {self.name}: "
                "ask with less, or start it with a larger context"
            ) from error

    def _body(self, prompt: Prompt, tokens: int) -> dict[str, Any]:
        raise NotImplementedError

    def _schema(self, prompt: Prompt) -> dict[str, Any]:
        raise NotImplementedError

    def _messages(self, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
        """The objects that are sent, until the service says that it was the last."""
        raise NotImplementedError

    def _take(self, message: dict[str, Any], heard: Arriving) -> None:
        raise NotImplementedError

    def _listed(self, found: Any) -> Iterator[str]:
        raise NotImplementedError


class OpenAIModel(_ChatModel):
    """An endpoint that speaks OpenAI's `/chat/completions`, with server-sent events, or one answer for all where it
    knows no streams."""

    kind = "openai"
    path = "/chat/completions"
    listing = "/models"

    def _body(self, prompt: Prompt, tokens: int) -> dict[str, Any]:
        return {
            "messages": _written(prompt),
            "temperature": 0,
            "seed": prompt.seed,
            "max_tokens": tokens,
            "stream": True,
            "stream_options": {"include_usage": True},
        }

    def _schema(self, prompt: Prompt) -> dict[str, Any]:
        return {"response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": prompt.schema}}}

    def _messages(self, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
        whole = []
        for line in lines:
            if line.startswith("data:"):
                data = line.removeprefix("data:").strip()
                if data == "[DONE]":
                    yield {"choices": [{"finish_reason": "stop"}]}
                    return
                yield self._parsed(data)
            elif line.strip() and not _FIELD.match(line):
                whole.append(line)
        if whole:
            yield self._parsed("\n".join(whole))

    def _take(self, message: dict[str, Any], heard: Arriving) -> None:
        usage = _object(message.get("usage"))
        heard.count(prompt=usage.get("prompt_tokens"), completion=usage.get("completion_tokens"))
        choice = _first(message.get("choices"))
        is_whole = "message" in choice
        said = _object(choice.get("message") if is_whole else choice.get("delta"))
        heard.think(said.get("reasoning_content") or said.get("reasoning"))
        heard.add(said.get("content"))
        heard.calls_tools |= bool(said.get("tool_calls"))
        if heard.ended is None:
            reason = choice.get("finish_reason") or ("stop" if is_whole and said.get("content") is not None else None)
            heard.ended = _ending(reason)

    def _listed(self, found: Any) -> Iterator[str]:
        return _names(_object(found).get("data"), "id")


class OllamaModel(_ChatModel):
    """Ollama's `/api/chat`, with a line of JSON for each piece. The context size is sent along, since Ollama silently
    shortens a prompt that exceeds its own."""

    kind = "ollama"
    path = "/api/chat"
    listing = "/api/tags"

    def _body(self, prompt: Prompt, tokens: int) -> dict[str, Any]:
        options = {"temperature": 0, "seed": prompt.seed, "num_predict": tokens, "num_ctx": self.context_size}
        return {"messages": _written(prompt), "stream": True, "options": options}

    def _schema(self, prompt: Prompt) -> dict[str, Any]:
        return {"format": prompt.schema}

    def _messages(self, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
        for line in lines:
            if line.strip():
                yield self._parsed(line)

    def _take(self, message: dict[str, Any], heard: Arriving) -> None:
        said = _object(message.get("message"))
        heard.think(said.get("thinking"))
        heard.add(said.get("content"))
        heard.calls_tools |= bool(said.get("tool_calls"))
        heard.count(prompt=message.get("prompt_eval_count"), completion=message.get("eval_count"))
        if message.get("done", isinstance(said.get("content"), str)):
            heard.ended, heard.is_over = _ending(message.get("done_reason") or "stop"), True

    def _listed(self, found: Any) -> Iterator[str]:
        return _names(_object(found).get("models"), "name")


def _written(prompt: Prompt) -> list[dict[str, str]]:
    return [{"role": message.role, "content": whole_characters(message.content)} for message in prompt.messages]


def _ending(reason: Any) -> Ending | None:
    """How an answer ended, by the reason that a service gives; None where it gives none."""
    return None if reason is None else "length" if reason == "length" else "stop"


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _first(choices: Any) -> dict[str, Any]:
    """The choice with the number 0: some services send others that nobody asked for."""
    found = (choice for choice in choices if isinstance(choice, dict)) if isinstance(choices, list) else ()
    return next((choice for choice in found if choice.get("index", 0) == 0), {})


def _names(items: Any, name: str) -> Iterator[str]:
    found = (_object(item).get(name) for item in items) if isinstance(items, list) else iter(())
    return (str(item) for item in found if item)
