"""What commands print as JSON and the service answers: one shape for both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pincite.places import Place, Tree
from pincite.records.chunks import ChunkRecord
from pincite.records.outlines import Reference, ReferenceLink
from pincite.records.pages import Page
from pincite.records.plain import to_plain
from pincite.records.sources import SourceState
from pincite.trail import Step

Plain = dict[str, Any]
Pieces = Sequence[tuple[Page, str]]
_PATH = re.compile(r"(?<![\w.:/])/(?:[^\s/:]+/)*([^\s/:,;)]+)")
"""An absolute path; addresses have their slashes behind a colon or a name."""


def without_paths(message: str) -> str:
    """A message with the last name of each path of this machine alone."""
    return _PATH.sub(r"\1", " ".join(message.split()))


def plain_holdings(
    sources: Sequence[SourceState], counts: Mapping[str, int], generation: str | None, revision: int
) -> Plain:
    """What a store holds: its sources, and how much of what."""
    from pincite.engine.engine import masked_sum

    masked = masked_sum(state.masked for state in sources)
    held = {"counts": dict(counts), "generation": generation, "revision": revision, "masked": masked}
    return {**held, "sources": to_plain(sources)}


def plain_tree(tree: Tree) -> Plain:
    """The sections of a document, each with what is printed on its first page."""
    sections = [{**to_plain(section), "label": tree.labels.get(section.first_page)} for section in tree.sections]
    return {"source_id": tree.source_id, "paged": tree.paged, "sections": sections}


def plain_place(source_id: str, place: Place, pieces: Pieces, *, paged: bool) -> Plain:
    """A place of a document, with its text page by page."""
    texts = [{"page": page.number, "label": page.label, "text": text} for page, text in pieces]
    return {"source_id": source_id, "paged": paged, **to_plain(place), "pages": texts}


def plain_references(source_id: str, found: Sequence[tuple[Reference, ReferenceLink]]) -> Plain:
    """The references of a document as they are written, with what became of each."""
    told = [{**to_plain(written), **_outcome(link)} for written, link in found]
    return {"source_id": source_id, "references": told}


def plain_passage(passage: ChunkRecord, around: Sequence[ChunkRecord], steps: Sequence[Step]) -> Plain:
    """A passage between its neighbours, which are among those `around` it, and what it refers to."""
    before = [_told(chunk) for chunk in around if chunk.start < passage.start]
    after = [_told(chunk) for chunk in around if chunk.start > passage.start]
    return {**_told(passage), "before": before, "after": after, "references": to_plain(steps)}


def _told(chunk: ChunkRecord) -> Plain:
    page = chunk.pages[0] if chunk.paged else None
    place = {"chunk_id": chunk.chunk_id, "source_id": chunk.source_id, "page": page, "locator": chunk.locator}
    return {**place, "section": list(chunk.section), "text": chunk.content, "raw_text": chunk.raw_content}


def _outcome(link: ReferenceLink) -> Plain:
    return {"status": link.status, "targets": to_plain(link.targets), "reason": link.reason}
