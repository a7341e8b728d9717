"""How the service is used: how many requests somebody may make, and for Prometheus who asks, who waits, what is drawn;
nobody's words, and no names of documents."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.serve.pool import Pool

MINUTE = 60.0
MOST_KNOWN = 10_000
"""Those who ask at once; behind that who has asked for longest not is forgotten. By eye, not measured."""
NETWORK_BITS = 64
"""Of an address of IPv6: the others are whatever the one behind it likes."""


class Rates:
    """So many requests `a_minute` for each who asks; 0: as many as they like."""

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._between = MINUTE / a_minute if a_minute else 0.0
        self._clock = clock
        self._used_up: dict[str, float] = {}

    def wait(self, who: str) -> float:
        """How many seconds they have to wait; 0, and the request counted, where they may make one."""
        if not self._between:
            return 0.0
        now = self._clock()
        used_up = max(now, self._used_up.pop(who, now))
        if len(self._used_up) >= MOST_KNOWN:
            del self._used_up[next(iter(self._used_up))]
        too_early = used_up + self._between - (now + MINUTE)
        self._used_up[who] = used_up if too_early > 0 else used_up + self._between
        return max(0.0, too_early)


def network_of(host: str) -> str:
    """Whose requests count together: those of an address, or of the IPv6 network that it is in."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 6 and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, NETWORK_BITS), strict=False))
    return str(address.ipv4_mapped or address) if address.version == 6 else str(address)


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
