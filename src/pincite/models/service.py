"""A model behind HTTP: one way to ask it, and what goes wrong told in one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from threading import Event
from typing import Any

import httpx

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.models.exchange import Exchange, StatusError

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
    """A service answered with another status than 200; `told` is what it said, which no message shows, since it may
    repeat what it was sent."""

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
