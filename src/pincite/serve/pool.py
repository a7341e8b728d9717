"""Work in a few threads, with a queue of limited length and patience: work that finds no place is refused at once."""

from __future__ import annotations

import asyncio
import math
import statistics
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar

from starlette.exceptions import HTTPException

LATELY = 20
"""So many pieces of work tell how long the next may take. By eye, not measured, like what follows."""
LONGER = 1.5
"""Times what half of them took: more than most take, and not shaken by one that had to open its models first."""
LEAST_PATIENCE = 0.3
_Result = TypeVar("_Result")


class Pool:
    """So many `threads`; so many may wait for one, each for so many seconds (`patience`), or for less: unless the work
    takes far longer than it did lately, it is to be done `within` so many seconds, waiting and all. What works takes a
    place of a pool that is `around` this one, too. `waiting` is how many do."""

    def __init__(
        self,
        name: str,
        *,
        threads: int,
        queue: int,
        patience: float,
        within: float = math.inf,
        around: Pool | None = None,
    ) -> None:
        self.name = name
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=f"pincite-{name}")
        self._free = asyncio.Semaphore(threads)
        self._around = around
        self._queue = queue
        self._patience = patience
        self._within = within
        self._lately: deque[float] = deque(maxlen=LATELY)
        self._begun: list[float] = []
        self.waiting = 0

    @property
    def working(self) -> int:
        """How many pieces of work are being done."""
        return len(self._begun)

    @property
    def is_idle(self) -> bool:
        """Whether nothing is done, and nobody waits."""
        return not self.waiting and not self.working

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """What the work gives; HTTPException 503 where it finds no place."""
        return await asyncio.shield(await self.begin(work))

    async def begin(self, work: Callable[[], _Result]) -> asyncio.Future[_Result]:
        """The work, begun: it runs to its end, whether or not anybody waits for it. HTTPException 503 where it finds no
        place."""
        await self._place()
        started = time.monotonic()
        self._begun.append(started)
        begun = asyncio.get_running_loop().run_in_executor(self._executor, work)
        begun.add_done_callback(partial(self._done, started))
        return begun

    def close(self) -> None:
        """Begin nothing more; what is being done may end."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _place(self) -> None:
        if self._free.locked() and self.waiting >= self._queue:
            raise self._busy()
        self.waiting += 1
        try:
            async with asyncio.timeout(self._patience_now()):
                await self._acquire()
        except TimeoutError:
            raise self._busy() from None
        finally:
            self.waiting -= 1

    async def _acquire(self) -> None:
        await self._free.acquire()
        if self._around is None:
            return
        try:
            await self._around._acquire()
        except BaseException:
            self._free.release()
            raise

    def _release(self) -> None:
        self._free.release()
        if self._around is not None:
            self._around._release()

    def _patience_now(self) -> float:
        return max(LEAST_PATIENCE, min(self._patience, self._within - self._expected()))

    def _expected(self) -> float:
        """How long the next will hardly take longer than."""
        return LONGER * statistics.median(self._lately) if self._lately else 0.0

    def _free_again(self) -> float:
        """In how many seconds what works longest will hardly still work."""
        return self._expected() - (time.monotonic() - self._begun[0]) if self._begun else 0.0

    def _done(self, started: float, begun: asyncio.Future[Any]) -> None:
        self._begun.remove(started)
        self._lately.append(time.monotonic() - started)
        self._release()
        if not begun.cancelled():
            begun.exception()

    def _busy(self) -> HTTPException:
        after = {"Retry-After": str(max(1, math.ceil(self._free_again())))}
        told = "too many ask at once: try again in a moment"
        return HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, told, after)
