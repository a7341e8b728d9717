"""Where the record and the receipts of a store are: in its folder, or in the database that the settings name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pincite.errors import StoreError
from pincite.settings import Settings
from pincite.store.database import Place, translated
from pincite.store.locks import writer_lock
from pincite.store.sql_record import SqlRecord
from pincite.store.sqlite_file import LOCK
from pincite.store_files import RECEIPTS, RECORD, RECORD_ELSEWHERE

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
    from pincite.store.copying import copy_store
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
