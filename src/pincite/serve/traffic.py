"""How the service is used, for Prometheus: requests, who waits, pictures; nobody's words, and no names of documents."""

from __future__ import annotations

import time
from collections.abc import Mapping
from http import HTTPStatus

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.serve.pool import Pool

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
"""From a look into a cache to a language model that is waited for. By eye, not measured."""
NO_ROUTE = "none"


class Traffic:
    """Requests by route and status, and how many work and wait in each pool."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._requests = Counter(
            "http_requests", "Requests by route and status", ("method", "route", "status"), registry=registry
        )
        self._seconds = Histogram(
            "http_request_seconds",
            "Seconds until a request was answered to the end",
            ("method", "route"),
            registry=registry,
            buckets=SECONDS,
        )
        self._working = Gauge("pool_working", "What is being done in a pool of threads", ("pool",), registry=registry)
        self._waiting = Gauge("pool_waiting", "What waits for a thread of a pool", ("pool",), registry=registry)
        drawn = "Pictures of pages by whether they were found in the cache"
        self._pictures = Counter("pictures", drawn, ("cached",), registry=registry)

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered, or whose answer was broken off."""
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(method, route).observe(seconds)

    def drew(self, *, cached: bool) -> None:
        """Count a picture that was given out."""
        self._pictures.labels(str(cached).lower()).inc()

    def look_at(self, pools: Mapping[str, Pool]) -> None:
        """Take down how busy they are now."""
        for name, pool in pools.items():
            self._working.labels(name).set(pool.working)
            self._waiting.labels(name).set(pool.waiting)


class Counted:
    """Tells the traffic of every request when its answer has been sent; `state.route` of a request names its route."""

    def __init__(self, app: ASGIApp, traffic: Traffic) -> None:
        self._app = app
        self._traffic = traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status, state = time.perf_counter(), HTTPStatus.INTERNAL_SERVER_ERROR, scope.setdefault("state", {})

        async def sent(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            known = state.get("route")
            method, route = (scope["method"], known) if known else (NO_ROUTE, NO_ROUTE)
            self._traffic.answered(method, route, int(status), time.perf_counter() - started)
