"""Which pages were seen, for the audit chain: not every request, and none waits for it."""

from __future__ import annotations

import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from pincite.engine.engine import Session

AGAIN_SECONDS = 3600.0
"""A page that somebody goes on looking at is told once an hour."""
MOST_KEPT = 10_000


class Seen:
    """The pages that were seen in the last hour; what is new among them goes into the chain, in a thread of its own."""

    def __init__(self) -> None:
        self._told: OrderedDict[tuple[str, str, int], float] = OrderedDict()
        self._lock = Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pincite-seen")

    def note(self, session: Session, who: str, source_id: str, page: int) -> None:
        """Somebody sees a page."""
        if self._is_new((who, source_id, page)):
            self._thread.submit(session.audit.record_event, "page seen", source_id, page=page)

    def close(self) -> None:
        """Wait until all is told."""
        self._thread.shutdown()

    def _is_new(self, seen: tuple[str, str, int]) -> bool:
        now = time.monotonic()
        with self._lock:
            if seen in self._told and now - self._told[seen] < AGAIN_SECONDS:
                return False
            self._told[seen] = now
            self._told.move_to_end(seen)
            while len(self._told) > MOST_KEPT:
                self._told.popitem(last=False)
            return True
