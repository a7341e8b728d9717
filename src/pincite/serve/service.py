"""What all routes share, and a request with its caller."""

from __future__ import annotations

import math
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from threading import Lock
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from starlette.exceptions import HTTPException

from pincite.engine.engine import Engine, Session
from pincite.ports import RateLimit
from pincite.serve.access import ANYBODY_HERE, Access
from pincite.serve.access_tokens import ANYBODY, Token, allows
from pincite.serve.asked import Askers, Search, Task
from pincite.serve.indexing import Indexing
from pincite.serve.pool import Pool
from pincite.serve.replies import encoded
from pincite.serve.traffic import Limit, PrometheusTelemetry, network_of
from pincite.settings import Settings
from pincite.threads import LastUsed

MOST_KEPT = 1000
"""As many as the cache keeps."""


class Repeated:
    """What was asked lately: tells when the cache is worth a look, and holds no answers."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._answered = LastUsed[tuple[str, tuple[str, ...]], Task](most)

    def note(self, task: Task) -> None:
        """This was answered, and the answer may be kept."""
        self._answered.keep(_key(task), task)

    def forget(self, task: Task) -> None:
        """Nothing is kept of it any more."""
        self._answered.forget(_key(task))

    def __contains__(self, task: Task) -> bool:
        """Whether the same was answered lately to an asker with the same access."""
        return self._answered.get(_key(task)) is not None


def _key(task: Task) -> tuple[str, tuple[str, ...]]:
    return repr(task.asked), task.principals


AGAIN_SECONDS = 3600.0
"""A page that stays in view is noted once an hour."""
MOST_SEEN = 10_000


class Seen:
    """The pages that were seen in the last hour; what is new among them goes into the chain, in a thread of its own."""

    def __init__(self) -> None:
        self._told: OrderedDict[tuple[str, str, int], float] = OrderedDict()
        self._lock = Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pincite-seen")

    def note(self, session: Session, who: str, source_id: str, page: int) -> None:
        """Somebody sees a page."""
        if self._is_new((who, source_id, page)):
            self._thread.submit(session.audit.record_event, "page seen", source_id, page=page)

    def close(self) -> None:
        """Wait until everything is noted."""
        self._thread.shutdown()

    def _is_new(self, seen: tuple[str, str, int]) -> bool:
        now = time.monotonic()
        with self._lock:
            if seen in self._told and now - self._told[seen] < AGAIN_SECONDS:
                return False
            self._told[seen] = now
            self._told.move_to_end(seen)
            while len(self._told) > MOST_SEEN:
                self._told.popitem(last=False)
            return True


LEAST_QUESTIONS_AT_ONCE = 2
"""Else one a core: more make each of them slower and give no more answers. By eye, not measured, like what follows."""
QUESTIONS_WAITING = 32
PATIENCE = 1.5
"""Seconds that a request waits for its turn."""
TOLD_WITHIN = 1.9
"""Under a load that is too high everybody hears something within two seconds, where questions take less than that."""
REPEATING_THREADS = 2
READING_THREADS = 4
READS_WAITING = 64
READING_PATIENCE = 5.0
"""Opening all rows of the evidence at once should wait a little rather than be refused."""
OPENING_THREADS = 4
PICTURES_WAITING = 16
PICTURE_PATIENCE = 5.0
WRITING_THREADS = 2
WRITES_WAITING = 256
WRITING_PATIENCE = 30.0
KEYS_WAITED_FOR = 64
KEYS_PATIENCE = 10.0
MOST_SENDERS = 8


@dataclass
class Service:
    """One engine, who may use it, and the threads in which it answers and changes. With `judges_here` the reranker runs
    on the cores of this machine. When it `is_ending`, running work ends, and nothing new begins."""

    engine: Engine
    settings: Settings
    access: Access
    askers: Askers
    metrics: PrometheusTelemetry
    judges_here: bool = False
    shared_limit: Callable[[str, int], RateLimit | None] | None = None
    """Of requests of one kind in a minute, on all servers together."""
    questions: Pool = field(init=False)
    judged: Pool = field(init=False)
    """So many at once as cores hold with the threads of each, and no more than all questions may be."""
    repeating: Pool = field(init=False)
    """Of its own: what is kept waits for no question that is answered."""
    repeated: Repeated = field(default_factory=Repeated)
    reading: Pool = field(init=False)
    drawing: Pool = field(init=False)
    """One thread: one process draws all pages, one after the other."""
    opening: Pool = field(init=False)
    """Of its own: an object store that is silent keeps nobody else waiting."""
    writing: Pool = field(init=False)
    keys: Pool = field(init=False)
    """One thread: a second caller finds what the first has fetched."""
    seen: Seen = field(default_factory=Seen)
    indexing: Indexing = field(init=False)
    _limit: Limit = field(init=False)
    _unknown_limit: Limit = field(init=False)
    _senders: int = 0
    is_ending: bool = False

    def __post_init__(self) -> None:
        cores = os.cpu_count() or 1
        asking = partial(Pool, queue=QUESTIONS_WAITING, patience=PATIENCE, within=TOLD_WITHIN)
        self.questions = asking("asking", threads=max(LEAST_QUESTIONS_AT_ONCE, cores))
        judging = max(1, cores // (self.settings.threads or cores))
        self.judged = asking("judging", threads=judging, around=self.questions)
        self.repeating = asking("repeating", threads=REPEATING_THREADS)
        self.reading = Pool("reading", threads=READING_THREADS, queue=READS_WAITING, patience=READING_PATIENCE)
        self.drawing = Pool("drawing", threads=1, queue=PICTURES_WAITING, patience=PICTURE_PATIENCE)
        self.opening = Pool("opening", threads=OPENING_THREADS, queue=READS_WAITING, patience=PICTURE_PATIENCE)
        self.writing = Pool("writing", threads=WRITING_THREADS, queue=WRITES_WAITING, patience=WRITING_PATIENCE)
        self.keys = Pool("keys", threads=1, queue=KEYS_WAITED_FOR, patience=KEYS_PATIENCE)
        self.indexing = Indexing(self.engine)
        self._limit = self._limit_of("token", self.settings.requests_a_minute)
        self._unknown_limit = self._limit_of("address", self.settings.unknown_requests_a_minute)

    @property
    def is_idle(self) -> bool:
        """Whether no answer and no change is under way that somebody waits for."""
        return not self._senders and all(pool.is_idle for pool in self._pools())

    async def close(self) -> None:
        """End the indexing run after the document at hand, and release the threads and those who answer."""
        await self.indexing.end()
        self.seen.close()
        for pool in self._pools():
            pool.close()
        self.askers.close()

    @contextmanager
    def one_sender(self) -> Iterator[None]:
        """Room for one more upload; HTTPException 503 where there is none."""
        if self._senders >= MOST_SENDERS:
            told = "too many documents are being added at once: try again in a moment"
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, told, {"Retry-After": "10"})
        self._senders += 1
        try:
            yield
        finally:
            self._senders -= 1

    def turns(self, asked: Search) -> Pool:
        """Where a question waits for its turn. One that a model reads on all cores has them for itself: two at once
        would each take twice as long (docs/decisions/0809)."""
        return self.judged if self.judges_here and asked.is_judged(self.settings) else self.questions

    def exposition(self) -> bytes:
        """What is measured, for Prometheus, as of now."""
        self.metrics.traffic.look_at({pool.name: pool for pool in self._pools()})
        return self.metrics.exposition()

    def _pools(self) -> tuple[Pool, ...]:
        asking = self.questions, self.judged, self.repeating
        return *asking, self.reading, self.drawing, self.opening, self.writing, self.keys

    async def admit(self, request: Request, rule: str) -> None:
        """Admit a request to a route with this rule, bound to its caller; HTTPException if they may not."""
        if rule == ANYBODY:
            await self._count_unknown(request)
            return
        if self.is_ending:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "the service is ending", {"Retry-After": "10"})
        authorization = request.headers.get("Authorization")
        if (work := self.access.pending(authorization)) is not None:
            await self.keys.run(work)
        caller = self.access.caller(authorization)
        if caller is None:
            await self._count_unknown(request)
            told = "who asks? send the header Authorization: Bearer TOKEN (pincite token add NAME makes one)"
            raise HTTPException(HTTPStatus.UNAUTHORIZED, told, {"WWW-Authenticate": "Bearer"})
        if caller is not ANYBODY_HERE:
            _check_wait(await self._limit.wait(caller.name))
        if not allows(rule, caller.role):
            raise HTTPException(HTTPStatus.FORBIDDEN, f"this needs the role {rule}, and yours is {caller.role}")
        request.state.caller = caller

    def _limit_of(self, name: str, a_minute: int) -> Limit:
        return Limit(a_minute, self.shared_limit(name, a_minute) if self.shared_limit else None)

    async def _count_unknown(self, request: Request) -> None:
        """HTTPException 429 for an address that asks too often without a token, where tokens are needed."""
        if request.client is not None and not self.access.is_open:
            _check_wait(await self._unknown_limit.wait(network_of(request.client.host)))


def _check_wait(seconds: float) -> None:
    """HTTPException 429 if the caller has to wait so long."""
    if seconds:
        told = "you ask too often: try again in a moment"
        raise HTTPException(HTTPStatus.TOO_MANY_REQUESTS, told, {"Retry-After": str(math.ceil(seconds))})


@dataclass(frozen=True, slots=True)
class Call:
    """An admitted request and its caller."""

    request: Request
    service: Service
    caller: Token

    @property
    def session(self) -> Session:
        """The store as they see it."""
        return self.service.engine.session(self.caller.principals, self.caller.name)

    async def read(self, look: Callable[[Session], Any]) -> Response:
        """What is seen there, as JSON."""
        return json_response(await self.service.reading.run(lambda: encoded(look(self.session))))

    def sees(self, source: str, *pages: int) -> None:
        """Note in the audit chain that the caller saw these pages."""
        for page in pages:
            self.service.seen.note(self.session, self.caller.name, source, page)


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


async def _call_of(request: Request) -> Call:
    return Call(request, service_of(request), request.state.caller)


Called = Annotated[Call, Depends(_call_of)]


def json_response(content: bytes, status: int = HTTPStatus.OK) -> Response:
    """JSON that is encoded already."""
    return Response(content, status, media_type="application/json")
