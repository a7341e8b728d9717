"""What people who do this every day expect."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import tarfile
import zlib
from pathlib import Path

import numpy as np
import pikepdf
import pytest

from pincite.read.render import TINT
from pincite.wiring import open_engine
from tests.e2e.conftest import COMMAND, Run, environment
from tests.support.made_pdfs import change
from tests.support.promises import SETTINGS, files, pages, store_of

RAKES = "# Rota\n\nThe keeper of the lock rakes the gravel.\n"
COUNTS = "# Rota\n\nThe bailiff of the county counts the sluices.\n"


def ids(folder: Path) -> set[str]:
    """The source ids after indexing a folder."""
    with store_of(folder) as engine:
        return {state.source.source_id for state in engine.session().documents.sources()}


def ids_stored(folder: Path) -> set[str]:
    """The source ids that the store of a folder holds now."""
    with open_engine(SETTINGS, folder / ".pincite") as engine:
        return {state.source.source_id for state in engine.session().documents.sources()}


def test_an_encrypted_pdf_opens_with_a_password_file_and_is_refused_by_name_without(
    command: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "docs"
    lock = pikepdf.Encryption(owner="owner", user="sesame")
    change(pages(folder / "locked.pdf", "The keeper rakes the gravel."), lambda pdf: None, encryption=lock)
    refused = command("index", folder)
    assert refused.returncode == 1
    assert "refused   locked.pdf: " in refused.stdout
    assert "password" in refused.stdout
    (tmp_path / "passwords.txt").write_text("wrong\nsesame\n")
    opened = command("index", folder, "--password-file", tmp_path / "passwords.txt")
    assert opened.returncode == 0, opened.stdout
    assert "(locked.pdf, p.1)" in command("ask", "Who rakes the gravel?", cwd=folder).stdout


def test_what_a_pincite_ignore_file_names_is_not_read(tmp_path: Path) -> None:
    names = ("a.md", "draft a.md", "old/b.md", "keep/c.md", "keep/private/d.md", "keep/draft e.md", "keep/f.txt")
    folder = files(tmp_path, dict.fromkeys(names, RAKES))
    files(folder, {".pinciteignore": "# drafts\ndraft*\n\nold/\n", "keep/.pinciteignore": "private\n/*.txt\n"})
    assert ids(folder) == {"a.md", "keep/c.md"}


def test_what_a_folder_above_ignores_is_not_read_when_a_part_is_indexed(tmp_path: Path) -> None:
    folder = files(
        tmp_path, {"a.md": RAKES, "part/draft.md": COUNTS, "part/b.md": COUNTS, ".pinciteignore": "draft*\n"}
    )
    with store_of(folder) as engine:
        report = engine.index([folder / "part"])
    assert [item.source for item in report.documents] == ["part/b.md"]


def test_what_an_exclude_pattern_means_is_not_read_and_counts_as_vanished_afterwards(
    command: Run, tmp_path: Path
) -> None:
    folder = files(tmp_path, {"a.md": RAKES, "draft a.md": RAKES, "old/b.md": COUNTS, "keep/c.md": COUNTS})
    assert command("index", folder, "--exclude", "draft*", "--exclude", "old/").returncode == 0
    assert ids_stored(folder) == {"a.md", "keep/c.md"}
    files(folder, {"pincite.toml": 'exclude = "draft*, old/"\n'})
    assert command("index", folder, "--exclude", "pincite.toml").returncode == 0
    assert ids_stored(folder) == {"a.md", "keep/c.md"}
    later = command("index", folder, "--exclude", "pincite.toml", "--exclude", "keep/*")
    assert "vanished  keep/c.md" in later.stdout
    assert ids_stored(folder) == {"a.md", "keep/c.md"}
    command("index", folder, "--exclude", "pincite.toml", "--exclude", "keep/*", "--prune")
    assert ids_stored(folder) == {"a.md"}
    planned = command("index", folder, "--dry-run", "--exclude", "a.md", "--exclude", "pincite.toml").stdout
    assert "a.md" not in planned


def test_a_file_that_is_named_itself_is_read_whatever_the_patterns_say(tmp_path: Path) -> None:
    folder = files(tmp_path, {"draft.md": RAKES, ".pinciteignore": "draft*\n"})
    with open_engine(SETTINGS, folder / ".pincite", create=True) as engine:
        for status in ("indexed", "unchanged"):
            (report,) = engine.index([folder / "draft.md"], exclude=["*"]).documents
            assert (report.source, report.status) == ("draft.md", status)


def test_hidden_files_and_symbolic_links_are_not_read(tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": RAKES, ".hidden.md": RAKES, ".git/b.md": RAKES})
    (folder / "link.md").symlink_to(folder / "a.md")
    (folder / "linked").symlink_to(tmp_path, target_is_directory=True)
    assert ids(folder) == {"a.md"}


def test_a_source_can_be_taken_out_by_its_name(command: Run, tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": RAKES, "b.md": COUNTS})
    command("index", folder)
    assert command("remove", "a.md", cwd=folder).returncode == 0
    assert command("ask", "Who rakes the gravel?", cwd=folder).returncode == 1
    assert (folder / "a.md").is_file()


def test_a_dry_run_says_what_would_be_read_and_stores_nothing(command: Run, tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": RAKES, "b.md": COUNTS, "c.xyz": "?"})
    first = command("index", folder, "--dry-run")
    assert first.returncode == 0
    assert [line.split()[:2] for line in first.stdout.splitlines()[:3]] == [
        ["new", "a.md"],
        ["new", "b.md"],
        ["refused", "c.xyz:"],
    ]
    assert " s and " in first.stdout
    assert "MB of disk; nothing was stored" in first.stdout
    assert not (folder / ".pincite").exists()
    files(folder, {"d.pdf": "no PDF"})
    command("index", folder)
    files(folder, {"b.md": RAKES})
    with open_engine(SETTINGS, folder / ".pincite") as engine:
        before = engine.session().generation()
        plan = engine.plan([folder])
        assert {item.source: item.status for item in plan.documents} == {
            "a.md": "unchanged",
            "b.md": "changed",
            "c.xyz": "refused",
            "d.pdf": "refused",
        }
        assert engine.session().generation() == before


def test_an_answer_says_when_a_cited_file_has_changed_or_gone_since(tmp_path: Path) -> None:
    folder = files(tmp_path, {"a.md": RAKES, "b.md": COUNTS})
    with store_of(folder) as engine:
        assert engine.ask("Who rakes the gravel?", receipt=False).notices == ()
        files(folder, {"a.md": RAKES + "\nAnd so on.\n"})
        (folder / "b.md").unlink()
        (changed,) = engine.ask("Who rakes the gravel?", receipt=False).notices
        (gone,) = engine.ask("Who counts the sluices?", receipt=False).notices
    assert changed.startswith("a.md may have changed since it was indexed")
    assert gone.startswith("b.md is gone since it was indexed")


@pytest.mark.parametrize("name", ["a.tiff", "a.png", "a.7z", "a.odt", "a.rtf", "a.mp4", "a", "a.msg"])
def test_what_cannot_be_read_is_refused_by_name_and_never_passed_over_in_silence(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"\x00\x01\x02 The keeper rakes the gravel.")
    with store_of(tmp_path) as engine:
        (state,) = engine.session().documents.sources()
    assert (state.source.source_id, state.status) == (name, "refused")
    assert state.reason


def test_a_store_moves_with_its_folder(command: Run, tmp_path: Path) -> None:
    folder = files(tmp_path / "here", {"a.md": RAKES})
    command("index", folder)
    folder.rename(tmp_path / "there")
    done = command("ask", "Who rakes the gravel?", cwd=tmp_path / "there")
    assert done.returncode == 0
    assert "since it was indexed" not in done.stderr
    report = json.loads(command("index", tmp_path / "there", "--json").stdout)
    assert [item["status"] for item in report["documents"]] == ["unchanged"]


def test_a_citation_is_a_link_to_its_page_on_a_terminal_and_plain_text_in_a_pipe(command: Run, tmp_path: Path) -> None:
    folder = tmp_path / "doc s"
    pages(folder / "a.pdf", "A cover.", "The keeper rakes the gravel.")
    command("index", folder)
    asked = [COMMAND, "ask", "Who rakes the gravel?", "--quiet", "--embedder", "none", "--store", folder / ".pincite"]
    master, terminal = os.openpty()
    done = subprocess.run(asked, stdout=terminal, env=environment() | {"TERM": "xterm"}, check=False)
    os.close(terminal)
    shown = os.read(master, 4096).decode()
    os.close(master)
    assert done.returncode == 0
    assert f"\x1b]8;;{(folder / 'a.pdf').as_uri()}#page=2\x1b\\(a.pdf, p.2)\x1b]8;;\x1b\\" in shown
    assert "\x1b" not in command("ask", "Who rakes the gravel?", cwd=folder).stdout


def painted(path: Path) -> list[tuple[int, int]]:
    """Where a PNG of ours is tinted, as (x, y)."""
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT") + 4
    length = struct.unpack(">I", data[start - 8 : start - 4])[0]
    rows = np.frombuffer(zlib.decompress(data[start : start + length]), np.uint8).reshape(height, 1 + 3 * width)
    pixels = rows[:, 1:].reshape(height, width, 3)
    found = np.argwhere((pixels == TINT).all(axis=2))
    return [(int(x), int(y)) for y, x in found]


def test_show_draws_a_page_with_the_cited_words_marked(command: Run, tmp_path: Path) -> None:
    folder, picture = tmp_path / "docs", tmp_path / "out.png"
    pages(folder / "a.pdf", "A cover.", "The keeper rakes the gravel.\nThe bailiff counts the sluices.")
    command("index", folder)
    quoted = ("--page", "2", "--image", picture, "--quote", "The bailiff counts the sluices.")
    assert command("show", "a.pdf", *quoted, cwd=folder).returncode == 0
    scale = 110 / 72
    places = painted(picture)
    assert 38 * scale <= min(x for x, _ in places) < max(x for x, _ in places) <= 200 * scale
    assert 61 * scale <= min(y for _, y in places) < max(y for _, y in places) <= 77 * scale
    missing = command("show", "a.pdf", "--page", "1", "--image", picture, "--quote", "sluices", cwd=folder)
    assert missing.returncode == 1
    assert "page 1 does not say 'sluices'" in missing.stderr


def test_a_backup_is_one_file_that_is_a_store_once_it_is_unpacked(command: Run, tmp_path: Path) -> None:
    folder, saved, unpacked = tmp_path / "docs", tmp_path / "saved.tar", tmp_path / "unpacked" / ".pincite"
    with store_of(files(folder, {"a.md": RAKES})) as engine:
        engine.ask("Who rakes the gravel?")
        files(folder, {"b.md": COUNTS})
        with store_of(folder) as other:
            assert command("backup", saved, cwd=folder).returncode == 0
            expected = other.ask("Who counts the sluices?", receipt=False).to_dict(stable=True)
    with tarfile.open(saved) as archive:
        archive.extractall(unpacked, filter="data")
    files(unpacked.parent, {"a.md": RAKES, "b.md": COUNTS})
    with open_engine(SETTINGS, unpacked) as restored:
        assert restored.verify() == []
        answer = restored.ask("Who counts the sluices?", receipt=False).to_dict(stable=True)
        assert answer["statements"] == expected["statements"]
        assert {item.status for item in restored.index([unpacked.parent]).documents} == {"unchanged"}
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_status_lists_exact_and_near_copies(command: Run, tmp_path: Path) -> None:
    lines = [f"Clause {number}: the keeper rakes yard number {number}." for number in range(10)]
    revised = "\n\n".join([*lines[:9], "Clause 9: the bailiff counts all of the sluices."])
    texts = {
        "first.md": "\n\n".join(lines),
        "copy of first.md": "\n\n".join(lines),
        "revised.md": revised,
        "c.md": COUNTS,
    }
    folder = files(tmp_path, texts)
    command("index", folder)
    shown = command("status", cwd=folder).stdout.splitlines()
    assert "same     copy of first.md, first.md: the same bytes" in shown
    assert "alike    copy of first.md, revised.md: 90% of their lines" in shown
    assert [line for line in shown if line.startswith(("same", "alike")) and "c.md" in line] == []
