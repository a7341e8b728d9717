"""The frame of OOXML packages: which part is the main one, which parts belong to it, and who wrote it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from pincite.errors import ReadError
from pincite.read.archive import Archive
from pincite.read.markup import Element, attribute, local, parse_xml
from pincite.read.parts import fold

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


def relation_id(element: Element) -> str:
    """The id of the relation that an element names ("rId3"), which is another attribute than its own id."""
    return next((str(value) for key, value in element.attrib.items() if key.endswith("relationships}id")), "")


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
    """A target as a member name; one that climbs out of the package is found nowhere."""
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(part), item.target)).lstrip("/")
