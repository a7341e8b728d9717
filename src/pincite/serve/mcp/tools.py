"""The tools of a chat program: each asks one bound session, apart from the loop that talks to the program. What they
read of documents is bounded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from threading import Event
from typing import Annotated, Any, TypeVar, cast

import anyio
import anyio.to_thread
from mcp.types import CallToolResult, TextContent
from pydantic import Field

from pincite.deadline import Deadline
from pincite.engine.session import LONGEST_QUESTION, Session
from pincite.places import asked_place, cut, find_document, target_place
from pincite.records.chunks import ChunkRecord
from pincite.records.evidence import result_dict
from pincite.records.outlines import ReferenceLink, Target
from pincite.records.questions import Filter, RetrievalPolicy
from pincite.records.sources import SourceState
from pincite.rendering import plain_place
from pincite.serve.asked import Name
from pincite.serve.mcp import texts
from pincite.serve.mcp.texts import (
    FollowedReference,
    FollowedReferences,
    FoundPlace,
    ListedDocument,
    ListedDocuments,
    ShownPlace,
)
from pincite.settings import LONGEST_ASK

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


MOST_PASSAGES = 50
"""Passages that a search looks at: those behind them hardly ever answer. By eye, not measured."""
_AT_ONCE = 4
"""Calls that are worked on at once; further ones wait. By eye, not measured."""
_LONGEST_NAME = 1_000
_Found = TypeVar("_Found")
Question = Annotated[
    str, Field(min_length=1, max_length=LONGEST_QUESTION, description="The question, in words and in full.")
]
Documents = Annotated[
    tuple[Name, ...],
    Field(max_length=50, description="Only these documents: file names, in which * and ? match. Empty: all."),
]
Offset = Annotated[int, Field(ge=0, description="`next_offset` of the call before, to get on.")]
Page = Annotated[int | None, Field(ge=1, description="A physical page, counted from 1.")]


@dataclass(frozen=True, slots=True)
class Terms:
    """How all questions are asked: the policy of their retrieval, and how many seconds models are waited for (0: as
    long as anybody may)."""

    policy: RetrievalPolicy = RetrievalPolicy()
    ask_seconds: float = 0


class Tools:
    """The tools, all bound to one asker. What their docstrings say is what a model is told of them."""

    def __init__(self, session: Session, terms: Terms) -> None:
        self._session = session
        self._terms = terms
        self._limiter = anyio.CapacityLimiter(_AT_ONCE)

    async def ask(
        self,
        question: Question,
        documents: Documents = (),
        passages: Annotated[
            int, Field(ge=0, le=MOST_PASSAGES, description="How many of the passages behind the answer to return, too.")
        ] = 3,
    ) -> CallToolResult:
        """Answer a question from the user's documents. Use it first, for whatever these documents may settle.

        Back comes a list of statements. Each is taken from the documents and has its citations: (file, p.N), with the
        words of that page as `quote`. Keep the citation with whatever you pass on. `certainty` says how likely they
        answer. Where `state` is `nearest` or `not_found` the documents do not answer: say so, with what `missing`
        names, and do not answer from memory instead.
        Nothing is remembered between calls: put a follow-up question in full.
        """
        policy, only = self._terms.policy, Filter(sources=documents)
        answer = await self._apart(
            lambda until: self._session.ask(question, policy=policy, filter=only, deadline=until)
        )
        plain = answer.to_dict()
        return _result(texts.answer_text(answer), plain | {"results": plain["results"][:passages]})

    async def search(
        self,
        question: Question,
        documents: Documents = (),
        limit: Annotated[int, Field(ge=1, le=20, description="How many passages to return.")] = 8,
        offset: Offset = 0,
    ) -> CallToolResult:
        """Find passages of the user's documents, best first, without an answer made of them. Use it where `ask` found
        nothing, or to read around a topic.

        Back come passages: `text`, `source_id`, `page` (physical, from 1), `section`, `scores`, and why each was
        found. What you take from a passage, cite as (file, p.N).
        """
        policy, only = replace(self._terms.policy, top_k=MOST_PASSAGES), Filter(sources=documents)
        found = await self._apart(
            lambda until: self._session.search(question, policy=policy, filter=only, deadline=until)
        )
        shown, following = bounded(found.evidence, offset, limit)
        plain = {
            "query": question,
            "degraded": list(found.trace.degraded),
            "results": [result_dict(item, found.triplets) for item in shown],
            "next_offset": following,
        }
        return _result(texts.passages_text(shown, following, found.trace.degraded), plain)

    async def show_section(
        self,
        document: Annotated[
            str | None,
            Field(max_length=_LONGEST_NAME, description="Its source_id, file name or a part; of a section optional."),
        ] = None,
        section: Annotated[
            str | None,
            Field(max_length=_LONGEST_NAME, description="A section by number or title: 5.2, Annex B, Snow loads."),
        ] = None,
        page: Page = None,
        anchor: Annotated[
            str | None,
            Field(max_length=_LONGEST_NAME, description="A table, figure, equation or definition: Table 4.1."),
        ] = None,
        offset: Offset = 0,
    ) -> CallToolResult:
        """Read one place of a document word for word: a section, a page, or a table, figure or definition. Use it to
        check a citation in its surroundings, or to read what a statement refers to. Give section, page or anchor.

        Back comes the text of the place, page by page; a long one in pieces.
        """
        shown = await self._apart(
            lambda _: shown_place(self._session, document, section=section, page=page, anchor=anchor, offset=offset)
        )
        return _result(texts.place_text(shown), dict(shown))

    async def resolve_reference(
        self,
        reference: Annotated[
            str, Field(min_length=1, max_length=500, description='The words that point: "see 5.3.2 and Table 4.1".')
        ],
        document: Annotated[
            str, Field(max_length=_LONGEST_NAME, description="In which they stand: its source_id, file name or a part.")
        ],
        page: Page = None,
    ) -> CallToolResult:
        """Find where words of a document point ("as given in 5.2(3)P", "see Annex B", "the table below"). Use it where
        a statement or a passage refers to another place; then read that place with `show_section`.

        Back comes for each reference in the words whether it is resolved, and where it leads: document, name, page.
        """
        followed = await self._apart(lambda _: followed_references(self._session, reference, document, page))
        return _result(texts.references_text(followed), dict(followed))

    async def list_documents(
        self,
        name: Annotated[
            str, Field(max_length=_LONGEST_NAME, description="Only those whose id holds this. Empty: all.")
        ] = "",
        limit: Annotated[int, Field(ge=1, le=200, description="How many documents to return.")] = 50,
        offset: Offset = 0,
    ) -> CallToolResult:
        """List the user's documents. Use it to see what can be asked about, or to find the name of a document.

        Back come their ids, in their order, with pages, tags and state; a file that is refused could not be read.
        """
        listed = await self._apart(lambda _: listed_documents(self._session, name, offset, limit))
        return _result(texts.documents_text(listed), dict(listed))

    async def _apart(self, work: Callable[[Deadline], _Found]) -> _Found:
        """What this gives, done in a thread of its own. Where the call is cancelled nobody waits for it, and its
        deadline has passed: from then on it asks no model."""
        ended = Event()
        until = Deadline.unless_gone(self._terms.ask_seconds or LONGEST_ASK, ended)
        try:
            return await anyio.to_thread.run_sync(work, until, abandon_on_cancel=True, limiter=self._limiter)
        finally:
            ended.set()


def _result(text: str, plain: dict[str, Any]) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=plain)
