"""Routes that hand out documents as they are: by a link into their object store, or as files.

Nothing that a file holds may run where the service runs. A PDF is shown as a PDF and as nothing else; all other files
are bytes to be saved, whatever they say that they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, BinaryIO
from urllib.parse import quote, urlencode

from fastapi import Query, Response
from fastapi.responses import StreamingResponse

from pincite.places import page_place
from pincite.records.sources import Original
from pincite.serve.documents import LAST_PAGE, Named
from pincite.serve.guard import failed, guarded_router, returns
from pincite.serve.replies import encoded
from pincite.serve.service import Called, json_response
from pincite.serve.shapes import Link

PIECE_BYTES = 1 << 18
FILE = "/api/document/file"
SHUT = "sandbox; default-src 'none'; frame-ancestors 'none'"
PageAsked = Annotated[int | None, Query(ge=1, le=LAST_PAGE, description="the physical page, from 1")]
TraceId = Annotated[str, Query(pattern="^[0-9a-f]{0,64}$", description="the answer that cites it")]
router = guarded_router()


@router.get("/api/document/link", summary="where a document can be opened", responses=returns(Link, 404, 409, 422))
async def link(source: Named, call: Called, page: PageAsked = None, trace_id: TraceId = "") -> Response:
    """`url` and `expires`. What lies in an object store has a URL there, which opens it until that moment for whoever
    has it. For all else `url` is the route of its file, which asks for a token like all routes, and `expires` is null.
    Both end in `#page=` where a page was asked for; 400 where the document is masked, or not as it was indexed."""

    def found() -> bytes:
        session = call.session
        if page is not None and session.documents.is_paged(source):
            page_place(session.documents.pages(source), page)
        given = session.files.link(source, page, trace_id)
        if given is None:
            return encoded({"url": _file_url(source, page, trace_id), "expires": None})
        return encoded({"url": given.url, "expires": given.expires.isoformat(timespec="seconds")})

    return json_response(await call.service.opening.run(found))


@router.get(
    FILE,
    summary="a document as it is",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}, "application/octet-stream": {}}}, **failed(404, 409, 422)},
)
async def file(source: Named, call: Called, page: PageAsked = None, trace_id: TraceId = "") -> Response:
    """The bytes that were indexed; `page` and `trace_id` are noted beside who took them. 400 where the document is
    masked, or not as it was indexed."""
    found = await call.service.opening.run(lambda: call.session.files.original(source, page, trace_id))
    media_type = "application/pdf" if found.is_pdf else "application/octet-stream"
    return StreamingResponse(_pieces(found.file), media_type=media_type, headers=_headers(source, found))


def _file_url(source: str, page: int | None, trace_id: str) -> str:
    asked = {"source": source, "page": page, "trace_id": trace_id}
    query = urlencode({name: value for name, value in asked.items() if value}, errors="surrogatepass")
    return f"{FILE}?{query}" + (f"#page={page}" if page else "")


def _headers(source: str, found: Original) -> dict[str, str]:
    name = quote(source.rpartition("/")[2], safe="", errors="replace")
    shown = "inline" if found.is_pdf else "attachment"
    return {
        "Content-Disposition": f"{shown}; filename*=UTF-8''{name}",
        "Content-Length": str(found.size),
        "Content-Security-Policy": SHUT,
    }


def _pieces(opened: BinaryIO) -> Iterator[bytes]:
    with opened:
        while piece := opened.read(PIECE_BYTES):
            yield piece
