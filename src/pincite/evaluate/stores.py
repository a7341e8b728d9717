"""Where a measurement keeps its store: in a folder that is given, to measure again, or in a passing one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def store_folder(parent: Path | None, name: str) -> Iterator[Path]:
    """The folder `name` in `parent`, which stays; without a parent one that is removed at the end."""
    if parent is not None:
        parent.mkdir(parents=True, exist_ok=True)
        yield parent / name
        return
    with tempfile.TemporaryDirectory(prefix="pincite-eval-") as passing:
        yield Path(passing) / name
