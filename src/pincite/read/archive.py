"""Zip containers (OOXML, ODF, EPUB) from strangers: every size is bounded before anything is inflated; and the parts of
an OOXML package."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from collections.abc import Iterator, KeysView
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from pincite.errors import ReadError
from pincite.read.markup import Element, attribute, local, parse_xml
from pincite.read.parts import fold
from pincite.read.sniffing import OLE

MAX_MEMBERS = 20_000
MAX_MEMBER_BYTES = 256 * 2**20
MAX_TOTAL_BYTES = 1024 * 2**20
MAX_PART_BYTES = 64 * 2**20
RATIO_FREE_BYTES = 8 * 2**20
MAX_RATIO = 200
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)


class Archive:
    """A zip file that is read member by member; nothing is ever written out. Close it, or use it in `with`.

    `repeated` counts the members that have the name of a later one, which alone is read.
    """

    def __init__(self, path: Path) -> None:
        self.relations: tuple[str, list[Any]] = ("", [])
        """The part of relations that was looked at last, and what it states."""
        self._zip = _open(path)
        try:
            items = _checked(self._zip.infolist())
            self._members = {item.filename.lstrip("/"): item for item in items}
            self.repeated = len(items) - len(self._members)
        except ReadError:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def names(self) -> KeysView[str]:
        """The names of all members, in the order of the container's directory."""
        return self._members.keys()

    @property
    def entries(self) -> list[zipfile.ZipInfo]:
        """What the container's directory says of each member, in its order."""
        return list(self._members.values())

    def read(self, name: str, limit: int = MAX_PART_BYTES) -> bytes:
        """The bytes of one member of at most `limit` bytes; ReadError where missing, larger or broken."""
        item = self._member(name)
        if item.file_size > limit:
            raise ReadError(
                f"its part {name} is {item.file_size:,} bytes long, the limit is {limit:,}: split the document"
            )
        try:
            with self._zip.open(item) as member:
                return member.read(limit)
        except _BROKEN as error:
            raise ReadError(f"is damaged: its part {name} cannot be unpacked ({error})") from error

    def read_if_there(self, name: str) -> bytes | None:
        """Like `read`, None where there is no such member."""
        return self.read(name) if name in self._members else None

    def open(self, name: str) -> IO[bytes]:
        """One member as a stream, for parts that are read piece by piece; errors surface while reading."""
        try:
            return self._zip.open(self._member(name))
        except _BROKEN as error:
            raise ReadError(f"is damaged: its part {name} cannot be unpacked ({error})") from error

    def _member(self, name: str) -> zipfile.ZipInfo:
        item = self._members.get(name)
        if item is None:
            raise ReadError(f"is damaged or of another kind: it has no part {name}")
        return item


def _open(path: Path) -> zipfile.ZipFile:
    try:
        with path.open("rb") as file:
            head = file.read(len(OLE))
        if not head:
            raise ReadError("is empty (0 bytes)")
        if head == OLE:
            raise ReadError(
                "is encrypted or in an old binary format: save it without a password, in the format of its suffix"
            )
        return zipfile.ZipFile(path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise ReadError(f"is damaged: it is no zip container ({error})") from error
    except OSError as error:
        raise ReadError(f"cannot be opened: {error.strerror or error}") from error


def _checked(items: list[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    if len(items) > MAX_MEMBERS:
        raise ReadError(f"has {len(items):,} parts inside, the limit is {MAX_MEMBERS:,}")
    total = sum(item.file_size for item in items)
    if total > MAX_TOTAL_BYTES:
        raise ReadError(f"would unpack to {total:,} bytes, the limit is {MAX_TOTAL_BYTES:,} (a zip bomb?)")
    for item in items:
        _check_member(item)
    _check_overlap(items)
    return items


def _check_member(item: zipfile.ZipInfo) -> None:
    if item.flag_bits & 0x1:
        raise ReadError("is encrypted: save it again without a password")
    if item.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ReadError(f"its part {item.filename!r} is packed by method {item.compress_type}, which is not supported")
    too_dense = item.file_size > RATIO_FREE_BYTES and item.file_size > MAX_RATIO * item.compress_size
    if item.file_size > MAX_MEMBER_BYTES or too_dense:
        sizes = f"{item.compress_size:,} to {item.file_size:,} bytes"
        raise ReadError(f"its part {item.filename!r} would unpack from {sizes} (a zip bomb?)")


def _check_overlap(items: list[zipfile.ZipInfo]) -> None:
    ordered = sorted(items, key=lambda item: item.header_offset)
    for earlier, later in pairwise(ordered):
        if later.header_offset < earlier.header_offset + max(1, earlier.compress_size):
            raise ReadError("its parts overlap inside the zip container (a zip bomb?)")


_PROPERTIES = {
    "creator": "author",
    "created": "created",
    "modified": "modified",
    "subject": "subject",
    "language": "language",
}


class Relation(NamedTuple):
    """What belongs to a part: the last word of its kind, its target as written, and whether that lies outside of the
    package."""

    id: str
    kind: str
    target: str
    is_outside: bool


def main_part(archive: Archive, usual: str) -> str:
    """The part that the package names as its main document; the usual one where it names none."""
    stated = next(_targets(archive, "", "officeDocument"), usual)
    name = stated if stated in archive.names else usual
    if name not in archive.names:
        raise ReadError(f"is damaged or of another kind: it has no part {usual}")
    return name


def related(archive: Archive, part: str, kind: str) -> str | None:
    """The part of this kind ("styles", "notesSlide") that belongs to a part, None where there is none."""
    return next((target for target in _targets(archive, part, kind) if target in archive.names), None)


def relation_targets(archive: Archive, part: str) -> dict[str, str]:
    """The parts that belong to a part, by relation id. What lies outside of the package is left out."""
    return {item.id: _inside(part, item) for item in _relations(archive, part) if not item.is_outside}


def outside_addresses(archive: Archive, part: str) -> dict[str, str]:
    """Where the relations of a part lead outside of the package, by their ids, as written."""
    return {item.id: item.target for item in _relations(archive, part) if item.is_outside}


def relation_id(element: Element | None) -> str:
    """The id of the relation that an element names ("rId3"), which is another attribute than its own id."""
    found = element.attrib.items() if element is not None else ()
    return next((str(value) for key, value in found if key.endswith("relationships}id")), "")


def part_name(folder: str, reference: str) -> str:
    """A reference as a member name; one that climbs out of the container is found nowhere."""
    return posixpath.normpath(posixpath.join("/", folder, reference)).lstrip("/")


def properties(archive: Archive) -> tuple[str | None, dict[str, str]]:
    """Title (None where none is stated) and metadata that the package states about itself."""
    name = next(_targets(archive, "", "core-properties"), "docProps/core.xml")
    data = archive.read_if_there(name)
    if data is None:
        return None, {}
    values = {local(item): fold(item.text or "") for item in parse_xml(data, name)}
    found = {ours: values[theirs] for theirs, ours in _PROPERTIES.items() if values.get(theirs)}
    return values.get("title") or None, found


def _targets(archive: Archive, part: str, kind: str) -> Iterator[str]:
    """The parts of this kind that belong to a part."""
    found = (item for item in _relations(archive, part) if item.kind == kind and not item.is_outside)
    return (_inside(part, item) for item in found)


def _relations(archive: Archive, part: str) -> list[Relation]:
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    if archive.relations[0] != path:
        data = archive.read_if_there(path)
        archive.relations = path, [_relation(item) for item in parse_xml(data, path)] if data is not None else []
    return archive.relations[1]


def _relation(item: Element) -> Relation:
    return Relation(
        attribute(item, "Id"),
        attribute(item, "Type").rsplit("/", 1)[-1],
        attribute(item, "Target"),
        attribute(item, "TargetMode").lower() == "external",
    )


def _inside(part: str, item: Relation) -> str:
    return part_name(posixpath.dirname(part), item.target)
