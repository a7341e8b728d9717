"""What an asked question cost: what a telemetry is told, with no words of documents in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pincite.stopwatch import Timeline

LANGUAGE_MODEL = "language_model"
EMBEDDER = "embedder"
RERANKER = "reranker"
SERVICES = (LANGUAGE_MODEL, EMBEDDER, RERANKER)
"""What is left alone for a while where it is a service that does not answer."""


@dataclass(frozen=True, slots=True)
class QuestionCost:
    """What was spent on a question that was answered; nothing but time on one that was `cached`.

    `times_ms` (milliseconds) and `hits` are named as in spec/llm_retrieval.md section 10, where `faiss` is the channel
    of vectors and `arangosearch` that of keywords, whatever engine either has. Of the times `retrieval` holds those of
    the channels, `answer` those of reranker and language model, and of what mode agentic searches again; `llm` adds up
    calls that were made at once. `merged` counts the passages of all channels together, `looked_at` those that the
    answer was made from, of at most `prefilter`. `calls` counts those of the language model by stage. What was to be
    JSON was it (`json_read`), held some (`json_salvaged`), or was taken by its defaults (`json_defaulted`). `said` and
    `fallen` count statements, `used_chunks` are those that statements cite. `timeline` tells when each step was taken.
    """

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
