"""Stated platforms: what differs on a system falls back to something that works, and `pincite doctor` says so."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.errors import StoreError
from pincite.evaluate.pages import stage
from pincite.platform_notes import describe_platform
from pincite.read import sandbox
from pincite.read.nested_files import opened
from pincite.store.generations import Generations
from pincite.store.locks import drive_of, is_free, share, writer_lock
from tests.e2e.conftest import Run
from tests.support.office_files import packed
from tests.support.promises import files, store_of

TEXT = "# Rota\n\nThe keeper of the lock rakes the gravel.\n"


@pytest.fixture
def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drive without locks, as some in a network are."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", refuse)


def test_the_doctor_says_what_differs_on_this_platform(command: Run, tmp_path: Path) -> None:
    shown = command("doctor", cwd=tmp_path).stdout
    for purpose in describe_platform(tmp_path):
        assert f"\n{purpose}: " in shown
    found = json.loads(command("doctor", "--json", cwd=tmp_path).stdout)["platform"]
    assert found == describe_platform(tmp_path)


@pytest.mark.usefixtures("no_locks")
def test_without_locks_two_writers_still_never_meet_and_the_doctor_says_so(tmp_path: Path) -> None:
    path = tmp_path / "writer.lock"
    with writer_lock(path):
        with pytest.raises(StoreError, match=f"being written by process {os.getpid()} on"), writer_lock(path):
            pass
        assert not is_free(path)
    with writer_lock(path):
        pass
    assert sorted(item.name for item in tmp_path.iterdir()) == ["writer.lock"]
    share(path).close()
    assert "do not work in this folder" in describe_platform(tmp_path)["locks"]


@pytest.mark.usefixtures("no_locks")
def test_without_locks_a_writer_that_was_killed_does_not_stop_the_next(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    held = tmp_path / "writer.lock.held"
    held.write_text(json.dumps({"pid": ended.pid, "host": os.uname().nodename}))
    with writer_lock(tmp_path / "writer.lock"):
        assert json.loads(held.read_text())["pid"] == os.getpid()
    held.write_text(json.dumps({"pid": ended.pid, "host": "another machine"}))
    with pytest.raises(StoreError, match="is being written"), writer_lock(tmp_path / "writer.lock"):
        pass


@pytest.mark.usefixtures("no_locks")
def test_without_locks_a_store_is_indexed_and_asked_and_nothing_in_use_is_taken_away(tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": TEXT})
    with store_of(folder) as reader:
        assert not reader.ask("Who rakes the gravel?", receipt=False).refused
        before = Generations(folder / ".pincite").current()
        files(folder, {"b.md": TEXT.replace("gravel", "leaves")})
        with store_of(folder) as writer:
            assert not writer.ask("Who rakes the leaves?", receipt=False).refused
        assert (folder / ".pincite" / "generations" / str(before)).is_dir()


def test_without_seccomp_files_are_read_within_the_other_limits_and_the_doctor_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A processor whose calls the filter does not know stands for a kernel that has none."""
    folder = files(tmp_path / "docs", {"a.md": TEXT})
    other = "import platform; platform.machine = lambda: 'mips64'\n"
    files(tmp_path / "site", {"sitecustomize.py": other})
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    assert "does not confine them" in describe_platform(tmp_path)["reading processes"]
    with store_of(folder) as engine:
        assert {state.status for state in engine.session().documents.sources()} == {"indexed"}


@pytest.mark.skipif(sys.platform != "linux", reason="seccomp is Linux's own")
def test_on_linux_reading_processes_are_confined(tmp_path: Path) -> None:
    assert describe_platform(tmp_path)["reading processes"] == "no network, no writing, no programs (seccomp)"
    assert sandbox.memory_is_watched()


def test_where_files_cannot_lie_in_memory_members_are_opened_as_temporary_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = packed(tmp_path / "a.zip", {"../evil.txt": "Evil.", "b.txt": "Snow."})
    monkeypatch.delattr(os, "memfd_create", raising=False)
    assert describe_platform(tmp_path)["files inside files"] == "opened as temporary files"
    with opened(path, ("b.txt",)) as (file, name):
        assert (file.read_text(), name) == ("Snow.", "b.txt")
    assert not file.exists()


def refused_links(*_: object) -> None:
    raise OSError(errno.EPERM, "no hard links here")


@pytest.mark.parametrize("link", [os.link, refused_links])
def test_where_there_are_no_hard_links_copies_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, link: Callable[..., None]
) -> None:
    monkeypatch.setattr(os, "link", link)
    stage(files(tmp_path / "docs", {"part/a.md": TEXT}), tmp_path / "staged")
    assert (tmp_path / "staged" / "part" / "a.md").read_text() == TEXT
    with store_of(tmp_path / "staged") as engine:
        assert engine.verify() == []


def test_a_drive_in_a_network_is_told(tmp_path: Path) -> None:
    rows = f"/dev/sda / ext4 rw 0 0\nserver:/docs {tmp_path} nfs4 rw 0 0\n"
    mounts = files(tmp_path / "proc", {"mounts": rows}) / "mounts"
    assert drive_of(tmp_path / "reports", mounts) == "nfs4"
    assert drive_of(Path("/"), mounts) == "ext4"
    assert drive_of(tmp_path, tmp_path / "none") is None
