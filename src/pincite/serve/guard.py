"""Routes that are open by their rule alone."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Depends, Request, Response
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from pydantic import BaseModel

from pincite.serve.access_tokens import RULES
from pincite.serve.failures import Failed
from pincite.serve.service import service_of

EVERYWHERE = (400, 403, 429)
"""Refusals on every route: unknown host name, page of another site, too many requests."""
Responses = dict[int | str, dict[str, Any]]


class GuardedRoute(APIRoute):
    """A route that checks its rule before the body is read. One without a rule is a KeyError."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler behind its rule."""
        handler = super().get_route_handler()
        rule = RULES[f"{''.join(sorted(self.methods or ()))} {self.path}"]

        async def guarded(request: Request) -> Response:
            request.state.route = self.path
            await service_of(request).admit(request, rule)
            return await handler(request)

        return guarded


def guarded_router(shape: type[BaseModel] = Failed) -> APIRouter:
    """A router for such routes, which also tells programs of tokens and of failures, in the shape that these have."""
    bearer = HTTPBearer(auto_error=False, description="pincite token add NAME makes one; or a JWT of the issuer")
    return APIRouter(
        route_class=GuardedRoute,
        dependencies=[Depends(bearer)],
        responses=failed(*EVERYWHERE, 401, 503, shape=shape),
        generate_unique_id_function=_name,
    )


def open_router() -> APIRouter:
    """A router for routes that need no token."""
    return APIRouter(route_class=GuardedRoute, responses=failed(*EVERYWHERE), generate_unique_id_function=_name)


def returns(answer: Any, *failures: int, status: int = 200) -> Responses:
    """What the schema says of a route: the shape of its answer, and its own ways to fail."""
    return {status: {"model": answer}, **failed(*failures)}


def failed(*failures: int, shape: type[BaseModel] = Failed) -> Responses:
    """The same of failures alone."""
    return {failure: {"model": shape} for failure in failures}


def _name(route: APIRoute) -> str:
    """What programs call a route: as its function is called here."""
    return route.name
