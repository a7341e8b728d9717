"""What is measured for Prometheus (questions and their costs, requests, waiting), and how many requests one may make.
Nobody's words, and no names of documents."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from threading import Lock

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.errors import ServiceError
from pincite.ports import RateLimit
from pincite.records.prompts import SERVICES, QuestionCost, QuestionFailure
from pincite.serve.pool import Pool

MINUTE = 60.0
MOST_KNOWN = 10_000
"""Callers at once; beyond that the one unseen for longest is forgotten. By eye, not measured."""
NETWORK_BITS = 64
"""Of an address of IPv6: the others are whatever the one behind it likes."""


class Rates:
    """So many requests `a_minute` for each caller; 0: no limit."""

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


class Limit:
    """So many requests `a_minute` for each caller: on all servers that share them, and while these cannot be counted
    together on this one."""

    def __init__(self, a_minute: int, shared: RateLimit | None = None) -> None:
        self._own = Rates(a_minute)
        self._shared = shared

    async def wait(self, who: str) -> float:
        """How many seconds they have to wait; 0, and the request counted, where they may make one."""
        if self._shared is not None:
            with suppress(ServiceError):
                return await asyncio.to_thread(self._shared.wait, who)
        return self._own.wait(who)


def network_of(host: str) -> str:
    """Whose requests count together: those of one address, or of one IPv6 network."""
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
        """Count a request whose answer was sent, or broken off."""
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


CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
"""That of an exposition."""
MILLISECONDS = (1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000)
"""From a look into the cache to a language model that is waited for. By eye, not measured."""
PASSAGES = (0, 1, 2, 5, 10, 20, 40, 60, 80, 100, 150, 250)
"""The channels of keywords and vectors stop at 60 and 100. By eye, not measured."""
TOKENS = (0, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000)
"""From no language model to one that is asked ten times with a full context. By eye, not measured."""
TIMES: Mapping[str, str] = {
    "retrieval_time_ms": "the search: reading the question, its vector, the channels, merging",
    "retrieval_latency_ms": "the search, under the name that llmless_retrieval.md has for it",
    "embed_time_ms": "the vector of the question",
    "faiss_time_ms": "the channel of vectors",
    "arangosearch_time_ms": "the channel of keywords",
    "graph_time_ms": "the walk over the graph",
    "gear_time_ms": "paths of triplets through the passages",
    "merge_time_ms": "merging what the channels found",
    "reranker_time_ms": "the reranker",
    "llm_time_ms": "calls of the language model, added up",
    "answer_time_ms": "the answer, with reranker and language model",
    "cache_time_ms": "the look into the cache",
}
HITS: Mapping[str, str] = {
    "faiss_hits": "found by the channel of vectors",
    "arangosearch_hits": "found by the channel of keywords",
    "structure_hits": "found where the question names a place",
    "reference_hits": "found by following references",
    "graph_hits": "found by the walk over the graph",
    "merged": "of all channels together",
}


class PrometheusTelemetry:
    """Spreads what questions cost over buckets, by the mode of their answers. It keeps no word of a question and no
    name of a document. A step that a question did not take is not counted as one that took no time. `traffic` stands
    beside them: how the service is used."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._registry = CollectorRegistry()
        self.traffic = Traffic(self._registry)
        self._times = {
            name: self._spread(name, f"Milliseconds for {what}", MILLISECONDS) for name, what in TIMES.items()
        }
        self._hits = {name: self._spread(name, f"Passages {what}", PASSAGES) for name, what in HITS.items()}
        self._tokens = self._spread("tokens_used", "Tokens that a language model read and wrote for a question", TOKENS)
        outcomes = "Questions by what became of them: answered, refused (nothing found) or failed"
        self._questions = Counter("questions", outcomes, ("mode", "outcome"), registry=self._registry)
        partly = "Questions of which something could not be done as usual"
        self._degraded = Counter("questions_degraded", partly, ("mode",), registry=self._registry)
        share = "Share of the answers since the start that were found in the cache"
        self._cache_hit_rate = Gauge("cache_hit_rate", share, registry=self._registry)
        rests = "How often a service was left alone because it did not answer several times in a row"
        self._breakers = Counter("breaker_opened", rests, ("service",), registry=self._registry)
        is_open = "1 while a process that answers leaves a service alone"
        self._breaker_open = Gauge("breaker_open", is_open, ("service",), registry=self._registry)
        self._resting: dict[str, float] = {}
        for service in SERVICES:
            self._breakers.labels(service)
            self._breaker_open.labels(service)
        self._answers, self._cached, self._lock = 0, 0, Lock()

    def answered(self, cost: QuestionCost) -> None:
        """Count what it cost."""
        times, hits = dict(cost.times_ms), dict(cost.hits)
        if "retrieval_time_ms" in times:
            times["retrieval_latency_ms"] = times["retrieval_time_ms"]
            hits["merged"] = cost.merged
        for name, milliseconds in times.items():
            self._times[name].labels(cost.mode).observe(milliseconds)
        for name, count in hits.items():
            self._hits[name].labels(cost.mode).observe(count)
        self._tokens.labels(cost.mode).observe(cost.tokens_used)
        self._questions.labels(cost.mode, "refused" if cost.refused else "answered").inc()
        self._degraded.labels(cost.mode).inc(cost.degraded)
        self._count_cached(is_cached=cost.cached)

    def failed(self, failure: QuestionFailure) -> None:
        """Count that it failed."""
        self._questions.labels(failure.mode, "failed").inc()

    def rests(self, service: str, seconds: float) -> None:
        """Count that it is left alone, and take down until when."""
        self._breakers.labels(service).inc()
        self._resting[service] = max(self._resting.get(service, 0.0), self._clock() + seconds)

    def close(self) -> None:
        """Nothing is waiting."""

    def exposition(self) -> bytes:
        """All of it in the text format of Prometheus, as of now."""
        for service, until in list(self._resting.items()):
            self._breaker_open.labels(service).set(self._clock() < until)
        return generate_latest(self._registry)

    def _spread(self, name: str, help_text: str, buckets: Sequence[float]) -> Histogram:
        return Histogram(name, help_text, ("mode",), registry=self._registry, buckets=buckets)

    def _count_cached(self, *, is_cached: bool) -> None:
        with self._lock:
            self._answers += 1
            self._cached += is_cached
            self._cache_hit_rate.set(self._cached / self._answers)
