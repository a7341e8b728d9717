"""A small JSON document from an address that the settings name: bounded, timed, and from there alone."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import httpx

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.models.exchange import Exchange, StatusError

SECONDS = 5.0
"""From the look-up of the name to the last byte. By eye, not measured."""
MOST_BYTES = 512 * 1024
"""Some hundred keys with their certificates."""


def fetched_json(url: str, *, seconds: float = SECONDS) -> Any:
    """The JSON that lies there. A redirect is not followed. ServiceError where none comes in time."""
    try:
        with httpx.Client(timeout=seconds, follow_redirects=False) as client:
            return json.loads(_content(client, url, Deadline.after(seconds)))
    except StatusError as error:
        raise ServiceError(f"{url} answered {error.status}") from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, RecursionError) as error:
        raise ServiceError(f"{url} sent no JSON ({error})") from error


def _content(client: httpx.Client, url: str, deadline: Deadline) -> bytes:
    request = client.build_request("GET", url, headers={"Accept": "application/json"})
    content = bytearray()
    with closing(Exchange(client, request, url, deadline, None)) as exchange:
        exchange.open()
        for piece in exchange.pieces():
            content += piece
            if len(content) > MOST_BYTES:
                raise ServiceError(f"{url} sent more than {MOST_BYTES:,} bytes")
    return bytes(content)
