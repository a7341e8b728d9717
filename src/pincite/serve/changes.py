"""Routes that change what the store holds: put a document in, take one out, see how far the indexing is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, nullcontext, suppress
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Query, Request, Response
from fastapi.sse import KEEPALIVE_COMMENT
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from pincite.engine.engine import Session, Upload
from pincite.errors import NotThereError, PinciteError, ReadError, TooLongError
from pincite.serve.access_tokens import allows
from pincite.serve.documents import LONGEST_NAME, Named
from pincite.serve.guard import guarded_router, returns
from pincite.serve.indexing import is_under_way
from pincite.serve.replies import EVENTS, QUIET_SECONDS, encoded, event, event_stream
from pincite.serve.service import Call, Called, json_response
from pincite.serve.shapes import IndexingState, Kept, TakenOut

MEGABYTE = 1_000_000
SILENT_SECONDS = 60.0
"""How long a sender may send nothing. By eye, not measured, like what follows."""
LOOK_SECONDS = 0.5
PURGER = "admin"
router = guarded_router()


@router.post(
    "/api/documents",
    summary="add a document",
    status_code=HTTPStatus.ACCEPTED,
    responses=returns(Kept, 408, 413, 415, 422, status=HTTPStatus.ACCEPTED),
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def put_in(
    name: Annotated[str, Query(min_length=1, max_length=LONGEST_NAME, description="what it is called: report.pdf")],
    call: Called,
    acl: Annotated[
        list[str] | None, Query(description="tags of who may see it: some of your own, by default all of these")
    ] = None,
) -> Response:
    """The body is the document, as it is (no form). It is answered as soon as the document is kept; /api/indexing tells
    what becomes of it. The same document under the same name and tags is put in once."""
    upload = await _received(call, name, acl)
    call.service.indexing.take_up(upload.source_id)
    return json_response(encoded(_plain(upload)), HTTPStatus.ACCEPTED)


@router.delete("/api/document", summary="remove a document", responses=returns(TakenOut, 404, 422))
async def take_out(
    source: Named,
    call: Called,
    purge: Annotated[bool, Query(description="its text out of the past, of receipts and caches too (admin)")] = False,  # noqa: FBT002
) -> Response:
    """What `pincite remove SOURCE` does, with `--purge` where that is wanted; the file of a document that was put in is
    deleted. A run of indexing ends behind the document that it is at, and goes on afterwards."""
    if purge and not allows(PURGER, call.caller.role):
        raise HTTPException(HTTPStatus.FORBIDDEN, f"to purge needs the role {PURGER}, and yours is {call.caller.role}")
    engine = call.service.engine

    def taken_out() -> bytes:
        _check_there(call.session, source, purge=purge)
        with call.service.askers.at_rest() if purge else nullcontext():
            engine.remove(source, purge=purge, who=call.caller.name)
        return encoded({"source_id": source, "status": "purged" if purge else "removed"})

    await call.service.reading.run(lambda: _check_there(call.session, source, purge=purge))
    async with call.service.indexing.put_off():
        return json_response(await call.service.writing.run(taken_out))


@router.get("/api/indexing", summary="what became of documents that were added", responses=returns(IndexingState))
async def indexing(call: Called) -> Response:
    """Each with its status: queued, indexing, indexed, warned or refused, and why; those that have ended since the
    service began, and all that have not. A document's own state lies at /api/document."""
    return await call.read(call.service.indexing.state)


@router.get(
    "/api/indexing/stream", summary="the same as server-sent events", response_class=Response, responses={200: EVENTS}
)
async def indexing_stream(call: Called) -> Response:
    """An event `state` at once, and with every change, until nothing waits and nothing is being indexed."""
    return event_stream(_states(call))


# --- helpers


async def _received(call: Call, name: str, acl: list[str] | None) -> Upload:
    """The document that is being sent, kept; what goes wrong meanwhile leaves nothing behind."""
    most, run = call.service.settings.upload_mb * MEGABYTE, call.service.writing.run
    pieces = _pieces(call.request)
    with ExitStack() as stack:
        stack.enter_context(call.service.one_sender())
        if int(call.request.headers.get("Content-Length", 0)) > most:
            await _pass_over(pieces, most)
            raise TooLongError(f"the document has more than {most:,} bytes (upload_mb): nothing was kept")
        coming = await run(lambda: stack.enter_context(call.session.uploads.incoming(name, most, acl=acl)))
        try:
            async for piece in pieces:
                await run(lambda piece=piece: coming.write(piece))  # type: ignore[misc]
            upload = await run(coming.keep)
        except (ReadError, TooLongError) as error:
            await _pass_over(pieces, most)
            if isinstance(error, TooLongError):
                raise
            raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"{name!r}: pincite {error}") from error
    said = {"filename": name, "bytes": upload.size, "sha256": upload.content_sha256, "acl": list(upload.acl)}
    await run(lambda: call.session.audit.record_event("uploaded", upload.source_id, details=said))
    return upload


async def _pieces(request: Request) -> AsyncIterator[bytes]:
    """What is sent, as it comes; HTTPException where nothing comes any more."""
    stream = request.stream()
    with suppress(StopAsyncIteration):
        while True:
            try:
                yield await asyncio.wait_for(anext(stream), SILENT_SECONDS)
            except TimeoutError:
                raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, "nothing was sent for a while") from None
            except ClientDisconnect:
                raise HTTPException(HTTPStatus.BAD_REQUEST, "the sender has gone") from None


async def _pass_over(pieces: AsyncIterator[bytes], most: int) -> None:
    """Read on without keeping anything, so far: many programs hear no answer before they have sent all."""
    async for piece in pieces:
        most -= len(piece)
        if most < 0:
            return


def _plain(upload: Upload) -> dict[str, Any]:
    return {
        "source_id": upload.source_id,
        "filename": upload.source_id.rpartition("/")[2],
        "bytes": upload.size,
        "sha256": upload.content_sha256,
        "acl": list(upload.acl),
    }


def _check_there(session: Session, source: str, *, purge: bool) -> None:
    """NotThereError for a document that the caller does not see."""
    waiting = (upload.source_id for upload, state in session.uploads.all() if state is None)
    if source in waiting or (purge and session.documents.ever_held(source)):
        return
    try:
        session.documents.source(source)
    except NotThereError:
        raise NotThereError(f"the store holds no document {source!r}") from None


async def _states(call: Call) -> AsyncIterator[bytes]:
    service, told, quiet = call.service, -1, 0.0
    while not service.is_ending:
        version = service.indexing.version
        if version != told:
            try:
                state = await service.reading.run(lambda: service.indexing.state(call.session))
            except (HTTPException, PinciteError):
                return
            yield event(encoded(state), "state")
            if not is_under_way(state):
                return
            told, quiet = version, 0.0
        elif quiet >= QUIET_SECONDS:
            yield KEEPALIVE_COMMENT
            quiet = 0.0
        await asyncio.sleep(LOOK_SECONDS)
        quiet += LOOK_SECONDS
