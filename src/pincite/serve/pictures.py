"""Pages as pictures, and the places of their words and marks; the latest are kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from http import HTTPStatus
from importlib.metadata import version
from itertools import islice
from typing import Annotated

from fastapi import Query, Response
from pydantic import Field

from pincite.engine.engine import Session
from pincite.errors import UsageError
from pincite.places import page_place
from pincite.records.pages import Box, Page, Span
from pincite.records.plain import to_plain
from pincite.records.sources import OBJECT_SCHEME
from pincite.rendering import Plain
from pincite.serve.documents import Named, Number
from pincite.serve.guard import failed, guarded_router, returns
from pincite.serve.replies import encoded
from pincite.serve.service import Call, Called, json_response
from pincite.serve.shapes import PageMarks, PageWords
from pincite.threads import LastUsed

KEPT = 64
"""Pictures: some 20 MB. By eye, not measured."""
MOST_MARKS = 50
MOST_WORDS = 5000
_WORD = re.compile(r"\S+")
_MARK = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)
Mark = Annotated[str, Field(json_schema_extra={"pattern": "^[0-9]{1,9}-[0-9]{1,9}$"})]
Marks = Annotated[
    list[Mark], Query(max_length=MOST_MARKS, description="words to be marked: START-END, offsets in the page's text")
]
Pictures = LastUsed[str, bytes]
"""Pictures and places used last, by their tags."""
router = guarded_router()


@router.get(
    "/api/document/pages/{number}/image",
    summary="a page as a picture",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}}, 304: {"description": "as it was"}, **failed(404, 409, 422)},
)
async def image(number: Number, source: Named, call: Called, mark: Marks = []) -> Response:  # noqa: B006
    """A PNG; the span of a citation is one of its marks. The tag of a picture says whether it is still the same."""
    marks = [_span(number, text) for text in mark]
    pictures: Pictures = call.request.app.state.pictures
    tag = await call.service.reading.run(lambda: _tag(call.session, source, number, marks))
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if call.request.headers.get("If-None-Match") == tag:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    drawn = pictures.get(tag)
    call.service.metrics.traffic.drew(cached=drawn is not None)
    if drawn is None:
        pool = call.service.opening if source.startswith(OBJECT_SCHEME) else call.service.drawing
        drawn = await pool.run(lambda: _drawn(call.session, source, number, marks))
        pictures.keep(tag, drawn)
    call.sees(source, number)
    return Response(drawn, media_type="image/png", headers=headers)


@router.get(
    "/api/document/pages/{number}/words",
    summary="where the words of a page stand",
    responses=returns(PageWords, 404, 409, 422),
)
async def words(number: Number, source: Named, call: Called) -> Response:
    """For a layer of text over the picture of the page; what is masked stays masked."""
    return await _placed(call, source, number, None, _words)


@router.get(
    "/api/document/pages/{number}/marks",
    summary="where some places of a page stand",
    responses=returns(PageMarks, 404, 409, 422),
)
async def marks(number: Number, source: Named, call: Called, mark: Marks = []) -> Response:  # noqa: B006
    """For marks over the picture of the page: of each place the boxes of its lines."""
    spans = [_span(number, text) for text in mark]

    def boxes(session: Session, source: str, _: Page) -> Plain:
        found = session.files.boxes_of(source, spans) if spans else []
        return {"marks": [[_sides(box) for box in lines] for lines in found]}

    return await _placed(call, source, number, spans, boxes)


async def _placed(
    call: Call,
    source: str,
    number: int,
    spans: Sequence[Span] | None,
    told_of: Callable[[Session, str, Page], Plain],
) -> Response:
    """The places on a page, or these places of it, with its size and the number of all pages."""

    def placed() -> tuple[bytes, bool]:
        if not call.session.documents.is_paged(source):
            raise UsageError(f"{source} has no pages")
        pages = call.session.documents.pages(source)
        page_place(pages, number)
        page = next(page for page in pages if page.number == number)
        size = {"pages": len(pages), "width": page.width, "height": page.height}
        places = told_of(call.session, source, page)
        return encoded({**size, **places}), any(any(found) for found in places.values())

    kept: Pictures = call.request.app.state.places
    tag = await call.service.reading.run(lambda: _tag(call.session, source, number, spans))
    found = kept.get(tag)
    if found is None:
        pool = call.service.opening if source.startswith(OBJECT_SCHEME) else call.service.drawing
        made, is_known = await pool.run(placed)
        if is_known:
            kept.keep(tag, made)
        found = made
    call.sees(source, number)
    return json_response(found)


def _words(session: Session, source: str, page: Page) -> Plain:
    places = list(islice(_WORD.finditer(page.text), MOST_WORDS))
    spans = [Span(page.number, *place.span()) for place in places]
    boxes = session.files.boxes_of(source, spans) if spans else []
    return {
        "words": [
            {"text": place[0], "box": _sides(box)}
            for place, found in zip(places, boxes, strict=True)
            for box in found[:1]
        ]
    }


def _sides(box: Box) -> list[float]:
    return [round(side, 1) for side in (box.left, box.top, box.right, box.bottom)]


def _tag(session: Session, source: str, number: int, marks: Sequence[Span] | None) -> str:
    """What a picture depends on, as an entity tag: the bytes of its file, the page, what is marked, what is masked."""
    content = session.documents.source(source).content_sha256
    masked = [to_plain(item) for item in session.documents.masked(source) if item.span.page == number]
    told = [version("pincite"), source, content, number, to_plain(marks), masked]
    return f'"{sha256(encoded(told)).hexdigest()}"'


def _drawn(session: Session, source: str, number: int, marks: Sequence[Span]) -> bytes:
    if session.documents.is_paged(source):
        page_place(session.documents.pages(source), number)
    return session.files.picture(source, number, marks)


def _span(number: int, text: str) -> Span:
    found = _MARK.fullmatch(text)
    if found is None or int(found[1]) >= int(found[2]):
        raise UsageError(f"{text!r} marks nothing: write START-END, as in mark=120-164")
    return Span(number, int(found[1]), int(found[2]))
