"""Whose trace a question belongs to, where whoever asks it has one (W3C Trace Context)."""

from __future__ import annotations

from contextvars import ContextVar

TRACEPARENT: ContextVar[str] = ContextVar("traceparent", default="")
"""The header `traceparent` of the request that is being answered, as it was sent: nobody has looked whether it is
one."""
