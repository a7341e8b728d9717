"""Connections whose request does not come are closed, so that nobody holds those that others need."""

from __future__ import annotations

import asyncio
import resource
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from pincite.serve.rates import network_of

HEAD_SECONDS = 10.0
"""From the first moment of a connection, or the first byte of its next request, to the end of the head."""
MOST_WAITING = 128
"""Connections without a head: one more, and the one that waits longest is closed."""
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
    """In front of a protocol of uvicorn: closes connections whose head does not come."""

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

    def connection_made(self, transport: Any) -> None:
        """Somebody came."""
        super().connection_made(transport)  # type: ignore[misc]
        self._await_head()
        self.network = network_of(self.client[0]) if self.client else ""
        if sum(other.network == self.network for other in self.connections) > SHARE_OF_ADDRESS * most_connections():
            transport.abort()
            return
        waiting = [other for other in self.connections if other.waits and not other.transport.is_closing()]
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


class H11InTime(HeadsInTime, H11Protocol):
    """HTTP as h11 reads it, which bounds heads itself."""
