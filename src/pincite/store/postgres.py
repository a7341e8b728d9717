"""A database of PostgreSQL, that several processes on several machines read and write (docs/scaling.md)."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.pool import NullPool

from pincite.errors import HeldError, ServiceError, SettingsError, StoreError
from pincite.installing import install_extra
from pincite.store.database import Database
from pincite.store.dialect import COMMITS, POSTGRESQL, TEMPORARY

DRIVER = "postgresql+psycopg"
CONNECT_SECONDS = 10
KEPT_CONNECTIONS, MORE_CONNECTIONS = 4, 12
"""Of each pool: those that stay open, and those that many threads open for a moment beside them."""
LEFT_BY_PURGE = (
    "PostgreSQL still has what was purged in dead rows of its files, its write-ahead log, replicas and backups, and "
    "other machines in generations that they have not replaced yet: run VACUUM FULL, let old log and backups go, and "
    "run pincite index and pincite gc on each machine"
)
_HELP = {
    "08": "start it, or correct record_url",
    "28": "correct the user of record_url or record_password",
    "3D": "make it with createdb, or correct record_url",
    "42501": "give the user of record_url the right to do this",
    "25006": "record_url must name the primary, where rights and documents are up to date",
    "53100": "free some space on the server and run the same command again",
    "53300": "raise its max_connections, or let fewer processes answer",
    "57P": "run the same command again when it is back; what was stored is kept",
    "22021": "PostgreSQL stores no text with the character NUL: take it out",
    "40": "run the same command again",
}
"""What to do, by the beginning of an SQLSTATE."""
_KEY = "hashtextextended(current_schema() || ' pincite writer', 0)"
_HELD = f"""
    SELECT pid FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32 | objid::bigint) = {_KEY}"""
_TRY_LOCK = text(f"SELECT pg_try_advisory_lock({_KEY}), pg_backend_pid()")
_UNLOCK = f"SELECT pg_advisory_unlock({_KEY})"
_HOLDER = text(f"SELECT application_name FROM pg_stat_activity WHERE pid IN ({_HELD})")
_COUNT = "UPDATE meta SET value = (value::bigint + 1)::text WHERE name = :name"
_COUNTED = text(_COUNT)
_COUNTED_BY_WRITER = text(f"{_COUNT} AND :pid IN ({_HELD})")
_FIRST_COUNT = text("INSERT INTO meta (name, value) VALUES (:name, '1') ON CONFLICT (name) DO UPDATE SET value = '2'")
_STAMP = text("SELECT value FROM meta WHERE name = :name")
_WATCHED = "; ".join(
    f"SET {name} = {value}"
    for name, value in (
        *(("tcp_keepalives_idle", 30), ("tcp_keepalives_interval", 10), ("tcp_keepalives_count", 3)),
        ("idle_session_timeout", 0),
    )
)
"""If a writer's machine disappears, its lock lasts a minute longer; a slow writer keeps it."""


def url_of(written: str, password: str = "") -> URL:
    """The URL of a database as a setting gives it, with a password that is given apart. SettingsError where it is
    none."""
    try:
        url = make_url(written)
    except (ArgumentError, ValueError):
        url = None
    if url is None or url.drivername not in (POSTGRESQL, DRIVER) or not url.database:
        raise SettingsError("record_url must be as postgresql://user@host/database")
    return url.set(drivername=DRIVER, password=password or url.password)


def name_of(url: URL) -> str:
    """What messages call it: no password, no options."""
    host = url.host or url.query.get("host")
    shown = URL.create(POSTGRESQL, username=url.username, host=str(host or ""), port=url.port, database=url.database)
    return shown.render_as_string(hide_password=True)


class PostgresDatabase(Database):
    """The tables of a store in the first schema of the search path. What only reads is asked without transactions: each
    statement goes there and back once."""

    def __init__(self, url: URL, statements: Sequence[str] = (), *, has_own_tables: bool = False) -> None:
        self.name = name_of(url)
        self._url = url
        self._changing = self._engine(statements)
        self._reading = self._changing if has_own_tables else self._engine(statements, isolation_level="AUTOCOMMIT")
        self._writer: int | None = None

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction."""
        with self._translated(), self._changing.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection without a transaction."""
        with self._translated(), self._reading.connect() as connection:
            yield connection

    def note_change(self, connection: Connection) -> None:
        """Count this commit; concurrent ones wait until it is done. A process that took the writer lock must still hold
        it: the server may have ended its session, and another may be writing."""
        found: Any = connection.execute(
            _COUNTED if self._writer is None else _COUNTED_BY_WRITER, {"name": COMMITS, "pid": self._writer}
        )
        if found.rowcount == 0:
            if self._writer is None:
                connection.execute(_FIRST_COUNT, {"name": COMMITS})
            else:
                raise StoreError(f"{self.name} ended the session that held the writer lock: run the same command again")

    def stamp(self) -> tuple[int, ...]:
        """How many commits were counted."""
        with self.reading() as connection:
            return (int(connection.scalar(_STAMP, {"name": COMMITS}) or 0),)

    @contextmanager
    def writer_lock(self) -> Iterator[None]:
        """An advisory lock that a session of its own holds, which is called by the name of the holder. It is given up
        in so many words: the server ends a session some time after its connection was closed."""
        own = f"pincite, process {os.getpid()} on {socket.gethostname()}"[:63]
        engine = self._engine((), isolation_level="AUTOCOMMIT", poolclass=NullPool, name=own)
        with self._translated():
            connection = engine.connect()
        with connection:
            with self._translated():
                connection.exec_driver_sql(_WATCHED)
                is_ours, pid = connection.execute(_TRY_LOCK).one()
                holder = None if is_ours else connection.scalar(_HOLDER)
            if not is_ours:
                raise HeldError((holder or "another process").removeprefix("pincite, "))
            self._writer = pid
            try:
                yield
            finally:
                self._writer = None
                with suppress(DBAPIError):
                    connection.exec_driver_sql(_UNLOCK)

    def close(self) -> None:
        """Let go of the connections."""
        for engine in {self._reading, self._changing}:
            engine.dispose()

    def left_by_purge(self) -> str:
        """What only the server's administrator can remove."""
        return LEFT_BY_PURGE

    def _engine(self, statements: Sequence[str], *, name: str = "pincite", **options: Any) -> Engine:
        if "poolclass" not in options:
            options |= {"pool_size": KEPT_CONNECTIONS, "max_overflow": MORE_CONNECTIONS}
        arguments: dict[str, Any] = {"application_name": name}
        if "connect_timeout" not in self._url.query:
            arguments["connect_timeout"] = CONNECT_SECONDS
        try:
            engine = create_engine(self._url, connect_args=arguments, skip_autocommit_rollback=True, **options)
        except ImportError as error:
            raise ServiceError(
                f"a record in PostgreSQL needs packages that are not installed: run {install_extra('postgres')}"
            ) from error

        def prepare(connection: Any, _: Any) -> None:
            schema, is_standby = connection.execute("SELECT current_schema(), pg_is_in_recovery()").fetchone()
            if is_standby:
                raise StoreError(f"{self.name} is a standby: {_HELP['25006']}")
            for statement in statements:
                connection.execute(statement.format(everybodys=f'"{schema}"', temporary=TEMPORARY[POSTGRESQL]))
            connection.commit()

        event.listen(engine, "connect", prepare)
        return engine

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn the errors of the server and of the driver into a StoreError that says what to do."""
        try:
            yield
        except DBAPIError as error:
            raise StoreError(self._advice(error.orig)) from error
        except NoConnectionError as error:
            raise StoreError(f"{self.name} has no free connection: {_HELP['53300']}") from error

    def _advice(self, error: BaseException | None) -> str:
        state = getattr(error, "sqlstate", None) or ""
        told = " ".join(str(error).split())
        for start, advice in _HELP.items():
            if state.startswith(start):
                return f"{self.name} cannot be used ({told}): {advice}"
        if not state and "NUL" in told:
            return f"{self.name} cannot take this text: {_HELP['22021']}"
        if not state:
            return f"{self.name} does not answer ({told}): {_HELP['08']}"
        return f"{self.name} cannot be used ({told}, {state}): run pincite verify"
