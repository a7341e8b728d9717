"""Reading files and drawing pages in child processes: one that hangs, crashes or swells is ended, its file refused, and
the next one read."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Self, TypeVar

from pincite.errors import ClosedError, ReadError
from pincite.ports import ReadOptions
from pincite.read.transport import (
    ANSWER,
    BEAT,
    HEADER,
    MAX_REPLY_BYTES,
    REFUSAL,
    unpack_boxes,
    unpack_document,
    unpack_picture,
)
from pincite.records.pages import Box, Document, Span

REQUESTS_PER_CHILD = 200
HEADROOM_BYTES = 1024 * 1024 * 1024
"""Address space that a child may reserve beyond the memory that it may use."""
WATCH_SECONDS = 0.05
LEAST_WORK = 0.02
"""Of a request's time, processor time that a process must have had for the request to go on: beside much other work it
waits, one that hangs has none. All processor time together is limited in the process itself. By eye, not measured."""
START_SECONDS = 60.0
"""Until a child says that it begins with a request; the time of that counts from there."""
_Answer = TypeVar("_Answer")


class _NotBegunError(ReadError):
    """The process ended before it said that it began with a request."""


class Child:
    """A process that runs `module`: started when first asked, replaced after a failure and after REQUESTS_PER_CHILD
    requests; used by one thread at a time. `seconds` and `memory_bytes` limit one request. Messages call it `called`,
    there to `task`."""

    def __init__(self, module: str, seconds: float, memory_bytes: int, *, called: str, task: str) -> None:
        self._module, self._seconds, self._memory = module, seconds, memory_bytes
        self._called, self._task = called, task
        self._process: subprocess.Popen[bytes] | None = None
        self._requests = 0
        self._peak = 0
        self._has_begun = False
        self._deadline = self._worked = 0.0
        self.stopped = threading.Event()

    def ask(self, request: tuple[object, ...], unpack: Callable[[bytes], _Answer]) -> _Answer:
        """What the answer to a request holds; ReadError, which says why in one line, where there is none. `unpack`
        raises ReadError for what is no answer. The process is kept after an answer and after a refusal of its own; it
        is ended after all else, an interruption too, so that no later request is given the answer to this one."""
        try:
            kind, payload = self._asked(request)
            if kind == ANSWER:
                return unpack(payload)
        except OSError as error:
            self.end()
            raise ReadError(f"{self._called} could not be started: {error.strerror or error}") from error
        except BaseException:
            self.end()
            raise
        raise ReadError(payload.decode("utf-8", "replace")[:500])

    def _asked(self, request: tuple[object, ...]) -> tuple[bytes, bytes]:
        """Kind and payload of the answer; that of a fresh process where the kept one has ended unseen since."""
        process = self._ready()
        try:
            self._send(process, request)
            return self._reply(process)
        except _NotBegunError:
            if self._requests == 1:
                raise
        self.end()
        process = self._ready()
        self._send(process, request)
        return self._reply(process)

    def stop(self) -> None:
        """Make what is going on in another thread end soon."""
        self.stopped.set()

    def end(self) -> None:
        """Kill the process, if there is one."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _ready(self) -> subprocess.Popen[bytes]:
        if self._requests >= REQUESTS_PER_CHILD:
            self.end()
        if self._process is None or self._process.poll() is not None:
            self.end()
            self._process, self._requests = spawn(self._module), 0
        self._requests += 1
        return self._process

    def _send(self, process: subprocess.Popen[bytes], request: tuple[object, ...]) -> None:
        frame = pickle.dumps((request, self._memory + HEADROOM_BYTES, self._seconds), protocol=5)
        if process.stdin is None:
            raise ReadError(f"{self._called} could not be started")
        try:
            process.stdin.write(HEADER.pack(b"J", len(frame)) + frame)
            process.stdin.flush()
        except BrokenPipeError as error:
            raise _NotBegunError(f"{self._called} ended before it began") from error

    def _reply(self, process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
        """Kind and payload of the answer or the refusal."""
        self._peak, self._has_begun = 0, False
        self._deadline = time.monotonic() + START_SECONDS
        while True:
            kind, length = HEADER.unpack(self._take(process, HEADER.size))
            if length > MAX_REPLY_BYTES:
                raise ReadError(f"gives more than {MAX_REPLY_BYTES // 2**20} MiB of text and tables")
            payload = self._take(process, length)
            if kind in (ANSWER, REFUSAL):
                return kind, payload
            if kind != BEAT:
                raise ReadError(f"{self._called} sent something that is no answer")
            self._has_begun = True
            self._wait_on(process)

    def _wait_on(self, process: subprocess.Popen[bytes]) -> None:
        """Give the request its time once more from now on."""
        self._deadline, self._worked = time.monotonic() + self._seconds, _processor_seconds(process.pid)

    def _take(self, process: subprocess.Popen[bytes], count: int) -> bytes:
        """Exactly `count` bytes of the process's output, watching its time and memory meanwhile."""
        if process.stdout is None:
            raise ReadError(f"{self._called} could not be started")
        descriptor = process.stdout.fileno()
        taken = bytearray()
        while len(taken) < count:
            if select.select([descriptor], [], [], WATCH_SECONDS)[0]:
                data = os.read(descriptor, min(count - len(taken), 1 << 20))
                if not data:
                    raise (ReadError if self._has_begun else _NotBegunError)(self._why_ended(process))
                taken += data
            else:
                self._watch(process)
        return bytes(taken)

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        if self.stopped.is_set():
            raise ReadError("was given up: the run is ending")
        if time.monotonic() > self._deadline:
            worked = _processor_seconds(process.pid) - self._worked
            if not self._has_begun or worked < LEAST_WORK * self._seconds:
                raise ReadError(self._too_slow())
            self._wait_on(process)
        self._peak = max(self._peak, _resident(process.pid))
        if self._peak > self._memory:
            raise ReadError(self._too_large())

    def _too_slow(self) -> str:
        return f"takes longer than {self._seconds:g} s to {self._task}"

    def _too_large(self) -> str:
        return f"needs more than {self._memory // 2**20} MiB of memory to {self._task}"

    def _why_ended(self, process: subprocess.Popen[bytes]) -> str:
        code = process.wait()
        if self._peak > 0.6 * self._memory:
            return self._too_large()
        if code == -getattr(signal, "SIGXCPU", 0):
            return self._too_slow()
        name = signal.Signals(-code).name if code < 0 else f"exit {code}"
        return f"crashed {self._called} ({name})"


def spawn(module: str) -> subprocess.Popen[bytes]:
    """A fresh interpreter that shares nothing of this process: no open files, no environment, no terminal."""
    return subprocess.Popen(
        [sys.executable, "-B", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=os.sep,
        env=_environment(),
        start_new_session=True,
    )


def readers_are_confined() -> bool:
    """Whether a reading process that is started now is held by the kernel to what it may do."""
    check = "from pincite.read.process_limits import *; confine(); raise SystemExit(0 if is_confined() else 1)"
    return subprocess.run([sys.executable, "-c", check], env=_environment(), check=False).returncode == 0


def memory_is_watched() -> bool:
    """Whether the system tells how much memory a reading process holds."""
    return _resident(os.getpid()) > 0


def _environment() -> dict[str, str]:
    places = os.pathsep.join(place for place in sys.path if place)
    return {"PYTHONPATH": places, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"}


def _processor_seconds(process_id: int) -> float:
    """Processor time that a process has had; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return 0.0


def _resident(process_id: int) -> int:
    """Bytes of memory that a process holds; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process_id}/statm").read_text(encoding="ascii").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


FILES_OF_TIME = 10
"""All that lies inside one file may take as long together as so many files."""


@dataclass(frozen=True, slots=True)
class ReadJob:
    """A file to read, and how; `inside`: what to read instead of it, a name for each file that has to be opened."""

    path: Path
    options: ReadOptions = field(default_factory=ReadOptions)
    inside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadOutcome:
    """What came of a job: a document, or the one-line reason why there is none."""

    job: ReadJob
    document: Document | None = None
    reason: str | None = None


class Sandbox:
    """Kept worker processes, one a thread. Use as a context manager, or call `close`."""

    def __init__(self, *, workers: int, seconds_per_file: float, memory_bytes: int) -> None:
        self._jobs: queue.Queue[ReadJob | None] = queue.Queue()
        self._outcomes: queue.Queue[ReadOutcome] = queue.Queue()
        self._workers = [_worker(seconds_per_file, memory_bytes) for _ in range(max(1, workers))]
        self._threads: list[threading.Thread] = []
        self._longest_inside = FILES_OF_TIME * seconds_per_file
        self._spent_inside: defaultdict[Path, float] = defaultdict(float)
        self._counting = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read_all(self, jobs: Iterable[ReadJob]) -> Iterator[ReadOutcome]:
        """One outcome for each job, as they finish; at most two a worker are under way or wait for the caller.

        The first are being read when this returns.
        """
        self._start()
        waiting = iter(jobs)
        return self._outcomes_of(waiting, self._hand_out(waiting, 2 * len(self._workers)))

    def _hand_out(self, waiting: Iterator[ReadJob], count: int) -> int:
        """Give the workers so many jobs more; how many there were."""
        jobs = list(islice(waiting, count))
        for job in jobs:
            self._jobs.put(job)
        return len(jobs)

    def _outcomes_of(self, waiting: Iterator[ReadJob], under_way: int) -> Iterator[ReadOutcome]:
        try:
            while under_way:
                outcome = self._outcomes.get()
                under_way += self._hand_out(waiting, 1) - 1
                yield outcome
        finally:
            if under_way:
                self.close()

    def close(self) -> None:
        """End the workers at once; what they were reading is lost."""
        for worker in self._workers:
            worker.stop()
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        self._threads = []
        self._jobs, self._outcomes = queue.Queue(), queue.Queue()

    def _start(self) -> None:
        if not self._threads:
            for worker in self._workers:
                worker.stopped.clear()
                self._threads.append(threading.Thread(target=self._serve, args=(worker,), daemon=True))
                self._threads[-1].start()

    def _serve(self, worker: Child) -> None:
        jobs, outcomes = self._jobs, self._outcomes
        while (job := jobs.get()) is not None and not worker.stopped.is_set():
            outcomes.put(self._read_inside(worker, job) if job.inside else _read(worker, job))
        worker.end()

    def _read_inside(self, worker: Child, job: ReadJob) -> ReadOutcome:
        """The outcome of a job inside a file, as long as there is time for all that lies in it."""
        if self._spent_inside[job.path] > self._longest_inside:
            reason = f"the files inside take longer than {self._longest_inside:g} s together to read: unpack them"
            return ReadOutcome(job, reason=reason)
        start = time.monotonic()
        outcome = _read(worker, job)
        with self._counting:
            self._spent_inside[job.path] += time.monotonic() - start
        return outcome


def _read(worker: Child, job: ReadJob) -> ReadOutcome:
    """The outcome of one job; never raises for what a file does."""
    try:
        request = os.fsencode(job.path.absolute()), job.inside, job.options
        return ReadOutcome(job, document=worker.ask(request, unpack_document))
    except ReadError as error:
        return ReadOutcome(job, reason=str(error))


def _worker(seconds_per_file: float, memory_bytes: int) -> Child:
    return Child("pincite.read.worker", seconds_per_file, memory_bytes, called="its reader", task="read")


DRAWING_SECONDS = 30.0
"""For a page; one that is read by OCR has so long from each sign of life. By eye, not measured."""
CALLED = "the process that draws"
_Drawn = TypeVar("_Drawn")


class Drawer:
    """One kept process, started when it is first asked. Of several threads that ask, one after the other is served,
    each with its own time. Whoever opens it calls `close`."""

    def __init__(self, *, memory_bytes: int, passwords: tuple[str, ...] = (), seconds: float = DRAWING_SECONDS) -> None:
        self._child = Child("pincite.read.drawing", seconds, memory_bytes, called=CALLED, task="draw")
        self._passwords = passwords
        self._lock = Lock()

    def boxes(self, path: Path, spans: Sequence[Span]) -> list[list[Box]]:
        """The boxes of each span, one a line; none in a file whose pages cannot be drawn. Raises ReadError."""
        if not spans:
            return []
        return self._ask(lambda data: unpack_boxes(data, len(spans)), "boxes", path, list(spans))

    def picture(self, path: Path, number: int, marks: Sequence[Box], hidden: Sequence[Box] = ()) -> bytes:
        """The PNG of physical page `number` (from 1), `marks` tinted and `hidden` black; raises ReadError where it
        cannot be drawn."""
        return self._ask(unpack_picture, "picture", path, number, list(marks), list(hidden))

    def close(self) -> None:
        """End the process at once; an unfinished drawing is lost, and later calls raise a ClosedError."""
        self._child.stop()
        with self._lock:
            self._child.end()

    def _ask(self, unpack: Callable[[bytes], _Drawn], what: str, path: Path, *how: object) -> _Drawn:
        with self._lock:
            if self._child.stopped.is_set():
                raise ClosedError.of(CALLED)
            return self._child.ask((what, os.fsencode(path.absolute()), *how, self._passwords), unpack)
