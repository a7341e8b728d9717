"""Debian's Redis for tests, started on a port of loopback in a folder that goes away."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

PASSWORD = "of the tests"
_DATABASES = count()


@dataclass
class RedisProgram:
    """A server that can be killed and started again; it keeps nothing."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = field(default=None)

    def url(self, database: int = 0) -> str:
        """Where one of its databases is."""
        return f"redis://127.0.0.1:{self.port}/{database}"

    def new_url(self) -> str:
        """Where a database is that nobody uses."""
        return self.url(next(_DATABASES) % 16)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"--port {self.port} --bind 127.0.0.1 --save --appendonly no --dir {self.folder} --daemonize no"
        self.process = subprocess.Popen(
            ["redis-server", *options.split(" "), "--requirepass", PASSWORD],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        for _ in range(200):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("redis-server does not start")

    def kill(self) -> None:
        """End it without grace."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@contextmanager
def running_redis() -> Iterator[RedisProgram]:
    """A server of its own; the test is skipped where Redis is not installed."""
    if shutil.which("redis-server") is None:
        pytest.skip("there is no Redis: apt-get install redis-server")
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        server = RedisProgram(Path(folder), port)
        server.start()
        try:
            yield server
        finally:
            server.kill()
