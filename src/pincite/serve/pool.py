"""Work in a few threads, with a queue of bounded length and patience: what finds no place is told so at once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any, TypeVar

from starlette.exceptions import HTTPException

_Result = TypeVar("_Result")


class Pool:
    """So many `threads`; so many may wait for one, each for so many seconds (`patience`). `waiting` and `working` are
    how many do."""

    def __init__(self, name: str, *, threads: int, queue: int, patience: float) -> None:
        self.name = name
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=f"pincite-{name}")
        self._free = asyncio.Semaphore(threads)
        self._queue = queue
        self._patience = patience
        self.waiting = 0
        self.working = 0

    @property
    def is_idle(self) -> bool:
        """Whether nothing is done, and nobody waits."""
        return not self.waiting and not self.working

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """What the work gives; HTTPException 503 where it finds no place."""
        return await asyncio.shield(await self.begin(work))

    async def begin(self, work: Callable[[], _Result]) -> asyncio.Future[_Result]:
        """The work, begun: it goes on to its end, whoever waits for it. HTTPException 503 where it finds no place."""
        await self._place()
        self.working += 1
        begun = asyncio.get_running_loop().run_in_executor(self._executor, work)
        begun.add_done_callback(self._done)
        return begun

    def close(self) -> None:
        """Begin nothing more; what is being done may end."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _place(self) -> None:
        if self._free.locked() and self.waiting >= self._queue:
            raise self._busy()
        self.waiting += 1
        try:
            await asyncio.wait_for(self._free.acquire(), self._patience)
        except TimeoutError:
            raise self._busy() from None
        finally:
            self.waiting -= 1

    def _done(self, begun: asyncio.Future[Any]) -> None:
        self.working -= 1
        self._free.release()
        if not begun.cancelled():
            begun.exception()

    def _busy(self) -> HTTPException:
        after = {"Retry-After": str(max(1, round(self._patience)))}
        told = "too many ask at once: try again in a moment"
        return HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, told, after)
