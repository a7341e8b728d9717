"""A question as spans of OpenTelemetry: one for the question, and in it one for each time that a step was taken, nested
as they were taken (spec/llm_retrieval.md section 10)."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from importlib.metadata import version

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status
from opentelemetry.trace import SpanContext

from pincite.records.costs import QuestionCost, QuestionFailure
from pincite.stopwatch import Step, Timeline

SERVICE = "pincite"
QUESTION = "question"
NAMES = {"gear_time_ms": "gear"}
"""Spans of steps that are called after their times."""
LARGEST = 2**63 - 1
"""Of an integer in a span. Tokens are what a service says that they are."""
Value = str | int


def spans_of_answer(cost: QuestionCost, parent: SpanContext | None, *, shows_question: bool) -> list[Span]:
    """The spans of a question that was answered, the question's own first: below `parent` where there is one, else in a
    trace that has the id of the answer."""
    told: dict[str, Value] = {
        "trace_id": cost.trace_id,
        "mode": cost.mode,
        "refused": cost.refused,
        "degraded": cost.degraded,
        "cached": cost.cached,
        **cost.hits,
        "merged": cost.merged,
        "prefilter_topM": cost.prefilter,
        "looked_at": cost.looked_at,
        "statements": cost.said,
        "fallen": cost.fallen,
        "tokens_used": cost.tokens_used,
    }
    if shows_question:
        told["question"] = cost.question
    return _spans(cost.timeline, bytes.fromhex(cost.trace_id), parent, told)


def spans_of_failure(failure: QuestionFailure, parent: SpanContext | None, *, shows_question: bool) -> list[Span]:
    """The same for a question that ended with an error, of which the kind is told alone."""
    told: dict[str, Value] = {"mode": failure.mode}
    if shows_question:
        told["question"] = failure.question
    return _spans(failure.timeline, secrets.token_bytes(16), parent, told, failure.error)


def request_of(spans: Sequence[Span]) -> bytes:
    """What a collector is sent (OTLP, ExportTraceServiceRequest)."""
    number = version("pincite")
    resource = Resource(attributes=_attributes({"service.name": SERVICE, "service.version": number}))
    scope = ScopeSpans(scope=InstrumentationScope(name=SERVICE, version=number), spans=spans)
    request = ExportTraceServiceRequest(resource_spans=[ResourceSpans(resource=resource, scope_spans=[scope])])
    content: bytes = request.SerializeToString()
    return content


def _spans(
    timeline: Timeline, trace_id: bytes, parent: SpanContext | None, told: Mapping[str, Value], error: str = ""
) -> list[Span]:
    question = Step(-1, QUESTION, 0.0, timeline.ended_ms, error=error, facts=told)
    ids: dict[int | None, bytes] = {step.number: secrets.token_bytes(8) for step in (question, *timeline.steps)}
    ids[None] = ids[question.number]
    above = b"" if parent is None else parent.span_id.to_bytes(8, "big")
    trace = trace_id if parent is None else parent.trace_id.to_bytes(16, "big")
    return [
        Span(
            trace_id=trace,
            span_id=ids[step.number],
            parent_span_id=above if step is question else ids[step.inside],
            name=NAMES.get(step.name, step.name),
            kind=Span.SPAN_KIND_INTERNAL,
            start_time_unix_nano=timeline.began_ns + round(step.began_ms * 1_000_000),
            end_time_unix_nano=timeline.began_ns + round(step.ended_ms * 1_000_000),
            attributes=_attributes(_names_and_values(step)),
            status=Status(code=Status.STATUS_CODE_ERROR) if step.error else None,
        )
        for step in (question, *timeline.steps)
    ]


def _names_and_values(step: Step) -> dict[str, Value]:
    told = {f"{SERVICE}.{name}": value for name, value in step.facts.items()}
    return told | {"error.type": step.error} if step.error else told


def _attributes(told: Mapping[str, Value]) -> list[KeyValue]:
    return [KeyValue(key=name, value=_any_value(value)) for name, value in told.items()]


def _any_value(value: Value) -> AnyValue:
    if isinstance(value, bool):
        return AnyValue(bool_value=value)
    if isinstance(value, int):
        return AnyValue(int_value=min(value, LARGEST))
    return AnyValue(string_value=value.encode("utf-8", "replace").decode("utf-8"))
