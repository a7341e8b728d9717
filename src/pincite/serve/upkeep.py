"""Routes for operators: health, metrics, the audit trail, the schema."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from http import HTTPStatus
from importlib.resources import files
from typing import Annotated, Any, TypeVar

from fastapi import Path, Query, Request, Response
from fastapi.responses import JSONResponse

from pincite.engine.engine import Receipt
from pincite.engine.session import Session
from pincite.errors import StoreError
from pincite.records.audit import AuditEvent, Run
from pincite.records.plain import to_plain
from pincite.serve.failures import Failed
from pincite.serve.guard import guarded_router, open_router, returns
from pincite.serve.replies import encoded
from pincite.serve.service import Called, json_response, service_of
from pincite.serve.shapes import Health, Readiness
from pincite.serve.traffic import CONTENT_TYPE

MOST_RUNS = 1000
SCHEMA = "application/schema+json"
_Kept = TypeVar("_Kept", Run, AuditEvent)
router = guarded_router()


def _without_place(entry: _Kept) -> _Kept:
    """An entry of the audit chain, of which nobody can count the entries in between that they may not see."""
    return replace(entry, number=0, previous="")


@router.get(
    "/metrics",
    summary="what is measured, for Prometheus",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
async def metrics(request: Request) -> Response:
    """Times, hits and costs of questions under the names of the specs, requests, who waits, caches."""
    return Response(service_of(request).exposition(), media_type=CONTENT_TYPE)


@router.get("/api/runs", summary="what was asked, newest first", responses=returns(list[Run], 422))
async def runs(call: Called, limit: Annotated[int, Query(ge=1, le=MOST_RUNS)] = 20) -> Response:
    """What `pincite audit list --json` prints, without the places in the audit chain."""
    return await call.read(lambda session: to_plain([_without_place(run) for run in session.audit.runs(limit)]))


@router.get("/api/runs/{run_id}", summary="the receipt of an answer", responses=returns(Receipt, 404, 422))
async def run(run_id: Annotated[str, Path(pattern="^[0-9a-f]{4,64}$")], call: Called) -> Response:
    """What `pincite audit show ID --json` prints, without its place in the audit chain; the trace id of an answer, or
    its beginning, names it."""

    def shown(session: Session) -> dict[str, Any]:
        receipt = session.audit.receipt(run_id)
        plain: dict[str, Any] = to_plain(replace(receipt, run=_without_place(receipt.run)))
        return plain

    return await call.read(shown)


@router.get(
    "/api/events", summary="what was done beside questions, newest first", responses=returns(list[AuditEvent], 422)
)
async def events(call: Called, limit: Annotated[int, Query(ge=1, le=MOST_RUNS)] = 20) -> Response:
    """Pages seen, links opened, documents put in and taken out, results judged: who, when, which document."""
    return await call.read(lambda session: to_plain([_without_place(event) for event in session.audit.events(limit)]))


@router.get("/api/openapi.json", summary="this description", responses=returns(dict[str, Any]))
async def openapi(request: Request) -> Response:
    """OpenAPI, for programs that make clients."""
    return json_response(encoded(request.app.openapi()))


@router.get(
    "/api/answer.schema.json",
    summary="the JSON Schema of an answer",
    response_class=Response,
    responses={200: {"content": {SCHEMA: {"schema": {"type": "object"}}}}},
)
async def answer_schema(_: Request) -> Response:
    """What `pincite ask --schema` prints."""
    return Response(_answer_schema(), media_type=SCHEMA)


@lru_cache(maxsize=1)
def _answer_schema() -> bytes:
    return files("pincite").joinpath("answer.schema.json").read_bytes()


health_router = open_router()


@health_router.get("/health", summary="whether the service runs", responses=returns(Health))
async def health(request: Request) -> Response:
    """`ok`; `ending` where it takes nothing more."""
    return JSONResponse({"status": "ending" if service_of(request).is_ending else "ok"})


@health_router.get(
    "/ready",
    summary="whether questions can be asked now",
    responses={**returns(Readiness), HTTPStatus.SERVICE_UNAVAILABLE: {"model": Readiness | Failed}},
)
async def ready(request: Request) -> Response:
    """200 `ready`, or 503: it is ending, or its store cannot be read, or nothing was indexed yet."""
    service = service_of(request)
    try:
        generation = await service.reading.run(service.engine.session().generation)
    except StoreError:
        generation = None
    if service.is_ending or generation is None:
        return JSONResponse({"status": "not ready"}, HTTPStatus.SERVICE_UNAVAILABLE)
    return JSONResponse({"status": "ready"})
