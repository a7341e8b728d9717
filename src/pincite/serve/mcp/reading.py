"""What the tools read of documents, bounded: the text of a place, where references lead, which documents there are."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar, cast

from pincite.engine.session import Session
from pincite.places import asked_place, cut, find_document, target_place
from pincite.records.chunks import ChunkRecord
from pincite.records.outlines import ReferenceLink, Target
from pincite.records.sources import SourceState
from pincite.rendering import plain_place
from pincite.serve.mcp.texts import (
    FollowedReference,
    FollowedReferences,
    FoundPlace,
    ListedDocument,
    ListedDocuments,
    ShownPlace,
)

MOST_CHARACTERS = 12_000
"""Of the text of a place, at once: some 3,000 tokens of a chat program's context. By eye, not measured."""
MOST_TARGETS = 20
"""Places that one reference may lead to: where there are more, the words say too little. By eye, not measured."""
_Item = TypeVar("_Item")


def bounded(items: Sequence[_Item], offset: int, limit: int) -> tuple[Sequence[_Item], int | None]:
    """At most `limit` of them after the first `offset`, and the offset of what comes next; None where nothing does."""
    end = offset + limit
    return items[offset:end], end if end < len(items) else None


def shown_place(
    session: Session, document: str | None, *, section: str | None, page: int | None, anchor: str | None, offset: int
) -> ShownPlace:
    """The text of one place from `offset` characters after its beginning."""
    outline, place = asked_place(session, document, section=section, page=page, anchor=anchor)
    start = min(place.start + offset, place.end)
    end = min(start + MOST_CHARACTERS, place.end)
    pieces = list(cut(session.documents.pages(outline.source_id), replace(place, start=start, end=end)))
    going_on = end - place.start if end < place.end else None
    return cast(
        ShownPlace, plain_place(outline.source_id, place, pieces, paged=outline.paged) | {"next_offset": going_on}
    )


def followed_references(session: Session, words: str, document: str, page: int | None) -> FollowedReferences:
    """Where the references in these words lead, read where they stand in the document, or on the page of it."""
    if page is None:
        source_id, start, end = find_document(session, document), 0, sys.maxsize
    else:
        outline, place = asked_place(session, document, page=page)
        source_id, start, end = outline.source_id, place.start, place.end
    chunks = session.documents.chunks_at(source_id, start, end)
    links = session.documents.resolve(words, _that_says(chunks, words).chunk_id) if chunks else []
    return FollowedReferences(source_id=source_id, references=[_followed(session, link) for link in links])


def listed_documents(session: Session, name: str, offset: int, limit: int) -> ListedDocuments:
    """The documents whose ids hold a name, by id."""
    wanted = [state for state in session.documents.sources() if name.casefold() in state.source.source_id.casefold()]
    shown, following = bounded(wanted, offset, limit)
    return ListedDocuments(total=len(wanted), documents=[_listed(state) for state in shown], next_offset=following)


def _that_says(chunks: Sequence[ChunkRecord], words: str) -> ChunkRecord:
    """The first chunk that holds these words, else the first of all."""
    folded = _folded(words)
    return next((chunk for chunk in chunks if folded in _folded(chunk.content)), chunks[0])


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _followed(session: Session, link: ReferenceLink) -> FollowedReference:
    targets = [_found(session, target) for target in link.targets[:MOST_TARGETS]]
    return FollowedReference(status=link.status, reason=link.reason, targets=targets)


def _found(session: Session, target: Target) -> FoundPlace:
    outline = session.documents.outline(target.source_id)
    place = target_place(outline, target)
    page = next((page for page in outline.pages if page.start <= place.start < page.end), None)
    return FoundPlace(
        source_id=target.source_id,
        kind=place.kind,
        name=place.name,
        title=place.title,
        page=None if page is None else page.number,
        label=None if page is None else page.label,
    )


def _listed(state: SourceState) -> ListedDocument:
    source = state.source
    return ListedDocument(
        source_id=source.source_id,
        source_type=source.source_type,
        date=source.date,
        tags=list(source.tags),
        status=state.status,
        reason=state.reason,
        page_count=state.page_count,
        chunk_count=state.chunk_count,
    )
