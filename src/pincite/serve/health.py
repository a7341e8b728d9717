"""Routes that tell anybody whether the service is well; they say nothing of the store."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import Request, Response
from fastapi.responses import JSONResponse

from pincite.errors import StoreError
from pincite.serve.failures import Failed
from pincite.serve.guard import open_router, told
from pincite.serve.service import service_of
from pincite.serve.shapes import Health, Readiness

router = open_router()


@router.get("/health", summary="whether the service runs", responses=told(Health))
async def health(request: Request) -> Response:
    """`ok`; `ending` where it takes nothing more."""
    return JSONResponse({"status": "ending" if service_of(request).is_ending else "ok"})


@router.get(
    "/ready",
    summary="whether questions can be asked now",
    responses={**told(Readiness), HTTPStatus.SERVICE_UNAVAILABLE: {"model": Readiness | Failed}},
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
