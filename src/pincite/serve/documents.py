"""Routes that show documents. A document is named by `source`, its id, which may hold slashes: like all names that
documents give it stands behind the question mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import Path, Query, Response
from pydantic import StringConstraints

from pincite.engine.engine import Session
from pincite.errors import NotThereError, UsageError
from pincite.neighbourhood import Drawing, drawn_walk
from pincite.places import Place, cut, find_section, find_words, page_place, section_place, section_tree
from pincite.records.citations import EntityView
from pincite.records.plain import to_plain
from pincite.records.sources import SourceState
from pincite.rendering import Plain, plain_holdings, plain_passage, plain_place, plain_references, plain_tree
from pincite.serve.guard import guarded_router, returns
from pincite.serve.service import Call, Called
from pincite.serve.shapes import Anchors, Found, Holdings, MostNamed, Passage, PlaceText, References, Sections
from pincite.trail import steps_from

LONGEST_NAME = 4096
"""Characters: longer paths no system has."""
LONGEST_ID = 64
LONGEST_ENTITY = 500
"""Of a person, organisation, place or thing. By eye, not measured."""
LONGEST_WORDS = 500
MOST_FOUND = 500
MOST_WALKED = 5
MOST_NAMES = 200
MOST_DOCUMENTS = 1000
LAST_PAGE = 10_000_000
State = Literal["indexed", "warned", "refused"]
Named = Annotated[str, Query(max_length=LONGEST_NAME, description="the id of a document, as /api/documents tells it")]
Number = Annotated[int, Path(ge=1, le=LAST_PAGE, description="the physical page, from 1")]
router = guarded_router()


@router.get("/api/documents", summary="what the store holds", responses=returns(Holdings, 422))
async def documents(
    call: Called,
    query: Annotated[str, Query(max_length=LONGEST_NAME, description="only those whose id holds these letters")] = "",
    status: Annotated[State | None, Query(description="only those in this state")] = None,
    offset: Annotated[int, Query(ge=0, description="how many are left out in front")] = 0,
    limit: Annotated[int | None, Query(ge=1, le=MOST_DOCUMENTS, description="how many are told (all)")] = None,
) -> Response:
    """Every document with its state, and counts, as `pincite status --json` prints them. With a `limit` also how many
    were `found` for the query and the status, and how many for the query in each of the `states`."""

    def held(session: Session) -> Plain:
        named = [
            state for state in session.documents.sources() if query.casefold() in state.source.source_id.casefold()
        ]
        found = [state for state in named if status in (None, state.status)]
        chosen = found[offset : None if limit is None else offset + limit]
        told = plain_holdings(chosen, session.documents.counts(), session.generation(), session.revision())
        return told if limit is None else {**told, "found": len(found), "states": _counted(named)}

    return await call.read(held)


@router.get("/api/document", summary="the state of a document", responses=returns(SourceState, 404, 422))
async def document(source: Named, call: Called) -> Response:
    """Its pages and chunks, its tags, what was odd about it, or why it was refused."""
    return await call.read(lambda session: _state(session, source))


@router.get("/api/document/sections", summary="the section tree of a document", responses=returns(Sections, 404, 422))
async def sections(
    source: Named, call: Called, level: Annotated[int | None, Query(description="no deeper than this")] = None
) -> Response:
    """What `pincite sections --json` prints of it."""
    return await call.read(lambda session: plain_tree(section_tree(session, source, level)))


@router.get(
    "/api/document/anchors",
    summary="tables, figures, equations, definitions of a document",
    responses=returns(Anchors, 404, 422),
)
async def anchors(source: Named, call: Called) -> Response:
    """Each with its number, its caption and its page, in reading order."""
    return await call.read(
        lambda session: {"source_id": source, "anchors": to_plain(session.documents.anchors(source))}
    )


@router.get("/api/document/references", summary="what a document refers to", responses=returns(References, 404, 422))
async def references(source: Named, call: Called) -> Response:
    """Each reference as it is written, and where it leads, in reading order."""
    return await call.read(lambda session: plain_references(source, session.documents.references(source)))


@router.get("/api/document/pages/{number}", summary="the text of a page", responses=returns(PlaceText, 404, 422))
async def page(number: Number, source: Named, call: Called) -> Response:
    """What `pincite show DOC --page N --json` prints."""

    def shown(session: Session) -> Plain:
        paged = session.documents.is_paged(source)
        return _shown(call, session, source, page_place(session.documents.pages(source) if paged else (), number))

    return await call.read(shown)


@router.get("/api/document/find", summary="where words stand in a document", responses=returns(Found, 404, 422))
async def find(
    source: Named, words: Annotated[str, Query(min_length=1, max_length=LONGEST_WORDS)], call: Called
) -> Response:
    """The first places where the words follow one another, whatever their case: pages, and offsets in their text."""

    def found(session: Session) -> Plain:
        if not session.documents.is_paged(source):
            raise UsageError(f"{source} has no pages")
        spans = find_words(session.documents.pages(source), words, MOST_FOUND + 1)
        return {"places": to_plain(spans[:MOST_FOUND]), "more": len(spans) > MOST_FOUND}

    return await call.read(found)


@router.get(
    "/api/document/passage",
    summary="a passage between its neighbours, and what it refers to",
    responses=returns(Passage, 404, 422),
)
async def passage(
    source: Named, chunk: Annotated[str, Query(max_length=LONGEST_ID, description="its id in an answer")], call: Called
) -> Response:
    """The passages before and after it, and each of its references: where it stands, and the page where it leads."""

    def shown(session: Session) -> Plain:
        found = session.documents.passage(source, chunk)
        call.sees(source, *found.pages)
        return plain_passage(found, session.documents.neighbours(chunk), steps_from(session, found))

    return await call.read(shown)


@router.get("/api/section", summary="the text of a section", responses=returns(PlaceText, 404, 422))
async def section(
    number: Annotated[str, Query(max_length=LONGEST_NAME, description="its number or title: 5.2, Annex B")],
    call: Called,
    source: Annotated[str | None, Query(max_length=LONGEST_NAME, description="of this document")] = None,
) -> Response:
    """What `pincite show --section NUMBER --json` prints; 400 where several documents have one of this number."""

    def shown(session: Session) -> Plain:
        holder, found = find_section(session, number, source)
        return _shown(call, session, holder, section_place(found))

    return await call.read(shown)


@router.get("/api/entities", summary="the names that stand in most passages", responses=returns(MostNamed, 422))
async def entities(call: Called, limit: Annotated[int, Query(ge=1, le=MOST_NAMES)] = 40) -> Response:
    """People, organisations, places and things of which something is said, the most named first; and which of them
    stand `together`: two by their places in the list, and in how many passages."""

    def named(session: Session) -> Plain:
        found = session.graph.most_named(limit) if session.generation() else []
        together = session.graph.named_together([entity.name for entity in found]) if found else []
        return {"entities": to_plain(found), "together": together}

    return await call.read(named)


@router.get(
    "/api/entity",
    summary="what the documents say of a person, organisation, place or thing",
    responses=returns(EntityView, 404, 422),
)
async def entity(
    name: Annotated[str, Query(max_length=LONGEST_ENTITY, description="case, accents and articles do not count")],
    call: Called,
) -> Response:
    """What `pincite graph NAME --json` prints."""
    return await call.read(lambda session: to_plain(session.graph.entity(name)))


@router.get(
    "/api/entity/graph", summary="an entity and its neighbours, as a drawing", responses=returns(Drawing, 404, 422)
)
async def graph(
    name: Annotated[
        list[Annotated[str, StringConstraints(max_length=LONGEST_ENTITY)]],
        Query(min_length=1, max_length=MOST_WALKED, description="each further one a step on"),
    ],
    call: Called,
) -> Response:
    """The names in columns, one a step, and what joins them with the sentences that say so."""
    return await call.read(lambda session: to_plain(drawn_walk(session, name)))


def _counted(states: Sequence[SourceState]) -> dict[str, int]:
    return dict(sorted(Counter(state.status for state in states).items()))


def _state(session: Session, source: str) -> Plain:
    """What is known of a document. NotThereError for one that the store does not hold."""
    session.documents.source(source)
    for state in session.documents.sources():
        if state.source.source_id == source:
            found: Plain = to_plain(state)
            return found
    raise NotThereError(f"the store holds no document {source!r} any more")


def _shown(call: Call, session: Session, source: str, place: Place) -> Plain:
    """The text of a place; its pages are noted as seen."""
    pieces = list(cut(session.documents.pages(source), place))
    call.sees(source, *(page.number for page, _ in pieces))
    return plain_place(source, place, pieces, paged=session.documents.is_paged(source))
