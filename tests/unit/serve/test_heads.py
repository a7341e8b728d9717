"""Who sends a head without end is cut off, whoever reads HTTP; bodies may be as long as before."""

from __future__ import annotations

import http.client
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from pincite.serve import running
from pincite.serve.running import MOST_BYTES, MOST_WAITING, BoundedHttp

HEAD = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"


async def count(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(sum([len(piece) async for piece in request.stream()])))


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    app = Starlette(routes=[Route("/", count, methods=["POST"])])
    config = uvicorn.Config(app, http=BoundedHttp, lifespan="off", log_level="critical", ws="none")
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as bound:
        thread = threading.Thread(target=server.run, args=([bound],))
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield bound.getsockname()
        server.should_exit = True
        thread.join()


def answered(there: socket.socket) -> bytes:
    """The whole of an answer, in however many pieces it comes."""
    found = b""
    while piece := there.recv(4096):
        found += piece
        head, end, body = found.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        if end and length and len(body) >= int(length[1]):
            break
    return found


def sent(address: tuple[str, int], start: bytes, piece: bytes, times: int) -> tuple[int, bytes]:
    """How many pieces were taken, and what was answered."""
    taken = 0
    with socket.create_connection(address, timeout=20) as there:
        there.sendall(start)
        try:
            while taken < times:
                there.sendall(piece)
                taken += 1
            return taken, answered(there)
        except OSError:
            return taken, b""


@pytest.mark.parametrize(
    "start",
    [
        HEAD + b"Authorization: Bearer ",
        b"GET /",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Trailer: ",
    ],
    ids=["header", "path", "trailer"],
)
def test_a_head_without_end_is_cut_off(address: tuple[str, int], start: bytes) -> None:
    taken, answered = sent(address, start, b"x" * 64_000, 1_000)
    assert taken < 1_000
    assert answered == b"" or answered.startswith(b"HTTP/1.1 400")


def test_a_long_body_is_read_to_its_end_in_small_pieces_and_large_ones(address: tuple[str, int]) -> None:
    chunks = b"400\r\n" + b"x" * 1024 + b"\r\n"
    start = HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunks * 2_000 + b"0\r\n\r\n"
    assert sent(address, start, b"", 0)[1].endswith(str(2_000 * 1024).encode())
    whole = HEAD + b"Content-Length: 4000000\r\n\r\n"
    assert sent(address, whole, b"x" * 1_000_000, 4)[1].endswith(b"4000000")


def test_many_requests_over_one_connection_are_answered(address: tuple[str, int]) -> None:
    there = http.client.HTTPConnection(*address, timeout=20)
    with closing(there):
        for _ in range(3 * MOST_BYTES // 1_000):
            there.request("POST", "/", headers={"X-Pad": "x" * 1_000, "Content-Length": "0"})
            answer = there.getresponse()
            answer.read()
            assert answer.status == 200


def is_closed(there: socket.socket) -> bool:
    """Whether the other side has closed it."""
    there.settimeout(20)
    try:
        return there.recv(1) == b""
    except ConnectionError:
        return True


def test_a_head_that_does_not_come_is_not_waited_for(address: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "HEAD_SECONDS", 0.2)
    with socket.create_connection(address) as silent, socket.create_connection(address) as slow:
        slow.sendall(HEAD)
        assert is_closed(silent)
        assert is_closed(slow)


@pytest.mark.parametrize("half", [HEAD, HEAD + b"Content-Length: 500\r\n\r\n{"], ids=["head", "body"])
def test_who_asks_is_answered_while_many_hold_half_a_request(address: tuple[str, int], half: bytes) -> None:
    with ExitStack() as opened:
        held = [opened.enter_context(socket.create_connection(address)) for _ in range(MOST_WAITING)]
        for there in held:
            there.sendall(half)
        time.sleep(0.5)
        held += [opened.enter_context(socket.create_connection(address)) for _ in range(MOST_WAITING)]
        for there in held[MOST_WAITING:]:
            with suppress(ConnectionError):
                there.sendall(HEAD)
        assert sent(address, HEAD + b"Content-Length: 3\r\n\r\n", b"abc", 1)[1].endswith(b"3")
        assert is_closed(held[0])
        with suppress(ConnectionError):
            held[-1].sendall(b"Content-Length: 0\r\n\r\n")
            assert answered(held[-1]).startswith(b"HTTP/1.1 200")


def test_one_address_never_takes_all_connections(address: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "most_connections", lambda: 8)
    with ExitStack() as opened:
        held = [opened.enter_context(socket.create_connection(address)) for _ in range(9)]
        assert is_closed(held[-1])
        held[0].sendall(HEAD + b"Content-Length: 0\r\n\r\n")
        assert answered(held[0]).startswith(b"HTTP/1.1 200")
