"""A model behind HTTP: one way to ask it, and what goes wrong told in one line."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import Any

import httpx

from pincite.deadline import Deadline
from pincite.errors import ServiceError


class Service:
    """A model behind HTTP. `model` is its name there, empty where a service has one and takes no name; `option` is what
    a user chooses another one by; `timeout` how many seconds it may be silent, whatever the deadline of what is asked.
    ServiceError where the address cannot be one."""

    def __init__(self, base_url: str, model: str, key: str, *, timeout: float, option: str) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        try:
            self._client = httpx.Client(base_url=base_url.rstrip("/"), headers=headers, timeout=timeout)
        except httpx.InvalidURL as error:
            raise ServiceError(f"{base_url!r} is no address ({error}): mend it, or choose another {option}") from error
        self._timeout = timeout
        self._named = {"model": model} if model else {}
        self._whose = f" for the model {model}" if model else ""
        self._option = option

    @property
    def path(self) -> str:
        """That of the address, which says how the service wants to be spoken to and not where it is."""
        return self._client.base_url.path

    def post(self, path: str, body: dict[str, Any], deadline: Deadline) -> Any:
        """The JSON that answers this body, to which the model's name is added; ServiceError where none comes, or not
        in time."""
        where = f"{str(self._client.base_url).rstrip('/')}/{path.lstrip('/')}"
        deadline.check(where)
        try:
            return _in_time(lambda: self._answer(path, body, min(self._timeout, deadline.remaining())), deadline)
        except httpx.HTTPStatusError as error:
            raise ServiceError(
                f"{where} answered {error.response.status_code}{self._whose}: is the model there?"
            ) from error
        except (httpx.HTTPError, ValueError, TimeoutError) as error:
            deadline.check(where)
            raise ServiceError(
                f"{where} does not answer ({error}): start it, or choose another {self._option}"
            ) from error

    def _answer(self, path: str, body: dict[str, Any], silence: float) -> Any:
        response = self._client.post(path, json=self._named | body, timeout=silence)
        response.raise_for_status()
        return response.json()


def _in_time(ask: Callable[[], Any], deadline: Deadline) -> Any:
    """What is answered; TimeoutError where that takes longer. httpx limits the silence between two bytes, and nothing
    limits the look-up of a name: so that somebody else waits for both, in a thread that keeps no program alive."""
    if deadline.is_never:
        return ask()
    answered: Future[Any] = Future()

    def wait() -> None:
        try:
            answered.set_result(ask())
        except Exception as error:  # noqa: BLE001
            answered.set_exception(error)

    Thread(target=wait, daemon=True).start()
    return answered.result(deadline.remaining())
