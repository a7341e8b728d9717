"""Named arrays in a folder of a generation, mapped into memory when they are read; packed vectors as one array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.ports import Vector


def save_arrays(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write each array into a file of its name in a new folder."""
    folder.mkdir(parents=True)
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def load_arrays(folder: Path) -> dict[str, NDArray[Any]]:
    """Map the arrays of a folder into memory."""
    return {path.stem: np.load(path, mmap_mode="r").view(np.ndarray) for path in sorted(folder.glob("*.npy"))}


def stack_vectors(packed: Sequence[Sequence[bytes]], dimension: int) -> tuple[Vector, NDArray[np.int32]]:
    """Rows (rows, dimension) of all chunks in order, and for each row the position of its chunk."""
    joined = b"".join(row for chunk in packed for row in chunk)
    vectors = np.frombuffer(joined, dtype="<f4").reshape(-1, dimension).astype(np.float32)
    owners = np.repeat(np.arange(len(packed), dtype=np.int32), [len(chunk) for chunk in packed])
    return vectors, owners
