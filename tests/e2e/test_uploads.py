"""Documents that are put into a real service with real clients: curl, httpx, one that goes away, one that is killed."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving

RAIN = b"Rain falls on the harbour. The pilot counts the drops."
QUESTION = {"query": "Who counts the drops?"}


@pytest.fixture
def store(demo_store: Path, tmp_path: Path) -> Path:
    """A store of the test's own."""
    shutil.copytree(demo_store.parent, tmp_path / "docs")
    return tmp_path / "docs" / ".pincite"


@pytest.fixture
def address(store: Path) -> Iterator[str]:
    with serving(store) as (found, _):
        yield found


def send(address: str, name: str, content: Any = RAIN) -> httpx.Response:
    return httpx.post(f"{address}/api/documents", params={"name": name}, content=content, timeout=60)


def ended(address: str) -> dict[str, Any]:
    """What became of what was sent, as soon as nothing is under way."""
    with httpx.stream("GET", f"{address}/api/indexing/stream", timeout=120) as found:
        states = [json.loads(line.removeprefix("data: ")) for line in found.iter_lines() if line.startswith("data: ")]
    return {item["filename"]: item for item in states[-1]["uploads"]}


def put_in(address: str) -> list[dict[str, Any]]:
    """What a service holds that was sent to it."""
    held = httpx.get(f"{address}/api/documents", timeout=60).json()["sources"]
    return [item for item in held if item["source"]["source_id"].startswith("upload:")]


def waits_for(told: Any) -> None:
    until = time.monotonic() + 30
    while not told():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_curl_sends_a_file_which_is_asked_and_taken_out(address: str, store: Path, tmp_path: Path) -> None:
    (tmp_path / "rain.txt").write_bytes(RAIN)
    command = ["curl", "-sS", "--fail-with-body", "-X", "POST", "-T", tmp_path / "rain.txt"]
    sent = subprocess.run([*command, f"{address}/api/documents?name=rain.txt"], capture_output=True, check=True)
    source = json.loads(sent.stdout)["source_id"]
    assert ended(address)["rain.txt"]["status"] == "indexed"
    answer = httpx.get(f"{address}/qa", params=QUESTION, timeout=60).json()
    assert answer["statements"][0]["citations"][0]["filename"] == "rain.txt"
    taken = ["curl", "-sS", "--fail-with-body", "-X", "DELETE", "-G", "--data-urlencode", f"source={source}"]
    subprocess.run([*taken, f"{address}/api/document"], capture_output=True, check=True)
    assert list((store / "uploads").iterdir()) == []


def test_a_large_file_is_sent_in_pieces_and_not_kept_in_memory(store: Path) -> None:
    def pieces() -> Iterator[bytes]:
        for number in range(1200):
            yield f"Gull {number} nests. ".encode().ljust(100_000, b" ")

    with serving(store) as (address, process):
        before = _memory(process.pid)
        assert send(address, "gulls.zip", pieces()).json()["bytes"] == 120_000_000
        assert _memory(process.pid) - before < 60_000_000


def test_what_is_refused_is_told_to_who_still_sends(address: str, store: Path) -> None:
    for name, size, status in (("program.exe", 20_000_000, 415), ("large.txt", 201_000_000, 413)):
        pieces = (b"MZ" * 50_000 for _ in range(size // 100_000))
        assert send(address, name, pieces).status_code == status
    assert list((store / "uploads").iterdir()) == []


def test_who_goes_away_in_the_middle_leaves_nothing(address: str, store: Path) -> None:
    place = urlsplit(address)
    with socket.create_connection((place.hostname or "", place.port or 0)) as sender:
        head = f"POST /api/documents?name=a.txt HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: 1000000\r\n\r\n"
        sender.sendall(head.encode() + b"x" * 300_000)
        waits_for(lambda: list((store / "uploads").glob(".part-*/*")))
    waits_for(lambda: not list((store / "uploads").iterdir()))
    assert send(address, "rain.txt").status_code == 202


def test_a_service_that_is_killed_indexes_what_was_sent_when_it_begins_again(store: Path, pincite: Run) -> None:
    with serving(store) as (address, process):
        sent = [send(address, f"{number}.txt", RAIN + b" %d" % number) for number in range(4)]
        assert {found.status_code for found in sent} == {202}
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    assert len(list((store / "uploads").iterdir())) == 4
    assert pincite("audit", "verify", "--store", store).returncode == 0
    with serving(store) as (address, _):
        ended(address)
        assert [item["status"] for item in put_in(address)] == ["indexed"] * 4
        assert httpx.get(f"{address}/qa", params=QUESTION, timeout=60).json()["statements"]
    assert pincite("verify", "--store", store).returncode == 0


def test_questions_are_answered_while_documents_are_indexed(address: str) -> None:
    patents = httpx.get(f"{address}/qa", params={"query": "Who founded Rivian?"}, timeout=60).json()["statements"]
    for number in range(5):
        send(address, f"{number}.md", b"# Rain\n\n" + b"Rain falls on pier %d. " % number * 200)
    asked = 0
    while any(item["status"] in ("queued", "indexing") for item in _state(address)["uploads"]):
        found = httpx.get(f"{address}/qa", params={"query": "Who founded Rivian?"}, timeout=60)
        assert found.status_code == 200
        assert found.json()["statements"][0]["text"] == patents[0]["text"]
        asked += 1
    assert asked
    assert len(_state(address)["uploads"]) == 5


def test_indexing_by_hand_drops_nothing_of_what_was_sent(address: str, store: Path, pincite: Run) -> None:
    send(address, "rain.txt")
    ended(address)
    assert pincite("index", store.parent, "--prune").returncode == 0
    assert httpx.get(f"{address}/qa", params=QUESTION, timeout=60).json()["statements"]


def test_a_service_that_is_told_to_end_ends_while_it_indexes(store: Path) -> None:
    with serving(store) as (address, process):
        for number in range(8):
            send(address, f"{number}.md", b"# Rain\n\n" + b"Rain falls on pier %d. " % number * 400)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    with serving(store) as (address, _):
        ended(address)
        assert len(put_in(address)) == 8


def _state(address: str) -> Any:
    return httpx.get(f"{address}/api/indexing", timeout=60).json()


def _memory(process: int) -> int:
    """The most that a process has held, in bytes."""
    (line,) = (line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024
