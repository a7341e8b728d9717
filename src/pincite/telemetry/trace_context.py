"""How a question came to the service: by which route, and as a part of whose trace (W3C Trace Context)."""

from __future__ import annotations

from contextvars import ContextVar

TRACEPARENT: ContextVar[str] = ContextVar("traceparent", default="")
"""The header `traceparent` of the request that is answered in this context, as it was sent: nobody has looked whether
it is one. A telemetry is told in the context in which a question was asked, whichever process answered it."""
ROUTE: ContextVar[str] = ContextVar("route", default="")
"""The method and path of the route ("GET /qa") that is answered in this context; empty outside the service."""
