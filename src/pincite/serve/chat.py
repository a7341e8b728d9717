"""Routes for programs that speak OpenAI's protocol of chats: models, completions. The shapes of what programs that
speak OpenAI's protocol are answered."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from threading import Event
from typing import Annotated, Any, Literal
from uuid import uuid4

from fastapi import Response
from fastapi.sse import KEEPALIVE_COMMENT
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from pincite.errors import NotThereError, PinciteError, UsageError
from pincite.serve.asked import WHOLE, LastQuestion
from pincite.serve.failures import OpenAIFailed, failure_of, in_openai_shape
from pincite.serve.guard import failed, guarded_router
from pincite.serve.questions import begin, while_there
from pincite.serve.replies import EVENTS, QUIET_SECONDS, encoded, event, event_stream
from pincite.serve.service import Called, json_response
from pincite.settings import MODES


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


DEFAULT = "pincite"
MODEL_MODES: Mapping[str, str | None] = {DEFAULT: None, **{f"{DEFAULT}-{mode}": mode for mode in MODES}}
"""The mode behind each model name; None is that of the settings."""
TEXT = "text"
Name = Annotated[str, Field(max_length=100)]
DONE = b"data: [DONE]\n\n"
router = guarded_router(OpenAIFailed)


class Part(BaseModel):
    """A piece of a message; of the user's, text alone is read."""

    model_config = ConfigDict(strict=True)

    type: Name
    text: str | None = None


class Message(BaseModel):
    """What was said by somebody."""

    model_config = ConfigDict(strict=True)

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[Part] | None = None

    @property
    def text(self) -> str:
        """Its pieces joined. UsageError for one that is no text."""
        if not isinstance(self.content, list):
            return self.content or ""
        for part in self.content:
            if part.type != TEXT:
                raise UsageError(f"a message holds {part.type!r}: questions are asked in text alone, so leave it out")
        return "\n".join(part.text or "" for part in self.content)


class StreamOptions(BaseModel):
    """What else a stream shall tell."""

    model_config = ConfigDict(strict=True)

    include_usage: bool | None = False


class Chat(BaseModel):
    """A chat as such programs send it. Its last message of the user is the question, and those before complete it.
    What else was said, by the system or by whoever answered, has no effect, and neither have parameters that are not
    named here (temperature, max_tokens, tools)."""

    model_config = ConfigDict(strict=True)

    model: Name
    messages: list[Message] = Field(min_length=1)
    n: Annotated[int, Field(ge=1, le=1), WHOLE] | None = Field(
        default=None, description="there is one answer to a question"
    )
    stream: bool | None = False
    stream_options: StreamOptions | None = None

    def question(self) -> LastQuestion:
        """What is asked. NotThereError for a model that there is not, UsageError where no user asks anything."""
        mode = _mode_of(self.model)
        asked = [message.text for message in self.messages if message.role == "user"]
        if not asked:
            raise UsageError("nobody asks anything: the last message of the user is the question")
        return LastQuestion(question=asked[-1], earlier=asked[:-1], mode=mode)


@dataclass(frozen=True, slots=True)
class Completion:
    """What all pieces of one answer say of it."""

    model: str
    id: str = field(default_factory=lambda: f"chatcmpl-{uuid4().hex}")
    created: int = field(default_factory=lambda: int(time.time()))

    def whole(self, found: bytes) -> bytes:
        """The answer at once."""
        answer, blocks = _read(found)
        message = {"role": "assistant", "content": "\n\n".join(blocks), "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return encoded(self._named("", [choice], usage=_usage(answer), pincite=answer))

    def chunk(self, delta: Mapping[str, str], reason: str | None = None, **beside: Any) -> bytes:
        """A piece of it as an event."""
        choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": None}
        return event(encoded(self._named(".chunk", [choice], **beside)))

    def used(self, answer: Mapping[str, Any]) -> bytes:
        """What it cost, as an event."""
        return event(encoded(self._named(".chunk", [], usage=_usage(answer))))

    def _named(self, kind: str, choices: list[Any], **beside: Any) -> dict[str, Any]:
        named = {"id": self.id, "object": f"chat.completion{kind}", "created": self.created, "model": self.model}
        return {**named, "choices": choices, **beside}


@router.get(
    "/v1/models", summary="how answers can be made, as OpenAI lists models", responses={200: {"model": ChatModels}}
)
async def models(_: Called) -> Response:
    """`pincite` answers as the settings say, each of the others in the mode behind the hyphen."""
    return json_response(encoded({"object": "list", "data": [_model(name) for name in MODEL_MODES]}))


@router.get(
    "/v1/models/{model}",
    summary="one of them",
    responses={200: {"model": ChatModel}, **failed(404, shape=OpenAIFailed)},
)
async def one_model(model: str, _: Called) -> Response:
    """404 for another."""
    _mode_of(model)
    return json_response(encoded(_model(model)))


@router.post(
    "/v1/chat/completions",
    summary="answer the last question of a chat, in OpenAI's shape",
    responses={
        200: {"model": ChatCompletion, **EVENTS},
        **failed(404, 413, shape=OpenAIFailed),
    },
)
async def complete(chat: Chat, call: Called) -> Response:
    """The statements with their citations as Markdown; what `pincite ask --json` prints stands in `pincite`.

    The last message of the user is the question; those before complete it ("And in 2022?"). What else was said is no
    evidence and is not believed, and unknown parameters (temperature) have no effect. With `stream` a statement comes
    a chunk, and `pincite` in the chunk that has a `finish_reason`. `usage` counts the tokens of a language model: none
    where none was asked. `model` names the mode, see /v1/models."""
    asked, completion = chat.question(), Completion(chat.model)
    if not chat.stream:
        return json_response(completion.whole(await while_there(asked, call)))
    gone = Event()
    begun = await begin(asked, call, gone)
    tells_usage = chat.stream_options is not None and bool(chat.stream_options.include_usage)
    return event_stream(_chunks(completion, begun, gone, tells_usage=tells_usage))


async def _chunks(
    completion: Completion, begun: asyncio.Future[bytes], gone: Event, *, tells_usage: bool
) -> AsyncIterator[bytes]:
    """The events of an answer that has begun: the role, each statement, the finish reason and the evidence."""
    try:
        yield completion.chunk({"role": "assistant", "content": ""})
        while not (await asyncio.wait([begun], timeout=QUIET_SECONDS))[0]:
            yield KEEPALIVE_COMMENT
        try:
            answer, blocks = _read(begun.result())
        except PinciteError as error:
            yield _failed(error)
            return
        except Exception as error:
            yield _failed(error)
            raise
        for number, block in enumerate(blocks):
            yield completion.chunk({"content": f"\n\n{block}" if number else block})
        yield completion.chunk({}, "stop", pincite=answer)
        if tells_usage:
            yield completion.used(answer)
        yield DONE
    finally:
        gone.set()


def _read(found: bytes) -> tuple[dict[str, Any], list[str]]:
    """The JSON of an answer, and its blocks of Markdown."""
    read = json.loads(found)
    return read["answer"], read["blocks"]


def _usage(answer: Mapping[str, Any]) -> dict[str, int]:
    """The tokens that a language model read and wrote for it now: none for an answer from the cache."""
    meta = answer["meta"]
    used = {} if "cache" in meta["timings_ms"] else meta.get("usage", {})
    asked, said = used.get("prompt_tokens", 0), used.get("completion_tokens", 0)
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


def _failed(error: Exception) -> bytes:
    return event(encoded(in_openai_shape(*failure_of(error))))


def _mode_of(model: str) -> str | None:
    if model not in MODEL_MODES:
        raise NotThereError(f"there is no model {model!r}: use one of {', '.join(MODEL_MODES)}")
    return MODEL_MODES[model]


def _model(name: str) -> dict[str, Any]:
    """As OpenAI describes one; it was made at no moment."""
    return {"id": name, "object": "model", "created": 0, "owned_by": "pincite"}
