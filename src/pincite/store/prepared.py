"""Statements whose SQL is made once, for what every question does: SQLAlchemy takes longer to find a short one in its
cache than SQLite to run it (docs/decisions/0805). A server takes longer than that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Executable
from sqlalchemy.dialects import sqlite

from pincite.store.dialect import is_postgresql
from pincite.store.rows import Row


class Prepared:
    """One statement. What it raises are the errors of sqlite3, or those of SQLAlchemy for PostgreSQL, which a
    `Database` knows."""

    def __init__(self, statement: Executable) -> None:
        compiled = statement.compile(dialect=sqlite.dialect(paramstyle="named"))  # type: ignore[attr-defined]
        self._statement = statement
        self._sql, self._values = str(compiled), compiled.params

    def rows(self, connection: Connection, **values: Any) -> list[tuple[Any, ...]]:
        """What it finds, with these values for those that were left open."""
        if is_postgresql(connection):
            return [tuple(row) for row in connection.execute(self._statement, values)]
        found: list[tuple[Any, ...]] = _driver(connection).execute(self._sql, {**self._values, **values}).fetchall()
        return found

    def run(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Do it with each of these rows, which name every value."""
        if not is_postgresql(connection):
            _driver(connection).executemany(self._sql, rows)
        elif rows:
            connection.execute(self._statement, rows)


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection
