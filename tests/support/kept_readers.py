"""Processes that read and draw files, kept from one engine to the next: a test waits for no start of Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain
from subprocess import Popen
from typing import Any, Self, TypeVar

import pytest

from pincite import wiring
from pincite.read.sandbox import REQUESTS_PER_CHILD, Child, Drawer, Sandbox, spawn

_Answer = TypeVar("_Answer")
_kept: defaultdict[str, list[tuple[Popen[bytes], int]]] = defaultdict(list)
"""By module those that nobody uses, and how often each was asked."""
_starter = ThreadPoolExecutor(1)
"""A process ends with the thread that started it."""


class KeptChild(Child):
    """One whose process goes to the next that is asked, unless something went wrong or it was stopped meanwhile."""

    _is_idle = False

    @classmethod
    def like(cls, child: Child) -> Self:
        """One with the same limits that asks the same module."""
        limits = child._module, child._seconds, child._memory
        return cls(*limits, called=child._called, task=child._task)

    def ask(self, request: tuple[object, ...], unpack: Callable[[bytes], _Answer]) -> _Answer:
        """As any other."""
        self._is_idle = False
        found = super().ask(request, unpack)
        self._is_idle = True
        return found

    def end(self) -> None:
        """Keep the process, if it waits for a request."""
        if self._process and self._is_idle and self._process.poll() is None and self._requests < REQUESTS_PER_CHILD:
            _kept[self._module].append((self._process, self._requests))
            self._process = None
        super().end()

    def _ready(self) -> Popen[bytes]:
        if self._process is None:
            waiting = _kept[self._module]
            self._process, self._requests = (
                waiting.pop() if waiting else (_starter.submit(spawn, self._module).result(), 0)
            )
        return super()._ready()


class KeptSandbox(Sandbox):
    """One whose processes are kept."""

    def __init__(self, **limits: Any) -> None:
        super().__init__(**limits)
        self._workers = list(map(KeptChild.like, self._workers))


class KeptDrawer(Drawer):
    """One whose process is kept."""

    def __init__(self, **limits: Any) -> None:
        super().__init__(**limits)
        self._child = KeptChild.like(self._child)


@contextmanager
def keeping_readers() -> Iterator[None]:
    """Engines read and draw files by processes that are kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "Sandbox", KeptSandbox)
        patch.setattr(wiring, "Drawer", KeptDrawer)
        yield
    for process, _ in chain.from_iterable(_kept.values()):
        process.kill()
        process.communicate()
    _kept.clear()
