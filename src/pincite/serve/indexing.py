"""What was put in is indexed beside questions, one run after the other, in a thread of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException

from pincite.engine.engine import Engine, Progress, Session
from pincite.errors import PinciteError
from pincite.printing import printed_name
from pincite.records.sources import SourceState
from pincite.rendering import without_paths
from pincite.serve.failures import UNEXPECTED

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds until a run that could not be made is tried again, doubled each time. By eye, not measured."""
TURN_SECONDS = 30.0
"""How long a change waits for the document that is being indexed. By eye, not measured."""
MOST_TOLD = 1000
LOGGER = logging.getLogger("pincite.serve")
UNDER_WAY = ("queued", "indexing")


class _CutOffError(PinciteError):
    """Another's turn: what is stored stays stored, and the next run does the rest."""


class Indexing:
    """Indexes what was put in, and knows how far it is. It belongs to one event loop; `version` is another number after
    every change."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pincite-indexing")
        self._turn = asyncio.Lock()
        self._ending = asyncio.Event()
        self._others_waiting = 0
        self._is_wanted = False
        self._task: asyncio.Task[None] | None = None
        self._batch: frozenset[str] = frozenset()
        self._known: dict[str, None] = {}
        self._stage = self._problem = ""
        self.version = 0

    def take_up(self, source_id: str) -> None:
        """This was put in."""
        self._know([source_id])
        self.wake()

    def wake(self) -> None:
        """There may be something to index."""
        self._is_wanted = True
        self.version += 1
        if (self._task is None or self._task.done()) and not self._ending.is_set():
            self._task = asyncio.create_task(self._go_on())

    @asynccontextmanager
    async def put_off(self) -> AsyncIterator[None]:
        """Nothing is indexed meanwhile: a run ends behind the document that it is at, and is taken up again afterwards.
        HTTPException 503 where that takes too long."""
        self._others_waiting += 1
        try:
            await asyncio.wait_for(self._turn.acquire(), TURN_SECONDS)
        except TimeoutError:
            told = "a long document is being indexed just now: try again in a while"
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, told, {"Retry-After": "30"}) from None
        finally:
            self._others_waiting -= 1
        try:
            yield
        finally:
            self._turn.release()
            self.wake()

    async def end(self) -> None:
        """Begin no further run, and end one behind the document that it is at."""
        self._ending.set()
        if self._task is not None:
            await asyncio.wait([self._task])
        self._thread.shutdown()

    def state(self, session: Session) -> dict[str, Any]:
        """The state of uploaded documents that are open to the asker: all that wait or are being indexed, and those
        finished since the service began. `stage` and `problem` are set while any are under way."""
        kept = session.uploads.all()
        told = [
            _upload_state(upload.source_id, self._status(upload.source_id, state), state)
            for upload, state in kept
            if state is None or upload.source_id in self._known
        ]
        state = {"stage": self._stage, "problem": without_paths(self._problem), "uploads": told}
        return state if is_under_way(state) else {**state, "stage": "", "problem": ""}

    # --- the runs

    async def _go_on(self) -> None:
        """Run after run until nothing is left. A run that fails is reported and tried again."""
        wait = FIRST_WAIT
        while self._is_wanted and not self._ending.is_set():
            self._is_wanted = False
            try:
                async with self._turn:
                    await asyncio.get_running_loop().run_in_executor(self._thread, self._run)
                wait, self._problem = FIRST_WAIT, ""
            except _CutOffError:
                self._is_wanted = True
            except Exception as error:  # noqa: BLE001
                self._is_wanted, self._problem = True, _problem_of(error)
                self.version += 1
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._ending.wait(), wait)
                wait = min(2 * wait, LONGEST_WAIT)

    def _run(self) -> None:
        waiting = self._engine.waiting_uploads()
        self._batch = frozenset(waiting)
        self._know(waiting)
        try:
            self._engine.index_uploads(progress=self._hear)
        finally:
            self._batch, self._stage = frozenset(), ""
            self.version += 1

    def _know(self, source_ids: Sequence[str]) -> None:
        self._known = dict.fromkeys([*self._known, *source_ids][-MOST_TOLD:])

    def _hear(self, progress: Progress) -> None:
        if self._others_waiting or self._ending.is_set():
            raise _CutOffError
        if progress.error is not None:
            LOGGER.error("%s was refused", printed_name(progress.detail), exc_info=progress.error)
        self._stage = progress.stage
        self.version += 1

    def _status(self, source_id: str, state: SourceState | None) -> str:
        if source_id in self._batch:
            return "indexing"
        return "queued" if state is None else state.status


def _problem_of(error: Exception) -> str:
    """What keeps a run from being made; what nobody meant goes into the log."""
    if isinstance(error, PinciteError):
        return str(error)
    LOGGER.error("indexing added documents", exc_info=error)
    return UNEXPECTED


def is_under_way(state: Mapping[str, Any]) -> bool:
    """Whether any of these documents waits or is being indexed."""
    return any(item["status"] in UNDER_WAY for item in state["uploads"])


def _upload_state(source_id: str, status: str, state: SourceState | None) -> dict[str, Any]:
    told: dict[str, Any] = {"source_id": source_id, "filename": source_id.rpartition("/")[2], "status": status}
    if state is not None and status not in UNDER_WAY:
        warnings = list(state.warnings)
        told |= {"pages": state.page_count, "chunks": state.chunk_count, "warnings": warnings, "reason": state.reason}
    return told
