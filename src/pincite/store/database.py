"""One database of the record or of receipts: its errors as one clear line, and short statements whose SQL is made
once (docs/decisions/0805)."""

from __future__ import annotations

import errno
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Executable
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DatabaseError

from pincite.errors import StoreError
from pincite.store.dialect import is_postgresql
from pincite.store.rows import Row

BUSY_SECONDS = 30
Place = Path | URL
"""A file of SQLite, or where a database of PostgreSQL is."""


class Database(ABC):
    """A database; what goes wrong with it is a StoreError that says what to do. `name` is what messages call it."""

    name: str

    @abstractmethod
    def transaction(self) -> AbstractContextManager[Connection]:
        """One transaction: committed at the end, rolled back on any error."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]:
        """A connection for statements that change nothing; each sees what was committed before it."""

    @abstractmethod
    def note_change(self, connection: Connection) -> None:
        """Have the stamp change when the transaction of this connection is committed. Called first in it; StoreError
        where this process held the writer lock and lost it."""

    @abstractmethod
    def stamp(self) -> tuple[int, ...]:
        """A value that changes with every commit; in PostgreSQL with every one that noted it."""

    @abstractmethod
    def writer_lock(self) -> AbstractContextManager[None]:
        """Take the store's only writer lock; StoreError names its holder."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the connections."""

    def left_by_purge(self) -> str:
        """What a purge cannot reach, and who can; empty where it reaches everything."""
        return ""


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


class Prepared:
    """One statement. What it raises are the errors of sqlite3, or those of SQLAlchemy for PostgreSQL, which a
    `Database` knows."""

    def __init__(self, statement: Executable) -> None:
        compiled = statement.compile(dialect=sqlite.dialect(paramstyle="named"))  # type: ignore[attr-defined]
        self._statement = statement
        self._sql, self._values = str(compiled), compiled.params

    def rows(self, connection: Connection, **values: Any) -> list[tuple[Any, ...]]:
        """What it finds, with these values for those that were left open."""
        if is_postgresql(connection):
            return [tuple(row) for row in connection.execute(self._statement, values)]
        found: list[tuple[Any, ...]] = _driver(connection).execute(self._sql, {**self._values, **values}).fetchall()
        return found

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Do it with each of these rows, which name every value."""
        if not is_postgresql(connection):
            _driver(connection).executemany(self._sql, rows)
        elif rows:
            connection.execute(self._statement, rows)


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection
