"""1. The order in which documents are stored is that of their names, what lies inside a file right behind it, however
long each takes to be read and however many are read at once. 2. While the first is being read others are, but not
without end."""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from tests.support.engines import hashing_engine
from tests.support.promises import files

from pincite.build.sources import Found
from pincite.build.stages import READ_AHEAD, Turns
from pincite.read.sandbox import ReadJob, ReadOutcome, Sandbox
from pincite.store.rows import source_key


class Uneven:
    """Reads up to `width` files at once, of which whichever it wants is finished first."""

    def __init__(self, width: int, pick: Literal["last", "any"]) -> None:
        self._sandbox = Sandbox(workers=1, seconds_per_file=60, memory_bytes=10**9)
        self._width = width
        self._random = Random(width)
        self._picks_last = pick == "last"

    def read_all(self, jobs: Iterable[ReadJob]) -> Iterator[ReadOutcome]:
        waiting = iter(jobs)
        under_way: list[ReadJob] = []
        while True:
            under_way += [job for _, job in zip(range(self._width - len(under_way)), waiting, strict=False)]
            if not under_way:
                return
            place = -1 if self._picks_last else self._random.randrange(len(under_way))
            yield from self._sandbox.read_all([under_way.pop(place)])

    def close(self) -> None:
        self._sandbox.close()


def write_zip(path: Path, *members: str | Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for member in members:
            if isinstance(member, Path):
                archive.write(member, member.name)
            else:
                archive.writestr(member, f"The snow of {member} is deep.")
    return path


def stored(store: Path, docs: Path, reader: Uneven) -> list[str]:
    """The sources in the order of the revisions that put them in."""
    with hashing_engine(store, reader=lambda: reader) as engine:
        known = {source_key(item.source): item.source for item in engine.index([docs]).documents}
    with sqlite3.connect(store / "record.sqlite") as record:
        return [known[key] for (key,) in record.execute("select source_key from revision order by number")]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = files(tmp_path / "docs", {f"{name}.txt": f"Rain falls on {name}." for name in "adef"})
    inner = write_zip(tmp_path / "inner.zip", "x.txt", "y.txt")
    write_zip(folder / "b.zip", "1.txt", inner, "2.txt")
    write_zip(folder / "c.zip", "3.txt")
    return folder


@pytest.mark.parametrize("pick", ["last", "any"])
@pytest.mark.parametrize("width", [1, 2, 20])
def test_how_fast_files_are_read_does_not_show(
    width: int, pick: Literal["last", "any"], docs: Path, tmp_path: Path
) -> None:
    assert stored(tmp_path / "store", docs, Uneven(width, pick)) == [
        "a.txt",
        "b.zip!/1.txt",
        "b.zip!/inner.zip!/x.txt",
        "b.zip!/inner.zip!/y.txt",
        "b.zip!/inner.zip",
        "b.zip!/2.txt",
        "b.zip",
        "c.zip!/3.txt",
        "c.zip",
        "d.txt",
        "e.txt",
        "f.txt",
    ]


def found(name: str, *inside: str) -> Found:
    return Found(Path(name), "!/".join((name, *inside)), inside=inside)


def begun(turns: Turns) -> list[Found]:
    return list(iter(turns.next_unread, None))


def test_others_are_read_while_the_first_is_but_not_without_end() -> None:
    turns, done = Turns(), list[str]()
    for number in range(3 * READ_AHEAD):
        turns.add(found(f"{number:03}"))
    first, *others = begun(turns)
    assert len(others) == READ_AHEAD - 1
    for item in others:
        turns.ready(item.source_id, partial(done.append, item.source_id))
    assert (done, begun(turns)) == ([], [])
    turns.ready(first.source_id, partial(done.append, first.source_id))
    assert done == [f"{number:03}" for number in range(READ_AHEAD)]
    assert len(begun(turns)) == READ_AHEAD


def test_what_lies_inside_a_file_is_read_side_by_side_though_much_is_read_ahead() -> None:
    turns = Turns()
    for number in range(2 * READ_AHEAD):
        turns.add(found(f"{number:03}"))
    holder, *others = begun(turns)
    for item in others:
        turns.ready(item.source_id, lambda: None)
    members = [found("000", f"{number:03}") for number in range(2 * READ_AHEAD)]

    def unpack() -> None:
        for member in reversed(members):
            turns.add(member)

    turns.ready(holder.source_id, unpack)
    assert begun(turns) == members[: READ_AHEAD + 1]
