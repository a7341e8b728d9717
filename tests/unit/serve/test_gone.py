"""Who goes away is waited for no longer: neither by the service nor by the language model that it asked for them."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import httpx
import pytest
from tests.support.language_server import LanguageServer, Reply
from tests.support.promises import SETTINGS
from tests.support.served import made_store

from pincite.records.prompts import LanguageService
from pincite.serve import chat
from pincite.serve.access import Access
from pincite.serve.access_tokens import Tokens
from pincite.serve.app import build_app
from pincite.serve.running import Server, address_of, bound_socket
from pincite.serve.service import Service
from pincite.serve.workers import Workers
from pincite.settings import Settings
from pincite.wiring import open_engine
from pincite_testing.memory_telemetry import MemoryTelemetry

SOON = 60.0
"""Seconds; a question may wait for models for twice as long, and a new process needs some of it to start."""


def happens(what: Callable[[], bool]) -> bool:
    """Whether it does, soon."""
    end = time.monotonic() + SOON
    while time.monotonic() < end and not what():
        time.sleep(0.02)
    return what()


@pytest.fixture
def silent() -> Iterator[LanguageServer]:
    """A language model that takes a question and never answers."""
    with LanguageServer(lambda _: Reply(silent=True)) as server:
        yield server


@pytest.fixture(params=["threads", "processes"])
def running(tmp_path: Path, silent: LanguageServer, request: pytest.FixtureRequest) -> Iterator[tuple[str, Service]]:
    """A service on a port, in whose answers that model has a say; its threads answer, or a process of its own."""
    store = made_store(tmp_path / "docs")
    table = (("silent", LanguageService(f"{silent.url}/v1", "small", "openai", timeout=300.0)),)
    changes = {"language_models": table, "language_model": "silent", "ask_mode": "generate"}
    settings = Settings(**{name: getattr(SETTINGS, name) for name in ("embedder", "ocr", "workers")} | changes)
    with open_engine(settings, store) as engine, closing(bound_socket("127.0.0.1", 0)) as bound:
        apart = Workers(settings, store, 1, MemoryTelemetry()) if request.param == "processes" else None
        app = build_app(engine, settings, Access(Tokens(store), is_local=True), askers=apart)
        server = Server(app)
        thread = Thread(target=server.run, args=([bound],))
        thread.start()
        yield address_of(bound), app.state.service
        app.state.service.is_ending = True
        thread.join(SOON)
        assert not thread.is_alive()


def test_who_leaves_a_stream_frees_its_place(running: tuple[str, Service], silent: LanguageServer) -> None:
    address, service = running
    asked = {"question": "Who clears the snow?"}
    with httpx.stream("POST", f"{address}/api/ask/stream", json=asked, timeout=SOON) as found:
        lines = found.iter_lines()
        assert next(lines) == "event: stage"
        assert happens(lambda: len(silent.requests) > 0)
        assert not service.questions.is_idle
    assert happens(lambda: service.questions.is_idle)


def test_a_chat_that_takes_long_is_told_so_and_who_leaves_it_frees_its_place(
    running: tuple[str, Service], silent: LanguageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "QUIET_SECONDS", 0.05)
    address, service = running
    asked = {"model": "pincite", "stream": True, "messages": [{"role": "user", "content": "Who clears the snow?"}]}
    with httpx.stream("POST", f"{address}/v1/chat/completions", json=asked, timeout=SOON) as found:
        lines = (line for line in found.iter_lines() if line)
        assert "assistant" in next(lines)
        assert next(lines) == ": ping"
        assert happens(lambda: len(silent.requests) > 0)
        assert not service.questions.is_idle
    assert happens(lambda: service.questions.is_idle)


def test_who_leaves_a_question_frees_its_place(running: tuple[str, Service], silent: LanguageServer) -> None:
    address, service = running
    place = urlsplit(address)
    with socket.create_connection((str(place.hostname), place.port or 0)) as line:
        line.sendall(f"GET /qa?query=Who+clears+the+snow HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        assert happens(lambda: len(silent.requests) > 0)
        assert not service.questions.is_idle
    assert happens(lambda: service.questions.is_idle)


def test_who_stays_is_answered_in_time(running: tuple[str, Service], silent: LanguageServer) -> None:
    address, _ = running
    found = httpx.post(f"{address}/api/ask", json={"question": "Who clears the snow?", "timeout": 1.0}, timeout=SOON)
    assert found.status_code == 200
    assert found.json()["degraded"]
    assert found.json()["statements"]
