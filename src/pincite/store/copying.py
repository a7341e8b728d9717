"""Moving and copying whole stores: the record and the receipts between files and PostgreSQL, and a backup in one
file."""

from __future__ import annotations

import hashlib
import io
import sqlite3
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, MetaData, Select, Table, func, insert, select

from pincite.errors import StoreError
from pincite.settings import Settings
from pincite.store import schema
from pincite.store.database import Database, Place, translated
from pincite.store.dialect import COMMITS
from pincite.store.generations import CURRENT, Generations
from pincite.store.locks import writer_lock
from pincite.store.opening import LOCK, open_database, open_for_reading, open_versioned
from pincite.store.sql_record import SqlRecord
from pincite.store_files import RECEIPTS, RECORD, RECORD_ELSEWHERE

ROWS_AT_ONCE = 500
TableListener = Callable[[str, int], None]
"""Called with the name of each table that was copied and the number of its rows."""


def copy_store(source: tuple[Place, Place], target: tuple[Place, Place], told: TableListener) -> str:
    """Copy record and receipts into a place that holds none, each in one transaction; the SHA-256 over all rows, which
    is that of both. StoreError where something is there already, or where the rows read back are not the same: then
    nothing is left there."""
    for place in {source[0], target[0]}:
        SqlRecord(place).close()
    digest = hashlib.sha256()
    for tables, here, there in ((schema.record, source[0], target[0]), (schema.audit, source[1], target[1])):
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
    return open_versioned(place, tables, schema.AUDIT_VERSION, schema.AUDIT_MIGRATIONS)


def _copy(tables: MetaData, source: Database, target: Database, told: TableListener) -> str:
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


LONGEST_NOTE = 300


def places_of(settings: Settings, store: Path) -> tuple[Place, Place]:
    """Where record and receipts are. StoreError where the settings name another place than the store has them in,
    SettingsError for a URL that is none."""
    noted = noted_elsewhere(store)
    if not settings.record_url:
        if noted:
            raise StoreError(
                f"the record of {store} is in {noted}: set record_url to it, or fetch it with pincite migrate"
            )
        return store / RECORD, store / RECEIPTS
    from pincite.store.postgres import name_of, url_of

    url = url_of(settings.record_url, settings.record_password)
    if (store / RECORD).is_file():
        raise StoreError(
            f"{store} has its record in {RECORD}: move it with pincite migrate --to {name_of(url)}, or leave "
            "record_url empty"
        )
    if noted and noted != name_of(url):
        raise StoreError(f"the record of {store} is in {noted}, not in {name_of(url)}: correct record_url, or --store")
    return url, url


def noted_elsewhere(store: Path) -> str:
    """The name of the database that holds the record of this store; empty where its folder does."""
    try:
        text = (store / RECORD_ELSEWHERE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return " ".join(text.split())[:LONGEST_NOTE]


def note_elsewhere(place: Place, store: Path) -> None:
    """Have the folder of a store say in which database its record is."""
    if not isinstance(place, Path) and not noted_elsewhere(store):
        from pincite.store.postgres import name_of

        with translated(store):
            (store / RECORD_ELSEWHERE).write_text(f"{name_of(place)}\n", encoding="utf-8")


def move_record(
    settings: Settings, store: Path, *, to: str | None, source: str | None, told: Callable[[str, int], None]
) -> tuple[str, str]:
    """Copy record and receipts of a store into the database `to`, or from the database `source` into its folder, and
    have them found there: the SHA-256 over all rows and the name of the new place. StoreError where one is written just
    now, where the new place holds a store, or where rows differ."""
    from pincite.store.postgres import name_of, url_of

    url = url_of(to or source or "", settings.record_password)
    files, held = (store / RECORD, store / RECEIPTS), (store / RECORD).is_file()
    if held != bool(to):
        raise StoreError(f"the record of {store} is {'there already' if held else 'not in its folder'}: see --help")
    if noted_elsewhere(store) not in ("", name_of(url)):
        raise StoreError(f"the record of {store} is in {noted_elsewhere(store)}, not in {name_of(url)}: name that one")
    server = SqlRecord(url)
    try:
        with server.writer_lock(), writer_lock(store / LOCK):
            if to:
                digest = copy_store(files, (url, url), told)
                note_elsewhere(url, store)
                for path in files:
                    _move_aside(path)
                return digest, name_of(url)
            aside = tuple(path.with_name(f"{path.name}.new") for path in files)
            for path in aside:
                path.unlink(missing_ok=True)
            digest = copy_store((url, url), (aside[0], aside[1]), told)
            for new, path in zip(aside, files, strict=True):
                new.rename(path)
            (store / RECORD_ELSEWHERE).unlink(missing_ok=True)
            return digest, str(files[0])
    finally:
        server.close()


def _move_aside(path: Path) -> None:
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        if path.with_name(name).is_file():
            path.with_name(name).rename(path.with_name(name.replace(path.name, f"{path.name}.moved")))


DATABASES = (RECORD, RECEIPTS)
PLAIN_FILES = ("roots.json",)
UPLOADS = "uploads/[0-9a-f]*"
"""Documents that were put in over HTTP: nobody else may have them any more."""


def write_backup(folder: Path, generations: Generations, target: Path) -> None:
    """Write the databases, the current generation and the uploads of the store in `folder` into the tar file `target`.

    It appears whole or not at all. Unpacked into an empty folder it is a store.
    """
    if not (folder / DATABASES[0]).is_file():
        raise StoreError(
            f"the record of {folder} is kept by PostgreSQL: back it up with pg_dump, or copy it into a store with "
            "pincite migrate --from URL"
        )
    pinned = generations.pin()
    if pinned is None:
        raise StoreError(f"{folder} holds no index yet: run pincite index FOLDER")
    aside = target.with_name(f".{target.name}.part")
    with pinned.held(), translated(target), TemporaryDirectory() as copies:
        try:
            with tarfile.open(aside, "w") as archive:
                for name, path in _parts(folder, Path(copies)):
                    archive.add(path, name)
                archive.add(pinned.folder, f"generations/{pinned.folder.name}")
                _add_text(archive, CURRENT, pinned.folder.name)
            aside.replace(target)
        finally:
            aside.unlink(missing_ok=True)


def _parts(folder: Path, copies: Path) -> Iterator[tuple[str, Path]]:
    for name in DATABASES:
        if (folder / name).is_file():
            with closing(open_for_reading(folder / name)) as source, closing(sqlite3.connect(copies / name)) as copy:
                source.backup(copy)
            yield name, copies / name
    for name in PLAIN_FILES:
        if (folder / name).is_file():
            yield name, folder / name
    yield from ((path.relative_to(folder).as_posix(), path) for path in sorted(folder.glob(UPLOADS)))


def _add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    data = text.encode("utf-8")
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))
