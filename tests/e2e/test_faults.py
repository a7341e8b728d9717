"""Bad input, full disks, killed runs: one clear line, an exit code, and a store that opens."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from tests.e2e.conftest import COMMAND, Run, environment


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    return lines[0]


def wait_for(path: Path, seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < until, f"{path.name} never came"
        time.sleep(0.02)


def notes(folder: Path, count: int = 3) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / f"note {number}.md").write_text(f"# Note {number}\n\nThe roof number {number} carries snow.\n")
    return folder


def test_a_missing_path_says_so(pincite: Run, tmp_path: Path) -> None:
    done = pincite("index", tmp_path / "nowhere")
    assert done.returncode == 2
    assert "does not exist: give a file or a folder" in one_line(done)


def test_an_empty_folder_is_told(pincite: Run, tmp_path: Path) -> None:
    done = pincite("index", tmp_path, "--embedder", "none")
    assert done.returncode == 0
    assert "nothing to index" in one_line(done)


def test_asking_without_a_store_says_how_to_make_one(pincite: Run, tmp_path: Path) -> None:
    done = pincite("ask", "snow?", cwd=tmp_path)
    assert done.returncode == 3
    assert "pincite index FOLDER" in one_line(done)


def test_an_empty_question_is_wrong_use(pincite: Run, demo_store: Path) -> None:
    done = pincite("ask", "  ", "--store", demo_store)
    assert done.returncode == 2
    assert "question is empty" in one_line(done)


@pytest.mark.promise
def test_broken_files_are_refused_and_the_rest_goes_on(pincite: Run, tmp_path: Path) -> None:
    folder = notes(tmp_path / "docs")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of the kind")
    (folder / "unknown.xyz").write_text("?")
    report = json.loads(pincite("index", folder, "--embedder", "none", "--json").stdout)
    found = {document["source"]: document["status"] for document in report["documents"]}
    assert found == {
        "broken.pdf": "refused",
        "note 0.md": "indexed",
        "note 1.md": "indexed",
        "note 2.md": "indexed",
        "unknown.xyz": "refused",
    }
    assert all(document["reason"] for document in report["documents"] if document["status"] == "refused")
    assert pincite("index", folder, "--embedder", "none").returncode == 1


def test_files_without_pages_are_cited_by_their_lines(pincite: Run, tmp_path: Path) -> None:
    folder = notes(tmp_path / "docs")
    pincite("index", folder, "--embedder", "none")
    done = pincite("ask", "Which roof carries snow?", "--embedder", "none", cwd=folder)
    assert done.returncode == 0
    assert "p." not in done.stdout.split("\n\n")[0]
    assert "(note 1.md, line 3)" in done.stdout


def test_another_model_is_refused_with_what_to_do(pincite: Run, tmp_path: Path) -> None:
    folder = notes(tmp_path / "docs")
    pincite("index", folder, "--embedder", "none")
    assert pincite("ask", "snow?", cwd=folder).returncode == 0
    done = pincite("ask", "snow?", "--embedder", "minilm", cwd=folder)
    assert done.returncode == 3
    assert "was made with the model none" in one_line(done)


@pytest.mark.promise
def test_a_store_of_a_newer_version_is_refused(pincite: Run, tmp_path: Path) -> None:
    folder = notes(tmp_path / "docs")
    pincite("index", folder, "--embedder", "none")
    with sqlite3.connect(folder / ".pincite" / "record.sqlite") as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE name = 'schema_version'")
    connection.close()
    done = pincite("status", cwd=folder)
    assert done.returncode == 3
    assert "newer pincite" in one_line(done)


def test_a_damaged_record_is_told(pincite: Run, tmp_path: Path) -> None:
    folder = notes(tmp_path / "docs")
    pincite("index", folder, "--embedder", "none")
    for path in (folder / ".pincite").glob("record.sqlite*"):
        path.unlink()
    (folder / ".pincite" / "record.sqlite").write_bytes(b"this is no database, but long enough to look like a file")
    done = pincite("status", cwd=folder)
    assert done.returncode == 3
    assert "damaged" in one_line(done)


def test_a_file_that_vanished_is_told_and_pruned_when_asked(pincite: Run, tmp_path: Path) -> None:
    folder = notes(tmp_path / "docs")
    pincite("index", folder, "--embedder", "none")
    (folder / "note 1.md").unlink()
    done = pincite("index", folder, "--embedder", "none")
    assert "vanished  note 1.md" in done.stdout
    assert "note 1.md" in pincite("search", "snow", "--embedder", "none", cwd=folder).stdout
    assert "removed   note 1.md" in pincite("index", folder, "--embedder", "none", "--prune").stdout
    assert "note 1.md" not in pincite("search", "snow", "--embedder", "none", cwd=folder).stdout
    assert pincite("verify", "--embedder", "none", cwd=folder).returncode == 0


def test_a_changed_file_replaces_what_was_there(pincite: Run, tmp_path: Path) -> None:
    folder = notes(tmp_path / "docs")
    pincite("index", folder, "--embedder", "none")
    (folder / "note 1.md").write_text("Now it speaks of bridges.\n")
    report = json.loads(pincite("index", folder, "--embedder", "none", "--json").stdout)
    assert report["counts"]["indexed"] == 1
    assert report["counts"]["unchanged"] == 2
    done = pincite("search", "bridges", "--embedder", "none", "--json", cwd=folder)
    assert [r["filename"] for r in json.loads(done.stdout)["results"]] == ["note 1.md"]


def test_a_store_with_updates_equals_one_from_scratch(pincite: Run, tmp_path: Path) -> None:
    folder = notes(tmp_path / "docs", 4)
    pincite("index", folder, "--embedder", "none")
    (folder / "note 1.md").write_text("Now it speaks of bridges.\n")
    (folder / "note 2.md").rename(folder / "renamed.md")
    pincite("index", folder, "--embedder", "none", "--prune")
    pincite("index", folder, "--embedder", "none", "--store", tmp_path / "scratch")
    asked = [
        pincite("ask", "Which roof carries snow?", "--embedder", "none", "--store", store, "--json", "--stable").stdout
        for store in (folder / ".pincite", tmp_path / "scratch")
    ]
    assert asked[0] == asked[1]
    assert '"generation"' in asked[0]


@pytest.mark.promise
@pytest.mark.skipif(os.geteuid() != 0, reason="needs to mount a small file system")
def test_a_full_disk_leaves_a_store_that_goes_on_when_there_is_room(pincite: Run, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("cannot mount here")
    try:
        folder = tmp_path / "docs"
        folder.mkdir()
        for number in range(40):
            (folder / f"{number}.txt").write_text(f"Roof {number}. " + f"Snow {number} lies here. " * 400)
        done = pincite("index", folder, "--embedder", "none", "--store", disk / "store")
        assert done.returncode == 3
        assert "no space left" in one_line(done)
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        assert pincite("index", folder, "--embedder", "none", "--store", disk / "store").returncode == 0
        assert pincite("verify", "--embedder", "none", "--store", disk / "store").returncode == 0
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.promise
@pytest.mark.parametrize("delay", [0.6, 1.2, 2.0, 3.0])
def test_a_killed_run_is_finished_by_the_next_one(
    pincite: Run, demo_documents: Path, demo_store: Path, tmp_path: Path, delay: float
) -> None:
    folder = tmp_path / "docs"
    shutil.copytree(demo_documents, folder, ignore=shutil.ignore_patterns(".pincite"))
    run = subprocess.Popen(
        [COMMAND, "index", folder], env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(delay)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert pincite("index", folder).returncode == 0
    assert pincite("verify", "--store", folder / ".pincite").stdout == "the store is whole\n"
    statuses = [
        json.loads(pincite("status", "--json", "--store", store).stdout) for store in (folder / ".pincite", demo_store)
    ]
    assert statuses[0]["generation"] == statuses[1]["generation"]
    assert statuses[0]["counts"] == statuses[1]["counts"]


@pytest.mark.promise
@pytest.mark.parametrize("delay", [0.0, 0.5, 1.5])
def test_ctrl_c_leaves_a_store_that_works(pincite: Run, demo_documents: Path, tmp_path: Path, delay: float) -> None:
    folder = tmp_path / "docs"
    shutil.copytree(demo_documents, folder, ignore=shutil.ignore_patterns(".pincite"))
    run = subprocess.Popen([COMMAND, "index", folder], env=environment(), stderr=subprocess.PIPE, text=True)
    wait_for(folder / ".pincite")
    time.sleep(delay)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=120)
    if run.returncode != 0:
        assert run.returncode == 130
        assert errors.strip().splitlines()[-1].startswith("pincite: interrupted")
    assert pincite("index", folder).returncode == 0
    assert pincite("verify", "--store", folder / ".pincite").stdout == "the store is whole\n"


@pytest.mark.promise
def test_two_writers_never_meet(pincite: Run, tmp_path: Path) -> None:
    folder = notes(tmp_path / "docs")
    pincite("index", folder, "--embedder", "none")
    with (folder / ".pincite" / "writer.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = pincite("index", folder, "--embedder", "none")
        assert done.returncode == 3
        assert "being written" in one_line(done)
        assert pincite("search", "snow", "--embedder", "none", cwd=folder).returncode == 0


@contextmanager
def waiting_to_write(folder: Path) -> Iterator[tuple[subprocess.Popen[str], IO[str]]]:
    """A run of `pincite index` that waits for the first writer of a new store, and the lock of that writer."""
    store = folder / ".pincite"
    store.mkdir()
    with (store / "writer.lock").open("a+", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.write(json.dumps({"pid": 7, "host": "elsewhere"}))
        lock.flush()
        run = subprocess.Popen(
            [COMMAND, "index", folder, "--embedder", "none", "--quiet"],
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert run.stderr is not None
        told = run.stderr.readline().rstrip("\n")
        waits = "is creating this store; waiting for it to finish (Ctrl-C to stop)"
        assert told == f"pincite: process 7 on elsewhere {waits}"
        yield run, lock


def test_the_first_writers_of_a_store_wait_for_one_another(pincite: Run, tmp_path: Path) -> None:
    folder = notes(tmp_path / "docs")
    with waiting_to_write(folder) as (run, lock):
        assert run.poll() is None
        lock.close()
        told, errors = run.communicate(timeout=120)
    assert (run.returncode, errors) == (0, "")
    assert told.startswith("3 indexed")
    assert pincite("verify", "--store", folder / ".pincite").stdout == "the store is whole\n"


def test_ctrl_c_ends_the_waiting_for_another_writer(tmp_path: Path) -> None:
    with waiting_to_write(notes(tmp_path / "docs")) as (run, _):
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=120)
    assert run.returncode == 130
    assert errors.startswith("pincite: interrupted")


def test_an_unreadable_setting_is_told(pincite: Run, tmp_path: Path) -> None:
    done = pincite("index", notes(tmp_path / "docs"), PINCITE_CHUNK_SIZE="many")
    assert done.returncode == 2
    assert "chunk_size must be int" in one_line(done)


def test_the_names_of_the_spec_work_as_settings(pincite: Run) -> None:
    shown = json.loads(pincite("doctor", "--settings", "--json", INDEX_CHUNK_SIZE="900").stdout)
    assert shown["chunk_size"] == {"value": 900, "origin": "environment INDEX_CHUNK_SIZE"}
