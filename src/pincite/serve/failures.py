"""Errors as `{"error": {"kind", "message"}}` with their HTTP status, without paths of this machine. Clients of OpenAI's
protocol get its shape, `{"error": {"message", "type", "code", "param"}}`."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Match

from pincite.errors import (
    NotThereError,
    PinciteError,
    ReadError,
    ServiceError,
    SettingsError,
    StoreError,
    TooLongError,
    UsageError,
)
from pincite.rendering import without_paths
from pincite.serve.replies import HEADERS

_KINDS: tuple[tuple[type[PinciteError], HTTPStatus, str], ...] = (
    (NotThereError, HTTPStatus.NOT_FOUND, "not_there"),
    (TooLongError, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_long"),
    (SettingsError, HTTPStatus.BAD_REQUEST, "settings"),
    (UsageError, HTTPStatus.BAD_REQUEST, "usage"),
    (ReadError, HTTPStatus.CONFLICT, "read"),
    (ServiceError, HTTPStatus.SERVICE_UNAVAILABLE, "service"),
    (StoreError, HTTPStatus.SERVICE_UNAVAILABLE, "store"),
)
"""The first that an error is one of counts."""
_KINDS_OF_STATUS = {
    400: "usage",
    401: "token",
    403: "role",
    404: "no_route",
    405: "method",
    408: "slow",
    413: "too_long",
    415: "read",
    429: "often",
    503: "busy",
}
OPENAI_PATHS = "/v1/"
"""How the paths of that protocol begin."""
UNEXPECTED = "something went wrong that should not: the log of the service says what"


class Failure(BaseModel):
    """What went wrong: its kind, for programs, and a line for people."""

    kind: str
    message: str


class Failed(BaseModel):
    """What is answered instead."""

    error: Failure


class OpenAIFailure(BaseModel):
    """What went wrong in OpenAI's words; `code` is the kind."""

    message: str
    type: str
    code: str
    param: None = None


class OpenAIFailed(BaseModel):
    """What those who speak its protocol are answered instead."""

    error: OpenAIFailure


def failure(kind: str, message: str) -> dict[str, Any]:
    """The JSON of what went wrong."""
    return {"error": {"kind": kind, "message": without_paths(message)}}


def failure_of(error: Exception) -> tuple[HTTPStatus, dict[str, Any]]:
    """Status and JSON of an error; of one that is not pincite's own, no detail is given."""
    for kind, status, name in _KINDS:
        if isinstance(error, kind):
            return status, failure(name, str(error))
    return HTTPStatus.INTERNAL_SERVER_ERROR, failure("unexpected", UNEXPECTED)


def add_handlers(app: FastAPI) -> None:
    """Answer so whatever goes wrong."""
    app.add_exception_handler(PinciteError, _of_any)
    app.add_exception_handler(HTTPException, _of_http)
    app.add_exception_handler(RequestValidationError, _of_shape)
    app.add_exception_handler(Exception, _of_any)


def in_openai_shape(status: int, told: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON of what went wrong in the shape of that protocol."""
    kind = "server_error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
    error = told["error"]
    return {"error": {"message": error["message"], "type": kind, "code": error["kind"], "param": None}}


def refusal(path: str, status: int, message: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """The response that turns a request to this path down."""
    return _response(path, status, failure(_KINDS_OF_STATUS.get(status, "http"), message), headers)


def _response(path: str, status: int, told: dict[str, Any], headers: Mapping[str, str] | None = None) -> JSONResponse:
    shaped = in_openai_shape(status, told) if path.startswith(OPENAI_PATHS) else told
    return JSONResponse(shaped, status, headers)


async def _of_any(request: Request, error: Exception) -> JSONResponse:
    """What is unexpected is answered outside of what gives others their headers."""
    status, told = failure_of(error)
    again = {"Retry-After": "5"} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    return _response(request.url.path, status, told, {**HEADERS, **again})


async def _of_http(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, HTTPException):
        raise TypeError(error)
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = _allowed(request)
    return refusal(request.url.path, error.status_code, error.detail, headers)


def _allowed(request: Request) -> str:
    """The methods of all routes of the path that is asked for."""
    found = (route for route in request.app.routes if route.matches(request.scope)[0] != Match.NONE)
    return ", ".join(sorted({method for route in found for method in route.methods}))


async def _of_shape(request: Request, error: Exception) -> JSONResponse:
    """Where it does not fit and why; what was sent is not repeated."""
    if not isinstance(error, RequestValidationError):
        raise TypeError(error)
    told = [f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()]
    path = request.url.path
    status = HTTPStatus.BAD_REQUEST if path.startswith(OPENAI_PATHS) else HTTPStatus.UNPROCESSABLE_ENTITY
    return _response(path, status, failure("shape", "; ".join(told[:5])))
