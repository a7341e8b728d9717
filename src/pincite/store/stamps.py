"""Whether a file is the one that was written: all of a small one is looked at, of a large one its size and samples."""

from __future__ import annotations

import hashlib
from pathlib import Path

SAMPLES = 16
SAMPLE_BYTES = 64 * 1024


def stamp_of(path: Path) -> list[int | str]:
    """Size and digest of a file. A garbled or cut file of up to SAMPLES * SAMPLE_BYTES always has another."""
    size = path.stat().st_size
    digest = hashlib.sha256()
    with path.open("rb") as file:
        for place in _places(size):
            file.seek(place)
            digest.update(file.read(SAMPLE_BYTES))
    return [size, digest.hexdigest()]


def _places(size: int) -> list[int]:
    """Where the samples begin: one behind the other in a small file, evenly up to the end in a large one."""
    if size <= SAMPLES * SAMPLE_BYTES:
        return list(range(0, size, SAMPLE_BYTES))
    return [number * (size - SAMPLE_BYTES) // (SAMPLES - 1) for number in range(SAMPLES)]
