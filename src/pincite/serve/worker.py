"""A process that answers questions, one after the other, for the service that started it."""

from __future__ import annotations

import gc
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event, Lock
from typing import Any, Protocol

from pincite.errors import PinciteError
from pincite.records.costs import QuestionCost, QuestionFailure
from pincite.serve.asked import Heard
from pincite.serve.askers import Here, Task
from pincite.settings import Settings, limit_threads

DONE, PROBLEM, STAGE, COST, FAILURE, RESTS = "done", "problem", "stage", "cost", "failure", "rests"
"""What a process sends, each with its content."""
Send = Callable[[str, Any], None]
NEW_OBJECTS = 5000
"""Between two looks for what may be forgotten: a question makes tens of thousands. Measured (docs/decisions/0805)."""


class Number(Protocol):
    """A number that the service and a process share."""

    value: int


def work(connection: Connection, gone: Number, settings: Settings, store: Path) -> None:
    """Answer each `(number, task, is_heard)` that comes over the connection, until it is closed, and tell the stages of
    those that are heard. In `gone` stands the number of a task of which whoever asked has gone."""
    from pincite.wiring import open_engine

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_threads()
    send = _sending(connection)
    with open_engine(settings, store, telemetry=_Forwarding(send)) as engine:
        here, is_settled = Here(engine, settings), False
        while (received := _received(connection)) is not None:
            number, task, is_heard = received
            _answer(here, task, _Gone(gone, number), send, partial(send, STAGE) if is_heard else None)
            if not is_settled:
                is_settled = True
                _leave_alone_what_stays()


def _leave_alone_what_stays() -> None:
    """After the first answer all modules and indexes are there: the collector need not look through them again and
    again, which makes somebody wait for a fifth of a second."""
    gc.set_threshold(NEW_OBJECTS)
    gc.collect()
    gc.freeze()


class _Gone(Event):
    """Is set as soon as the service says that whoever asked this has gone."""

    def __init__(self, gone: Number, number: int) -> None:
        super().__init__()
        self._gone, self._number = gone, number

    def is_set(self) -> bool:
        """Whether they have."""
        return self._gone.value == self._number


class _Forwarding:
    """Tells the service what a telemetry is told."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def answered(self, cost: QuestionCost) -> None:
        """Pass it on."""
        self._send(COST, cost)

    def failed(self, failure: QuestionFailure) -> None:
        """Pass it on."""
        self._send(FAILURE, failure)

    def rests(self, service: str, seconds: float) -> None:
        """Pass it on."""
        self._send(RESTS, (service, seconds))

    def close(self) -> None:
        """The service goes on."""


def _answer(here: Here, task: Task, gone: Event, send: Send, heard: Heard | None) -> None:
    try:
        content = here.answer(task, gone, heard)
    except PinciteError as error:
        send(PROBLEM, error)
    except Exception as error:  # noqa: BLE001
        traceback.print_exc()
        send(PROBLEM, RuntimeError(f"a process that answers failed ({type(error).__name__})"))
    else:
        send(DONE, content)


def _sending(connection: Connection) -> Send:
    """Sends from any thread; to nobody where the service has ended."""
    lock = Lock()

    def send(kind: str, content: Any) -> None:
        with lock, suppress(OSError):
            connection.send((kind, content))

    return send


def _received(connection: Connection) -> tuple[int, Task, bool] | None:
    """What comes next; None where nothing comes any more."""
    try:
        received: tuple[int, Task, bool] = connection.recv()
    except (EOFError, OSError):
        return None
    return received
