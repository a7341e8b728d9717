"""What all tests share: one fixed hypothesis profile, no network, models that stay open, a place for a store."""

from __future__ import annotations

import ipaddress
import os
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from sqlalchemy import URL

from pincite.settings import Settings
from tests.support.postgres import Server, running_server
from tests.support.redis_server import RedisProgram, running_redis

pytest.register_assert_rewrite("pincite_testing")
settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=40, database=None)
settings.register_profile("thousand", settings.get_profile("fixed"), max_examples=1000)
settings.load_profile("fixed")


MEMORY = Path("/dev/shm")
ROOM = 4 * 10**9
"""Bytes that are free there where the folders of tests lie in memory."""


class NetworkUsedError(Exception):
    """A test tried to reach another machine."""


def _stays_here(host: object) -> bool:
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _guarded(method: Any) -> Any:
    def connect(sock: socket.socket, address: Any) -> Any:
        if sock.family != socket.AF_UNIX and not _stays_here(address[0]):
            raise NetworkUsedError(f"a test connects to {address!r}")
        return method(sock, address)

    return connect


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """Connections and name look-ups that leave this machine fail at once."""
    look_up = socket.getaddrinfo

    def local_look_up(host: Any, *args: Any, **options: Any) -> Any:
        if not _stays_here(host.decode() if isinstance(host, bytes) else host):
            raise NetworkUsedError(f"a test looks up {host!r}")
        return look_up(host, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _guarded(socket.socket.connect))
        patch.setattr(socket.socket, "connect_ex", _guarded(socket.socket.connect_ex))
        patch.setattr(socket, "getaddrinfo", local_look_up)
        yield


@pytest.fixture(scope="session", autouse=True)
def models() -> list[object]:
    """Those that engines share. Held here, so that what the first test opens is not closed with its engine."""
    from pincite.wiring import make_embedder, make_reader

    each = [Settings(threads=threads) for threads in (0, 1)]
    return [make(settings) for settings in each for make in (make_embedder, make_reader)]


@pytest.fixture(scope="session", autouse=True)
def readers() -> Iterator[None]:
    """The processes that read files for the engines of these tests."""
    from tests.support.kept_readers import keeping_readers

    with keeping_readers():
        yield


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server of PostgreSQL for all tests; those that need it are skipped where none is installed."""
    with running_server() as server:
        yield server


@pytest.fixture
def postgres_url(postgres: Server) -> URL:
    """Where an empty database is."""
    return postgres.new_database()


@pytest.fixture(scope="session")
def redis() -> Iterator[RedisProgram]:
    """A server of Redis that the tests of a process share."""
    with running_redis() as server:
        yield server


@pytest.fixture
def store_folder(tmp_path: Path) -> Path:
    """A folder for a store, not yet made, apart from the documents of the test."""
    return tmp_path / "store" / ".pincite"


def pytest_configure() -> None:
    """Folders of tests lie in memory where there is room, so that stores wait for no disk. What is started in the
    background of a shell ignores Ctrl-C, and so would all that the tests start."""
    if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # noqa: TID251
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """One switch for golden files, one for how long the service is tried."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew; the run then fails")
    parser.addoption("--soak", type=float, default=30.0, metavar="SECONDS", help="how long everything is done at once")
