"""What a language model is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pincite.stopwatch import Timeline

Role = Literal["system", "user", "assistant"]
Ending = Literal["stop", "length"]
Api = Literal["openai", "ollama"]


@dataclass(frozen=True, slots=True)
class LanguageService:
    """Where a language model answers, and what it may be asked for.

    `context` counts the tokens of prompt and answer together; `concurrency` is how many prompts it is given at once,
    `timeout` how many seconds it may be silent, `tokens` the most of one answer.
    """

    url: str
    model: str
    api: Api = "openai"
    key: str = field(default="", repr=False)
    context: int = 8192
    concurrency: int = 1
    timeout: float = 120.0
    tokens: int = 2048


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a language model is asked once: at temperature 0, and with a seed, so that the same may come again.

    `tokens`: most tokens of the answer. `schema`: a JSON schema that the answer has to follow; a service that takes
    none answers as it likes, so that nobody may rely on it. `version` names the wording of the prompt.
    """

    messages: tuple[Message, ...]
    version: str
    tokens: int
    schema: Mapping[str, Any] | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model answered. `ended`: by itself, or since it had no more tokens. Tokens are those that the
    service counted; estimates where it counts none."""

    text: str
    ended: Ending
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Call:
    """A prompt with what became of it, as receipts keep it: a completion, or why there is none."""

    stage: str
    prompt: Prompt
    completion: Completion | None
    failure: str = ""
    milliseconds: float = 0.0


LANGUAGE_MODEL = "language_model"
EMBEDDER = "embedder"
RERANKER = "reranker"
REDIS = "redis"
SERVICES = (LANGUAGE_MODEL, EMBEDDER, RERANKER, REDIS)
"""What is left alone for a while where it is a service that does not answer."""


@dataclass(frozen=True, slots=True)
class QuestionCost:
    """What an answered question cost; only time where it was `cached`. `times_ms` (milliseconds) and `hits` have the
    names of spec/llm_retrieval.md section 10: `faiss` is the channel of vectors, `arangosearch` that of keywords,
    `retrieval` all channels, `answer` reranker, language model and the searches of mode agentic; `llm` adds up parallel
    calls. `merged` counts the passages of all channels, `looked_at` those the answer was made from, of at most
    `prefilter`; `calls` those of the language model by stage. What should be JSON was read (`json_read`), salvaged
    (`json_salvaged`) or replaced by defaults (`json_defaulted`). `said` and `fallen` count statements, `used_chunks`
    those cited. `timeline` has each step."""

    trace_id: str
    question: str
    mode: str
    refused: bool
    degraded: bool
    cached: bool
    times_ms: Mapping[str, float]
    hits: Mapping[str, int]
    merged: int
    prefilter: int
    looked_at: int
    tokens_used: int
    calls: Mapping[str, int]
    json_read: int
    json_salvaged: int
    json_defaulted: int
    said: int
    fallen: int
    used_chunks: tuple[str, ...]
    timeline: Timeline = field(default_factory=Timeline)


@dataclass(frozen=True, slots=True)
class QuestionFailure:
    """A question that ended with an error, of this kind (`StoreError`), after so many milliseconds and these steps."""

    question: str
    mode: str
    error: str
    time_ms: float
    timeline: Timeline = field(default_factory=Timeline)
