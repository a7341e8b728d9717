"""The contract of a Telemetry (needs pytest).

Subclass `TelemetryContract` as a class whose name starts with `Test`, and let `make` give the telemetry.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pincite.ports import Telemetry
from pincite.records.prompts import QuestionCost, QuestionFailure
from pincite.stopwatch import Step, Timeline

COST = QuestionCost(
    trace_id="0f" * 16,
    question="How deep must the foundation be?",
    mode="agentic",
    refused=False,
    degraded=False,
    cached=False,
    times_ms={"retrieval_time_ms": 12.5, "faiss_time_ms": 3.0, "llm_time_ms": 210.0},
    hits={"faiss_hits": 100, "arangosearch_hits": 60},
    merged=142,
    prefilter=80,
    looked_at=24,
    tokens_used=842,
    calls={"plan": 1, "map": 5, "reduce": 1},
    json_read=4,
    json_salvaged=1,
    json_defaulted=1,
    said=3,
    fallen=1,
    used_chunks=("a" * 64, "b" * 64),
    timeline=Timeline(
        began_ns=1_790_000_000_000_000_000,
        ended_ms=250.0,
        steps=(
            Step(0, "channels", 1.0, 12.5),
            Step(1, "vector", 2.0, 5.0, inside=0),
            Step(2, "gear_time_ms", 6.0, 8.0, inside=0),
            Step(3, "answer", 13.0, 249.0),
            Step(4, "llm", 20.0, 230.0, inside=3, facts={"stage": "plan", "prompt_tokens": 800}),
            Step(5, "llm", 20.5, 200.0, inside=3, error="ServiceError", facts={"stage": "map"}),
        ),
    ),
)
FAILURE = QuestionFailure(COST.question, "extract", "StoreError", 3.5, Timeline(COST.timeline.began_ns, 3.5))
STRANGE = ("", "Größe 日本語 ½", "two\nlines\r\x1b[2J\u2028\u202e\ud800", '" trace_id=1', "%s %d {0}", "deep " * 800)


class TelemetryContract(ABC):
    """What every Telemetry keeps: it may be told of any question, by anybody."""

    @abstractmethod
    def make(self) -> Telemetry:
        """The telemetry to be tested."""

    @pytest.mark.parametrize("question", STRANGE)
    def test_any_question_may_be_told(self, question: str) -> None:
        """An empty one, a long one, and one of characters that steer a terminal or are none."""
        telemetry = self.make()
        telemetry.answered(replace(COST, question=question))
        telemetry.failed(replace(FAILURE, question=question))

    def test_a_question_may_have_cost_nothing(self) -> None:
        """One that was found in the cache has no times of stages, no hits and no calls."""
        nothing = replace(COST, cached=True, times_ms={}, hits={}, merged=0, looked_at=0, calls={}, used_chunks=())
        self.make().answered(nothing)

    def test_a_service_may_be_left_alone_again_and_again(self) -> None:
        """None of it raises, whichever service it is."""
        telemetry = self.make()
        for _ in range(3):
            telemetry.rests("language_model", 30.0)

    def test_many_threads_may_tell_at_once(self) -> None:
        """None of them raises."""
        telemetry = self.make()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(telemetry.answered, [COST] * 64))

    def test_it_may_be_closed_twice_and_told_behind_that(self) -> None:
        """A question may go on while its engine is closed."""
        telemetry = self.make()
        telemetry.answered(COST)
        telemetry.close()
        telemetry.close()
        telemetry.failed(FAILURE)
