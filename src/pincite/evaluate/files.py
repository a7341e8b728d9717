"""Files and stores of a measurement: sets as JSON lines and tables, plain or gzipped; stores that are kept or
passing."""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from pincite.errors import UsageError


def existing(path: Path) -> Path:
    """This file, or the same with `.gz` at its end; UsageError where there is neither."""
    zipped = path.with_name(f"{path.name}.gz")
    for candidate in (path, zipped):
        if candidate.is_file():
            return candidate
    raise UsageError(f"{path} does not exist, nor does {zipped.name}: give a folder that holds it")


def open_text(path: Path) -> TextIO:
    """The file as UTF-8 text, unzipped where its name ends in .gz."""
    if path.suffix == ".gz":
        return cast(TextIO, gzip.open(path, "rt", encoding="utf-8"))
    return path.open(encoding="utf-8")


def json_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines, empty lines left out; UsageError names the line that is none."""
    with open_text(path) as stream:
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield _object(line, f"{path}, line {number}")


def content_key(path: Path) -> str:
    """Sixteen hex digits of the SHA-256 of a file's unzipped bytes."""
    digest = hashlib.sha256()
    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:16]


def bytes_below(folder: Path) -> int:
    """The bytes of all files in and below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{where} is not JSON ({error}): correct the line") from error
    if not isinstance(row, dict):
        raise UsageError(f"{where} is not a JSON object: correct the line")
    return row


@contextmanager
def store_folder(parent: Path | None, name: str) -> Iterator[Path]:
    """The folder `name` in `parent`, which stays; without a parent one that is removed at the end."""
    if parent is not None:
        parent.mkdir(parents=True, exist_ok=True)
        yield parent / name
        return
    with tempfile.TemporaryDirectory(prefix="pincite-eval-") as passing:
        yield Path(passing) / name
