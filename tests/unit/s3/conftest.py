"""A server of S3 on this machine that the tests of this folder share, and a store for each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.s3_server import S3Server, s3_server


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with s3_server(tmp_path_factory.mktemp("s3") / "errors") as found:
        yield found


@pytest.fixture
def server(running: S3Server) -> S3Server:
    """The server, which gives all that it is asked for."""
    for trick in ("fail", "deny", "keep"):
        running.trick(trick)
    running.fetched()
    return running
