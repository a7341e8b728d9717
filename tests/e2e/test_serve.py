"""`pincite serve` in a process of its own, on a real port: asked by curl's means, ended by a signal."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import httpx
import pytest
from tests.e2e.conftest import COMMAND, Run, environment

ADDRESS = re.compile(r"open (http://\S+) in a browser")
QUESTION = "Who founded Rivian?"


@contextmanager
def serving(
    store: Path, *options: str, before: Sequence[str] = (), log: list[str] | None = None, **more: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a service on this store, and its process; `more` stands in its environment, `before` in front of
    its command; what it logs goes into `log`."""
    command = [*before, COMMAND, "serve", "--store", store, "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment() | more)
    reading: Thread | None = None
    try:
        assert process.stderr is not None
        told = ""
        while not (found := ADDRESS.search(told)):
            line = process.stderr.readline()
            assert line, told
            told += line
        reading = Thread(target=(log if log is not None else list[str]()).extend, args=[process.stderr])
        reading.start()
        yield found[1], process
    finally:
        process.kill()
        if reading is not None:
            reading.join()
        process.communicate()


@pytest.fixture(scope="module")
def address(demo_store: Path) -> Iterator[str]:
    with serving(demo_store) as (found, _):
        yield found


@pytest.mark.promise
def test_it_gives_the_object_that_the_command_prints(address: str, demo_store: Path, pincite: Run) -> None:
    printed = pincite("ask", QUESTION, "--json", "--stable", "--store", demo_store)
    asked = httpx.post(f"{address}/api/ask", json={"question": QUESTION, "stable": True}, timeout=60)
    assert asked.json() == json.loads(printed.stdout)
    assert asked.json()["statements"]
    assert (
        httpx.get(f"{address}/qa", params={"query": QUESTION}, timeout=60).json()["statements"]
        == asked.json()["statements"]
    )


def test_the_stream_arrives_piece_by_piece(address: str) -> None:
    names = []
    asked = {"question": "Which patents does Rivian hold?"}
    with httpx.stream("POST", f"{address}/api/ask/stream", json=asked, timeout=60) as found:
        for line in found.iter_lines():
            if line.startswith("event: "):
                names.append(line.removeprefix("event: "))
    assert names[-1] == "answer"
    assert names[:-1] == ["stage"] * (len(names) - 1) != []


def test_no_response_names_a_path_of_this_machine(address: str, demo_store: Path) -> None:
    source = {"source": "rivian_patents.pdf"}
    asked = httpx.get(f"{address}/qa", params={"query": QUESTION}, timeout=60)
    responses = [
        asked,
        httpx.get(f"{address}/api/runs/{asked.json()['meta']['trace_id']}", timeout=60),
        *(
            httpx.get(f"{address}{url}", timeout=60)
            for url in ("/api/documents", "/api/runs", "/api/openapi.json", "/nothing")
        ),
        *(
            httpx.get(f"{address}/api/document{part}", params=source, timeout=60)
            for part in ("", "/sections", "/references")
        ),
        httpx.get(f"{address}/api/document/pages/999/image", params=source, timeout=60),
        httpx.get(f"{address}/api/document", params={"source": "../../etc/passwd"}, timeout=60),
        httpx.post(f"{address}/api/ask", content=b"{"),
        httpx.post(f"{address}/api/search", json={"question": QUESTION}, timeout=60),
    ]
    for found in responses:
        assert str(demo_store.parent) not in found.text
        assert "Traceback" not in found.text


def test_what_was_begun_is_answered_when_it_is_told_to_end(demo_store: Path) -> None:
    with serving(demo_store) as (address, process):
        asked = {"question": "What do Tesla and Rivian own?"}
        with httpx.stream("POST", f"{address}/api/ask/stream", json=asked, timeout=60) as found:
            lines = found.iter_lines()
            assert next(lines) == "event: stage"
            process.send_signal(signal.SIGTERM)
            assert "event: answer" in list(lines)
        assert process.wait(30) == 0
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{address}/health", timeout=60)


def test_others_are_served_with_a_token_alone(demo_store: Path, pincite: Run) -> None:
    refused = pincite("serve", "--host", "0.0.0.0", "--port", "0", "--store", demo_store)
    assert refused.returncode == 2
    made = pincite("token", "add", "ada", "--store", demo_store)
    try:
        with serving(demo_store, "--host", "0.0.0.0") as (address, process):
            there = address.replace("0.0.0.0", "127.0.0.1")
            assert httpx.get(f"{there}/health", timeout=60).status_code == 200
            assert httpx.get(f"{there}/api/documents", timeout=60).status_code == 401
            headers = {"Authorization": f"Bearer {made.stdout.strip()}"}
            assert httpx.get(f"{there}/api/documents", headers=headers, timeout=60).status_code == 200
            assert (
                httpx.get(f"{there}/api/documents", headers=headers | {"Host": "evil.example"}, timeout=60).status_code
                == 400
            )
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0
    finally:
        pincite("token", "remove", "ada", "--store", demo_store)
