"""Opening SQLite through SQLAlchemy, and its failures as one clear line."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, create_engine, event, inspect, text
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import NullPool

from pincite.errors import StoreError

BUSY_SECONDS = 30
KEPT_CONNECTIONS = 16
"""Open between transactions, one for each of so many threads; more threads open more for a moment."""
NO_LIMIT = -1
LOOK_AGAIN = 0.01
"""Seconds."""
ALONE = "BEGIN IMMEDIATE"
"""Begins a transaction that waits for other writers first."""


def open_database(path: Path, tables: MetaData, statements: Sequence[str] = ()) -> Engine:
    """An engine on the SQLite file at `path` in WAL mode, with these tables made where they are missing.

    `statements` are run on every connection before it is used.
    """
    engine = _engine(path, statements)
    with translated(path):
        is_whole = set(tables.tables) <= set(inspect(engine).get_table_names())
    if not is_whole:
        with transaction(engine, path) as connection:
            connection.execute(text(ALONE))
            tables.create_all(connection)
    return engine


def open_versioned(path: Path, tables: MetaData, version: int, migrations: Mapping[int, Sequence[str]]) -> Engine:
    """The same for a file that remembers the version of its tables itself: looked at only where it is an older one.

    `migrations` say what turns a file of the version before into each version, apart from new tables, which are made
    anyway. All that one lacks is done in one transaction.
    """
    engine = _engine(path)
    with transaction(engine, path) as connection:
        stored = _version_of(connection)
        if stored > version:
            raise StoreError(
                f"{path} was written by a newer pincite (version {stored}, this one knows {version}): "
                "install a newer pincite"
            )
    if stored < version:
        with transaction(engine, path) as connection:
            connection.execute(text(ALONE))
            _migrate(connection, version, migrations)
            tables.create_all(connection)
            connection.execute(text(f"PRAGMA user_version = {version}"))
    return engine


def _migrate(connection: Connection, version: int, migrations: Mapping[int, Sequence[str]]) -> None:
    """Take the steps that a file lacks now, when nobody else can take them. A new file takes none; the first version of
    a file may have tables and no number."""
    has_tables = connection.scalar(text("SELECT count(*) FROM sqlite_master WHERE type = 'table'"))
    stored = _version_of(connection) or (1 if has_tables else version)
    for number in range(stored + 1, version + 1):
        for statement in migrations.get(number, ()):
            connection.execute(text(statement))


def _version_of(connection: Connection) -> int:
    return int(connection.scalar(text("PRAGMA user_version")) or 0)


def _engine(path: Path, statements: Sequence[str] = ()) -> Engine:
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
            connection.execute(statement)

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


@contextmanager
def transaction(engine: Engine, path: Path) -> Iterator[Connection]:
    """One transaction: committed at the end, rolled back on any error; SQLite's errors become StoreError."""
    with translated(path), engine.begin() as connection:
        yield connection


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's and the file system's errors into a StoreError that says what to do."""
    try:
        yield
    except DatabaseError as error:
        raise StoreError(_advice(path, str(error.orig))) from error
    except sqlite3.Error as error:
        raise StoreError(_advice(path, str(error))) from error
    except OSError as error:
        raise StoreError(os_advice(path, error)) from error


def _advice(path: Path, text: str) -> str:
    if "full" in text:
        return f"no space left for {path}: free some space and run the same command again"
    if "locked" in text:
        return f"{path} is locked by another program: wait until it has finished"
    if "readonly" in text or "unable to open" in text:
        return f"{path} cannot be written ({text}): check its permissions or give another --store"
    if "malformed" in text or "not a database" in text:
        return f"{path} is damaged ({text}): restore a backup, or delete the store and run pincite index FOLDER again"
    return f"{path} cannot be used ({text}): run pincite verify"


def os_advice(path: Path, error: OSError) -> str:
    """What to do about an error of the file system below `path`."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"no space left for {path}: free some space and run the same command again"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{path} cannot be written ({error.strerror}): check its permissions or give another --store"
    return f"{path} cannot be used ({error.strerror or error})"
