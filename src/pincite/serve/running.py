"""The service on a port until it is stopped. Requests are limited, and connections whose request does not arrive are
closed, so that nobody blocks the others."""

from __future__ import annotations

import asyncio
import ctypes
import ipaddress
import os
import resource
import socket
import time
from contextlib import suppress
from types import FrameType
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from pincite.errors import UsageError
from pincite.serve.service import Service
from pincite.serve.traffic import network_of

HEAD_SECONDS = 10.0
"""From the first moment of a connection, or the first byte of its next request, to the end of the head."""
MOST_WAITING = 128
"""Connections whose request has not come whole: one more, and the one that waits longest is closed."""
SHARE_OF_FILES = 0.5
"""Of the files that a process may open, for connections: stores, models and answers need the others."""
SHARE_OF_ADDRESS = 0.75
"""Of those connections, for one address, or one network of IPv6: a proxy in front of the service is one."""
USUAL_FILES = 1024
"""Where there is no limit."""


def most_connections() -> int:
    """How many connections the service takes, from the limit of open files (`ulimit -n`)."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return int((USUAL_FILES if files == resource.RLIM_INFINITY else files) * SHARE_OF_FILES)


class HeadsInTime:
    """In front of a protocol of uvicorn: closes connections whose head does not arrive."""

    connections: set[Any]
    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    client: tuple[str, int] | None
    network = ""
    cycle: Any
    _end: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether nothing is asked over it at the moment."""
        return self.cycle is None or bool(self.cycle.response_complete)

    @property
    def is_incomplete(self) -> bool:
        """Whether the head or the body of a request is still to come."""
        return self.waits or bool(self.cycle.more_body)

    def connection_made(self, transport: Any) -> None:
        """A connection was opened."""
        super().connection_made(transport)  # type: ignore[misc]
        self._await_head()
        self.network = network_of(self.client[0]) if self.client else ""
        if sum(other.network == self.network for other in self.connections) > SHARE_OF_ADDRESS * most_connections():
            transport.abort()
            return
        waiting = [other for other in self.connections if other.is_incomplete and not other.transport.is_closing()]
        if len(waiting) > MOST_WAITING:
            min(waiting, key=lambda other: other.waiting_since).transport.abort()

    def data_received(self, data: bytes) -> None:
        """Something came."""
        if self._end is None and self.waits:
            self._await_head()
        super().data_received(data)  # type: ignore[misc]
        if not self.waits:
            self._head_came()

    def connection_lost(self, error: Exception | None) -> None:
        """They went."""
        self._head_came()
        super().connection_lost(error)  # type: ignore[misc]

    def _await_head(self) -> None:
        self.waiting_since = self.loop.time()
        self._end = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _head_came(self) -> None:
        if self._end is not None:
            self._end.cancel()
            self._end = None


MOST_BYTES = 64 * 1024
"""Of a request, beside its body."""


class BoundedHttp(HeadsInTime, HttpToolsProtocol):
    """Cuts off a client that sends more than MOST_BYTES without a piece of a body or the end of a request."""

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
    """On SIGTERM or Ctrl-C it finishes what was begun, for ENDING_SECONDS at most; on a second signal it ends at
    once."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=BoundedHttp,
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
