"""Requests over HTTP, bounded and timed, in threads of their own so that whoever asked can stop; models behind them.

httpx limits the silence between two bytes; nothing limits a look-up of a name, or a server that sends a byte a second.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
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
        """How long to wait before looking again. A deadline may move forward, when the asker leaves; and a Ctrl-C just
        before an endless wait would not end it."""
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
MOST_JSON_BYTES = 512 * 1024
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
            if len(content) > MOST_JSON_BYTES:
                raise ServiceError(f"{url} sent more than {MOST_JSON_BYTES:,} bytes")
    return bytes(content)


PAUSES = (0.2, 0.8)
"""Seconds before a language model that was too busy, or not there, is asked a second and a third time: a server that is
being started again comes back within a second, and a question should not wait much longer for one that does not."""
LONGEST_PAUSE = 30.0
"""Seconds that a server may ask to be left alone; for longer ones nobody waits."""
MOST_BYTES = 256 * 1024 * 1024
"""The longest answer that is read whole: some ten times that to the largest request for vectors."""
_FAILURES = (StatusError, httpx.HTTPError, ValueError)
_TOO_MANY = 429
_FAULTS = range(500, 600)
_ADVICE = {401: "is its key right?", 403: "is its key right?", _TOO_MANY: "it is too busy, ask later"}


class RefusedError(ServiceError):
    """A service answered with another status than 200; `told` is its text, which no message shows, since it may repeat
    what it was sent."""

    def __init__(self, message: str, status: int, told: str) -> None:
        super().__init__(message)
        self.status = status
        self.told = told


class Service:
    """A model behind HTTP. `model` is its name there, empty where a service has one and takes no name; `option` is what
    a user chooses another one by; `timeout` how many seconds it may be silent, whatever the deadline of what is asked.
    It is asked again after each of the `pauses` where it is not there (yet) or too busy. With `keeps_connections` its
    connections are used again, and those that hang cannot be shut. ServiceError where the address cannot be one."""

    def __init__(
        self,
        base_url: str,
        model: str,
        key: str,
        *,
        timeout: float,
        option: str,
        pauses: tuple[float, ...] = (),
        keeps_connections: bool = True,
    ) -> None:
        if not (key.isascii() and key.isprintable()):
            raise ServiceError(f"the key for the model {model} has characters that no key has: copy it again")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        limits = httpx.Limits() if keeps_connections else httpx.Limits(max_keepalive_connections=0)
        try:
            self._client = httpx.Client(base_url=base_url.rstrip("/"), headers=headers, timeout=timeout, limits=limits)
        except httpx.InvalidURL as error:
            whose = f"of the model {model} " if model else ""
            raise ServiceError(
                f"the address {whose}cannot be one ({error}): correct the settings, or choose another {option}"
            ) from None
        self._timeout = timeout
        self._named = {"model": model} if model else {}
        self._whose = f" for the model {model}" if model else ""
        self._option = option
        self._pauses = pauses

    def get(self, path: str, deadline: Deadline) -> Any:
        """The JSON that lies here; ServiceError where none does, or not in time."""
        with self._asked("GET", path, None, deadline) as pieces:
            return self._whole(path, pieces, deadline)

    @property
    def path(self) -> str:
        """That of the address, which says how the service wants to be spoken to and not where it is."""
        return self._client.base_url.path

    def post(self, path: str, body: dict[str, Any], deadline: Deadline, cancelled: Event | None = None) -> Any:
        """The JSON that answers this body, to which the model's name is added; ServiceError where none comes, or not
        in time, or where `cancelled` was set meanwhile."""
        with self._asked("POST", path, body, deadline, cancelled) as pieces:
            return self._whole(path, pieces, deadline)

    @contextmanager
    def streamed(
        self, path: str, body: dict[str, Any], deadline: Deadline, cancelled: Event | None
    ) -> Iterator[Iterator[bytes]]:
        """The answer as it comes, piece by piece; at the end of the block its connection is shut, whether or not all of
        it was taken. ServiceError as before, and where `cancelled` was set meanwhile."""
        with self._asked("POST", path, body, deadline, cancelled) as pieces:
            yield pieces

    def where(self, path: str) -> str:
        """The address of a path, without what is secret in it."""
        url = self._client.base_url
        return f"{url.scheme}://{url.netloc.decode('ascii')}{url.path.rstrip('/')}/{path.lstrip('/')}"

    def _whole(self, path: str, pieces: Iterator[bytes], deadline: Deadline) -> Any:
        content = bytearray()
        for piece in pieces:
            content += piece
            if len(content) > MOST_BYTES:
                raise ServiceError(f"{self.where(path)} sent more than {MOST_BYTES:,} bytes: is its address right?")
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise self._told(path, error, deadline) from error

    @contextmanager
    def _asked(
        self, method: str, path: str, body: dict[str, Any] | None, deadline: Deadline, cancelled: Event | None = None
    ) -> Iterator[Iterator[bytes]]:
        with ExitStack() as exchanges:
            for pause in (*self._pauses, None):
                request = self._request(method, path, body, deadline)
                exchange = Exchange(self._client, request, self.where(path), deadline, cancelled)
                exchanges.enter_context(closing(exchange))
                try:
                    exchange.open()
                    break
                except _FAILURES as error:
                    wanted = _pause_before_next(error, pause)
                    if wanted is None or wanted >= deadline.remaining():
                        raise self._told(path, error, deadline) from error
                (cancelled or Event()).wait(wanted)
            yield self._pieces(path, exchange, deadline)

    def _request(self, method: str, path: str, body: dict[str, Any] | None, deadline: Deadline) -> httpx.Request:
        content = None if body is None else self._named | body
        silence = min(self._timeout, deadline.remaining())
        return self._client.build_request(method, path, json=content, timeout=silence)

    def _pieces(self, path: str, exchange: Exchange, deadline: Deadline) -> Iterator[bytes]:
        try:
            yield from exchange.pieces()
        except _FAILURES as error:
            raise self._told(path, error, deadline) from error

    def _told(self, path: str, error: Exception, deadline: Deadline) -> ServiceError:
        """What went wrong, in one line."""
        where = self.where(path)
        if isinstance(error, StatusError):
            advice = _ADVICE.get(error.status, "is the model there?")
            message = f"{where} answered {error.status}{self._whose}: {advice}"
            return RefusedError(message, error.status, error.told)
        deadline.check(where)
        return ServiceError(f"{where} does not answer ({error}): start it, or choose another {self._option}")


def _pause_before_next(error: Exception, pause: float | None) -> float | None:
    """How long to wait before the service is asked again; None where that would not help, or was done often enough."""
    if pause is None:
        return None
    if isinstance(error, StatusError) and (error.status == _TOO_MANY or error.status in _FAULTS):
        wanted = pause if error.retry_after is None else error.retry_after
        return wanted if wanted <= LONGEST_PAUSE else None
    return pause if isinstance(error, httpx.ConnectError) else None
