"""Answers that were given lately, in `cache.sqlite` beside the record; may be deleted at any time."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, cast

from sqlalchemy import Column, Connection, Float, Integer, LargeBinary, MetaData, String, Table, delete, func, select

from pincite.errors import StoreError
from pincite.ports import Restored
from pincite.store.dialect import overwrite_deleted, upsert
from pincite.store.opening import open_versioned
from pincite.threads import LastUsed

CACHE_VERSION = 1
MOST_ANSWERS = 1000
MOST_IN_MEMORY = 100
"""Some ten MB. By eye, not measured."""
QUICK = 1
HITS, MISSES = "hits", "misses"

_tables = MetaData()
_answer = Table(
    "answer",
    _tables,
    Column("key", String(64), primary_key=True),
    Column("stored", Float, nullable=False, index=True),
    Column("content", LargeBinary, nullable=False),
)
_tally = Table("tally", _tables, Column("name", String(8), primary_key=True), Column("times", Integer, nullable=False))


class AnswerCache:
    """At most 1000 answers by key, the latest ones, each for some minutes. `clock` gives seconds. Those that were found
    lately stay in memory, restored; how often answers are found is written down with the next that is not."""

    def __init__(self, path: Path, minutes: float, clock: Callable[[], float] = time.time) -> None:
        self._seconds = minutes * 60
        self._clock = clock
        self._database = open_versioned(path, _tables, CACHE_VERSION, {})
        self._restored = LastUsed[str, tuple[float, Any]](MOST_IN_MEMORY)
        self._hits = 0
        self._lock = Lock()

    def find(self, key: str, restore: Callable[[bytes], Restored]) -> Restored | None:
        """What was kept under this key and is not too old, as `restore` makes it of the bytes; what is found is
        counted."""
        oldest = self._clock() - self._seconds
        stored, found = self._restored.get(key) or (-math.inf, None)
        if stored <= oldest:
            wanted = select(_answer.c.stored, _answer.c.content).where(_answer.c.key == key, _answer.c.stored > oldest)
            with self._database.transaction() as connection:
                row = connection.execute(wanted).first()
            if row is None:
                return None
            found = restore(zlib.decompress(row.content))
            self._restored.keep(key, (row.stored, found))
        with self._lock:
            self._hits += 1
        return cast("Restored", found)

    def keep(self, key: str, content: bytes) -> None:
        """Keep an answer that was not found; where there are too many, the oldest are forgotten."""
        row = {"key": key, "stored": self._clock(), "content": zlib.compress(content, QUICK)}
        kept = select(_answer.c.key).order_by(_answer.c.stored.desc()).limit(MOST_ANSWERS)
        with self._database.transaction() as connection:
            self._count(connection, misses=1)
            connection.execute(upsert(_answer).values(row).on_conflict_do_update(index_elements=["key"], set_=row))
            if (connection.scalar(select(func.count()).select_from(_answer)) or 0) > MOST_ANSWERS:
                connection.execute(delete(_answer).where(_answer.c.key.not_in(kept)))

    def clear(self) -> None:
        """Forget all answers, overwriting them; the counts stay."""
        self._restored.clear()
        with self._database.transaction() as connection:
            overwrite_deleted(connection)
            connection.execute(delete(_answer))

    def counts(self) -> dict[str, int]:
        """How often an answer was found, and how often not."""
        with self._database.transaction() as connection:
            self._count(connection)
            found = {row.name: row.times for row in connection.execute(select(_tally.c.name, _tally.c.times))}
        return {HITS: found.get(HITS, 0), MISSES: found.get(MISSES, 0)}

    def close(self) -> None:
        """Write down what was counted, and let go of the connections."""
        with suppress(StoreError), self._database.transaction() as connection:
            self._count(connection)
        self._database.close()

    def _count(self, connection: Connection, *, misses: int = 0) -> None:
        """Write down what was found since it was last written down, and what was not."""
        with self._lock:
            hits, self._hits = self._hits, 0
        for name, times in ((HITS, hits), (MISSES, misses)):
            if times:
                more = {"times": _tally.c.times + times}
                counted = upsert(_tally).values(name=name, times=times)
                connection.execute(counted.on_conflict_do_update(index_elements=["name"], set_=more))
