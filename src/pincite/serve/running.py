"""The service on a port, until somebody ends it: what was begun is ended first. HTTP as httptools reads it, with a
bound: it keeps what stands before and behind a body however long it is."""

from __future__ import annotations

import asyncio
import ctypes
import ipaddress
import os
import socket
import time
from contextlib import suppress
from types import FrameType

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pincite.errors import UsageError
from pincite.serve.heads import H11InTime, HeadsInTime, most_connections
from pincite.serve.service import Service

MOST_BYTES = 64 * 1024
"""Of a request, beside its body: as many as uvicorn's other reader of HTTP takes."""


class BoundedHttp(HeadsInTime, HttpToolsProtocol):
    """Cuts off who sends more than MOST_BYTES without a piece of a body, or the end of a request, among them."""

    _beside = 0

    def data_received(self, data: bytes) -> None:
        """Something came."""
        self._beside += len(data)
        super().data_received(data)
        if self._beside > MOST_BYTES and not self.transport.is_closing():
            self.send_400_response(f"No more than {MOST_BYTES} bytes are read of the head of a request.")

    def on_body(self, body: bytes) -> None:
        """A piece of a body came."""
        self._beside = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is at its end."""
        self._beside = 0
        super().on_message_complete()


ENDING_SECONDS = 30.0
"""How long answers that were begun are waited for. By eye, not measured."""
LAST_PORT = 65_535
ARENAS = 2
M_ARENA_MAX = -8
"""The name of that setting in glibc's malloc.h."""


class Server(uvicorn.Server):
    """Goes on answering when it is told to end (SIGTERM, Ctrl-C), until what was begun is done or ENDING_SECONDS have
    passed; told a second time it ends at once."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=_http(),
                limit_concurrency=most_connections(),
                access_log=False,
                log_level="warning",
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=int(ENDING_SECONDS),
                ws="none",
            )
        )
        self._service: Service = app.state.service
        self._last_moment = 0.0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; end at once where that was begun."""
        if self._service.is_ending:
            super().handle_exit(sig, frame)
            return
        self._last_moment = time.monotonic() + ENDING_SECONDS
        self._service.is_ending = True

    async def on_tick(self, counter: int) -> bool:
        """Whether it is over."""
        is_over = self._service.is_idle or time.monotonic() > self._last_moment
        return await super().on_tick(counter) or (self._service.is_ending and is_over)


def _http() -> type[asyncio.Protocol]:
    """What reads requests: httptools, which is faster, where it is installed."""
    try:
        pass
    except ModuleNotFoundError:
        return H11InTime
    return BoundedHttp


def limit_arenas() -> None:
    """Have the C library keep what threads have freed in two places, not in one for each thread that ever wrote an
    index (docs/decisions/0901). Where it has no such setting nothing happens."""
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS)


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that listens there; UsageError where none can. Port 0: one that is free. Its connections send what they
    have at once: the second half of an answer would else wait 40 ms for a word about the first."""
    if not 0 <= port <= LAST_PORT:
        raise UsageError(f"there is no port {port}: they go from 1 to {LAST_PORT}, 0 takes one that is free")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family)
    except (OSError, UnicodeError) as error:
        told = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else error
        raise UsageError(f"{host}:{port} cannot be listened on ({told}): give another --host or --port") from error
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def is_loopback(bound: socket.socket) -> bool:
    """Whether this machine alone can reach it."""
    return ipaddress.ip_address(bound.getsockname()[0].partition("%")[0]).is_loopback


def address_of(bound: socket.socket) -> str:
    """What a browser opens."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
