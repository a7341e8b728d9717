"""Telling a telemetry, whatever it does with it. How a question came to the service: by which route, and as a part of
whose trace (W3C Trace Context). Several telemetries as one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextvars import ContextVar
from functools import partial

from pincite.ports import Telemetry
from pincite.records.costs import QuestionCost, QuestionFailure

LOGGER = logging.getLogger("pincite.telemetry")


def tell(telling: Callable[[], None]) -> None:
    """Do this; where it fails, however it fails, a warning says so, and nothing else comes of it."""
    try:
        telling()
    except Exception as error:  # noqa: BLE001
        LOGGER.warning("the telemetry failed (%s): the answer is given without it", type(error).__name__)


TRACEPARENT: ContextVar[str] = ContextVar("traceparent", default="")
"""The header `traceparent` of the request that is answered in this context, as it was sent: nobody has looked whether
it is one. A telemetry is told in the context in which a question was asked, whichever process answered it."""
ROUTE: ContextVar[str] = ContextVar("route", default="")
"""The method and path of the route ("GET /qa") that is answered in this context; empty outside the service."""


class FanOut:
    """Tells each of these telemetries, whatever becomes of the others."""

    def __init__(self, *telemetries: Telemetry) -> None:
        self._telemetries = telemetries

    def answered(self, cost: QuestionCost) -> None:
        """Tell them what a question cost."""
        for telemetry in self._telemetries:
            tell(partial(telemetry.answered, cost))

    def failed(self, failure: QuestionFailure) -> None:
        """Tell them how a question failed."""
        for telemetry in self._telemetries:
            tell(partial(telemetry.failed, failure))

    def rests(self, service: str, seconds: float) -> None:
        """Tell them which service is left alone, and for how long."""
        for telemetry in self._telemetries:
            tell(partial(telemetry.rests, service, seconds))

    def close(self) -> None:
        """Tell them that nothing more is told."""
        for telemetry in self._telemetries:
            tell(telemetry.close)
