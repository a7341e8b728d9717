"""1. A copy is there as long as somebody uses it. 2. What is kept is bounded, and what was looked at last stays."""

from __future__ import annotations

import os
import time
from pathlib import Path

from pincite.build.objects import IN_USE_SECONDS, LEFT_SECONDS, FetchedFiles, KeptFiles
from pincite.ports import StoredObject
from pincite_testing.memory_objects import MemoryObjects


def store_of(*keys: str) -> tuple[MemoryObjects, list[StoredObject]]:
    objects = MemoryObjects()
    for key in keys:
        objects.hold(f"s3://docs/{key}", key.encode() * 100)
    return objects, list(objects.objects("s3://docs/"))


def test_a_copy_goes_with_its_last_user_and_all_with_the_run(tmp_path: Path) -> None:
    objects, (first, second) = store_of("a.pdf", "../../b.pdf")
    with FetchedFiles(tmp_path, lambda: objects) as files:
        path, other = files.fetch(first), files.fetch(second)
        assert {path.parent, other.parent} == {tmp_path / "reading"}
        files.use(path)
        files.done(path)
        assert path.read_bytes() == b"a.pdf" * 100
        files.done(path)
        assert (path.exists(), other.exists()) == (False, True)
    assert list(tmp_path.iterdir()) == []


def test_what_was_looked_at_longest_ago_goes_first(tmp_path: Path) -> None:
    objects, found = store_of("a.txt", "b.txt", "c.txt")
    kept = KeptFiles(tmp_path, lambda: objects, most_bytes=1000)
    paths = []
    for age, item in zip((3, 2, 0), found, strict=True):
        with kept.opened(item.address, item.stamp, keeps=True) as path:
            assert path is not None
            paths.append(path)
            then = time.time() - age * IN_USE_SECONDS
            os.utime(path, (then, then))
    assert [path.exists() for path in paths] == [False, True, True]


def test_what_a_killed_process_left_is_removed_after_a_while(tmp_path: Path) -> None:
    objects, _ = store_of("a.txt")
    left, busy = (tmp_path / "looking" / name for name in ("left", "busy"))
    for folder in (left, busy):
        folder.mkdir(parents=True)
        (folder / "copy.pdf").write_bytes(b"%PDF-")
    then = time.time() - 2 * LEFT_SECONDS
    os.utime(left, (then, then))
    KeptFiles(tmp_path, lambda: objects, most_bytes=1000).clean()
    assert (left.exists(), busy.exists()) == (False, True)


def test_what_is_not_to_be_kept_or_is_another_now_leaves_nothing(tmp_path: Path) -> None:
    objects, (item,) = store_of("a.txt")
    kept = KeptFiles(tmp_path, lambda: objects, most_bytes=1000)
    with kept.opened(item.address, item.stamp, keeps=False) as path:
        assert path is not None
        assert path.is_file()
    with kept.opened(item.address, "another", keeps=True) as path:
        assert path is None
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
