"""The link pass: what depends on all documents of a store together (DESIGN.md section 5)."""

from __future__ import annotations

from pincite.build.faults import all_together
from pincite.records import Outline, ReferenceLink
from pincite.store.sql_record import SqlRecord
from pincite.structure.resolve import link_references

LINKS_VERSION = "5"


def link(record: SqlRecord) -> tuple[list[Outline], list[ReferenceLink]]:
    """Find where every reference of the current documents leads, and write it in one transaction; the outlines of
    the documents, and the links. DocumentError names the document with which it begins to fail."""
    outlines = record.outlines()
    links = all_together(lambda part: list(link_references(part)), outlines, lambda item: item.source_id, "linking")
    record.put_links(links)
    return outlines, links
