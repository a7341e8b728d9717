"""Opening a database, in a file or on a server, with the tables that it lacks made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from sqlalchemy import Connection, MetaData, inspect, text

from pincite.errors import StoreError
from pincite.store.database import Database, Place
from pincite.store.dialect import begin_alone, has_tables, store_version, version_of
from pincite.store.sqlite_file import SqliteFile

TABLES = "tables"


def open_database(
    place: Place, tables: MetaData, statements: Sequence[str] = (), *, has_own_tables: bool = False
) -> Database:
    """The database in this place, with these tables made where they are missing.

    `statements` are run on every connection before it is used, {everybodys} and {temporary} in them being the schemas
    of all and of the connection; where they make tables it `has_own_tables`.
    """
    database = _database(place, statements, has_own_tables=has_own_tables)
    with database.reading() as connection:
        is_whole = set(tables.tables) <= set(inspect(connection).get_table_names())
    if not is_whole:
        with database.transaction() as connection:
            begin_alone(connection, TABLES)
            tables.create_all(connection)
    return database


def open_versioned(place: Place, tables: MetaData, version: int, migrations: Mapping[int, Sequence[str]]) -> Database:
    """The same for tables that remember their version: looked at only where it is an older one.

    `migrations` say what turns tables of the version before into each version, apart from new ones, which are made
    anyway. All that they lack is done in one transaction.
    """
    database = _database(place, (), has_own_tables=False)
    with database.reading() as connection:
        stored = version_of(connection, tables)
    if stored > version:
        raise StoreError(
            f"{database.name} was written by a newer pincite (version {stored}, this one knows {version}): "
            "install a newer pincite"
        )
    if stored < version:
        with database.transaction() as connection:
            begin_alone(connection, TABLES)
            _migrate(connection, tables, version, migrations)
            tables.create_all(connection)
            store_version(connection, tables, version)
    return database


def _database(place: Place, statements: Sequence[str], *, has_own_tables: bool) -> Database:
    if isinstance(place, Path):
        return SqliteFile(place, statements)
    from pincite.store.postgres import PostgresDatabase

    return PostgresDatabase(place, statements, has_own_tables=has_own_tables)


def _migrate(connection: Connection, tables: MetaData, version: int, migrations: Mapping[int, Sequence[str]]) -> None:
    """Take the steps that are lacking now, when nobody else can take them. A new database takes none; the first version
    of a file may have tables and no number."""
    stored = version_of(connection, tables) or (1 if has_tables(connection) else version)
    for number in range(stored + 1, version + 1):
        for statement in migrations.get(number, ()):
            connection.execute(text(statement))
