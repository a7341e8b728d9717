"""One writer at a time, any number of readers: advisory locks on files, where the drive has them. Some network drives
have none. There a writer creates a marker file that must not exist yet, and nothing that a reader may be using is ever
removed."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO

from pincite.errors import HeldError, StoreError
from pincite.store.database import os_advice

LOOK_AGAIN = 0.2
"""Seconds."""
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


@contextmanager
def writer_lock(path: Path) -> Iterator[None]:
    """Take the store's only writer lock. HeldError names its holder; where there are no locks a StoreError does, since
    the holder may be gone."""
    try:
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise StoreError(os_advice(path, error)) from error
    with file, ExitStack() as stack:
        locked = _try_lock(file, fcntl.LOCK_EX)
        if locked is False:
            raise HeldError(_owner(file))
        if locked is None and not stack.enter_context(_marked(path.with_name(f"{path.name}.held"))):
            raise StoreError(str(HeldError(_owner(file))))
        file.truncate(0)
        _sign(file)
        try:
            yield
        finally:
            file.truncate(0)


@contextmanager
def waited_for(lock: Callable[[], AbstractContextManager[None]], heard: Callable[[str], None]) -> Iterator[None]:
    """Take a writer lock as soon as nobody holds it; `heard` is told who does."""
    holder = ""
    with ExitStack() as taken:
        while True:
            try:
                taken.enter_context(lock())
                break
            except HeldError as error:
                if error.holder != holder:
                    holder = error.holder
                    heard(holder)
                time.sleep(LOOK_AGAIN)
        yield


def share(path: Path) -> IO[str]:
    """Take a shared lock on the file, where there are locks; it lasts until the file returned is closed."""
    file = path.open("r", encoding="utf-8")
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_SH)
    return file


def try_share(path: Path) -> bool:
    """Whether a shared lock on the file can be taken."""
    with path.open("r", encoding="utf-8") as file:
        return bool(_try_lock(file, fcntl.LOCK_SH))


@contextmanager
def alone_with(path: Path) -> Iterator[bool]:
    """Keep others from locking the file until the end, if nobody has a lock on it; False where somebody has, and where
    there are no locks."""
    with path.open("r", encoding="utf-8") as file:
        yield bool(_try_lock(file, fcntl.LOCK_EX))


def is_free(path: Path) -> bool:
    """Whether nobody holds a lock on the file; False where there are no locks."""
    with alone_with(path) as is_ours:
        return is_ours


def _try_lock(file: IO[str], kind: int) -> bool | None:
    """Whether the lock was taken; None where the drive has no locks."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno in _NO_LOCKS:
            return None
        raise
    return True


@contextmanager
def _marked(path: Path) -> Iterator[bool]:
    """Create a file that exists as long as somebody writes; False if it exists already. One left behind by a process of
    this machine that is gone does not count."""
    if path.exists() and _left_behind(path):
        path.unlink(missing_ok=True)
    try:
        with path.open("x", encoding="utf-8") as file:
            _sign(file)
    except FileExistsError:
        yield False
        return
    try:
        yield True
    finally:
        path.unlink(missing_ok=True)


def _sign(file: IO[str]) -> None:
    file.write(json.dumps({"pid": os.getpid(), "host": socket.gethostname()}))
    file.flush()


def _left_behind(path: Path) -> bool:
    try:
        owner = json.loads(path.read_text(encoding="utf-8"))
        if owner["host"] != socket.gethostname():
            return False
        os.kill(owner["pid"], 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError, KeyError):
        return False
    return False


def _owner(file: IO[str]) -> str:
    file.seek(0)
    try:
        owner = json.loads(file.read())
        return f"process {owner['pid']} on {owner['host']}"
    except (ValueError, KeyError):
        return "another process"


SAMPLES = 16
SAMPLE_BYTES = 64 * 1024


def stamp_of(path: Path) -> list[int | str]:
    """Size and digest of a file. A garbled or cut file of up to SAMPLES * SAMPLE_BYTES always has another."""
    size = path.stat().st_size
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for place in _places(size):
            file.seek(place)
            digest.update(file.read(SAMPLE_BYTES))
    return [size, digest.hexdigest()]


def _places(size: int) -> list[int]:
    """Where the samples begin: one behind the other in a small file, evenly up to the end in a large one."""
    if size <= SAMPLES * SAMPLE_BYTES:
        return list(range(0, size, SAMPLE_BYTES))
    return [number * (size - SAMPLE_BYTES) // (SAMPLES - 1) for number in range(SAMPLES)]


NETWORK_DRIVES = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "fuse.sshfs", "fuse.s3fs", "glusterfs"}
)
_MOUNTS = Path("/proc/self/mounts")


def locks_work(folder: Path) -> bool:
    """Whether files in this folder can be locked; False also where it cannot be written."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            return try_share(Path(file.name))
    except OSError:
        return False


def drive_of(folder: Path, mounts: Path = _MOUNTS) -> str | None:
    """The type of the file system that a folder lies on ("ext4", "nfs4"); None where the system does not say."""
    try:
        rows = [line.split() for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return None
    place = os.path.realpath(folder)
    above = [(row[1], row[2]) for row in rows if len(row) > 2 and _holds(row[1].replace("\\040", " "), place)]
    return max(above, key=lambda found: len(found[0]))[1] if above else None


def _holds(mounted: str, place: str) -> bool:
    return place == mounted or place.startswith(mounted.rstrip("/") + "/")
