"""Opening a database, in a file (SQLite in WAL mode) or on a server, with the tables that it lacks made."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, create_engine, event, inspect, text
from sqlalchemy.pool import NullPool

from pincite.errors import StoreError
from pincite.store.database import BUSY_SECONDS, Database, Place, translated
from pincite.store.dialect import SQLITE, TEMPORARY, begin_alone, has_tables, store_version, version_of
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
    """A connection that changes nothing, for one transaction. Where SQLite may not write beside a file in WAL mode, it
    reads it only when told that the file does not change, which is true while there is no write-ahead log."""
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


TABLES = "tables"


def open_database(
    place: Place, tables: MetaData, statements: Sequence[str] = (), *, has_own_tables: bool = False
) -> Database:
    """The database in this place, with missing tables made. `statements` run on every connection before it is used,
    {everybodys} and {temporary} in them being the schemas of all and of the connection; where they make tables it
    `has_own_tables`."""
    database = _database(place, statements, has_own_tables=has_own_tables)
    with database.reading() as connection:
        is_whole = set(tables.tables) <= set(inspect(connection).get_table_names())
    if not is_whole:
        with database.transaction() as connection:
            begin_alone(connection, TABLES)
            tables.create_all(connection)
    return database


def open_versioned(place: Place, tables: MetaData, version: int, migrations: Mapping[int, Sequence[str]]) -> Database:
    """The same for tables that remember their version: looked at only where it is an older one.

    `migrations` say what turns tables of the version before into each version, apart from new ones, which are made
    anyway. All that they lack is done in one transaction.
    """
    database = _database(place, (), has_own_tables=False)
    with database.reading() as connection:
        stored = version_of(connection, tables)
    if stored > version:
        raise StoreError(
            f"{database.name} was written by a newer pincite (version {stored}, this one knows {version}): "
            "install a newer pincite"
        )
    if stored < version:
        with database.transaction() as connection:
            begin_alone(connection, TABLES)
            _migrate(connection, tables, version, migrations)
            tables.create_all(connection)
            store_version(connection, tables, version)
    return database


def _database(place: Place, statements: Sequence[str], *, has_own_tables: bool) -> Database:
    if isinstance(place, Path):
        return SqliteFile(place, statements)
    from pincite.store.postgres import PostgresDatabase

    return PostgresDatabase(place, statements, has_own_tables=has_own_tables)


def _migrate(connection: Connection, tables: MetaData, version: int, migrations: Mapping[int, Sequence[str]]) -> None:
    """Take the steps that are lacking now, when nobody else can take them. A new database takes none; the first version
    of a file may have tables and no number."""
    stored = version_of(connection, tables) or (1 if has_tables(connection) else version)
    for number in range(stored + 1, version + 1):
        for statement in migrations.get(number, ()):
            connection.execute(text(statement))
