"""Answers of the service: JSON, server-sent events, and the headers that every one of them has."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event
from pydantic_core import PydanticSerializationError, to_json


def encoded(value: Any) -> bytes:
    """JSON in UTF-8; half a surrogate pair, which some file names hold, as its escape."""
    try:
        return to_json(value)
    except PydanticSerializationError:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
EVENTS: dict[str, Any] = {"content": {"text/event-stream": {}}}
"""The schema of a stream."""
QUIET_SECONDS = 15.0
"""After so many without an event a stream says that it is still there: what stands between may cut a silent one."""


def event(data: bytes, name: str | None = None) -> bytes:
    """An event whose data is this JSON."""
    return format_sse_event(event=name, data_str=data.decode("utf-8"))


def event_stream(events: AsyncIterator[bytes]) -> StreamingResponse:
    """The response that sends these, each as it comes."""
    return StreamingResponse(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
