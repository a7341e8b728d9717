"""What a question cost, and telling a telemetry, whatever that does with it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from functools import partial

from pincite.ports import Telemetry
from pincite.records.answers import Answer
from pincite.records.evidence import Trace
from pincite.records.prompts import Call, QuestionCost, QuestionFailure
from pincite.stopwatch import Timeline
from pincite.text.salvage import salvaged

RETRIEVAL = ("parse", "embed", "channels", "merge")
"""The steps of a search, one after the other."""
TIMES = {
    "cache": "cache_time_ms",
    "embed": "embed_time_ms",
    "vector": "faiss_time_ms",
    "keyword": "arangosearch_time_ms",
    "graph": "graph_time_ms",
    "gear_time_ms": "gear_time_ms",
    "merge": "merge_time_ms",
    "reranker": "reranker_time_ms",
    "answer": "answer_time_ms",
}
"""Steps by what the specs call their times."""
HITS = {
    "vector": "faiss_hits",
    "keyword": "arangosearch_hits",
    "structure": "structure_hits",
    "reference": "reference_hits",
    "graph": "graph_hits",
}
"""Channels by what the specs call their hits."""


def cost_of(answer: Answer, timeline: Timeline, *, cached: bool) -> QuestionCost:
    """What was spent on an answer, and when; where it was found in the cache, what was spent on that."""
    trace = Trace(timings_ms=answer.trace.timings_ms) if cached else answer.trace
    calls = () if cached else answer.calls
    answered = [call.completion for call in calls if call.completion is not None]
    readings = _readings(calls)
    passages = () if cached else (*answer.evidence, *answer.beyond)
    said = [statement for statement in answer.statements if statement.kind != "missing"]
    return QuestionCost(
        trace_id=answer.trace_id,
        question=answer.query,
        mode=answer.mode,
        refused=answer.refused,
        degraded=bool(answer.degraded),
        cached=cached,
        times_ms=_times(trace.timings_ms, calls),
        hits={name: trace.counts[channel] for channel, name in HITS.items() if channel in trace.counts},
        merged=trace.counts.get("merged", 0),
        prefilter=answer.policy.prefilter,
        looked_at=len({item.chunk.chunk_id for item in passages}),
        tokens_used=sum(item.prompt_tokens + item.completion_tokens for item in answered),
        calls=Counter(call.stage for call in calls),
        json_read=readings["json"],
        json_salvaged=readings["found"],
        json_defaulted=readings["default"],
        said=len(said),
        fallen=sum(bool(decision.text) and not decision.kept for decision in trace.decisions),
        used_chunks=tuple(dict.fromkeys(c.chunk_id for statement in answer.statements for c in statement.citations)),
        timeline=timeline,
    )


def _times(spent: Mapping[str, float], calls: Sequence[Call]) -> dict[str, float]:
    """The times by the names of the specs, those of steps that were taken."""
    times = {}
    if searched := [spent[step] for step in RETRIEVAL if step in spent]:
        times["retrieval_time_ms"] = round(sum(searched), 3)
    times |= {name: spent[step] for step, name in TIMES.items() if step in spent}
    if calls:
        times["llm_time_ms"] = round(sum(call.milliseconds for call in calls), 3)
    return times


def _readings(calls: Sequence[Call]) -> Counter[str]:
    """How what was to be JSON was read (`text.salvage`), for each way how often."""
    return Counter(
        salvaged(call.completion.text, call.prompt.schema).how
        for call in calls
        if call.completion is not None and call.prompt.schema is not None
    )


LOGGER = logging.getLogger("pincite.telemetry")


def attempt(work: Callable[[], None]) -> None:
    """Do this; if it fails in any way, log a warning and go on."""
    try:
        work()
    except Exception as error:  # noqa: BLE001
        LOGGER.warning("the telemetry failed (%s): the answer is given without it", type(error).__name__)


TRACEPARENT: ContextVar[str] = ContextVar("traceparent", default="")
"""The header `traceparent` of the request that is answered in this context, as it was sent, not validated. Telemetry is
called in the context in which a question was asked, whichever process answered it."""
ROUTE: ContextVar[str] = ContextVar("route", default="")
"""The method and path of the route ("GET /qa") that is answered in this context; empty outside the service."""


class FanOut:
    """Tells each of these telemetries, whatever becomes of the others."""

    def __init__(self, *telemetries: Telemetry) -> None:
        self._telemetries = telemetries

    def answered(self, cost: QuestionCost) -> None:
        """Tell them what a question cost."""
        for telemetry in self._telemetries:
            attempt(partial(telemetry.answered, cost))

    def failed(self, failure: QuestionFailure) -> None:
        """Tell them how a question failed."""
        for telemetry in self._telemetries:
            attempt(partial(telemetry.failed, failure))

    def rests(self, service: str, seconds: float) -> None:
        """Tell them which service is left alone, and for how long."""
        for telemetry in self._telemetries:
            attempt(partial(telemetry.rests, service, seconds))

    def close(self) -> None:
        """Close all of them."""
        for telemetry in self._telemetries:
            attempt(telemetry.close)
