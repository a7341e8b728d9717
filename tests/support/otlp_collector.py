"""A collector of OpenTelemetry on this machine: it takes traces over HTTP (OTLP, protobuf), and keeps them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from threading import Condition

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from tests.support.services import JsonService, running

PATIENCE = 30.0
"""Seconds that a trace has to arrive."""
ROOT = "question"


class Collector:
    """What was sent: `requests`, and the headers of each."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[ExportTraceServiceRequest] = []
        self.headers: list[dict[str, str]] = []
        self.refuses = False
        self.refused = 0
        self._arrived = Condition()

    def take(self, headers: dict[str, str], content: bytes) -> bool:
        """Keep what was sent, unless this collector refuses all that comes."""
        with self._arrived:
            if self.refuses:
                self.refused += 1
            else:
                self.headers.append(headers)
                self.requests.append(ExportTraceServiceRequest.FromString(content))
            self._arrived.notify_all()
            return not self.refuses

    def spans(self) -> list[Span]:
        """All that have arrived."""
        return [
            span
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def traces(self, count: int) -> list[list[Span]]:
        """The spans of so many questions, in the order in which these began, as soon as they have arrived."""
        until = time.monotonic() + PATIENCE
        with self._arrived:
            while len(roots := [span for span in self.spans() if span.name == ROOT]) < count:
                assert self._arrived.wait(until - time.monotonic()), f"{len(roots)} of {count} questions arrived"
            spans = self.spans()
        roots.sort(key=lambda span: span.start_time_unix_nano)
        return [[root, *_below(root, spans)] for root in roots]


def _below(parent: Span, spans: list[Span]) -> Iterator[Span]:
    for span in spans:
        if span.parent_span_id == parent.span_id and span.trace_id == parent.trace_id:
            yield span
            yield from _below(span, spans)


def told(span: Span) -> dict[str, str | int | bool]:
    """The attributes of a span by their names."""
    values = {item.key: item.value for item in span.attributes}
    return {key: getattr(value, value.WhichOneof("value")) for key, value in values.items()}


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that takes what it is sent."""
    collector = Collector()

    class Taking(JsonService):
        def serve(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            is_one = self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
            self.answer({}, 404 if not is_one else 200 if collector.take(dict(self.headers), content) else 503)

    with running(ThreadingHTTPServer(("127.0.0.1", 0), Taking)) as collector.url:
        yield collector
