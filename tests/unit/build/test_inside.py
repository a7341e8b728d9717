"""The limits of what lies inside a file hold for all of it together, at any depth."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from tests.support.documents import source

from pincite.build.inside import MAX_INSIDE, Unpacked
from pincite.build.sources import Found
from pincite.read.nested_files import Opener
from pincite.records.pages import Document, Member

MIB = 2**20


def holder(size: int) -> Found:
    """A ZIP folder of this many bytes."""
    return Found(Path("a.zip"), "a.zip", source=source("a.zip", size=size))


def holding(count: int, size: int) -> Document:
    """What reading a file gave in which so many files of this size lie."""
    members = tuple(Member(f"{number}.zip", size, "0" * 64, reader="zip 1") for number in range(count))
    return Document((), "zip 1", paged=False, members=members)


def reasons(unpacked: Unpacked, holders: list[Found], inside: Document) -> list[str | None]:
    return [item.reason for found in holders for item in unpacked.members(found, inside)]


def test_sixteen_times_sixteen_nested_files_are_no_more_than_their_holder_may_unpack_to() -> None:
    unpacked = Unpacked()
    nested = unpacked.members(holder(300_000), holding(16, 100_000))
    found = reasons(unpacked, nested, holding(16, MIB))
    read = found.count(None)
    assert 0 < read * MIB <= 200 * 300_000
    assert "more than 200 times as large together as what holds them" in (found[-1] or "")


def test_files_inside_files_are_counted_together() -> None:
    unpacked = Unpacked()
    nested = unpacked.members(holder(100 * MIB), holding(3, 1000))
    found = reasons(unpacked, nested, holding(MAX_INSIDE // 2, 10))
    assert found.count(None) == MAX_INSIDE - 3
    assert found[-1] == "there are more than 20,000 files inside a.zip together: unpack it"


def test_a_large_folder_of_documents_that_are_packed_as_usual_is_read_whole() -> None:
    assert reasons(Unpacked(), [holder(100 * MIB)], holding(1000, MIB)) == [None] * 1000


def steps_of(work: Callable[[], None]) -> int:
    count = 0

    def note(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("inside", [(), ("inner.zip",)])
def test_ten_times_the_files_inside_take_no_more_than_fifteen_times_the_steps(
    inside: tuple[str, ...], tmp_path: Path
) -> None:
    def read_all(path: Path, count: int) -> None:
        with Opener() as opener:
            for number in range(count):
                with opener.opened(path, (*inside, f"{number}.txt")) as (file, name):
                    assert (file.read_bytes(), name) == (b"Snow.", f"{number}.txt")

    steps = []
    for count in (30, 300):
        path, inner = tmp_path / f"{count}.zip", tmp_path / "inner.zip"
        with zipfile.ZipFile(inner if inside else path, "w") as archive:
            for number in range(count):
                archive.writestr(f"{number}.txt", "Snow.")
        if inside:
            with zipfile.ZipFile(path, "w") as archive:
                archive.write(inner, "inner.zip")
        steps.append(steps_of(lambda: read_all(path, count)))  # noqa: B023
    assert steps[1] <= 15 * steps[0]
