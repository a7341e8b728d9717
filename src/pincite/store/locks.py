"""One writer at a time, any number of readers: advisory locks on files."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pincite.errors import StoreError
from pincite.store.database import os_advice


@contextmanager
def writer_lock(path: Path) -> Iterator[None]:
    """Hold the store's only writing place; StoreError names who holds it already."""
    try:
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise StoreError(os_advice(path, error)) from error
    with file:
        if not _try_lock(file, fcntl.LOCK_EX):
            raise StoreError(f"the store is being written by {_owner(file)}: wait until it has finished, or stop it")
        file.truncate(0)
        file.write(json.dumps({"pid": os.getpid(), "host": socket.gethostname()}))
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def share(path: Path) -> IO[str]:
    """Take a shared lock on the file; it lasts until the file returned is closed."""
    file = path.open("r", encoding="utf-8")
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


def is_free(path: Path) -> bool:
    """Whether nobody holds a lock on the file."""
    with path.open("r", encoding="utf-8") as file:
        return _try_lock(file, fcntl.LOCK_EX)


def _try_lock(file: IO[str], kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _owner(file: IO[str]) -> str:
    file.seek(0)
    try:
        owner = json.loads(file.read())
        return f"process {owner['pid']} on {owner['host']}"
    except (ValueError, KeyError):
        return "another process"
