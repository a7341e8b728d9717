"""The service as an application: its routes on one engine."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI

from pincite.engine.engine import Engine
from pincite.ports import RateLimit
from pincite.serve import (
    changes,
    chat,
    documents,
    export,
    feedback,
    originals,
    page,
    pictures,
    questions,
    start,
    upkeep,
)
from pincite.serve.access import Access
from pincite.serve.asked import Askers, InProcess
from pincite.serve.edge import Edge
from pincite.serve.failures import add_handlers
from pincite.serve.service import Service
from pincite.serve.shapes import Described
from pincite.serve.traffic import Counted, PrometheusTelemetry
from pincite.settings import Settings

ROUTERS = (
    page.router,
    start.router,
    questions.router,
    chat.router,
    export.router,
    documents.router,
    changes.router,
    pictures.router,
    originals.router,
    feedback.router,
    upkeep.health_router,
    upkeep.router,
)


def build_app(
    engine: Engine,
    settings: Settings,
    access: Access,
    *,
    names: Sequence[str] = (),
    askers: Askers | None = None,
    metrics: PrometheusTelemetry | None = None,
    judges_here: bool = False,
    shared_limit: Callable[[str, int], RateLimit | None] | None = None,
) -> FastAPI:
    """The service on this engine for callers whom `access` lets in; `names` are its host names, beside localhost and
    addresses. `askers` answers the questions and is closed with the service; by default the engine answers, which its
    opener closes. `metrics` are collected elsewhere and shown here. `judges_here`: a reranker runs on this machine.
    `shared_limit`: what counts requests of all servers together."""
    askers, metrics = askers or InProcess(engine, settings), metrics or PrometheusTelemetry()
    service = Service(engine, settings, access, askers, metrics, judges_here, shared_limit)

    @asynccontextmanager
    async def living(_: FastAPI) -> AsyncIterator[None]:
        service.indexing.wake()
        yield
        app.state.suggested.pool.close()
        await service.close()

    app = Described(
        title="pincite",
        version=version("pincite"),
        description="Answers over a folder of documents, every sentence pinned to its page.",
        openapi_url=None,
        redirect_slashes=False,
        lifespan=living,
        routes=[route for router in ROUTERS for route in router.routes],
    )
    app.state.service = service
    app.state.pictures = pictures.Pictures(pictures.KEPT)
    app.state.places = pictures.Pictures(pictures.KEPT)
    app.state.suggested = start.Suggested()
    add_handlers(app)
    app.add_middleware(Edge, names=names)
    app.add_middleware(Counted, traffic=service.metrics.traffic)
    return app
