"""Zip folders: the files inside, each a source of its own. Only their names and hashes are found here."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from zipfile import ZipInfo

from pincite.errors import ReadError
from pincite.ports import ReadOptions
from pincite.read import registry
from pincite.read.archive import MAX_MEMBER_BYTES, Archive
from pincite.read.registry import stamp, versions_inside
from pincite.records.pages import Document, Member

LEADS_OUT = "its name leads out of the archive: pack it again"
_UPWARDS = {"..": "%2E%2E"}
_HIDDEN = "__MACOSX"


class ZipReader:
    """Archives of files. Folders, links and hidden files inside are left out, as they are outside."""

    name = "zip"
    suffixes = frozenset({".zip"})

    def __init__(self) -> None:
        self.version = f"{stamp(self.name, f'1.{registry.REVISION}')}; inside {versions_inside()}"

    def read(self, path: Path, options: ReadOptions) -> Document:
        """List the archive at `path`; raise ReadError where it is damaged, encrypted, a bomb or holds no file."""
        with Archive(path) as archive:
            entries = _entries(archive)
            found = tuple(_members(archive, dict(entries)))
            repeated = archive.repeated + len(entries) - len(found)
        if not found:
            raise ReadError("holds no files")
        warnings = (f"{repeated} files inside have the name of another, which alone is read",) if repeated else ()
        return Document((), self.version, paged=False, locators="block", members=found, warnings=warnings)


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


def zipped_file(path: Path, name: str) -> bytes:
    """The bytes of a file inside the archive at `path`; ReadError where it is missing or damaged."""
    with ZippedFiles(path) as files:
        return files.content(name)


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
