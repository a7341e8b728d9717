"""Where the SQL of SQLite and of PostgreSQL differs; all other statements are written once, for both.

What is compiled differs by the dialect of the connection that runs it, so that statements can be made beforehand.
Numbers of rows are given by `counted_up`, not by the engine: PostgreSQL's sequences leave gaps where a transaction
fails, SQLite's do not.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    MetaData,
    String,
    Text,
    bindparam,
    func,
    literal_column,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.sql.functions import FunctionElement

upsert = insert
"""An INSERT that may say `on_conflict_do_...`, as both understand it."""
SQLITE, POSTGRESQL = "sqlite", "postgresql"
TEMPORARY = {SQLITE: "temp", POSTGRESQL: "pg_temp"}
"""The schema of tables and views that only one connection sees; it takes precedence over common ones."""
COMMITS = "commits"
"""The row of `meta` in which PostgreSQL counts commits; it is not copied to another place."""
TEXT_TYPE, WHOLE_NUMBER = "TEXT", "BIGINT"


def portable(tables: MetaData) -> MetaData:
    """These tables with types that mean the same in PostgreSQL as in SQLite: text that is ordered by its bytes, whole
    numbers of 64 bits, keys that are given."""
    for table in tables.tables.values():
        for column in table.columns:
            if isinstance(column.type, String):
                column.type = column.type.with_variant(Text(collation="C"), POSTGRESQL)
            elif isinstance(column.type, Integer):
                column.type = column.type.with_variant(BigInteger(), POSTGRESQL)
                column.autoincrement = False
    return tables


def counted_up(column: Column[int]) -> ColumnElement[int]:
    """One more than the largest number in this column; 1 where there is none. For the values of an INSERT."""
    return select(func.coalesce(func.max(column), 0) + 1).scalar_subquery()


# --- lists as parameters


class _JsonRows(FunctionElement[Any]):
    """The elements of a JSON array, a row each."""

    inherit_cache = True


class _JsonItem(FunctionElement[Any]):
    """(value, place, type): what stands at this place of a JSON array, from 0; without a place the value itself."""

    inherit_cache = True


@compiles(_JsonRows, SQLITE)
def _rows_of_sqlite(element: _JsonRows, compiler: Any, **options: Any) -> str:
    return f"json_each({compiler.process(element.clauses, **options)})"


@compiles(_JsonRows, POSTGRESQL)
def _rows_of_postgresql(element: _JsonRows, compiler: Any, **options: Any) -> str:
    return f"json_array_elements(CAST({compiler.process(element.clauses, **options)} AS JSON))"


@compiles(_JsonItem, SQLITE)
def _item_of_sqlite(element: _JsonItem, compiler: Any, **options: Any) -> str:
    value, place, _ = (compiler.process(part, **options) for part in element.clauses)
    return f"json_extract({value}, '$[{place}]')" if place else str(value)


@compiles(_JsonItem, POSTGRESQL)
def _item_of_postgresql(element: _JsonItem, compiler: Any, **options: Any) -> str:
    value, place, kind = (compiler.process(part, **options) for part in element.clauses)
    return f"CAST({value} ->> {place} AS {kind})" if place else f"({value} #>> '{{}}')"


def listed(name: str) -> ColumnElement[Any]:
    """The elements of the JSON array that is the parameter `name`: a column of a table of their own."""
    return _JsonRows(bindparam(name, type_=Text)).table_valued("value").c.value


def listed_texts(name: str) -> ColumnElement[str]:
    """The same where they are texts."""
    return _JsonItem(listed(name), literal_column(""), literal_column(TEXT_TYPE))


def item(value: ColumnElement[Any], place: int, kind: str = WHOLE_NUMBER) -> ColumnElement[Any]:
    """What stands at this place, from 0, of a JSON array; `kind` is TEXT_TYPE or WHOLE_NUMBER."""
    return _JsonItem(value, literal_column(str(place)), literal_column(kind))


# --- acts of a connection


def is_postgresql(connection: Connection) -> bool:
    """Whether a server answers, not a file."""
    return connection.dialect.name == POSTGRESQL


def everybodys(connection: Connection) -> str:
    """The schema whose tables all connections see."""
    return connection.dialect.default_schema_name or "main"


def begin_alone(connection: Connection, purpose: str) -> None:
    """Begin a transaction that waits for others of this purpose first; in a file for all that write."""
    if is_postgresql(connection):
        lock = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || :purpose, 0))"
        connection.execute(text(lock), {"purpose": f" pincite {purpose}"})
    else:
        driver: Any = connection.connection.driver_connection
        driver.execute("BEGIN IMMEDIATE")


def overwrite_deleted(connection: Connection) -> None:
    """Have what this transaction deletes overwritten. PostgreSQL cannot: see `postgres.LEFT_BY_PURGE`."""
    if not is_postgresql(connection):
        connection.execute(text("PRAGMA secure_delete = ON"))


def engine_problems(connection: Connection) -> list[str]:
    """What the engine itself finds wrong, a line each. PostgreSQL keeps foreign keys by itself, and looks at a page
    whenever it reads one."""
    if is_postgresql(connection):
        return []
    found = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check")) if row[0] != "ok"]
    return found + [f"foreign key of {row[0]}" for row in connection.execute(text("PRAGMA foreign_key_check"))]


def has_tables(connection: Connection) -> bool:
    """Whether a file holds any table, perhaps without a version; in PostgreSQL all were stored with one."""
    counted = text("SELECT count(*) FROM sqlite_master WHERE type = 'table'")
    return not is_postgresql(connection) and bool(connection.scalar(counted))


def version_of(connection: Connection, tables: MetaData) -> int:
    """The version of these tables that was stored with them; 0 where none was. PostgreSQL has it in a comment on the
    first of them."""
    if is_postgresql(connection):
        name = next(iter(tables.tables))
        return int(
            connection.scalar(text("SELECT obj_description(to_regclass(:name), 'pg_class')"), {"name": name}) or 0
        )
    return int(connection.scalar(text("PRAGMA user_version")) or 0)


def store_version(connection: Connection, tables: MetaData, version: int) -> None:
    """Store it."""
    if is_postgresql(connection):
        connection.execute(text(f"COMMENT ON TABLE {next(iter(tables.tables))} IS '{version:d}'"))
    else:
        connection.execute(text(f"PRAGMA user_version = {version:d}"))


def known_views(connection: Connection) -> dict[str, str]:
    """The views that are there, with the statements that made them. PostgreSQL has those in comments."""
    statement = "SELECT name, sql FROM sqlite_master WHERE type = 'view'"
    if is_postgresql(connection):
        statement = (
            "SELECT relname, obj_description(oid, 'pg_class') FROM pg_class "
            "WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace"
        )
    return {str(name): str(made) for name, made in connection.exec_driver_sql(statement)}


def make_view(connection: Connection, name: str, definition: str) -> None:
    """Make a view anew."""
    connection.execute(text(f"DROP VIEW IF EXISTS {name}"))
    connection.execute(text(definition))
    if is_postgresql(connection):
        quoted = definition.replace("'", "''")
        connection.exec_driver_sql(f"COMMENT ON VIEW {name} IS '{quoted}'")
