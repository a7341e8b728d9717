"""Traces of questions as a collector of OpenTelemetry gets them: from the service with its processes, and from the
command. What they tell is true, and a collector that is dead changes nothing."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import httpx
import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving
from tests.support.otlp_collector import Collector, collecting, told

TRACE, ASKING = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{ASKING}-01"
QUESTION = "Who founded Rivian?"
NEW = "Who was it that founded Rivian?"
"""No other test asks this of the store that they share: it is in no cache."""


def by_name(spans: list[Span]) -> dict[str, list[Span]]:
    return {name: [span for span in spans if span.name == name] for name in {span.name for span in spans}}


def assert_nested(spans: list[Span]) -> None:
    """Each is taken while its parent is, and what is taken in turn takes no longer than what it is a part of."""
    known = {span.span_id: span for span in spans}
    assert len(known) == len(spans)
    assert len({span.trace_id for span in spans}) == 1
    for parent in spans:
        children = [span for span in spans if span.parent_span_id == parent.span_id]
        for child in children:
            assert parent.start_time_unix_nano <= child.start_time_unix_nano <= child.end_time_unix_nano
            assert child.end_time_unix_nano <= parent.end_time_unix_nano
        took = sum(child.end_time_unix_nano - child.start_time_unix_nano for child in children)
        assert took <= parent.end_time_unix_nano - parent.start_time_unix_nano


def test_a_service_with_processes_sends_a_trace_of_each_question(demo_store: Path) -> None:
    with collecting() as collector:
        settings = {"PINCITE_OTLP_ENDPOINT": collector.url, "PINCITE_PROCESSES": "2"}
        with serving(demo_store, **settings) as (address, _):
            first = httpx.get(f"{address}/qa", params={"query": NEW}, timeout=60).json()
            asked = {"question": "What is it that Tesla and Rivian own?"}
            headers = {"traceparent": TRACEPARENT}
            second = httpx.post(f"{address}/api/ask", json=asked, headers=headers, timeout=60).json()
            again = httpx.post(f"{address}/api/ask", json=asked, timeout=60).json()
            httpx.post(f"{address}/api/ask", json=asked | {"as_of": "revision 99"}, timeout=60)
            traces = collector.traces(4)
    whole = traces[0]
    assert_nested(whole)
    spans = by_name(whole)
    (root,) = spans["question"]
    assert root.trace_id.hex() == first["meta"]["trace_id"]
    assert root.parent_span_id == b""
    facts = told(root)
    assert facts["pincite.trace_id"] == first["meta"]["trace_id"]
    assert (facts["pincite.mode"], facts["pincite.refused"], facts["pincite.cached"]) == ("extract", False, False)
    assert facts["pincite.arangosearch_hits"] > 0
    (channels,) = spans["channels"]
    for name in ("vector", "keyword", "structure", "graph", "reference"):
        assert {span.parent_span_id for span in spans[name]} == {channels.span_id}, name
    for name in ("embed", "channels", "merge", "answer"):
        assert [span.parent_span_id for span in spans[name]] == [root.span_id], name
    spent = {name: sum(s.end_time_unix_nano - s.start_time_unix_nano for s in of) for name, of in spans.items()}
    for name, milliseconds in first["meta"]["timings_ms"].items():
        assert 0 < spent[name] / 1e6 <= milliseconds + 0.01, name

    (asked_again, *_) = by_name(traces[1])["question"]
    assert (asked_again.trace_id.hex(), asked_again.parent_span_id.hex()) == (TRACE, ASKING)
    assert told(asked_again)["pincite.trace_id"] == second["meta"]["trace_id"] != TRACE
    assert [span.name for span in traces[2]] == ["question", "cache", "receipt"]
    assert told(traces[2][0])["pincite.trace_id"] == again["meta"]["trace_id"]
    failed = traces[3][0]
    assert (failed.status.code, told(failed)["error.type"]) == (Status.STATUS_CODE_ERROR, "UsageError")


def words_in(collector: Collector) -> set[str]:
    return set(re.findall(r"[a-z]+", " ".join(map(str, collector.requests)).casefold()))


@pytest.mark.parametrize("shown", ["false", "true"])
def test_the_words_of_a_question_are_sent_where_the_settings_say_so(demo_store: Path, pincite: Run, shown: str) -> None:
    with collecting() as collector:
        settings = {"PINCITE_OTLP_ENDPOINT": collector.url, "PINCITE_LOG_QUESTIONS": shown}
        done = pincite("ask", QUESTION, "--json", "--store", demo_store, **settings)
        collector.traces(1)
    assert ("founded" in words_in(collector)) == (shown == "true")
    assert "scaringe" in done.stdout.casefold()
    assert not {"scaringe", "patents", "pdf"} & words_in(collector)


def test_what_is_still_to_be_sent_is_sent_at_the_end(demo_store: Path) -> None:
    with collecting() as collector:
        with serving(demo_store, PINCITE_OTLP_ENDPOINT=collector.url, PINCITE_PROCESSES="2") as (address, process):
            httpx.get(f"{address}/qa", params={"query": QUESTION}, timeout=60)
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
        assert collector.traces(1)


def test_a_dead_collector_changes_no_answer_and_is_told_of_once(demo_store: Path, pincite: Run) -> None:
    asked = ("ask", QUESTION, "--json", "--stable", "--store", demo_store)
    expected = pincite(*asked)
    done = pincite(*asked, PINCITE_OTLP_ENDPOINT="http://127.0.0.1:9")
    assert (done.returncode, json.loads(done.stdout)) == (0, json.loads(expected.stdout))
    assert done.stderr.startswith("traces of questions are lost (")
    assert done.stderr.count("\n") == 1
