"""Routes for those who look after the service: whether it is well, what was asked, what its routes are."""

from __future__ import annotations

from functools import lru_cache
from http import HTTPStatus
from importlib.resources import files
from typing import Annotated

from fastapi import Path, Query, Request, Response
from fastapi.responses import JSONResponse

from pincite.errors import StoreError
from pincite.plain import encoded
from pincite.records import to_plain
from pincite.serve.guard import guarded_router
from pincite.serve.service import Called, json_response, service_of

MOST_RUNS = 1000
SCHEMA = "application/schema+json"
router = guarded_router()


@router.get("/health", summary="whether the service runs")
async def health(request: Request) -> Response:
    """`ok`; `ending` where it takes nothing more."""
    return JSONResponse({"status": "ending" if service_of(request).is_ending else "ok"})


@router.get("/ready", summary="whether questions can be asked now")
async def ready(request: Request) -> Response:
    """200 `ready`, or 503: it is ending, or its store cannot be read, or nothing was indexed yet."""
    service = service_of(request)
    try:
        generation = await service.reading.run(service.engine.generation)
    except StoreError:
        generation = None
    if service.is_ending or generation is None:
        return JSONResponse({"status": "not ready"}, HTTPStatus.SERVICE_UNAVAILABLE)
    return JSONResponse({"status": "ready"})


@router.get("/api/runs", summary="what was asked, newest first")
async def runs(call: Called, limit: Annotated[int, Query(ge=1, le=MOST_RUNS)] = 20) -> Response:
    """What `pincite audit list --json` prints."""
    return await call.read(lambda session: to_plain(session.runs(limit)))


@router.get("/api/runs/{run_id}", summary="the receipt of an answer")
async def run(run_id: Annotated[str, Path(pattern="^[0-9a-f]{4,64}$")], call: Called) -> Response:
    """What `pincite audit show ID --json` prints; the trace id of an answer, or its beginning, names it."""
    return await call.read(lambda session: to_plain(session.receipt(run_id)))


@router.get("/api/events", summary="what was done beside questions, newest first")
async def events(call: Called, limit: Annotated[int, Query(ge=1, le=MOST_RUNS)] = 20) -> Response:
    """Pages seen, links opened, documents put in and taken out, results judged: who, when, which document."""
    return await call.read(lambda session: to_plain(session.events(limit)))


@router.get("/api/openapi.json", summary="this description")
async def openapi(request: Request) -> Response:
    """OpenAPI, for programs that make clients."""
    return json_response(encoded(request.app.openapi()))


@router.get(
    "/api/answer.schema.json",
    summary="the JSON Schema of an answer",
    response_class=Response,
    responses={200: {"content": {SCHEMA: {}}}},
)
async def answer_schema(_: Request) -> Response:
    """What `pincite ask --schema` prints."""
    return Response(_answer_schema(), media_type=SCHEMA)


@lru_cache(maxsize=1)
def _answer_schema() -> bytes:
    return files("pincite").joinpath("answer.schema.json").read_bytes()
