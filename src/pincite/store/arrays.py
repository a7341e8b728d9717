"""Named arrays in a folder of a generation, mapped into memory when they are read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def save_arrays(folder: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write each array into a file of its name in a new folder."""
    folder.mkdir(parents=True)
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def load_arrays(folder: Path) -> dict[str, NDArray[Any]]:
    """Map the arrays of a folder into memory."""
    return {path.stem: np.load(path, mmap_mode="r").view(np.ndarray) for path in sorted(folder.glob("*.npy"))}
