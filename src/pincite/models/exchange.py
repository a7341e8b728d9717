"""One request over HTTP and its answer, bounded and timed, in a thread of its own, so that whoever asked can stop.

httpx limits the silence between two bytes; nothing limits a look-up of a name, or a server that sends a byte a second.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from queue import Empty, Full, Queue
from threading import Event, Lock, Thread
from typing import Any

import httpx

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.threads import LOOK_SECONDS

PIECES_AHEAD = 16
"""Pieces of an answer that are read before anybody takes them: more would only fill memory."""
MOST_REFUSAL_BYTES = 16_384
"""What is read of the text of a refusal: its first line says why."""
PLAIN = "identity"
"""The one encoding that answers are asked for in, and taken in."""


class StatusError(Exception):
    """An answer that is none: its status, why, in the server's words, and in how many seconds it may be asked again."""

    def __init__(self, status: int, told: str, retry_after: float | None) -> None:
        super().__init__(status)
        self.status = status
        self.told = told
        self.retry_after = retry_after


class Exchange:
    """A request that is under way from the moment it is made. `where` it goes is named in errors.

    Waiting ends with a ServiceError at the deadline and when `cancelled` is set. `close` ends the request, whoever is
    reading: its connection is shut, so that the server stops.
    """

    def __init__(
        self, client: httpx.Client, request: httpx.Request, where: str, deadline: Deadline, cancelled: Event | None
    ) -> None:
        self._client = client
        self._request = request
        self._where = where
        self._deadline = deadline
        self._cancelled = cancelled
        self._arrived: Queue[bytes | Exception | None] = Queue(PIECES_AHEAD)
        self._line = _Line()
        self._check()
        request.headers["Accept-Encoding"] = PLAIN
        request.extensions["trace"] = self._line.note
        Thread(target=self._read, daemon=True).start()

    def open(self) -> None:
        """Wait until the server has taken the request; StatusError where it has not, and what httpx raises."""
        self._next()

    def pieces(self) -> Iterator[bytes]:
        """The answer as it comes; what httpx raises where it breaks off."""
        while (piece := self._next()) is not None:
            yield piece

    def close(self) -> None:
        """Stop reading."""
        self._line.cut()

    def _next(self) -> bytes | None:
        """What came next; None at the end."""
        while True:
            self._check()
            with suppress(Empty):
                arrived = self._arrived.get(timeout=self._patience())
                if isinstance(arrived, Exception):
                    raise arrived
                return arrived

    def _check(self) -> None:
        if self._cancelled is not None and self._cancelled.is_set():
            raise ServiceError(f"{self._where} is not waited for: the question was cancelled")
        self._deadline.check(self._where)

    def _patience(self) -> float:
        """How long to wait before looking again. A deadline may pass early: that of who has gone away does; and a
        Ctrl-C that comes just before a wait without an end does not end it."""
        return min(LOOK_SECONDS, self._deadline.remaining())

    # --- in the thread that reads

    def _read(self) -> None:
        try:
            response = self._client.send(self._request, stream=True)
            try:
                self._pass_on(response)
            finally:
                response.close()
                self._line.release()
            self._put(None)
        except Exception as error:  # noqa: BLE001
            self._put(error)

    def _pass_on(self, response: httpx.Response) -> None:
        if not response.is_success:
            raise StatusError(response.status_code, _told(response), _seconds(response.headers.get("Retry-After")))
        if _is_encoded(response):
            raise ServiceError(f"{self._where} sent a compressed answer, which was not asked for")
        self._put(b"")
        for piece in response.iter_bytes():
            if not self._put(piece):
                return

    def _put(self, item: bytes | Exception | None) -> bool:
        """Whether anybody wants more."""
        while not self._line.is_cut:
            with suppress(Full):
                self._arrived.put(item, timeout=LOOK_SECONDS)
                return True
        return False


class _Line:
    """The connection of one request, for a thread that does not read it. Only shutting its socket wakes one that
    reads."""

    def __init__(self) -> None:
        self.is_cut = False
        self._lock = Lock()
        self._socket: socket.socket | None = None

    def note(self, event: str, info: Mapping[str, Any]) -> None:
        """httpx tells what it does: here is a new connection, or the same one encrypted."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            with self._lock:
                self._socket = info["return_value"].get_extra_info("socket")
                self._shut_if_cut()

    def release(self) -> None:
        """The connection is at its end, or free for another request."""
        with self._lock:
            self._socket = None

    def cut(self) -> None:
        """Nothing more is read or sent."""
        with self._lock:
            self.is_cut = True
            self._shut_if_cut()

    def _shut_if_cut(self) -> None:
        if self.is_cut and self._socket is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _told(response: httpx.Response) -> str:
    """The first of what a refusal says."""
    said = bytearray()
    with suppress(httpx.HTTPError):
        for piece in () if _is_encoded(response) else response.iter_bytes():
            said += piece
            if len(said) >= MOST_REFUSAL_BYTES:
                break
    return said[:MOST_REFUSAL_BYTES].decode("utf-8", "replace")


def _is_encoded(response: httpx.Response) -> bool:
    """Whether its bytes are fewer than it has: a few thousand can unpack to gigabytes."""
    return str(response.headers.get("Content-Encoding", PLAIN)).strip().lower() != PLAIN


def _seconds(header: str | None) -> float | None:
    """The seconds of a Retry-After; None for a date, or none."""
    return float(header) if header is not None and header.isascii() and header.isdigit() else None


SECONDS = 5.0
"""From the look-up of the name to the status. By eye, not measured."""


def post(url: str, content: bytes, media_type: str, *, seconds: float = SECONDS) -> None:
    """Send them there; of what is answered the status is read alone, and a redirect is not followed. ServiceError where
    they are not taken in time."""
    try:
        place = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ServiceError(f"its address cannot be one: {error}") from error
    where = f"{place.scheme}://{place.netloc.decode('ascii')}"
    try:
        with httpx.Client(timeout=seconds, follow_redirects=False) as client:
            request = client.build_request("POST", place, content=content, headers={"Content-Type": media_type})
            with closing(Exchange(client, request, where, Deadline.after(seconds), None)) as exchange:
                exchange.open()
    except StatusError as error:
        raise ServiceError(f"{where} answered {error.status}") from error
    except (httpx.HTTPError, OSError) as error:
        raise ServiceError(f"{where} does not answer: {error}") from error


FETCH_SECONDS = 5.0
"""From the look-up of the name to the last byte. By eye, not measured."""
MOST_BYTES = 512 * 1024
"""Some hundred keys with their certificates."""


def fetched_json(url: str, *, seconds: float = FETCH_SECONDS) -> Any:
    """The JSON that lies there. A redirect is not followed. ServiceError where none comes in time."""
    try:
        with httpx.Client(timeout=seconds, follow_redirects=False) as client:
            return json.loads(_content(client, url, Deadline.after(seconds)))
    except StatusError as error:
        raise ServiceError(f"{url} answered {error.status}") from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as error:
        raise ServiceError(f"{url} sent no JSON ({error})") from error


def _content(client: httpx.Client, url: str, deadline: Deadline) -> bytes:
    request = client.build_request("GET", url, headers={"Accept": "application/json"})
    content = bytearray()
    with closing(Exchange(client, request, url, deadline, None)) as exchange:
        exchange.open()
        for piece in exchange.pieces():
            content += piece
            if len(content) > MOST_BYTES:
                raise ServiceError(f"{url} sent more than {MOST_BYTES:,} bytes")
    return bytes(content)
