"""What a collector is sent of a question: the names of the specs, steps nested as they were taken, no words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from opentelemetry.trace import SpanContext, TraceFlags
from tests.support.otlp_collector import told

from pincite.telemetry.otlp import request_of, spans_of_answer, spans_of_failure
from pincite_testing.telemetry_contract import COST, FAILURE, STRANGE

PARENT = SpanContext(0xA1, 0xB2, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))


def spans(shown: bool = False, parent: SpanContext | None = None) -> dict[str, Span]:
    """By name; of calls of a language model that of the stage."""
    made = spans_of_answer(COST, parent, shows_question=shown)
    return {str(told(span).get("pincite.stage", span.name)): span for span in made}


def test_a_span_stands_for_the_question_and_one_for_each_step() -> None:
    found = spans()
    assert list(found) == ["question", "channels", "vector", "gear", "answer", "plan", "map"]
    assert {found[name].name for name in ("plan", "map")} == {"llm"}
    above = {span.span_id: name for name, span in found.items()} | {b"": None}
    assert {name: above[span.parent_span_id] for name, span in found.items()} == {
        "question": None,
        "channels": "question",
        "vector": "channels",
        "gear": "channels",
        "answer": "question",
        "plan": "answer",
        "map": "answer",
    }


def test_spans_begin_and_end_when_the_steps_did() -> None:
    began, found = COST.timeline.began_ns, spans()
    times = {name: (s.start_time_unix_nano - began, s.end_time_unix_nano - began) for name, s in found.items()}
    assert times["question"] == (0, 250_000_000)
    assert times["vector"] == (2_000_000, 5_000_000)
    assert times["map"] == (20_500_000, 200_000_000)


def test_the_question_tells_what_it_took_under_the_names_of_the_specs() -> None:
    assert told(spans()["question"]) == {
        "pincite.trace_id": COST.trace_id,
        "pincite.mode": "agentic",
        "pincite.refused": False,
        "pincite.degraded": False,
        "pincite.cached": False,
        "pincite.faiss_hits": 100,
        "pincite.arangosearch_hits": 60,
        "pincite.merged": 142,
        "pincite.prefilter_topM": 80,
        "pincite.looked_at": 24,
        "pincite.statements": 3,
        "pincite.fallen": 1,
        "pincite.tokens_used": 842,
    }
    assert told(spans()["plan"]) == {"pincite.stage": "plan", "pincite.prompt_tokens": 800}


def test_a_step_that_failed_is_an_error_and_the_question_is_none() -> None:
    found = spans()
    assert found["map"].status.code == Status.STATUS_CODE_ERROR
    assert told(found["map"])["error.type"] == "ServiceError"
    assert {span.status.code for name, span in found.items() if name != "map"} == {Status.STATUS_CODE_UNSET}


def test_a_question_that_failed_is_an_error_of_a_kind() -> None:
    (span,) = spans_of_failure(FAILURE, None, shows_question=False)
    assert span.status.code == Status.STATUS_CODE_ERROR
    assert span.status.message == ""
    assert told(span) == {"pincite.mode": "extract", "error.type": "StoreError"}
    assert span.end_time_unix_nano - span.start_time_unix_nano == 3_500_000
    assert len(span.trace_id) == 16


def test_the_trace_has_the_id_of_the_answer_or_is_that_of_who_asked() -> None:
    assert {span.trace_id.hex() for span in spans().values()} == {COST.trace_id}
    below = spans(parent=PARENT)
    assert {int(span.trace_id.hex(), 16) for span in below.values()} == {0xA1}
    assert int(below["question"].parent_span_id.hex(), 16) == 0xB2
    assert below["channels"].parent_span_id == below["question"].span_id
    assert told(below["question"])["pincite.trace_id"] == COST.trace_id


def test_the_words_of_a_question_are_told_where_that_is_asked_for() -> None:
    assert told(spans(shown=True)["question"])["pincite.question"] == COST.question
    (failed,) = spans_of_failure(FAILURE, None, shows_question=True)
    assert told(failed)["pincite.question"] == FAILURE.question
    unshown = [*spans().values(), *spans_of_failure(FAILURE, None, shows_question=False)]
    assert b"foundation" not in request_of(unshown)


@pytest.mark.parametrize("question", STRANGE)
def test_any_question_can_be_sent(question: str) -> None:
    made = spans_of_answer(replace(COST, question=question), None, shows_question=True)
    sent = ExportTraceServiceRequest.FromString(request_of(made))
    arrived = told(sent.resource_spans[0].scope_spans[0].spans[0])["pincite.question"]
    assert arrived == question.replace("\ud800", "?")


def test_a_service_that_counts_more_tokens_than_there_are_loses_no_trace() -> None:
    made = spans_of_answer(replace(COST, tokens_used=10**40), None, shows_question=False)
    assert told(made[0])["pincite.tokens_used"] == 2**63 - 1


def test_a_request_says_who_sends_it() -> None:
    sent = ExportTraceServiceRequest.FromString(request_of(list(spans().values())))
    (resource,) = sent.resource_spans
    said = {item.key: item.value.string_value for item in resource.resource.attributes}
    assert said.keys() == {"service.name", "service.version"}
    assert said["service.name"] == "pincite"
    assert len(resource.scope_spans[0].spans) == 7
