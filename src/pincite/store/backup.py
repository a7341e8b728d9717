"""One file that holds a store as it was at one moment, made while others read and write."""

from __future__ import annotations

import io
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from pincite.errors import StoreError
from pincite.store.database import translated
from pincite.store.generations import CURRENT, Generations
from pincite.store.sqlite_file import open_for_reading
from pincite.store_files import RECEIPTS, RECORD

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
