"""Server-sent events, as all streams of the service send them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event

EVENTS: dict[str, Any] = {"content": {"text/event-stream": {}}}
"""What programs are told of a stream."""
QUIET_SECONDS = 15.0
"""After so many without an event a stream says that it is still there: what stands between may cut a silent one."""


def event(data: bytes, name: str | None = None) -> bytes:
    """An event whose data is this JSON."""
    return format_sse_event(event=name, data_str=data.decode("utf-8"))


def event_stream(events: AsyncIterator[bytes]) -> StreamingResponse:
    """The response that sends these, each as it comes."""
    return StreamingResponse(events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})
