"""1. Each question of an engine becomes a trace at the collector that the settings name, and nothing else says whether
or where. 2. A collector that is dead, silent, slow or full costs no answer, and one line. 3. A request that belongs to
a trace has its question told as a part of it, one that lies about it has not."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from tests.support.documents import document, source
from tests.support.modules import forget
from tests.support.otlp_collector import Collector, collecting, told
from tests.support.services import silent

from pincite.cli.main import main
from pincite.engine.engine import Engine
from pincite.errors import SettingsError, UsageError
from pincite.installing import install_extra
from pincite.records.questions import Filter
from pincite.settings import Settings, load_settings
from pincite.telemetry.cost import TRACEPARENT
from pincite.telemetry.otlp import ENDING_SECONDS, MOST_WAITING, PAUSE_SECONDS, OtlpTelemetry
from pincite.wiring import make_telemetry, open_engine
from pincite_testing.telemetry_contract import COST

QUESTION = "Where does snow lie?"
NOBODY = "http://127.0.0.1:9"
TRACE, ASKING = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def asking(folder: Path, endpoint: str) -> Engine:
    settings = Settings(embedder="none", reranker="none", cache_minutes=0, otlp_endpoint=endpoint)
    engine = open_engine(settings, folder / "store", create=True)
    engine.index_documents([(source("snow.pdf"), document("Snow lies on the roof of the station."))])
    return engine


# --- what arrives ------------------------------------------------------------------------------------------


def test_each_question_is_sent_and_what_waits_is_sent_at_the_end(tmp_path: Path) -> None:
    with collecting() as collector:
        with asking(tmp_path, f"{collector.url}/") as engine:
            answer = engine.ask(QUESTION)
            with pytest.raises(UsageError):
                engine.ask(QUESTION, filter=Filter(as_of="yesterday"))
        (asked, *steps), (failed, *_) = collector.traces(2)
    assert told(asked)["pincite.trace_id"] == answer.trace_id
    assert {"keyword", "graph", "merge", "answer"} <= {span.name for span in steps}
    assert told(failed)["error.type"] == "UsageError"


def test_a_trace_does_not_wait_for_the_end(tmp_path: Path) -> None:
    with collecting() as collector, asking(tmp_path, collector.url) as engine:
        engine.ask(QUESTION)
        assert collector.traces(1)


def test_the_environment_of_opentelemetry_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting() as collector, collecting() as other:
        for name, value in {
            "EXPORTER_OTLP_ENDPOINT": other.url,
            "EXPORTER_OTLP_TRACES_ENDPOINT": f"{other.url}/v1/traces",
            "EXPORTER_OTLP_HEADERS": "authorization=secret,x-forged=1",
            "EXPORTER_OTLP_COMPRESSION": "gzip",
            "RESOURCE_ATTRIBUTES": "service.name=forged",
            "SERVICE_NAME": "forged",
            "SDK_DISABLED": "true",
            "TRACES_SAMPLER": "always_off",
            "SPAN_ATTRIBUTE_COUNT_LIMIT": "1",
            "PROPAGATORS": "none",
        }.items():
            monkeypatch.setenv(f"OTEL_{name}", value)
        with asking(tmp_path, collector.url) as engine:
            engine.ask(QUESTION)
        (asked, *_) = collector.traces(1)[0]
        assert len(told(asked)) > 5
        assert other.requests == []
        (headers,) = collector.headers
        assert not {"Authorization", "authorization", "X-Forged", "x-forged", "Content-Encoding"} & headers.keys()
        assert "forged" not in str(collector.requests)


def test_nothing_is_sent_where_no_setting_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        with asking(tmp_path, "") as engine:
            engine.ask(QUESTION)
        assert collector.requests == []


# --- who may say where -------------------------------------------------------------------------------------


def test_a_folder_of_documents_cannot_have_traces_sent(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text(f'otlp_endpoint = "{NOBODY}"', encoding="utf-8")
    loaded = load_settings(folder=tmp_path, environment={})
    assert loaded.settings.otlp_endpoint == ""
    assert "otlp_endpoint" in loaded.notices[0]


def test_an_address_that_is_none_is_told() -> None:
    with pytest.raises(SettingsError, match="otlp_endpoint must begin with http"):
        load_settings(environment={"PINCITE_OTLP_ENDPOINT": "collector:4318"})


def test_without_its_packages_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "snow.txt").write_text("Snow lies on the roof of the station.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("EMBEDDER", "RERANKER"):
        monkeypatch.setenv(f"PINCITE_{name}", "none")
    assert main(["index", ".", "--quiet"]) == 0
    monkeypatch.setenv("PINCITE_OTLP_ENDPOINT", NOBODY)
    monkeypatch.setitem(sys.modules, "opentelemetry.proto.trace.v1.trace_pb2", None)
    forget(monkeypatch, "pincite.telemetry.otlp", "pincite.telemetry.otlp")
    capsys.readouterr()
    for command in (["ask", QUESTION], ["serve", "--port", "0"]):
        assert main(command) == 4
        assert capsys.readouterr().err == (
            "pincite: traces need packages that are not installed: run "
            f"{install_extra('otel')}, or leave "
            "otlp_endpoint empty\n"
        )


# --- a collector that does not take them -------------------------------------------------------------------


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_dead_collector_changes_no_answer_and_is_told_of_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with asking(tmp_path / "without", "") as engine:
        expected = engine.ask(QUESTION).to_dict(stable=True)
    with asking(tmp_path / "dead", NOBODY) as engine:
        for _ in range(3):
            assert engine.ask(QUESTION).to_dict(stable=True) == expected
    (line,) = lines(caplog)
    assert line.startswith(f"traces of questions are lost ({NOBODY} does not answer: ")
    assert "snow" not in line


def test_a_silent_collector_is_left_at_the_end(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with silent() as url:
        engine = asking(tmp_path, url)
        assert engine.ask(QUESTION).statements
        began = time.monotonic()
        engine.close()
        assert time.monotonic() - began < ENDING_SECONDS + 5
        engine.close()
    assert lines(caplog) == ["traces of questions are lost (the collector does not answer): answers are given as ever"]


def test_a_collector_that_refuses_is_told_of_once_until_it_takes_them(caplog: pytest.LogCaptureFixture) -> None:
    with collecting() as collector:
        telemetry = make_telemetry(Settings(otlp_endpoint=collector.url))
        collector.refuses = True
        for _ in range(2):
            collector.refused = 0
            telemetry.answered(COST)
            wait_for(lambda: collector.refused > 0)
            time.sleep(1.5 * PAUSE_SECONDS)
        assert [line for line in lines(caplog) if "answered 503" in line] == lines(caplog)
        assert len(lines(caplog)) == 1
        collector.refuses = False
        telemetry.answered(COST)
        assert collector.traces(1)
        telemetry.close()
    assert len(lines(caplog)) == 1


def test_what_comes_faster_than_it_is_taken_is_lost_and_fills_no_memory(caplog: pytest.LogCaptureFixture) -> None:
    is_slow, sent = Event(), list[bytes]()

    def send(content: bytes) -> None:
        is_slow.wait(30)
        sent.append(content)

    telemetry = OtlpTelemetry(send)
    for _ in range(MOST_WAITING * 3):
        telemetry.answered(COST)
    assert len(telemetry._waiting) == MOST_WAITING
    is_slow.set()
    telemetry.close()
    assert 1 < len(sent) <= MOST_WAITING
    assert lines(caplog) == [
        "traces of questions are lost (they come faster than they are taken): answers are given as ever"
    ]


def test_what_cannot_be_told_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with collecting() as collector:
        telemetry = make_telemetry(Settings(otlp_endpoint=collector.url))
        telemetry.answered(replace(COST, trace_id="no id"))
        wait_for(lambda: bool(lines(caplog)))
        telemetry.answered(COST)
        assert len(collector.traces(1)) == 1
        telemetry.close()


def wait_for(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)


# --- a trace that a request belongs to ---------------------------------------------------------------------


def told_with(traceparent: str) -> Collector:
    with collecting() as collector:
        telemetry = OtlpTelemetry(lambda content: collector.take({}, content) and None)
        token = TRACEPARENT.set(traceparent)
        try:
            telemetry.answered(COST)
        finally:
            TRACEPARENT.reset(token)
        telemetry.close()
    return collector


@pytest.mark.parametrize("traceparent", [f"00-{TRACE}-{ASKING}-01", f"01-{TRACE}-{ASKING}-03-of a later version"])
def test_a_question_is_a_part_of_the_trace_that_the_request_names(traceparent: str) -> None:
    (root, *_) = told_with(traceparent).traces(1)[0]
    assert (root.trace_id.hex(), root.parent_span_id.hex()) == (TRACE, ASKING)


@pytest.mark.parametrize(
    "traceparent",
    [
        "",
        "x",
        f"00-{TRACE}-{ASKING}",
        f"00-{TRACE.upper()}-{ASKING}-01",
        f"00-{'0' * 32}-{ASKING}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"ff-{TRACE}-{ASKING}-01",
        f"00-{TRACE}-{ASKING}-01-more",
        f"00-{TRACE}-{ASKING}-01, 00-{TRACE}-{ASKING}-01",
        f"00-{TRACE}-{ASKING}-01\r\nX-Forged: 1",
        f"01-{TRACE}-{ASKING}-01-{'a' * 10_000}",
        "٠" * 55,
    ],
)
def test_what_is_no_trace_is_passed_over_without_a_word(traceparent: str, caplog: pytest.LogCaptureFixture) -> None:
    (root, *_) = told_with(traceparent).traces(1)[0]
    assert (root.trace_id.hex(), root.parent_span_id) == (COST.trace_id, b"")
    assert caplog.messages == []


def test_a_trace_that_is_not_sampled_is_not_sent() -> None:
    assert told_with(f"00-{TRACE}-{ASKING}-00").requests == []
