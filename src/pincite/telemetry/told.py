"""Telling a telemetry, whatever it does with it."""

from __future__ import annotations

import logging
from collections.abc import Callable

LOGGER = logging.getLogger("pincite.telemetry")


def tell(telling: Callable[[], None]) -> None:
    """Do this; where it fails, however it fails, a warning says so, and nothing else comes of it."""
    try:
        telling()
    except Exception as error:  # noqa: BLE001
        LOGGER.warning("the telemetry failed (%s): the answer is given without it", type(error).__name__)
