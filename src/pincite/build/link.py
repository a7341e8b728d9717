"""The link pass: what depends on all documents of a store together (docs/design.md section 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pincite.build.faults import all_together
from pincite.records.outlines import Outline, ReferenceLink
from pincite.records.sources import Readers, may_all_see
from pincite.store.sql_record import SqlRecord
from pincite.structure.resolve import link_references

LINKS_VERSION = "5"


def link(record: SqlRecord) -> tuple[list[Outline], list[ReferenceLink]]:
    """Find where every reference of the current documents leads, and write it in one transaction; the outlines of
    the documents, and the links. A reference leads to nothing that only some readers of its document may see.
    DocumentError names the document with which it begins to fail."""
    outlines, readers = record.outlines(), readers_of(record)

    def linked(part: Sequence[Outline]) -> list[ReferenceLink]:
        return [link for readable in _by_readers(part, readers) for link in readable]

    links = all_together(linked, outlines, lambda item: item.source_id, "linking")
    links.sort(key=lambda item: (item.source_id, item.reference))
    record.put_links(links)
    return outlines, links


def readers_of(record: SqlRecord) -> dict[str, Readers]:
    """Who may see each of the current documents, by source id."""
    return {state.source.source_id: state.source.readers for state in record.sources()}


def _by_readers(outlines: Sequence[Outline], readers: Mapping[str, Readers]) -> Iterator[Iterable[ReferenceLink]]:
    """The links of the documents that the same people may see, among all that these may see."""
    for own in dict.fromkeys(readers[outline.source_id] for outline in outlines):
        seen = [outline for outline in outlines if may_all_see(own, readers[outline.source_id])]
        yield (link for link in link_references(seen) if readers[link.source_id] == own)
