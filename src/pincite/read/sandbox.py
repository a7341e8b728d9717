"""Reading files in child processes: a file that hangs, crashes or swells is refused, and the rest goes on."""

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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Self

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read.transport import BEAT, DOCUMENT, HEADER, MAX_REPLY_BYTES, REFUSAL, unpack_document
from pincite.records import Document

FILES_PER_WORKER = 200
HEADROOM_BYTES = 1024 * 1024 * 1024
"""Address space that a worker may reserve beyond the memory that it may use."""
WATCH_SECONDS = 0.05
FILES_OF_TIME = 10
"""All that lies inside one file may take as long together as so many files."""
START_SECONDS = 60.0
"""Until a worker says that it begins with a file; the file's own time counts from there."""


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
        self._workers = [_Worker(seconds_per_file, memory_bytes) for _ in range(max(1, workers))]
        self._threads: list[threading.Thread] = []
        self._longest_inside = FILES_OF_TIME * seconds_per_file
        self._spent_inside: defaultdict[Path, float] = defaultdict(float)
        self._counting = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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

    def _serve(self, worker: _Worker) -> None:
        jobs, outcomes = self._jobs, self._outcomes
        while (job := jobs.get()) is not None and not worker.stopped.is_set():
            outcomes.put(self._read_inside(worker, job) if job.inside else worker.read(job))
        worker.end()

    def _read_inside(self, worker: _Worker, job: ReadJob) -> ReadOutcome:
        """The outcome of a job inside a file, as long as there is time for all that lies in it."""
        if self._spent_inside[job.path] > self._longest_inside:
            reason = f"the files inside take longer than {self._longest_inside:g} s together to read: unpack them"
            return ReadOutcome(job, reason=reason)
        start = time.monotonic()
        outcome = worker.read(job)
        with self._counting:
            self._spent_inside[job.path] += time.monotonic() - start
        return outcome


class _Worker:
    """One child process, replaced after any failure and after FILES_PER_WORKER files. Used by one thread."""

    def __init__(self, seconds: float, memory_bytes: int) -> None:
        self._seconds, self._memory = seconds, memory_bytes
        self._process: subprocess.Popen[bytes] | None = None
        self._files = 0
        self._peak = 0
        self.stopped = threading.Event()

    def read(self, job: ReadJob) -> ReadOutcome:
        """The outcome of one job; never raises for what a file does."""
        try:
            process = self._ready()
            self._ask(process, job)
            return ReadOutcome(job, document=self._reply(process))
        except _RefusalError as refusal:
            return ReadOutcome(job, reason=str(refusal))
        except ReadError as error:
            self.end()
            return ReadOutcome(job, reason=str(error))
        except OSError as error:
            self.end()
            return ReadOutcome(job, reason=f"its reader could not be started: {error.strerror or error}")

    def stop(self) -> None:
        """Make a read that is going on in another thread end soon."""
        self.stopped.set()

    def end(self) -> None:
        """Kill the child, if there is one."""
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
        if self._files >= FILES_PER_WORKER:
            self.end()
        if self._process is None or self._process.poll() is not None:
            self.end()
            self._process, self._files = _spawn(), 0
        self._files += 1
        return self._process

    def _ask(self, process: subprocess.Popen[bytes], job: ReadJob) -> None:
        path = os.fsencode(job.path.absolute())
        request = pickle.dumps(
            (path, job.inside, job.options, self._memory + HEADROOM_BYTES, self._seconds), protocol=5
        )
        if process.stdin is None:
            raise ReadError("its reader could not be started")
        try:
            process.stdin.write(HEADER.pack(b"J", len(request)) + request)
            process.stdin.flush()
        except BrokenPipeError as error:
            raise ReadError("its reader ended before it began") from error

    def _reply(self, process: subprocess.Popen[bytes]) -> Document:
        self._peak = 0
        deadline = time.monotonic() + START_SECONDS
        while True:
            kind, length = HEADER.unpack(self._take(process, HEADER.size, deadline))
            if length > MAX_REPLY_BYTES:
                raise ReadError(f"gives more than {MAX_REPLY_BYTES // 2**20} MiB of text and tables")
            payload = self._take(process, length, deadline)
            if kind == DOCUMENT:
                return unpack_document(payload)
            if kind == REFUSAL:
                raise _RefusalError(payload.decode("utf-8", "replace")[:500])
            if kind != BEAT:
                raise ReadError("its reader sent something that is not a document")
            deadline = time.monotonic() + self._seconds

    def _take(self, process: subprocess.Popen[bytes], count: int, deadline: float) -> bytes:
        """Exactly `count` bytes of the child's output, watching its time and memory meanwhile."""
        if process.stdout is None:
            raise ReadError("its reader could not be started")
        descriptor = process.stdout.fileno()
        taken = bytearray()
        while len(taken) < count:
            if select.select([descriptor], [], [], WATCH_SECONDS)[0]:
                data = os.read(descriptor, min(count - len(taken), 1 << 20))
                if not data:
                    raise ReadError(self._why_ended(process))
                taken += data
            else:
                self._watch(process, deadline)
        return bytes(taken)

    def _watch(self, process: subprocess.Popen[bytes], deadline: float) -> None:
        if self.stopped.is_set():
            raise ReadError("was given up: the run is ending")
        if time.monotonic() > deadline:
            raise ReadError(f"takes longer than {self._seconds:g} s to read")
        self._peak = max(self._peak, _resident(process.pid))
        if self._peak > self._memory:
            raise ReadError(self._too_large())

    def _too_large(self) -> str:
        return f"needs more than {self._memory // 2**20} MiB of memory to read"

    def _why_ended(self, process: subprocess.Popen[bytes]) -> str:
        code = process.wait()
        if self._peak > 0.6 * self._memory:
            return self._too_large()
        if code == -getattr(signal, "SIGXCPU", 0):
            return f"takes longer than {self._seconds:g} s to read"
        name = signal.Signals(-code).name if code < 0 else f"exit {code}"
        return f"crashed its reader ({name})"


class _RefusalError(Exception):
    """A reason that a healthy worker gave."""


def readers_are_confined() -> bool:
    """Whether a reading process that is started now is held by the kernel to what it may do."""
    check = "from pincite.read import limits; limits.confine(); raise SystemExit(0 if limits.is_confined() else 1)"
    return subprocess.run([sys.executable, "-c", check], env=_environment(), check=False).returncode == 0


def memory_is_watched() -> bool:
    """Whether the system tells how much memory a reading process holds."""
    return _resident(os.getpid()) > 0


def _environment() -> dict[str, str]:
    places = os.pathsep.join(place for place in sys.path if place)
    return {"PYTHONPATH": places, "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"}


def _spawn() -> subprocess.Popen[bytes]:
    """A fresh interpreter that shares nothing of this process: no open files, no environment, no terminal."""
    return subprocess.Popen(
        [sys.executable, "-B", "-m", "pincite.read.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=os.sep,
        env=_environment(),
        start_new_session=True,
    )


def _resident(process_id: int) -> int:
    """Bytes of memory that a process holds; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process_id}/statm").read_text(encoding="ascii").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
