"""Checks on every request and headers on every answer: host names, origins of pages, sizes."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.serve.access_tokens import MOST_BYTES, MOST_BYTES_OF, STREAMED
from pincite.serve.failures import refusal
from pincite.serve.replies import HEADERS

LOCAL = "localhost"
BODY_SECONDS = 10.0
"""From the head of a request to the end of what is sent with it, but for documents that are added."""
_OWN_PAGES = ("none", "same-origin")
"""What a browser says in `Sec-Fetch-Site` of a request that no other site's page makes."""


class Edge:
    """Turns down requests to names that are not the service's own (a page elsewhere may have its name lead here), and
    those that a browser makes for another site's page, but for a link that leads to the page. An address is nobody
    else's name."""

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self._app = app
        self._names = {LOCAL, *(name.casefold() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or turn it down."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        problem = self._problem(scope)
        app = self._app if problem is None else refusal(scope["path"], problem[0], problem[1])
        route = f"{scope['method']} {scope['path']}"
        limited = receive if route in STREAMED else _limited(receive, MOST_BYTES_OF.get(route, MOST_BYTES))
        await app(scope, limited, _with_headers(send))

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        """Status and words for what is turned down; None for what may pass."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_own(_name_of(host)):
            return 400, "the service has no such name (header Host): pincite serve --allow-host NAME adds it"
        origin = headers.get("origin")
        if origin is not None and not self._is_own_origin(origin, host):
            return 403, "pages of other sites may not ask"
        if headers.get("sec-fetch-site", "none") not in _OWN_PAGES and not _is_link(scope, headers):
            return 403, "pages of other sites may not ask"
        return None

    def _is_own(self, name: str | None) -> bool:
        return name is not None and (name in self._names or _is_address(name))

    def _is_own_origin(self, origin: str, host: str) -> bool:
        """Whether its pages are those of the service: on this machine other programs serve pages, too, so there the
        port must be the same."""
        try:
            place = urlsplit(origin)
        except ValueError:
            return False
        name = place.hostname or ""
        is_given = name in self._names and name != LOCAL and not _is_address(name)
        return place.netloc != "" and (place.netloc == host or is_given)


def _is_link(scope: Scope, headers: Headers) -> bool:
    """Whether somebody followed a link to the page in a tab of their own, which reveals nothing of the store."""
    is_navigation = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return is_navigation and (scope["method"], scope["path"]) == ("GET", "/")


def _limited(receive: Receive, most: int) -> Receive:
    """The body, read piece by piece; HTTPException 413 where it is too long, 408 where it does not arrive."""
    read, is_whole, until = 0, False, asyncio.get_running_loop().time() + BODY_SECONDS

    async def received() -> Message:
        nonlocal read, is_whole
        try:
            async with asyncio.timeout_at(None if is_whole else until):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, "the request did not come to its end in time") from None
        is_whole = not message.get("more_body", False)
        read += len(message.get("body", b""))
        if read > most:
            raise HTTPException(413, f"no more than {most:,} bytes are read of a request")
        return message

    return received


def _with_headers(send: Send) -> Send:
    """The answer, with the headers that every one has; where it says one of them itself, that counts."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in {**HEADERS, "Cache-Control": "no-store"}.items():
                headers.setdefault(name, value)
        await send(message)

    return sent


def _name_of(host: str) -> str | None:
    """The name in a `Host` header, without its port; None where there is none, or more than that."""
    try:
        place = urlsplit(f"//{host}")
        name, port = place.hostname or "", place.port
    except ValueError:
        return None
    whole = f"[{name}]" if ":" in name else name
    return name if name and host.casefold() in (whole, f"{whole}:{port}") else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
