"""How long indexing would take is measured on a few of the folder's own files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.build.plan import SAMPLE_FILES, Trial, Trials, make_plan
from pincite.build.sources import Roots, find_sources
from pincite.records.chunks import ChunkPolicy

START, PER_CHUNK = 5.0, 0.25


class Clock:
    """Takes five seconds to start, and a quarter of one for each chunk, of which each kilobyte has one."""

    def __init__(self) -> None:
        self.read: set[Path] = set()
        self.indexed: set[Path] = set()

    def trials(self) -> Trials:
        return Trials(self._reading, self._indexing)

    def _reading(self, paths: Sequence[Path]) -> Trial:
        self.read |= set(paths)
        return Trial(0.0, {path: path.stat().st_size // 1000 for path in paths})

    def _indexing(self, paths: Sequence[Path]) -> Trial:
        fresh = {path: path.stat().st_size // 1000 for path in paths if path not in self.indexed}
        start = 0.0 if self.indexed else START
        self.indexed |= set(fresh)
        return Trial(start + sum(fresh.values()) * PER_CHUNK, fresh)


def seconds_of(folder: Path, clock: Clock) -> float:
    roots = Roots().including(folder)
    found = list(find_sources([folder], roots, folder / ".pincite"))
    return make_plan(found, [], ChunkPolicy(), "", full=False, embeds=True, trials=clock.trials()).seconds


def test_the_estimate_is_that_of_the_sample_scaled_to_the_folder(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number}.txt").write_text("a" * 1000 * (2 + 3 * number), encoding="utf-8")
    clock = Clock()
    truth = START + sum(2 + 3 * number for number in range(60)) * PER_CHUNK
    assert seconds_of(tmp_path, clock) == pytest.approx(truth, rel=0.05)
    assert len(clock.read) <= SAMPLE_FILES + 1


def test_files_that_are_too_large_are_read_and_not_timed(tmp_path: Path) -> None:
    (tmp_path / "small.txt").write_text("a" * 2_000, encoding="utf-8")
    (tmp_path / "large.txt").write_text("a" * 400_000, encoding="utf-8")
    clock = Clock()
    assert 10 < seconds_of(tmp_path, clock) < 30
    assert {path.name for path in clock.read} == {"small.txt", "large.txt"}
    assert {path.name for path in clock.indexed} == {"small.txt"}


def test_where_nothing_is_to_be_read_nothing_is_tried(tmp_path: Path) -> None:
    clock = Clock()
    assert seconds_of(tmp_path, clock) == 0
    assert not clock.read | clock.indexed
