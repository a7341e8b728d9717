"""What a user may only read, or may not even read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.e2e.conftest import COMMAND, Run, environment
from tests.e2e.test_serve import serving
from tests.support.promises import files, store_of

KEEPER = "The keeper of the lock rakes the gravel.\n"
QUESTION = "Who rakes the gravel?"
WITHOUT_POWERS = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
"""Runs a program as an administrator whom permissions concern as they do others."""


def can_lay_down_powers() -> bool:
    """Whether permissions concern this user, or can be made to."""
    return os.geteuid() != 0 or (
        shutil.which("setpriv") is not None
        and not subprocess.run([*WITHOUT_POWERS, "true"], capture_output=True, check=False).returncode
    )


pytestmark = pytest.mark.skipif(not can_lay_down_powers(), reason="permissions do not concern this user")


@pytest.fixture(scope="module")
def user() -> Run:
    """Run `pincite` as a user whom permissions concern, by keywords alone."""

    def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        before = WITHOUT_POWERS if os.geteuid() == 0 else ()
        given = [*before, COMMAND, *map(str, arguments), "--embedder", "none"]
        return subprocess.run(given, capture_output=True, text=True, env=environment(), timeout=300, check=False)

    return run


@contextmanager
def closed(*places: tuple[Path, int]) -> Iterator[None]:
    """For a while these files and folders have these permissions."""
    before = [(path, path.stat().st_mode) for path, _ in places]
    try:
        for path, mode in places:
            path.chmod(mode)
        yield
    finally:
        for path, mode in reversed(before):
            path.chmod(mode)


@pytest.fixture(scope="module")
def closed_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store that was asked once and may only be read since."""
    folder = files(tmp_path_factory.mktemp("docs"), {"a.md": KEEPER})
    with store_of(folder) as engine:
        engine.ask(QUESTION)
    store = folder / ".pincite"
    with closed(*((place, 0o500 if place.is_dir() else 0o400) for place in (*store.rglob("*"), store))):
        yield store


def state(store: Path) -> list[tuple[Path, int]]:
    return sorted((path, path.stat().st_mtime_ns) for path in store.rglob("*"))


def test_a_store_that_may_only_be_read_is_asked_and_stays_untouched(user: Run, closed_store: Path) -> None:
    before = state(closed_store)
    for question in (QUESTION, "Where is gravel raked?"):
        asked = user("ask", question, "--store", closed_store)
        assert asked.returncode == 0, asked.stderr
        assert asked.stdout.startswith("The keeper of the lock rakes the gravel. (a.md, line 1)")
        assert "note: receipt not stored" in asked.stderr
    for arguments in (("status",), ("audit", "verify")):
        assert user(*arguments, "--store", closed_store).returncode == 0
    assert state(closed_store) == before


def test_many_ask_a_store_that_may_only_be_read(closed_store: Path) -> None:
    before = state(closed_store)
    powers = WITHOUT_POWERS if os.geteuid() == 0 else ()
    with (
        serving(closed_store, "--embedder", "none", before=powers) as (address, _),
        ThreadPoolExecutor(12) as askers,
        httpx.Client(timeout=120) as client,
    ):
        asked = [{"query": f"Who rakes the gravel of lock {number}?"} for number in range(60)]
        told = list(askers.map(lambda params: client.get(f"{address}/qa", params=params), asked))
    assert {found.status_code for found in told} <= {200, 503}
    answered = [found.text for found in told if found.status_code == 200]
    assert answered
    assert all("rakes the gravel" in text for text in answered)
    assert state(closed_store) == before


def test_a_store_that_may_only_be_read_is_backed_up(user: Run, closed_store: Path, tmp_path: Path) -> None:
    assert user("backup", tmp_path / "saved.tar", "--store", closed_store).returncode == 0
    with tarfile.open(tmp_path / "saved.tar") as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    assert user("ask", QUESTION, "--store", tmp_path / "unpacked").returncode == 0


@pytest.mark.parametrize("command", ["index", "remove"])
def test_what_would_write_into_a_store_that_may_only_be_read_says_so_in_one_line(
    user: Run, closed_store: Path, command: str
) -> None:
    done = user(command, closed_store.parent if command == "index" else "a.md", "--store", closed_store)
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "cannot be written (Permission denied): check its permissions or give another --store" in done.stderr


def test_a_folder_that_cannot_be_opened_is_told_by_its_name_and_what_it_held_stays(user: Run, tmp_path: Path) -> None:
    folder = files(tmp_path / "docs", {"a.md": "A lock.\n", "closed/b.md": KEEPER, "listed/c.md": "A weir.\n"})
    with store_of(folder):
        pass
    with closed((folder / "closed", 0o000), (folder / "listed", 0o400)):
        done = user("index", folder, "--prune")
        asked = user("ask", QUESTION, "--store", folder / ".pincite")
    assert done.returncode == 1
    assert done.stdout.splitlines()[:2] == [
        "refused   closed: cannot be opened: Permission denied",
        "refused   listed: cannot be opened: Permission denied",
    ]
    assert "(b.md, line 1)" in asked.stdout
    assert "note: closed/b.md cannot be looked at (Permission denied)" in asked.stderr


def test_a_file_that_cannot_be_opened_is_refused_by_its_name(user: Run, tmp_path: Path) -> None:
    folder = files(tmp_path / "docs", {"a.md": KEEPER, "b.md": "A weir.\n"})
    with closed((folder / "b.md", 0o000)):
        done = user("index", folder)
    assert done.returncode == 1
    assert "refused   b.md: cannot be opened: Permission denied" in done.stdout
    assert "1 indexed, 1 refused" in done.stdout + done.stderr
