"""The frame of OOXML packages: which part is the main one, which parts belong to it, and who wrote it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

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


def main_part(archive: Archive, usual: str) -> str:
    """The part that the package names as its main document; the usual one where it names none."""
    stated = next((target for kind, target in _relations(archive, "") if kind == "officeDocument"), usual)
    name = stated if stated in archive.names else usual
    if name not in archive.names:
        raise ReadError(f"is damaged or of another kind: it has no part {usual}")
    return name


def related(archive: Archive, part: str, kind: str) -> str | None:
    """The part of this kind ("styles", "notesSlide") that belongs to a part, None where there is none."""
    return next(
        (target for found, target in _relations(archive, part) if found == kind and target in archive.names), None
    )


def relation_targets(archive: Archive, part: str) -> dict[str, str]:
    """The parts that belong to a part, by relation id. What lies outside of the package is left out."""
    return {attribute(item, "Id"): _target(part, item) for item in _relation_items(archive, part)}


def outside_addresses(archive: Archive, part: str) -> dict[str, str]:
    """Where the relations of a part lead outside of the package, by their ids, as written."""
    return {
        attribute(item, "Id"): attribute(item, "Target")
        for item in _all_relations(archive, part)
        if attribute(item, "TargetMode").lower() == "external"
    }


def relation_id(element: Element) -> str:
    """The id of the relation that an element names ("rId3"), which is another attribute than its own id."""
    return next((str(value) for key, value in element.attrib.items() if key.endswith("relationships}id")), "")


def properties(archive: Archive) -> tuple[str | None, dict[str, str]]:
    """Title (None where none is stated) and metadata that the package states about itself."""
    name = next((target for kind, target in _relations(archive, "") if kind == "core-properties"), "docProps/core.xml")
    data = archive.read_if_there(name)
    if data is None:
        return None, {}
    values = {local(item): fold(item.text or "") for item in parse_xml(data, name)}
    found = {ours: values[theirs] for theirs, ours in _PROPERTIES.items() if values.get(theirs)}
    return values.get("title") or None, found


def _relations(archive: Archive, part: str) -> Iterator[tuple[str, str]]:
    """(last word of the type, target) of each relation to a part inside the package."""
    for item in _relation_items(archive, part):
        yield attribute(item, "Type").rsplit("/", 1)[-1], _target(part, item)


def _relation_items(archive: Archive, part: str) -> list[Element]:
    """The relations of a part to parts inside the package."""
    return [item for item in _all_relations(archive, part) if attribute(item, "TargetMode").lower() != "external"]


def _all_relations(archive: Archive, part: str) -> list[Element]:
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    if archive.relations[0] != path:
        data = archive.read_if_there(path)
        archive.relations = path, list(parse_xml(data, path)) if data is not None else []
    return archive.relations[1]


def _target(part: str, item: Element) -> str:
    """A target as a member name; one that climbs out of the package is found nowhere."""
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(part), attribute(item, "Target"))).lstrip("/")
