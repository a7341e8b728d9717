"""Opening files, also those that lie inside others. Nothing is ever written under a name from inside."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from pincite.errors import ReadError
from pincite.read.mail import attached_file
from pincite.read.registry import kind_at
from pincite.read.zip_folder import zipped_file


@contextmanager
def opened(path: Path, inside: Sequence[str] = ()) -> Iterator[tuple[Path, str]]:
    """A file to read from, and its name: the one at `path`, or what lies `inside` it, one name for each file opened.

    A member is laid out in memory where the system can (Linux), else in a temporary file without a name of its own.
    Raises ReadError where there is no such member.
    """
    if not inside:
        yield path, path.name
        return
    with opened(path, inside[:-1]) as (holder, name):
        content = _content(holder, name, inside[-1])
    with _laid_out(content) as member:
        yield member, PurePosixPath(inside[-1]).name


def _content(holder: Path, name: str, member: str) -> bytes:
    match kind_at(holder, name):
        case "zip":
            return zipped_file(holder, member)
        case "mail":
            return attached_file(holder, member)
        case _:
            raise ReadError(f"has no file {member} inside")


@contextmanager
def _laid_out(content: bytes) -> Iterator[Path]:
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("pincite")
        try:
            with os.fdopen(os.dup(descriptor), "wb") as file:
                file.write(content)
            yield Path(f"/proc/self/fd/{descriptor}")
        finally:
            os.close(descriptor)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "member"
        path.write_bytes(content)
        yield path
