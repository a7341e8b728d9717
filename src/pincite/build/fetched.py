"""Local copies of objects: those that are being read, and those that were looked at last."""

from __future__ import annotations

import hashlib
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from pincite.errors import ServiceError
from pincite.ports import ObjectStore, StoredObject
from pincite.store.database import translated

READING, LOOKING, KEPT = "reading", "looking", "kept"
SILENT = 3
"""So many objects one after the other may fail because nobody answers; then nobody is asked any more in that run."""
IN_USE_SECONDS = 120.0
"""A copy that was asked for so lately may be open. By eye, not measured."""
LEFT_SECONDS = 600.0
"""A copy that is not kept is looked at for no longer: fetching and drawing have deadlines. By eye, not measured."""
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,10}", re.ASCII)


class FetchedFiles:
    """Copies for one run of indexing, each there until all that uses it is done; the store's writer lock is held. What
    a run left that was killed is removed at the beginning of the next. Use as a context manager."""

    def __init__(self, folder: Path, objects: Callable[[], ObjectStore]) -> None:
        self._folder = folder / READING
        self._objects = objects
        self._users: Counter[Path] = Counter()
        self._silent = 0

    def __enter__(self) -> Self:
        shutil.rmtree(self._folder, ignore_errors=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def fetch(self, wanted: StoredObject) -> Path:
        """A copy of an object, for one user; ReadError or ServiceError where it cannot be had."""
        if self._silent >= SILENT:
            raise ServiceError("the object store did not answer before: try again later")
        with translated(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / _copy_name(wanted.address, wanted.stamp)
        try:
            self._objects().fetch(wanted, path)
        except ServiceError:
            self._silent += 1
            raise
        self._silent = 0
        self.use(path)
        return path

    def use(self, path: Path) -> None:
        """Keep a copy for one user more."""
        self._users[path] += 1

    def done(self, path: Path) -> None:
        """One user less; the last one's copy is removed."""
        self._users[path] -= 1
        if self._users[path] <= 0:
            del self._users[path]
            path.unlink(missing_ok=True)


class KeptFiles:
    """Copies of objects whose pages were looked at, by digests of address and stamp; no more than `most_bytes` together
    but for those that are in use."""

    def __init__(self, folder: Path, objects: Callable[[], ObjectStore], *, most_bytes: int) -> None:
        self._folder = folder
        self._objects = objects
        self._most_bytes = most_bytes

    @contextmanager
    def opened(self, address: str, stamp: str, *, keeps: bool) -> Iterator[Path | None]:
        """A copy of the object as it was when it had this stamp; None where it is another now, or gone. It is kept
        where `keeps` says so, else removed with the end of the block."""
        kept = self._folder / KEPT / _copy_name(address, stamp)
        if keeps and kept.is_file():
            with suppress(OSError):
                kept.touch()
            yield kept
            return
        wanted = self._objects().find(address)
        if wanted is None or wanted.stamp != stamp:
            yield None
            return
        self.clean()
        with translated(self._folder):
            (self._folder / LOOKING).mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=self._folder / LOOKING) as aside:
            path = Path(aside) / kept.name
            self._objects().fetch(wanted, path)
            yield self._keep(path, kept) if keeps else path

    def forget(self, address: str, stamp: str) -> None:
        """Forget the copy of one, so that it is fetched again."""
        (self._folder / KEPT / _copy_name(address, stamp)).unlink(missing_ok=True)

    def clean(self) -> None:
        """Remove what was left by a process that was killed while it looked at a document."""
        for left in (self._folder / LOOKING).glob("*"):
            with suppress(OSError):
                if left.stat().st_mtime < time.time() - LEFT_SECONDS:
                    shutil.rmtree(left, ignore_errors=True)

    def clear(self) -> None:
        """Forget all that is kept."""
        shutil.rmtree(self._folder / KEPT, ignore_errors=True)

    def _keep(self, path: Path, kept: Path) -> Path:
        with translated(kept):
            kept.parent.mkdir(exist_ok=True)
            path.replace(kept)
        self._bound()
        return kept

    def _bound(self) -> None:
        """Remove what was asked for the longest time ago; others may do so at the same time."""
        found = []
        for path in (self._folder / KEPT).iterdir():
            with suppress(OSError):
                status = path.stat()
                found.append((status.st_mtime, path, status.st_size))
        total = sum(size for _, _, size in found)
        for used, path, size in sorted(found):
            if total <= self._most_bytes or used > time.time() - IN_USE_SECONDS:
                return
            path.unlink(missing_ok=True)
            total -= size


def _copy_name(address: str, stamp: str) -> str:
    """The name of a copy: nothing of the key stands in it but its suffix, by which a reader is chosen."""
    suffix = PurePosixPath(address).suffix
    return hashlib.sha256(f"{address}\n{stamp}".encode()).hexdigest() + (suffix if _SUFFIX.fullmatch(suffix) else "")
