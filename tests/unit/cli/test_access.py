"""What is closed to who asks is shown by no command; `--principal` opens it, also to those that show documents."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.support.promises import SETTINGS, files, pages, store_of

from pincite.cli.main import main
from pincite.errors import UsageError
from pincite.wiring import open_engine

Command = Callable[..., subprocess.CompletedProcess[str]]
SECRET = "Salaries of the board\nThe treasurer hides the gravel."
LISTED = {"sources": [{"path": f"docs/{name}", "acl": ["board"]} for name in ("secret.pdf", "copy.pdf")]}
QUESTION = "Who hides the gravel?"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An open document, a closed one and its copy, indexed by keywords alone."""
    folder = tmp_path_factory.mktemp("indexed")
    docs = folder / "docs"
    pages(docs / "open.pdf", "The keeper rakes the lawn.")
    for name in ("secret.pdf", "copy.pdf"):
        pages(docs / name, SECRET)
    files(folder, {"list.json": json.dumps(LISTED)})
    with store_of(docs) as engine:
        engine.index(manifest=folder / "list.json")
    return docs


@pytest.fixture
def folder(indexed: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(indexed, tmp_path / "docs"))


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(folder)
        code = main([*arguments, "--embedder", "none"])
        written = capfd.readouterr()
        return subprocess.CompletedProcess(arguments, code, written.out, written.err)

    return run


SHOWING = (
    ("show", "secret.pdf", "--page", "1"),
    ("show", "salar", "--page", "1"),
    ("sections",),
    ("sections", "secret.pdf"),
    ("graph", "treasurer"),
    ("status",),
    ("status", "--json"),
    ("search", "gravel"),
    ("search", "gravel", "--full"),
    ("ask", QUESTION, "--json"),
    ("audit", "list"),
    ("audit", "list", "--json"),
)


@pytest.mark.parametrize("arguments", SHOWING, ids=" ".join)
@pytest.mark.parametrize("principal", [(), ("--principal", "staff")], ids=["nobody", "stranger"])
def test_no_command_shows_what_is_closed(
    command: Command, arguments: tuple[str, ...], principal: tuple[str, ...]
) -> None:
    command("ask", QUESTION, "--principal", "board")
    shown = command(*arguments, *principal)
    named = " ".join(arguments)
    for word in ("treasurer", "secret.pdf", "copy.pdf", "Salaries", "hides"):
        assert word in named or word not in shown.stdout + shown.stderr


@pytest.mark.parametrize("arguments", SHOWING, ids=" ".join)
def test_a_member_is_shown_it_by_the_same_command(command: Command, arguments: tuple[str, ...]) -> None:
    command("ask", QUESTION, "--principal", "board")
    closed, opened = command(*arguments), command(*arguments, "--principal", "board")
    assert opened.stdout != closed.stdout or "salar" in arguments


def test_a_receipt_of_the_board_is_shown_and_replayed_for_the_board_alone(command: Command) -> None:
    run = json.loads(command("ask", QUESTION, "--principal", "board", "--json").stdout)["meta"]["trace_id"]
    for kind in ("show", "replay"):
        assert command("audit", kind, run).returncode == 1
        assert command("audit", kind, run, "--principal", "staff").returncode == 1
        assert command("audit", kind, run, "--principal", "board").returncode == 0
    assert "treasurer" in command("audit", "show", run, "--principal", "board").stdout


def test_pages_pictures_files_and_copies_are_those_of_open_documents(folder: Path) -> None:
    with open_engine(SETTINGS, folder / ".pincite") as engine:
        board, nobody = engine.session(["board"]), engine.session([])
        (cited, *_) = (c for said in board.ask(QUESTION, receipt=False).statements for c in said.citations)
        assert board.files.file_of(cited.source_id) is not None
        assert len(board.files.boxes(cited)) == 2
        assert board.files.picture(cited.source_id, 1).startswith(b"\x89PNG")
        assert len(board.documents.copies().exact) == 1

        assert nobody.files.file_of(cited.source_id) is None
        assert nobody.files.boxes(cited) == ()
        with pytest.raises(UsageError, match="holds no document"):
            nobody.files.picture(cited.source_id, 1)
        assert nobody.documents.copies().exact == ()


# --- pincite access ----------------------------------------------------------------------------------------


def found(command: Command, *principals: str) -> set[str]:
    """The documents that somebody finds who looks for what all of them say."""
    options = [option for tag in principals for option in ("--principal", tag)]
    shown = json.loads(command("search", "keeper treasurer gravel lawn", "--json", *options).stdout)
    return {result["filename"] for result in shown["results"]}


def test_access_is_listed_given_taken_and_told_in_the_audit_chain(command: Command) -> None:
    assert command("access", "list").stdout.splitlines() == [
        "copy.pdf: board",
        "open.pdf: everybody",
        "secret.pdf: board",
    ]
    assert command("access", "close", "open.pdf", "staff", "board").stdout == "open.pdf: board, staff\n"
    assert found(command) == set()
    assert command("access", "grant", "secret.pdf", "staff").stdout == "secret.pdf: board, staff\n"
    assert found(command, "staff") == {"open.pdf", "secret.pdf"}
    assert command("access", "revoke", "secret.pdf", "board").stdout == "secret.pdf: staff\n"
    assert "secret.pdf" not in found(command, "board")
    assert command("access", "open", "secret.pdf").stdout == "secret.pdf: everybody\n"
    assert found(command) == {"secret.pdf"}
    told = json.loads(command("audit", "list", "--json", "--principal", "board", "--principal", "staff").stdout)
    changes = [(entry["source_id"], entry["details"]["acl"]) for entry in told if entry.get("kind") == "access changed"]
    assert changes == [
        ("secret.pdf", []),
        ("secret.pdf", ["staff"]),
        ("secret.pdf", ["board", "staff"]),
        ("open.pdf", ["board", "staff"]),
    ]
    assert json.loads(command("access", "list", "--json").stdout)["copy.pdf"] == ["board"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("grant", "open.pdf", "staff"), "pincite access close open.pdf TAG"),
        (("revoke", "open.pdf", "staff"), "pincite access close open.pdf TAG"),
        (("revoke", "secret.pdf", "board"), "nobody could see secret.pdf then"),
        (("open", "absent.pdf"), "holds no source 'absent.pdf'"),
        (("grant", "absent.pdf", "staff"), "holds no source 'absent.pdf'"),
    ],
)
def test_what_would_do_the_contrary_is_refused_in_a_line(
    command: Command, arguments: tuple[str, ...], message: str
) -> None:
    done = command("access", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_what_was_said_holds_through_the_next_run(command: Command) -> None:
    command("access", "close", "open.pdf", "staff")
    command("access", "open", "secret.pdf")
    assert "copy.pdf, open.pdf stay closed" in command("index", ".", "--mode", "full").stderr
    assert found(command) == {"secret.pdf"}
