"""Opening SQLite through SQLAlchemy, and its failures as one clear line."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, create_engine, event
from sqlalchemy.exc import DatabaseError

from pincite.errors import StoreError

BUSY_SECONDS = 30


def open_database(path: Path, tables: MetaData) -> Engine:
    """An engine on the SQLite file at `path` in WAL mode, with these tables made where they are missing."""
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY_SECONDS})
    event.listen(engine, "connect", _prepare)
    with translated(path):
        tables.create_all(engine)
    return engine


def _prepare(connection: Any, _: Any) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")


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
        return f"{path} is damaged ({text}): restore a backup, or delete the store and index again"
    return f"{path} cannot be used ({text}): run pincite verify"


def os_advice(path: Path, error: OSError) -> str:
    """What to do about an error of the file system below `path`."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"no space left for {path}: free some space and run the same command again"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{path} cannot be written ({error.strerror}): check its permissions or give another --store"
    return f"{path} cannot be used ({error.strerror or error})"
