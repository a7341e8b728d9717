"""Routes that are open by their rule alone."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from pydantic import BaseModel

from pincite.serve.failures import Failed
from pincite.serve.rules import RULES
from pincite.serve.service import service_of

FAILURES = (400, 401, 403, 404, 413, 422, 503)


class GuardedRoute(APIRoute):
    """A route that lets in whom its rule lets in, before it reads what they send. One without a rule is a KeyError."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler behind its rule."""
        handler = super().get_route_handler()
        rule = RULES[f"{''.join(sorted(self.methods or ()))} {self.path}"]

        async def guarded(request: Request) -> Response:
            request.state.route = self.path
            await service_of(request).admit(request, rule)
            return await handler(request)

        return guarded


def guarded_router(failed: type[BaseModel] = Failed) -> APIRouter:
    """A router for such routes, which also tells programs of tokens and of errors, in the shape that these have."""
    return APIRouter(
        route_class=GuardedRoute,
        dependencies=[
            Depends(
                HTTPBearer(auto_error=False, description="pincite token add NAME makes one; or a JWT of the issuer")
            )
        ],
        responses={status: {"model": failed} for status in FAILURES},
    )
