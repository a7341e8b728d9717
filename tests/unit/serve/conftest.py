"""A service that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.served import Served, made_store, served


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_store(tmp_path_factory.mktemp("served documents"))


@pytest.fixture(scope="session")
def service(store: Path) -> Iterator[Served]:
    """With tokens."""
    with served(store) as found:
        yield found


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Served]:
    """One of its own for a test that changes it; nobody has a token yet."""
    with served(made_store(tmp_path / "docs"), with_tokens=False) as found:
        yield found
