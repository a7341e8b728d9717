"""How long indexing would take is measured on a few of the folder's own files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.build.plan import SAMPLE_FILES, make_plan
from pincite.build.sources import Roots, find_sources
from pincite.records import ChunkPolicy

START, PER_KILOBYTE = 5.0, 0.5


class Clock:
    """Takes five seconds to start, and half a second for each kilobyte that it has not seen."""

    def __init__(self) -> None:
        self.seen: dict[Path, int] = {}
        self.calls = 0

    def __call__(self, paths: Sequence[Path]) -> float:
        fresh = {path: path.stat().st_size for path in paths if path not in self.seen}
        self.seen |= fresh
        self.calls += 1
        return (START if self.calls == 1 else 0.0) + sum(fresh.values()) / 1000 * PER_KILOBYTE


def seconds_of(folder: Path, clock: Clock) -> float:
    roots = Roots().including(folder)
    found = list(find_sources([folder], roots, folder / ".pincite"))
    return make_plan(found, [], ChunkPolicy(), "", full=False, embeds=True, timed=clock).seconds


def test_the_estimate_is_that_of_the_sample_scaled_to_the_folder(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"{number}.txt").write_text("a" * 1000 * (10 + number), encoding="utf-8")
    clock = Clock()
    truth = START + sum(10 + number for number in range(60)) * PER_KILOBYTE
    assert seconds_of(tmp_path, clock) == pytest.approx(truth, rel=0.05)
    assert len(clock.seen) <= SAMPLE_FILES + 1


def test_a_file_that_is_too_large_for_a_sample_is_estimated_by_what_is_usual(tmp_path: Path) -> None:
    (tmp_path / "small.txt").write_text("a" * 20_000, encoding="utf-8")
    (tmp_path / "large.txt").write_text("a" * 4_000_000, encoding="utf-8")
    clock = Clock()
    assert 15 + 50 < seconds_of(tmp_path, clock) < 15 + 100
    assert [path.name for path in clock.seen] == ["small.txt"]


def test_where_nothing_is_to_be_read_nothing_is_timed(tmp_path: Path) -> None:
    clock = Clock()
    assert seconds_of(tmp_path, clock) == 0
    assert clock.calls == 0
