"""The promises of the README, each with a test that fails where it is not kept. Alone: `pytest -m promise`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.conftest import pincite

HERE = Path(__file__).parent

__all__ = ["pincite"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder is a promise; some others carry the mark themselves."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.promise)
