"""Moving the record and the receipts of a store between files and PostgreSQL, table by table in order of keys."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, MetaData, Select, Table, func, insert, select

from pincite.errors import StoreError
from pincite.store import audit_schema, schema
from pincite.store.database import Database, Place
from pincite.store.dialect import COMMITS
from pincite.store.opening import open_database, open_versioned
from pincite.store.sql_record import SqlRecord

ROWS_AT_ONCE = 500
Told = Callable[[str, int], None]
"""Is told the name of a table that was copied and how many rows it has."""


def copy_store(source: tuple[Place, Place], target: tuple[Place, Place], told: Told) -> str:
    """Copy record and receipts into a place that holds none, each in one transaction; the SHA-256 over all rows, which
    is that of both. StoreError where something is there already, or where the rows read back are not the same: then
    nothing is left there."""
    for place in {source[0], target[0]}:
        SqlRecord(place).close()
    digest = hashlib.sha256()
    for tables, here, there in ((schema.record, source[0], target[0]), (audit_schema.audit, source[1], target[1])):
        first, second = _opened(tables, here), _opened(tables, there)
        try:
            digest.update(_copy(tables, first, second, told).encode())
        finally:
            first.close()
            second.close()
    return digest.hexdigest()


def _opened(tables: MetaData, place: Place) -> Database:
    if tables is schema.record:
        return open_database(place, tables)
    return open_versioned(place, tables, audit_schema.AUDIT_VERSION, audit_schema.MIGRATIONS)


def _copy(tables: MetaData, source: Database, target: Database, told: Told) -> str:
    own = hashlib.sha256()
    with source.transaction() as reading, target.transaction() as writing:
        for table in tables.sorted_tables:
            if table is not schema.meta and writing.scalar(select(func.count()).select_from(table)):
                raise StoreError(f"{target.name} holds a store already: name an empty database or another --store")
        if tables is schema.record:
            writing.execute(schema.meta.delete().where(schema.meta.c.name != COMMITS))
        for table in tables.sorted_tables:
            count, digest = _copy_table(table, reading, writing)
            if digest != _digest(table, writing):
                raise StoreError(f"the rows of {table.name} in {target.name} are not those that were copied: try again")
            own.update(digest.encode())
            told(table.name, count)
        if tables is schema.record:
            target.note_change(writing)
    return own.hexdigest()


def _copy_table(table: Table, reading: Connection, writing: Connection) -> tuple[int, str]:
    count, digest = 0, hashlib.sha256()
    for rows in reading.execute(_rows_of(table), execution_options={"yield_per": ROWS_AT_ONCE}).partitions():
        writing.execute(insert(table), [dict(row._mapping) for row in rows])
        count += len(rows)
        for row in rows:
            digest.update(repr(tuple(row)).encode("utf-8", "surrogatepass"))
    return count, digest.hexdigest()


def _digest(table: Table, connection: Connection) -> str:
    digest = hashlib.sha256()
    for row in connection.execute(_rows_of(table), execution_options={"yield_per": ROWS_AT_ONCE}):
        digest.update(repr(tuple(row)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _rows_of(table: Table) -> Select[Any]:
    """All rows in order of their keys."""
    chosen = select(table).order_by(*table.primary_key)
    return chosen.where(table.c.name != COMMITS) if table is schema.meta else chosen
