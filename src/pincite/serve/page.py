"""The web page: files of this package, the same for everybody, which say nothing of the store."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from importlib.resources import files
from pathlib import PurePath

from fastapi import Request, Response
from starlette.exceptions import HTTPException

from pincite.serve.guard import open_router

FRONT = "index.html"
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
"""What the page may do: run its own files alone, ask its own service alone, and make no markup of any text."""
_TYPES: Mapping[str, str] = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
router = open_router()


@router.get("/", include_in_schema=False)
async def front(request: Request) -> Response:
    """The page that people ask in."""
    return _response(request, FRONT)


@router.get("/q/{run_id}", include_in_schema=False)
async def of_answer(run_id: str, request: Request) -> Response:
    """The same page, which shows the answer that its address names."""
    return _response(request, FRONT)


@router.get("/web/{name}", include_in_schema=False)
async def part(name: str, request: Request) -> Response:
    """A file of the page: its style, its scripts."""
    return _response(request, name)


def _response(request: Request, name: str) -> Response:
    """A file of the page; 404 for a name that none has."""
    content = _contents().get(name)
    if content is None:
        raise HTTPException(HTTPStatus.NOT_FOUND, "the page has no such file")
    headers = {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": POLICY,
        "ETag": f'"{sha256(content).hexdigest()}"',
    }
    if request.headers.get("If-None-Match") == headers["ETag"]:
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
    return Response(content, media_type=_TYPES[PurePath(name).suffix], headers=headers)


@lru_cache(maxsize=1)
def _contents() -> Mapping[str, bytes]:
    """All files of the page by name: nothing that is sent becomes part of a path."""
    folder = files("pincite.serve").joinpath("web")
    return {file.name: file.read_bytes() for file in folder.iterdir() if PurePath(file.name).suffix in _TYPES}
