"""Sections, anchors, references and their links: records to rows of the tables, and back."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pincite.records.chunks import Edition
from pincite.records.outlines import Anchor, Hyperlink, Reference, ReferenceLink, Section, Target
from pincite.records.pages import Box, PlaceName
from pincite.store.rows import Row, dump
from pincite.structure.places import place_key
from pincite.structure.works import numbers_in_work

_PLAIN_REFERENCE = tuple(item.name for item in fields(Reference))
_PLAIN_HYPERLINK = tuple(item.name for item in fields(Hyperlink))
_PLAIN_PLACE_NAME = tuple(item.name for item in fields(PlaceName))
_PLAIN_ANCHOR = tuple(item.name for item in fields(Anchor) if item.name != "box")
_PLAIN_SECTION = tuple(item.name for item in fields(Section) if item.name != "path")


def section_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `section`."""
    sections = edition.outline.sections
    places = [place_key(section.number or "") for section in sections]
    if edition.outline.hyperlinks:
        places = numbers_in_work(sections)
    return [
        {"edition_key": edition_key, "path_json": dump(section.path), "place": place} | _plain(section, _PLAIN_SECTION)
        for section, place in zip(sections, places, strict=True)
    ]


def anchor_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `anchor`."""
    return [
        {"edition_key": edition_key, "box_json": None if anchor.box is None else dump(anchor.box)}
        | _plain(anchor, _PLAIN_ANCHOR)
        for anchor in edition.outline.anchors
    ]


def reference_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `reference`."""
    return [{"edition_key": edition_key} | _plain(item, _PLAIN_REFERENCE) for item in edition.outline.references]


def hyperlink_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `hyperlink`."""
    return [
        {"edition_key": edition_key, "ordinal": ordinal} | _plain(item, _PLAIN_HYPERLINK)
        for ordinal, item in enumerate(edition.outline.hyperlinks)
    ]


def place_name_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `place_name`."""
    return [
        {"edition_key": edition_key, "ordinal": ordinal} | _plain(item, _PLAIN_PLACE_NAME)
        for ordinal, item in enumerate(edition.outline.place_names)
    ]


def name_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `document_name`."""
    return [
        {"edition_key": edition_key, "ordinal": ordinal, "name": name}
        for ordinal, name in enumerate(edition.outline.names)
    ]


def chunk_anchor_rows(edition: Edition, edition_key: int) -> list[Row]:
    """The rows of `chunk_anchor`: which anchors begin or go on in a chunk."""
    starts, ends = [chunk.start for chunk in edition.chunks], [chunk.end for chunk in edition.chunks]
    return [
        {"edition_key": edition_key, "chunk_index": chunk.index, "anchor_ordinal": anchor.ordinal}
        for anchor in edition.outline.anchors
        for chunk in edition.chunks[bisect_right(ends, anchor.start) : bisect_left(starts, anchor.end)]
    ]


def link_row(link: ReferenceLink, edition_key: int, since: int) -> Row:
    """The row of `reference_link`."""
    return {
        "edition_key": edition_key,
        "ordinal": link.reference,
        "since": since,
        "until": None,
        "status": link.status,
        "reason": link.reason,
        "targets_json": dump(link.targets),
    }


def section_of(row: Mapping[str, Any]) -> Section:
    """The Section of a row."""
    return Section(path=tuple(json.loads(row["path_json"])), **{name: row[name] for name in _PLAIN_SECTION})


def anchor_of(row: Mapping[str, Any]) -> Anchor:
    """The Anchor of a row."""
    box = None if row["box_json"] is None else Box(**json.loads(row["box_json"]))
    return Anchor(box=box, **{name: row[name] for name in _PLAIN_ANCHOR})


def reference_of(row: Mapping[str, Any]) -> Reference:
    """The Reference of a row."""
    return Reference(**{name: row[name] for name in _PLAIN_REFERENCE})


def hyperlink_of(row: Mapping[str, Any]) -> Hyperlink:
    """The Hyperlink of a row."""
    return Hyperlink(**{name: row[name] for name in _PLAIN_HYPERLINK})


def place_name_of(row: Mapping[str, Any]) -> PlaceName:
    """The PlaceName of a row."""
    return PlaceName(**{name: row[name] for name in _PLAIN_PLACE_NAME})


def link_of(row: Mapping[str, Any], source_id: str) -> ReferenceLink:
    """The ReferenceLink of a row."""
    targets = tuple(Target(**target) for target in json.loads(row["targets_json"]))
    return ReferenceLink(source_id, row["ordinal"], row["status"], targets, row["reason"])


def _plain(record: object, names: tuple[str, ...]) -> Row:
    return {name: getattr(record, name) for name in names}
