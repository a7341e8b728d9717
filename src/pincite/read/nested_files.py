"""Opening files, also those that lie inside others. Nothing is ever written under a name from inside."""

from __future__ import annotations

import bz2
import gzip
import os
import stat
import tempfile
import zlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from zipfile import ZipInfo

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read import registry
from pincite.read.archive import MAX_MEMBER_BYTES, Archive
from pincite.read.registry import kind_at
from pincite.records.pages import Document, Member


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
    """A file to read from, and its name: the one at `path`, or what lies `inside` it, a name for each file opened. A
    member is laid out in memory where the system can (Linux), else in an unnamed temporary file; child processes can
    open it, too. ReadError where there is no such member."""
    with Opener() as opener, opener.opened(path, inside) as found:
        yield found


def _content_of(holder: Path, name: str, undo: ExitStack) -> Callable[[str], bytes]:
    """Readers are imported here: a question opens files without reading them, and should not wait for their load."""
    match kind_at(holder, name):
        case "zip":
            return undo.enter_context(ZippedFiles(holder)).content
        case "packed":
            attached = dict([_unpacked(holder)])
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


UNPACKED = "unpacked"
"""What the file in a packed one is called whose own name is not known."""
LEADS_OUT = "its name leads out of the archive: pack it again"
_UPWARDS = {"..": "%2E%2E"}
_HIDDEN = "__MACOSX"


def read_zip(path: Path, options: ReadOptions) -> Document:
    """Archives of files. Folders, links and hidden files inside are left out, as they are outside. ReadError where the
    file is damaged, encrypted, a bomb or holds no file."""
    with Archive(path) as archive:
        entries = _entries(archive)
        found = tuple(_members(archive, dict(entries)))
        repeated = archive.repeated + len(entries) - len(found)
    if not found:
        raise ReadError("holds no files")
    warnings = (f"{repeated} files inside have the name of another, which alone is read",) if repeated else ()
    return Document((), paged=False, locators="block", members=found, warnings=warnings)


def read_packed(path: Path, options: ReadOptions) -> Document:
    """One file that gzip or bzip2 has packed. ReadError where it is damaged or too long."""
    return Document((), paged=False, locators="block", members=tuple(registry.described([_unpacked(path)])))


def _unpacked(path: Path) -> tuple[str, bytes]:
    """Name and bytes of the one file inside; it is called as what holds it, without the last suffix."""
    try:
        with path.open("rb") as file:
            is_bzip2 = file.peek(1).startswith(b"B")
            with bz2.BZ2File(file) if is_bzip2 else gzip.GzipFile(fileobj=file) as unpacked:
                content = unpacked.read(MAX_MEMBER_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ReadError(f"is damaged: it cannot be unpacked ({error})") from error
    if len(content) > MAX_MEMBER_BYTES:
        raise ReadError(f"is longer than {MAX_MEMBER_BYTES:,} bytes when unpacked: split the document")
    return path.stem if path.suffix.lower() in (".gz", ".bz2") else UNPACKED, content


class ZippedFiles:
    """The files inside the archive at a path, by the names that ids have. Use as a context manager."""

    def __init__(self, path: Path) -> None:
        self._archive = Archive(path)
        self._entries = dict(_entries(self._archive))

    def __enter__(self) -> ZippedFiles:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.__exit__(None, None, None)

    def content(self, name: str) -> bytes:
        """The bytes of one file; ReadError where it is missing or damaged."""
        entry = self._entries.get(name)
        if entry is None or leads_out(entry.filename):
            raise ReadError(f"has no file {name} inside")
        return self._archive.read(entry.filename.lstrip("/"), MAX_MEMBER_BYTES)


def member_name(stated: str) -> str:
    """A name as ids have it: slashes between folders whatever the system, and nothing that leads upwards.

    A `!` at the end of a folder's name is encoded, since `!/` parts an archive from what lies inside.
    """
    parts = (part for part in stated.replace("\\", "/").split("/") if part not in ("", "."))
    named = [_UPWARDS.get(part, part) for part in parts]
    return "/".join([*(part.removesuffix("!") + "%21" * part.endswith("!") for part in named[:-1]), *named[-1:]])


def leads_out(stated: str) -> bool:
    """Whether a name would lead to a place outside of where the archive is unpacked."""
    return ".." in stated.replace("\\", "/").split("/")


def _members(archive: Archive, entries: Mapping[str, ZipInfo]) -> Iterator[Member]:
    for name, entry in entries.items():
        if leads_out(entry.filename):
            yield Member(name, entry.file_size, "", reason=LEADS_OUT)
            continue
        try:
            content = archive.read(entry.filename.lstrip("/"), MAX_MEMBER_BYTES)
        except ReadError as error:
            yield Member(name, entry.file_size, "", reason=str(error))
            continue
        yield from registry.described([(name, content)])


def _entries(archive: Archive) -> list[tuple[str, ZipInfo]]:
    """The files inside with the names that ids have; of those that have one name ("a/b", "a\\b") the last counts."""
    named = [(member_name(entry.filename), entry) for entry in archive.entries]
    return [(name, entry) for name, entry in named if name and not _is_left_out(name, entry)]


def _is_left_out(name: str, entry: ZipInfo) -> bool:
    is_hidden = any(part.startswith(".") or part == _HIDDEN for part in name.split("/"))
    return is_hidden or entry.filename.endswith(("/", "\\")) or _is_link(entry)


def _is_link(entry: ZipInfo) -> bool:
    return stat.S_ISLNK(entry.external_attr >> 16)
