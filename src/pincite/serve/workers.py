"""Questions in processes of their own: several are answered at once, each on a core, from one mapped generation; the
threads of one process would take turns (docs/decisions/0805). A process that ends is replaced when it is its turn, and
what it was asked is asked once more."""

from __future__ import annotations

import gc
import multiprocessing
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, LifoQueue
from threading import Event, Lock
from typing import Any, Protocol

from pincite.errors import PinciteError, ServiceError
from pincite.ports import Telemetry
from pincite.records.prompts import QuestionCost, QuestionFailure
from pincite.serve.asked import InProcess, StageListener, Task
from pincite.settings import Settings, limit_threads
from pincite.telemetry.cost import attempt

DONE, PROBLEM, STAGE, COST, FAILURE, RESTS = "done", "problem", "stage", "cost", "failure", "rests"
"""What a process sends, each with its content."""
Send = Callable[[str, Any], None]
NEW_OBJECTS = 5000
"""Between two looks for what may be forgotten: a question makes tens of thousands. Measured (docs/decisions/0805)."""


class Number(Protocol):
    """A number that the service and a process share."""

    value: int


def work(connection: Connection, gone: Number, settings: Settings, store: Path) -> None:
    """Answer each `(number, task, is_heard)` that comes over the connection until it closes, sending back the stages of
    those with `is_heard`. `gone` holds the number of a task whose asker has left."""
    from pincite.wiring import open_engine

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_threads()
    send = _sending(connection)
    with open_engine(settings, store, telemetry=_Forwarding(send)) as engine:
        here, is_settled = InProcess(engine, settings), False
        while (received := _received(connection)) is not None:
            number, task, is_heard = received
            _answer(here, task, _Gone(gone, number), send, partial(send, STAGE) if is_heard else None)
            if not is_settled:
                is_settled = True
                _leave_alone_what_stays()


def _leave_alone_what_stays() -> None:
    """After the first answer all modules and indexes are loaded: keep the garbage collector from scanning them again
    and again, which would delay answers by a fifth of a second."""
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
    """Forwards telemetry to the service."""

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


def _answer(here: InProcess, task: Task, gone: Event, send: Send, heard: StageListener | None) -> None:
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


LISTENING_SECONDS = 0.05
"""How soon a worker notices that an asker has left."""
ENDING_SECONDS = 5.0
"""How long a process has to end what it does when the service ends. By eye, not measured."""
REST_SECONDS = 30.0
"""How long each process may go on with what it was asked before something is purged. By eye, not measured."""
LONGEST_SECONDS = 900.0
"""How long a process may take for an answer: far longer than models are waited for, and than it takes to build anew
what an earlier revision is asked of. By eye, not measured."""
_PROCESSES = multiprocessing.get_context("spawn")
_ENDED = (EOFError, OSError)


class Workers:
    """So many processes, each with an engine on this store, all started at once. `telemetry` gets the cost of every
    question, in this process."""

    def __init__(self, settings: Settings, store: Path, processes: int, telemetry: Telemetry) -> None:
        self._is_closed = False
        self._free: LifoQueue[_Worker] = LifoQueue()
        self._all = [_Worker(settings, store, telemetry) for _ in range(processes)]
        for worker in self._all:
            self._free.put(worker)

    def answer(self, task: Task, gone: Event, heard: StageListener | None = None) -> bytes:
        """See Askers. ServiceError where two processes ended over it, or one did not end."""
        with self._taken() as worker:
            for _ in range(2):
                try:
                    return worker.answer(task, gone, heard)
                except TimeoutError:
                    worker.replace()
                    raise ServiceError(
                        f"the process that was to answer this did not in {LONGEST_SECONDS:.0f} s and was replaced: "
                        "ask for less at once, or look into the log of the service"
                    ) from None
                except _ENDED:
                    if self._is_closed:
                        raise ServiceError("the service is ending") from None
                    worker.replace()
        raise ServiceError(
            "two processes that were to answer this ended: ask again, or look into the log of the service"
        )

    def close(self) -> None:
        """End all processes; what they do is given a moment."""
        self._is_closed = True
        for worker in self._all:
            worker.let_go()
        for worker in self._all:
            worker.end()

    @contextmanager
    def at_rest(self) -> Iterator[None]:
        """See Askers: each process that is free soon is held until the end."""
        held: list[_Worker] = []
        try:
            with suppress(Empty):
                while len(held) < len(self._all):
                    held.append(self._free.get(timeout=REST_SECONDS))
            yield
        finally:
            for worker in held:
                self._free.put(worker)

    @contextmanager
    def _taken(self) -> Iterator[_Worker]:
        worker = self._free.get()
        try:
            yield worker
        finally:
            self._free.put(worker)


class _Worker:
    """One process, used by one thread at a time."""

    def __init__(self, settings: Settings, store: Path, telemetry: Telemetry) -> None:
        self._settings, self._store, self._telemetry = settings, store, telemetry
        self._numbers = count(1)
        self._start()

    def answer(self, task: Task, gone: Event, heard: StageListener | None) -> bytes:
        """What the process answers; EOFError or OSError where it ended, TimeoutError where it does not."""
        number, until = next(self._numbers), time.monotonic() + LONGEST_SECONDS
        self._connection.send((number, task, heard is not None))
        while True:
            while not self._connection.poll(LISTENING_SECONDS):
                if gone.is_set():
                    self._gone.value = number
                if time.monotonic() > until:
                    raise TimeoutError
            kind, content = self._connection.recv()
            if kind == DONE:
                return bytes(content)
            if kind == PROBLEM:
                raise content
            if kind == COST:
                attempt(partial(self._telemetry.answered, content))
            elif kind == FAILURE:
                attempt(partial(self._telemetry.failed, content))
            elif kind == RESTS:
                attempt(partial(self._telemetry.rests, *content))
            elif heard is not None:
                heard(content)

    def replace(self) -> None:
        """Another process in place of one that has ended."""
        self.end()
        self._start()

    def let_go(self) -> None:
        """Say that nothing more will be asked."""
        self._connection.close()

    def end(self) -> None:
        """See that it has ended."""
        with suppress(OSError):
            self._connection.close()
        self._process.join(ENDING_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()

    def _start(self) -> None:
        self._connection, theirs = _PROCESSES.Pipe()
        self._gone = _PROCESSES.RawValue("q", 0)
        self._process = _PROCESSES.Process(
            target=work, args=(theirs, self._gone, self._settings, self._store), name="pincite-answers", daemon=True
        )
        with _without_interruption():
            self._process.start()
        theirs.close()


@contextmanager
def _without_interruption() -> Iterator[None]:
    """A process that begins here hears of no Ctrl-C, not even before it says itself that it will not."""
    resource_tracker.ensure_running()  # begun later, it would let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
