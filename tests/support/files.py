"""What lies in a folder while a service works in it: names may go between two looks, which `rglob` would not bear."""

from __future__ import annotations

import os
from pathlib import Path


def below(folder: Path, *, without: Path | None = None) -> list[Path]:
    """Every folder and file below, but for one folder (`without`) and what is in it."""
    found: list[Path] = []
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if Path(place, name) != without]
        found += (Path(place, name) for name in (*folders, *files))
    return found


def files_below(folder: Path, *, without: Path | None = None) -> list[Path]:
    """The files alone."""
    return [path for path in below(folder, without=without) if path.is_file()]


def contents(folder: Path) -> bytes:
    """All that the files hold, one behind the other."""
    held = b""
    for path in files_below(folder):
        try:
            held += path.read_bytes()
        except FileNotFoundError:
            continue
    return held
