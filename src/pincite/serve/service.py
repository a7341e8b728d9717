"""What all routes share, and one request with who makes it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from starlette.exceptions import HTTPException

from pincite.engine import Engine, Session
from pincite.serve.access import Access
from pincite.serve.pool import Pool
from pincite.serve.rules import ANYBODY, allows
from pincite.settings import Settings

LEAST_QUESTIONS_AT_ONCE = 2
"""Else one a core: more make each of them slower and give no more answers. By eye, not measured, like what follows."""
QUESTIONS_WAITING = 32
PATIENCE = 1.5
"""Seconds that a request waits for its turn. Under a load that is too high everybody hears something within two."""
READING_THREADS = 4
READS_WAITING = 64
OPENING_THREADS = 4
PICTURES_WAITING = 16
PICTURE_PATIENCE = 5.0


def _questions() -> Pool:
    threads = max(LEAST_QUESTIONS_AT_ONCE, os.cpu_count() or 1)
    return Pool("asking", threads=threads, queue=QUESTIONS_WAITING, patience=PATIENCE)


def _reading() -> Pool:
    return Pool("reading", threads=READING_THREADS, queue=READS_WAITING, patience=PATIENCE)


def _drawing() -> Pool:
    """One thread: one process draws all pages, one after the other."""
    return Pool("drawing", threads=1, queue=PICTURES_WAITING, patience=PICTURE_PATIENCE)


def _opening() -> Pool:
    """Of its own: an object store that is silent keeps nobody else waiting."""
    return Pool("opening", threads=OPENING_THREADS, queue=READS_WAITING, patience=PICTURE_PATIENCE)


@dataclass
class Service:
    """One engine, who may ask it, and the threads in which it is asked. When it `is_ending`, what was begun ends, and
    nothing else begins."""

    engine: Engine
    settings: Settings
    access: Access
    questions: Pool = field(default_factory=_questions)
    reading: Pool = field(default_factory=_reading)
    drawing: Pool = field(default_factory=_drawing)
    opening: Pool = field(default_factory=_opening)
    is_ending: bool = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being answered."""
        return all(pool.is_idle for pool in self._pools)

    def close(self) -> None:
        """Let go of the threads."""
        for pool in self._pools:
            pool.close()

    @property
    def _pools(self) -> tuple[Pool, ...]:
        return self.questions, self.reading, self.drawing, self.opening

    def admit(self, request: Request, rule: str) -> None:
        """Let a request in whose route has this rule, bound to who makes it; HTTPException for who may not."""
        if rule == ANYBODY:
            return
        if self.is_ending:
            raise HTTPException(HTTPStatus.SERVICE_UNAVAILABLE, "the service is ending", {"Retry-After": "10"})
        caller = self.access.caller(request.headers.get("Authorization"))
        if caller is None:
            told = "who asks? send the header Authorization: Bearer TOKEN (pincite token add NAME makes one)"
            raise HTTPException(HTTPStatus.UNAUTHORIZED, told, {"WWW-Authenticate": "Bearer"})
        if not allows(rule, caller.role):
            raise HTTPException(HTTPStatus.FORBIDDEN, f"this needs the role {rule}, and yours is {caller.role}")
        request.state.session = self.engine.as_(caller.principals, caller.name)


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was let in, and the store as the one sees it who makes it."""

    request: Request
    service: Service
    session: Session

    async def read(self, look: Callable[[Session], Any]) -> Response:
        """What is seen there, as JSON."""
        return json_response(await self.service.reading.run(lambda: encoded(look(self.session))))


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    service: Service = request.app.state.service
    return service


def _call_of(request: Request) -> Call:
    return Call(request, service_of(request), request.state.session)


Called = Annotated[Call, Depends(_call_of)]


def encoded(value: Any) -> bytes:
    """JSON in UTF-8; half a surrogate pair, which some file names hold, as its escape."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def json_response(content: bytes) -> Response:
    """JSON that is encoded already."""
    return Response(content, media_type="application/json")
