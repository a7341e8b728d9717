"""Work in several threads at once, from which whoever waits for it can be called away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from threading import Event
from typing import TypeVar

LOOK_SECONDS = 0.05
"""How often who waits looks up: a Ctrl-C that comes just before a wait without an end does not end it."""
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
