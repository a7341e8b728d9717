"""A few bytes for an address that the settings name: timed, and to there alone."""

from __future__ import annotations

from contextlib import closing

import httpx

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.models.exchange import Exchange, StatusError

SECONDS = 5.0
"""From the look-up of the name to the status. By eye, not measured."""


def post(url: str, content: bytes, media_type: str, *, seconds: float = SECONDS) -> None:
    """Send them there; of what is answered the status is read alone, and a redirect is not followed. ServiceError where
    they are not taken in time."""
    try:
        place = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ServiceError(f"its address cannot be one: {error}") from error
    where = f"{place.scheme}://{place.netloc.decode('ascii')}"
    try:
        with httpx.Client(timeout=seconds, follow_redirects=False) as client:
            request = client.build_request("POST", place, content=content, headers={"Content-Type": media_type})
            with closing(Exchange(client, request, where, Deadline.after(seconds), None)) as exchange:
                exchange.open()
    except StatusError as error:
        raise ServiceError(f"{where} answered {error.status}") from error
    except (httpx.HTTPError, OSError) as error:
        raise ServiceError(f"{where} does not answer: {error}") from error
