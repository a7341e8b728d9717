"""Opening files, also those that lie inside others. Nothing is ever written under a name from inside."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pincite.errors import ReadError
from pincite.read.registry import kind_at
from pincite.read.zip_folder import ZippedFiles


@dataclass(frozen=True, slots=True)
class _Holder:
    """A file that holds others and is open. `content` gives the bytes of one of them."""

    key: tuple[Hashable, ...]
    content: Callable[[str], bytes]
    close: Callable[[], None]


class Opener:
    """Opens files one after the other. What held the last one stays open: the next mostly lies beside it, and to open
    a holder anew for each of its members would take the square of their number. Use as a context manager."""

    def __init__(self) -> None:
        self._holders: list[_Holder] = []

    def __enter__(self) -> Opener:
        return self

    def __exit__(self, *_: object) -> None:
        self._keep(0)

    @contextmanager
    def opened(self, path: Path, inside: Sequence[str] = ()) -> Iterator[tuple[Path, str]]:
        """A file to read from, and its name: the one at `path`, or what lies `inside` it, one name for each file
        opened.

        A member is laid out in memory where the system can (Linux), else in a temporary file without a name of its
        own; children of this process can open it, too. Raises ReadError where there is no such member.
        """
        if not inside:
            yield path, path.name
            return
        content = self._holder(path, inside[:-1]).content(inside[-1])
        with _laid_out(content) as member:
            yield member, PurePosixPath(inside[-1]).name

    def _holder(self, path: Path, inside: Sequence[str]) -> _Holder:
        key = (path, *_state_of(path), *inside)
        depth = len(inside)
        if depth < len(self._holders) and self._holders[depth].key == key:
            return self._holders[depth]
        self._keep(depth)
        with ExitStack() as undo:
            file, name = undo.enter_context(self.opened(path, inside))
            content = _content_of(file, name, undo)
            self._holders.append(_Holder(key, content, undo.pop_all().close))
        return self._holders[depth]

    def _keep(self, count: int) -> None:
        """Close all but the outermost holders."""
        while len(self._holders) > count:
            self._holders.pop().close()


@contextmanager
def opened(path: Path, inside: Sequence[str] = ()) -> Iterator[tuple[Path, str]]:
    """A file to read from, and its name, as an Opener gives them, which is closed afterwards."""
    with Opener() as opener, opener.opened(path, inside) as found:
        yield found


def _content_of(holder: Path, name: str, undo: ExitStack) -> Callable[[str], bytes]:
    """Readers are imported here: a question opens files without reading them, and should not wait for their load."""
    match kind_at(holder, name):
        case "zip":
            return undo.enter_context(ZippedFiles(holder)).content
        case "mail":
            from pincite.read import mail

            attached = mail.attached_files(holder)
        case "pdf":
            from pincite.read import pdfium

            attached = pdfium.attached_files(holder)
        case _:
            attached = {}

    def content(member: str) -> bytes:
        if member not in attached:
            raise ReadError(f"has no file {member} inside")
        return attached[member]

    return content


def _state_of(path: Path) -> tuple[int, ...]:
    """What changes when a file is another than before."""
    try:
        status = path.stat()
    except OSError as error:
        raise ReadError(f"cannot be opened: {error.strerror or error}") from error
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


@contextmanager
def _laid_out(content: bytes) -> Iterator[Path]:
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("pincite")
        try:
            with os.fdopen(os.dup(descriptor), "wb") as file:
                file.write(content)
            yield Path(f"/proc/{os.getpid()}/fd/{descriptor}")
        finally:
            os.close(descriptor)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "member"
        path.write_bytes(content)
        yield path
