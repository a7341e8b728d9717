"""A question as a trace of OpenTelemetry: one span for the question, in it one for each step (spec/llm_retrieval.md
section 10).

The messages are OpenTelemetry's own (`opentelemetry-proto`), as is the reading of `traceparent` (`opentelemetry-api`).
The SDK and its exporter are left out, since both obey variables of the environment, whatever they are given: what
`OTEL_EXPORTER_OTLP_HEADERS` says is sent along, `OTEL_SDK_DISABLED` has nothing sent (docs/decisions/0808). Here no
`OTEL_*` does anything: pincite's settings alone say whether, where and what.
"""

from __future__ import annotations

import logging
import secrets
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from itertools import chain
from threading import Event, Lock, Thread

from opentelemetry.context import Context
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, InstrumentationScope, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Span, Status
from opentelemetry.trace import SpanContext, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from pincite.errors import ServiceError
from pincite.records.prompts import QuestionCost, QuestionFailure
from pincite.stopwatch import Step, Timeline
from pincite.telemetry.cost import TRACEPARENT, attempt

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
    """The same for a question that ended with an error, of which only the kind is given."""
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


LOGGER = logging.getLogger("pincite.telemetry")
PAUSE_SECONDS = 2.0
"""What comes meanwhile is sent together. By eye, not measured, like what follows."""
MOST_WAITING = 500
"""Questions: of more, the oldest are lost."""
MOST_AT_ONCE = 50
"""Questions a request."""
ENDING_SECONDS = 3.0
"""How long an end waits for what is still to be sent."""
LONGEST_HEADER = 512
"""Characters: the propagator would write a line of the log about each that is longer."""


class OtlpTelemetry:
    """Sends the spans of each question to a collector, in a thread that begins with the first one. `send` raises
    ServiceError where a request is refused: that one is lost, and the log says so once until requests are taken again.
    A question asked with a `traceparent` joins that trace, unless it is not sampled: then nothing is sent. Words of
    questions are sent only with `shows_questions`, those of documents never."""

    def __init__(self, send: Callable[[bytes], None], *, shows_questions: bool = False) -> None:
        self._send = send
        self._shows_questions = shows_questions
        self._waiting: deque[Callable[[], list[Span]]] = deque(maxlen=MOST_WAITING)
        self._thread: Thread | None = None
        self._lock, self._is_ending, self._has_complained = Lock(), Event(), False

    def answered(self, cost: QuestionCost) -> None:
        """Have a trace sent of what it cost."""
        self._keep(partial(spans_of_answer, cost, shows_question=self._shows_questions))

    def failed(self, failure: QuestionFailure) -> None:
        """Have a trace sent of how it failed."""
        self._keep(partial(spans_of_failure, failure, shows_question=self._shows_questions))

    def rests(self, service: str, seconds: float) -> None:
        """No question took that: nothing is sent."""

    def close(self) -> None:
        """Send what waits, within ENDING_SECONDS."""
        self._is_ending.set()
        if self._thread is not None:
            self._thread.join(ENDING_SECONDS)
            if self._thread.is_alive():
                self._complain("the collector does not answer")

    def _keep(self, made: Callable[[SpanContext | None], list[Span]]) -> None:
        parent = _parent(TRACEPARENT.get())
        if parent is not None and not parent.trace_flags.sampled:
            return
        if len(self._waiting) == MOST_WAITING:
            self._complain("they come faster than they are taken")
        self._waiting.append(partial(made, parent))
        with self._lock:
            if self._thread is None and not self._is_ending.is_set():
                self._thread = Thread(target=self._work, name="pincite-traces", daemon=True)
                self._thread.start()

    def _complain(self, why: str) -> None:
        if not self._has_complained:
            LOGGER.warning("traces of questions are lost (%s): answers are given as ever", why)
        self._has_complained = True

    # --- in the thread that sends

    def _work(self) -> None:
        while not self._is_ending.wait(PAUSE_SECONDS):
            attempt(self._send_waiting)
        attempt(self._send_waiting)

    def _send_waiting(self) -> None:
        try:
            while self._waiting:
                self._send(request_of(list(chain.from_iterable(self._taken()))))
                if not self._waiting:
                    self._has_complained = False
        except ServiceError as error:
            self._complain(str(error))

    def _taken(self) -> Iterator[list[Span]]:
        """The spans of the questions that have waited longest."""
        for _ in range(min(len(self._waiting), MOST_AT_ONCE)):
            yield self._waiting.popleft()()


def _parent(traceparent: str) -> SpanContext | None:
    """The span that asked; None for what is none."""
    if len(traceparent) > LONGEST_HEADER:
        return None
    context = TraceContextTextMapPropagator().extract({"traceparent": traceparent}, Context())
    found = get_current_span(context).get_span_context()
    return found if found.is_valid else None
