"""1. When each step of a question was taken is known, and inside which other one, whatever thread took it. 2. None of
it is in an answer or a receipt."""

from __future__ import annotations

import json
import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from tests.unit.telemetry.conftest import QUESTION

from pincite.engine.engine import Engine
from pincite.errors import ServiceError, UsageError
from pincite.stopwatch import Steps, Stopwatch, Timeline
from pincite_testing.memory_telemetry import MemoryTelemetry


def places(timeline: Timeline) -> list[tuple[str, str | None]]:
    """The name of each step with that of the one that it was taken inside."""
    names = {step.number: step.name for step in timeline.steps}
    return [(step.name, None if step.inside is None else names[step.inside]) for step in timeline.steps]


def test_steps_are_inside_those_that_go_on() -> None:
    steps = Steps()
    with steps.taking("answer"):
        with steps.taking("reranker"):
            pass
        with steps.taking("reranker"):
            pass
    timeline = steps.timeline()
    assert places(timeline) == [("answer", None), ("reranker", "answer"), ("reranker", "answer")]
    answer, first, second = timeline.steps
    times = (0, answer.began_ms, first.began_ms, first.ended_ms, second.began_ms, second.ended_ms, answer.ended_ms)
    assert sorted(times) == list(times)
    assert answer.ended_ms <= timeline.ended_ms


def test_what_several_threads_do_at_once_is_inside_the_step_that_waits_for_them() -> None:
    steps, together = Steps(), Barrier(3)

    def ask() -> None:
        with steps.taking("llm"):
            together.wait(10)
            with steps.taking("read"):
                together.wait(10)

    with steps.taking("answer"), ThreadPoolExecutor(3) as pool:
        for _ in range(3):
            pool.submit(ask)
    found = steps.timeline()
    assert sorted(places(found), key=str) == [("answer", None), *[("llm", "answer")] * 3, *[("read", "llm")] * 3]
    assert len({step.inside for step in found.steps if step.name == "read"}) == 3


def test_a_step_that_fails_tells_with_what_kind_of_error() -> None:
    watch = Stopwatch()
    with pytest.raises(ServiceError), watch.timing("reranker"):
        raise ServiceError("the words of a document")
    (step,) = watch.steps.timeline().steps
    assert (step.name, step.error) == ("reranker", "ServiceError")
    assert "words" not in repr(step)


def test_a_question_tells_when_its_steps_were_taken(engine: Engine, told: MemoryTelemetry) -> None:
    answer = engine.ask(QUESTION)
    timeline = told.costs[0].timeline
    found = places(timeline)
    assert [name for name, inside in found if inside is None] == [
        *("cache", "parse", "parse", "embed", "channels", "merge", "answer", "receipt")
    ]
    assert {name for name, inside in found if inside == "channels"} == {
        *("vector", "keyword", "structure", "graph", "reference")
    }
    assert ("reranker", "answer") in found
    spent: dict[str, float] = {}
    for step in timeline.steps:
        spent[step.name] = spent.get(step.name, 0.0) + step.ended_ms - step.began_ms
    for name, milliseconds in answer.trace.timings_ms.items():
        assert spent[name] == pytest.approx(milliseconds, abs=0.01), name


def test_each_call_of_a_language_model_is_a_step(engine: Engine, told: MemoryTelemetry) -> None:
    answer = engine.ask(QUESTION, mode="agentic")
    calls = [step for step in told.costs[0].timeline.steps if step.name == "llm"]
    assert sorted(str(call.facts["stage"]) for call in calls) == ["map", "map", "plan", "reduce"]
    usage = answer.to_dict()["meta"]["usage"]
    for name in ("prompt_tokens", "completion_tokens"):
        assert sum(int(call.facts[name]) for call in calls) == usage[name]
    assert {call.inside for call in calls} == {s.number for s in told.costs[0].timeline.steps if s.name == "answer"}


def test_an_answer_from_the_cache_was_looked_up_alone(engine: Engine, told: MemoryTelemetry) -> None:
    for _ in range(2):
        engine.ask(QUESTION)
    assert places(told.costs[1].timeline) == [("cache", None), ("receipt", None)]


def test_a_question_that_fails_tells_how_far_it_came(engine: Engine, told: MemoryTelemetry) -> None:
    with pytest.raises(UsageError):
        engine.ask("file:snow.pdf")
    (failure,) = told.failures
    assert failure.time_ms == round(failure.timeline.ended_ms, 3)
    assert [(step.name, step.error) for step in failure.timeline.steps][:1] == [("cache", "")]


def test_no_moment_of_a_step_is_in_an_answer_or_a_receipt(engine: Engine) -> None:
    answer = engine.ask(QUESTION, mode="agentic")
    receipt = engine.session().audit.receipt(answer.trace_id)
    for kept in (answer.to_dict(explain=True), receipt.answer, receipt.output):
        assert "2.5 kN/m2" in json.dumps(kept)
        assert not re.search(r"began|ended_ms|timeline", json.dumps(kept))
    assert answer.to_dict()["meta"]["timings_ms"].keys() == answer.trace.timings_ms.keys()
    assert "structure" not in answer.trace.timings_ms


def test_what_a_question_cost_goes_from_one_process_to_another(engine: Engine, told: MemoryTelemetry) -> None:
    engine.ask(QUESTION, mode="agentic")
    (cost,) = told.costs
    assert pickle.loads(pickle.dumps(cost)) == cost
