"""The log of questions on standard error."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

QUESTIONS = "pincite.asked"
"""Its name."""


@contextmanager
def log_of_questions(formatter: logging.Formatter, level: int) -> Iterator[None]:
    """What is logged of questions goes to standard error, as the formatter writes it; as before where it goes
    there already."""
    logger, handler = logging.getLogger(QUESTIONS), logging.StreamHandler()
    if logger.handlers:
        yield
        return
    handler.setFormatter(formatter)
    logger.addHandler(handler)
    logger.setLevel(level)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(logging.NOTSET)
