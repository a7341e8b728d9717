"""A trace a question, for a collector of OpenTelemetry (spec/llm_retrieval.md section 10).

The messages are OpenTelemetry's own (`opentelemetry-proto`), as is the reading of `traceparent` (`opentelemetry-api`).
The SDK and its exporter are left out, since both obey variables of the environment, whatever they are given: what
`OTEL_EXPORTER_OTLP_HEADERS` says is sent along, `OTEL_SDK_DISABLED` has nothing sent (docs/decisions/0808). Here no
`OTEL_*` does anything: pincite's settings alone say whether, where and what.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from threading import Event, Lock, Thread

from opentelemetry.context import Context
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.trace import SpanContext, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from pincite.errors import ServiceError
from pincite.records.costs import QuestionCost, QuestionFailure
from pincite.telemetry.spans import request_of, spans_of_answer, spans_of_failure
from pincite.telemetry.told import tell
from pincite.telemetry.trace_context import TRACEPARENT

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
    """Has what each question took sent to a collector, in a thread of its own, which begins with the first question.

    `send` is given requests, and raises ServiceError where one is not taken: it is lost, one line of the log says so,
    and no further one until all is taken again. Of a question that a request with a `traceparent` asked, the trace is
    that one's; where that one is not sampled, nothing is sent. It holds the words of questions only where
    `shows_questions` says so, and never those of documents.
    """

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
            tell(self._send_waiting)
        tell(self._send_waiting)

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
