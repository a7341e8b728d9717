"""A database in one file: SQLite in WAL mode."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from pincite.store.database import BUSY_SECONDS, Database, translated
from pincite.store.dialect import SQLITE, TEMPORARY
from pincite.store.locks import writer_lock

KEPT_CONNECTIONS = 16
"""Open between transactions, one for each of so many threads; more threads open more for a moment."""
NO_LIMIT = -1
LOOK_AGAIN = 0.01
"""Seconds."""
LOCK = "writer.lock"


class SqliteFile(Database):
    """The file at `path`; one that this user may not write is read."""

    def __init__(self, path: Path, statements: Sequence[str] = ()) -> None:
        self.name = str(path)
        self._path = path
        self._engine = _engine(path, statements)
        self._commits = Commits(path)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction."""
        with translated(self._path), self._engine.begin() as connection:
            yield connection

    def reading(self) -> AbstractContextManager[Connection]:
        """The same: SQLite begins nothing for statements that read."""
        return self.transaction()

    def note_change(self, connection: Connection) -> None:
        """Nothing to do: SQLite tells of commits by itself."""

    def stamp(self) -> tuple[int, ...]:
        """A value that changes with every commit."""
        return self._commits.stamp()

    def writer_lock(self) -> AbstractContextManager[None]:
        """A lock on a file beside it."""
        return writer_lock(self._path.with_name(LOCK))

    def close(self) -> None:
        """Let go of the connections."""
        self._commits.close()
        self._engine.dispose()


def _engine(path: Path, statements: Sequence[str]) -> Engine:
    """An engine that writes where this user may; elsewhere one that reads."""
    pragmas = ["temp_store=MEMORY"]
    if _may_only_be_read(path):
        engine = create_engine("sqlite://", creator=lambda: open_for_reading(path), poolclass=NullPool)
    else:
        engine = create_engine(
            f"sqlite:///{path}",
            connect_args={"timeout": BUSY_SECONDS},
            pool_size=KEPT_CONNECTIONS,
            max_overflow=NO_LIMIT,
        )
        pragmas += ["synchronous=NORMAL", "foreign_keys=ON"]
        event.listen(engine, "connect", lambda connection, _: _log_ahead(connection))

    def prepare(connection: Any, _: Any) -> None:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
        for statement in statements:
            connection.execute(statement.format(everybodys="main", temporary=TEMPORARY[SQLITE]))

    event.listen(engine, "connect", prepare)
    return engine


def _log_ahead(connection: sqlite3.Connection) -> None:
    """Use WAL mode. SQLite does not wait by itself while another connection turns the same new file to it."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(LOOK_AGAIN)


def _may_only_be_read(path: Path) -> bool:
    return path.is_file() and not all(os.access(place, os.W_OK) for place in (path, path.parent))


def open_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, for one transaction.

    Where SQLite may not write beside a file in WAL mode, it reads it only if told that nobody changes the file. That
    is so while there is no write-ahead log.
    """
    at_rest = _may_only_be_read(path) and not path.with_name(f"{path.name}-wal").exists()
    address = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if at_rest else ''}"
    return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, check_same_thread=False)


class Commits:
    """Tells whether anybody has committed to a file: times and sizes alone do not tell two commits of one moment
    apart."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files = (os.fspath(path), f"{path}-wal")
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None

    def stamp(self) -> tuple[int, ...]:
        """A value that changes with every commit."""
        times: list[int] = []
        for file in self._files:
            with suppress(FileNotFoundError, NotADirectoryError):
                status = os.stat(file)  # noqa: PTH116 - several times for each question
                times += (status.st_mtime_ns, status.st_size, status.st_ino)
        return (self._version(), *times)

    def close(self) -> None:
        """Let go of the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _version(self) -> int:
        """What SQLite says of it on a connection that commits nothing itself; 0 where it cannot."""
        with self._lock, suppress(sqlite3.Error):
            if self._connection is None:
                self._connection = open_for_reading(self._path)
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])
        return 0
