"""Answers that were given lately, in `cache.sqlite` beside the record; may be deleted at any time."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    delete,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.dialects.sqlite import insert as upsert

from pincite.store.database import open_versioned, transaction

CACHE_VERSION = 1
MOST_ANSWERS = 1000
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
    """At most 1000 answers by key, the latest ones, each for some minutes. `clock` gives seconds."""

    def __init__(self, path: Path, minutes: float, clock: Callable[[], float] = time.time) -> None:
        self._path = path
        self._seconds = minutes * 60
        self._clock = clock
        self._engine = open_versioned(path, _tables, CACHE_VERSION, {})

    def find(self, key: str) -> bytes | None:
        """What was kept under this key and is not too old; what is found is counted."""
        oldest = self._clock() - self._seconds
        wanted = select(_answer.c.content).where(_answer.c.key == key, _answer.c.stored > oldest)
        with transaction(self._engine, self._path) as connection:
            content = connection.scalar(wanted)
            if content is not None:
                _count(connection, HITS)
        return None if content is None else zlib.decompress(content)

    def keep(self, key: str, content: bytes) -> None:
        """Keep an answer that was not found; where there are too many, the oldest are forgotten."""
        row = {"key": key, "stored": self._clock(), "content": zlib.compress(content, QUICK)}
        kept = select(_answer.c.key).order_by(_answer.c.stored.desc()).limit(MOST_ANSWERS)
        with transaction(self._engine, self._path) as connection:
            _count(connection, MISSES)
            connection.execute(insert(_answer).prefix_with("OR REPLACE", dialect="sqlite"), row)
            if (connection.scalar(select(func.count()).select_from(_answer)) or 0) > MOST_ANSWERS:
                connection.execute(delete(_answer).where(_answer.c.key.not_in(kept)))

    def clear(self) -> None:
        """Forget all answers, overwriting them; the counts stay."""
        with transaction(self._engine, self._path) as connection:
            connection.execute(text("PRAGMA secure_delete = ON"))
            connection.execute(delete(_answer))

    def counts(self) -> dict[str, int]:
        """How often an answer was found, and how often not."""
        with transaction(self._engine, self._path) as connection:
            found = {row.name: row.times for row in connection.execute(select(_tally.c.name, _tally.c.times))}
        return {HITS: found.get(HITS, 0), MISSES: found.get(MISSES, 0)}

    def close(self) -> None:
        """Let go of the connections."""
        self._engine.dispose()


def _count(connection: Connection, name: str) -> None:
    once_more = upsert(_tally).values(name=name, times=1)
    more = {"times": _tally.c.times + 1}
    connection.execute(once_more.on_conflict_do_update(index_elements=["name"], set_=more))
