"""Named arrays in a folder of a generation, mapped into memory when they are read; packed vectors as one array."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.ports import Vector


def save_arrays(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write each array into a file of its name in a folder, which is made where there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values)


def load_arrays(folder: Path) -> dict[str, NDArray[Any]]:
    """Map the arrays of a folder into memory."""
    return {path.stem: np.load(path, mmap_mode="r").view(np.ndarray) for path in sorted(folder.glob("*.npy"))}


@contextmanager
def stacked_vectors(
    packed: Iterable[Sequence[bytes]], dimension: int, folder: Path
) -> Iterator[tuple[Vector, NDArray[np.int32]]]:
    """Rows (rows, dimension) of all chunks in order, and for each row the position of its chunk. The rows are mapped
    from a file in this folder that nobody sees."""
    counts = array("i")
    with TemporaryFile(dir=folder) as file:
        for chunk in packed:
            counts.append(len(chunk))
            file.writelines(chunk)
        file.flush()
        rows = sum(counts)
        vectors = np.memmap(file, "<f4", "r", shape=(rows, dimension)) if rows else np.empty((0, dimension), "<f4")
        yield vectors.view(np.ndarray), np.repeat(np.arange(len(counts), dtype=np.int32), counts)
