"""Reading files in child processes: a file that hangs, crashes or swells is refused, and the rest goes on."""

from __future__ import annotations

import os
import queue
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
from pincite.read.child import Child
from pincite.read.transport import unpack_document
from pincite.records.pages import Document

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
