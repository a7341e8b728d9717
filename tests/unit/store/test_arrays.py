"""Many threads may map arrays at once: numpy reads the head of one file at a time, since threads that meet in `ast` may
get a SystemError from CPython before 3.11.8 (gh-106905)."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.store.inverted import load_array

THREADS = 8


def test_many_threads_map_arrays_and_numpy_reads_one_head_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.save(tmp_path / "a.npy", np.arange(4))
    real, reading, together = np.load, list[Path](), list[int]()

    def load(path: Path, **terms: Any) -> Any:
        reading.append(path)
        together.append(len(reading))
        time.sleep(0.002)
        found = real(path, **terms)
        reading.pop()
        return found

    monkeypatch.setattr(np, "load", load)
    with ThreadPoolExecutor(THREADS) as pool:
        sums = list(pool.map(lambda _: int(load_array(tmp_path / "a.npy").sum()), range(4 * THREADS)))
    assert sums == [6] * (4 * THREADS)
    assert set(together) == {1}
