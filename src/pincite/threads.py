"""What threads share: values made once, at the first use; values used last; parallel work that can be interrupted."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Event, Lock
from typing import Generic, TypeVar

Made = TypeVar("Made")
_Key = TypeVar("_Key", bound=Hashable)


ARRAY_HEADS = Lock()
"""Held while numpy reads the head of a file. It does so by `ast`, in which threads that meet may get a SystemError
from CPython before 3.11.8 and 3.12.2 (gh-106905)."""


class Lazy(Generic[Made]):
    """Makes its value when it is first called; of several threads one makes it and the others wait. What fails raises,
    and is tried again with the next call."""

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make = make
        self._made: list[Made] = []
        self._lock = Lock()

    def __call__(self) -> Made:
        """The value, made now where it was not yet."""
        if not self._made:
            with self._lock:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]

    def taken(self) -> Made | None:
        """The value, which is forgotten; None where nobody asked for it."""
        with self._lock:
            return self._made.pop() if self._made else None


class LastUsed(Generic[_Key, Made]):
    """Keeps what was used last, so many values at the `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[_Key, Made] = OrderedDict()
        self._lock = Lock()

    def get(self, key: _Key) -> Made | None:
        """What is kept under a key; None where nothing is."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: _Key, value: Made) -> None:
        """Keep a value, and let go of the one that was not used for longest."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def forget(self, key: _Key) -> None:
        """Keep nothing under this key any more."""
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._kept.clear()


LOOK_SECONDS = 0.05
"""How often a waiting thread looks up: a Ctrl-C just before an endless wait would not end it."""
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def all_of(work: Callable[[_Item, Event], _Result], items: Sequence[_Item], at_once: int) -> list[_Result]:
    """What `work` gives for each item, in their order, so many `at_once`.

    Where one of them fails, or a Ctrl-C comes, what has not begun never does, and the event that each is given is set:
    by it what is under way knows that nobody wants it any more, and has to end soon. Raises what the first that failed
    raised.
    """
    cancelled = Event()
    with ThreadPoolExecutor(max(1, min(at_once, len(items)))) as pool:
        try:
            begun = [pool.submit(work, item, cancelled) for item in items]
            while True:
                done, not_done = wait(begun, LOOK_SECONDS, FIRST_EXCEPTION)
                if not not_done or any(call.exception() for call in done):
                    return [call.result() for call in begun if call in done]
        except BaseException:
            cancelled.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
