"""1. `pincite audit` lists, shows, replays, verifies and pins what was asked. 2. `pincite ask` asks the past, and
writes Markdown. 3. `pincite eval pinned` tells what changed."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from tests.support.promises import files, pages

from pincite.cli.main import main

Command = Callable[..., subprocess.CompletedProcess[str]]
QUESTION = "Who rakes the gravel?"
NOTHING = "What does a kilogram of saffron cost in Reykjavik?"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that is indexed by keywords alone."""
    folder = tmp_path_factory.mktemp("indexed")
    pages(folder / "rota.pdf", "The keeper rakes the gravel.", "The warden counts the sluices.")
    assert main(["index", str(folder), "--embedder", "none", "--quiet"]) == 0
    return folder


@pytest.fixture
def folder(indexed: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(indexed, tmp_path, dirs_exist_ok=True))


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run `pincite` in the folder."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.chdir(folder)
        code = main([*arguments, "--embedder", "none"])
        written = capfd.readouterr()
        return subprocess.CompletedProcess(arguments, code, written.out, written.err)

    return run


def asked(command: Command, question: str = QUESTION) -> Any:
    return json.loads(command("ask", question, "--json").stdout)


# --- audit -------------------------------------------------------------------------------------------------


def test_what_was_asked_is_listed_newest_first_a_line_each(command: Command) -> None:
    assert command("audit", "list").stdout == "nothing has been asked yet\n"
    ids = [asked(command, question)["meta"]["trace_id"] for question in (QUESTION, NOTHING, "sluices\x07?")]
    lines = command("audit", "list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [run_id[:8] for run_id in reversed(ids)]
    assert [line.split("  ")[2].strip() for line in lines] == ["answered", "refused", "answered"]
    assert lines[0].endswith(r"sluices\x07?")
    listed = json.loads(command("audit", "list", "--limit", "1", "--json").stdout)
    assert [item["run_id"] for item in listed] == [ids[2]]


@pytest.mark.parametrize("question", [QUESTION, NOTHING])
def test_an_answer_is_shown_as_it_was_printed_with_its_receipt(command: Command, question: str) -> None:
    printed = command("ask", question).stdout
    run_id = command("audit", "list").stdout.split()[0]
    shown = command("audit", "show", run_id)
    assert shown.returncode == 0
    assert shown.stdout.startswith(printed)
    rest = shown.stdout.removeprefix(printed)
    for name in ("Receipt", "store", "policy", "libraries", "SHA-256", "How this answer was made", "times"):
        assert name in rest
    kept = json.loads(command("audit", "show", run_id, "--json").stdout)
    assert all(f"hit {number} " in rest for number in range(1, len(kept["answer"]["evidence"]) + 1))
    assert kept["output"] == json.loads(command("ask", question, "--json", "--stable").stdout)


def test_an_id_that_is_not_there_ends_with_exit_code_1(command: Command) -> None:
    for kind in ("show", "replay"):
        ended = command("audit", kind, "abc")
        assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)


def test_a_replay_says_the_same_bytes_or_what_moved(command: Command, folder: Path) -> None:
    run_id = asked(command)["meta"]["trace_id"]
    for option in ((), ("--answer",)):
        again = command("audit", "replay", run_id[:9], *option)
        assert (again.returncode, again.stdout) == (0, f"{run_id}: the same bytes\n")
    command("remove", "rota.pdf")
    moved = command("audit", "replay", run_id)
    assert moved.returncode == 1
    assert "document rota.pdf: no longer found" in moved.stdout.splitlines()


def test_a_replay_of_what_was_reindexed_since_gives_the_same_bytes(command: Command, folder: Path) -> None:
    run_id = asked(command)["meta"]["trace_id"]
    pages(folder / "rota.pdf", "The cook rakes the gravel.")
    pages(folder / "more.pdf", "The gravel is of flint.")
    command("index", ".")
    assert "cook" in asked(command)["summary"]
    assert command("audit", "replay", run_id).returncode == 0


def test_what_was_purged_is_said_to_be(command: Command) -> None:
    run_id = asked(command)["meta"]["trace_id"]
    assert command("remove", "rota.pdf", "--purge").returncode == 0
    shown = command("audit", "show", run_id)
    assert shown.stdout.startswith("The answer was purged.\n")
    assert QUESTION in shown.stdout
    for kind in (("replay", run_id), ("pin", run_id, "--as-is")):
        ended = command("audit", *kind)
        assert ended.returncode in (2, 3)
        assert f"the receipt {run_id} was purged" in ended.stderr
    assert "3 artifacts purged" in command("audit", "verify").stdout


def test_the_chain_of_receipts_is_verified(command: Command, folder: Path) -> None:
    asked(command)
    assert command("audit", "verify").stdout.startswith("1 receipts, all as they were written; the last is ")
    with closing(sqlite3.connect(folder / ".pincite" / "audit.sqlite")) as audit:
        audit.execute("UPDATE run SET query_text = 'Who sold the gravel?'")
        audit.commit()
    changed = command("audit", "verify")
    assert changed.returncode == 3
    assert changed.stdout.endswith("it was changed\n")


def test_what_was_done_is_listed_shown_verified_and_exported_beside_what_was_asked(
    command: Command, folder: Path
) -> None:
    run_id = asked(command)["meta"]["trace_id"]
    command("remove", "rota.pdf")
    done, question = command("audit", "list").stdout.splitlines()
    assert done.split()[3:] == ["deleted", "rota.pdf"]
    assert question.startswith(run_id[:8])
    assert [row["number"] for row in json.loads(command("audit", "list", "--json").stdout)] == [2, 1]
    shown = command("audit", "show", done[:8]).stdout
    assert shown.startswith(f"Event {done[:8]}")
    assert "  document    rota.pdf\n" in shown
    assert json.loads(command("audit", "show", done[:8], "--json").stdout)["kind"] == "deleted"
    assert "more than one" in command("audit", "show", "").stderr
    verified = command("audit", "verify").stdout
    assert verified.startswith("1 receipts and 1 events, all as they were written; the last is ")
    assert command("audit", "verify", "--head", verified.split()[-1]).returncode == 0
    assert command("audit", "verify", "--head", "0" * 64).returncode == 3
    rows = [json.loads(line) for line in command("audit", "export").stdout.splitlines()]
    assert [(row["entry"], row["number"]) for row in rows] == [("receipt", 1), ("event", 2)]
    assert command("audit", "export", "--until", "2020").stdout == ""
    assert command("audit", "export", "--since", "soon").returncode == 2


# --- pinned questions --------------------------------------------------------------------------------------


def test_an_answer_that_was_right_is_pinned_and_every_later_change_is_told(command: Command, folder: Path) -> None:
    command("audit", "pin", asked(command)["meta"]["trace_id"], "--as-is")
    same = command("eval", "pinned", "pinned.jsonl", "--out", "out.json")
    assert same.returncode == 0, same.stdout
    assert json.loads((folder / "out.json").read_text())["results"]["extract"] == {"unchanged": 1.0, "cited_page": 1.0}
    pages(folder / "rota.pdf", "Nothing stands here.", "The keeper rakes the gravel.")
    command("index", ".")
    changed = command("eval", "pinned", "pinned.jsonl")
    assert changed.returncode == 1
    assert "not cited: rota.pdf, p.1" in changed.stdout
    assert "cited otherwise: The keeper rakes the gravel. rota.pdf, p.1 before, rota.pdf, p.2 now" in changed.stdout


def test_a_wrong_answer_is_pinned_to_the_right_page(command: Command, folder: Path) -> None:
    run_id = asked(command)["meta"]["trace_id"]
    pinned = command("audit", "pin", run_id, "--pages", "rota.pdf:2", "--to", "wrong.jsonl", "--json")
    assert json.loads(pinned.stdout) == {"id": run_id, "question": QUESTION, "must_cite": [["rota.pdf", 2]]}
    still = command("eval", "pinned", "wrong.jsonl")
    assert still.returncode == 1
    assert "not cited: rota.pdf, p.2" in still.stdout
    pages(folder / "rota.pdf", "The warden counts.", "The keeper rakes the gravel.")
    command("index", ".")
    assert command("eval", "pinned", "wrong.jsonl").returncode == 0


def test_a_question_is_pinned_with_its_filter_and_the_last_pin_of_it_counts(command: Command, folder: Path) -> None:
    for pages_ in ("rota.pdf:2", "rota.pdf:1"):
        answer = json.loads(command("ask", QUESTION, "--file", "rota*", "--top-k", "3", "--json").stdout)
        command("audit", "pin", answer["meta"]["trace_id"], "--pages", pages_)
    rows = [json.loads(line) for line in (folder / "pinned.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["filter"], row["policy"]) for row in rows] == [({"sources": ["rota*"]}, {"top_k": 3})] * 2
    measured = command("eval", "pinned", "pinned.jsonl", "--json")
    assert measured.returncode == 0
    assert json.loads(measured.stdout)["counts"] == {"questions": 1, "changed": 0}


@pytest.mark.parametrize(
    ("wanted", "message"), [("rota.pdf:9", "has no page 9"), ("rota.pdf", "is no page"), ("none.pdf:1", "no document")]
)
def test_a_page_that_is_not_there_cannot_be_pinned(command: Command, wanted: str, message: str) -> None:
    ended = command("audit", "pin", asked(command)["meta"]["trace_id"], "--pages", wanted)
    assert ended.returncode in (1, 2)
    assert message in ended.stderr


def test_measuring_leaves_no_receipt(command: Command) -> None:
    command("audit", "pin", asked(command)["meta"]["trace_id"], "--as-is")
    command("eval", "pinned", "pinned.jsonl")
    assert len(command("audit", "list").stdout.splitlines()) == 1


# --- ask ---------------------------------------------------------------------------------------------------


def test_the_cache_and_the_revision_stand_in_the_status(command: Command) -> None:
    for _ in range(4):
        command("ask", QUESTION)
    status = command("status").stdout
    assert "3 of 4 questions were answered from it (75%)" in status
    assert "revision 1, generation " in status
    assert json.loads(command("status", "--json").stdout)["cache"] == {"hits": 3, "misses": 1}


def test_an_answer_as_markdown_shows_every_quote_and_holds_no_markup_of_a_document(
    command: Command, folder: Path
) -> None:
    text = "# Rota\n\nThe keeper rakes *the* gravel <b>twice</b> | at dawn, see [this](http://x).\n"
    files(folder, {"odd_name_.md": text})
    command("index", ".")
    written = command("ask", "Who rakes the gravel at dawn?", "--markdown").stdout
    tokens = MarkdownIt("commonmark").enable("table").parse(written)
    inline = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in inline} <= {"text", "softbreak", "text_special"}
    shown = "".join(child.content for child in inline)
    assert "rakes" in shown
    assert "odd_name_.md" in shown
    kinds = [token.type for token in tokens]
    for kind in ("heading_open", "list_item_open", "blockquote_open", "table_open"):
        assert kind in kinds
    assert (
        kinds.count("tr_open")
        == 1 + json.loads(command("ask", "Who rakes the gravel at dawn?", "--json").stdout)["meta"]["returned"]
    )


def test_no_text_of_a_document_steers_the_terminal(command: Command, folder: Path) -> None:
    files(folder, {"evil.md": "The goat rakes the garden \x1b[31m red \u202e.\n"})
    command("index", ".")
    question = "Who rakes the garden \x1b[32m?"
    run_id = asked(command, question)["meta"]["trace_id"]
    command("audit", "pin", run_id, "--as-is")
    files(folder, {"evil.md": "The cook rakes the garden \x1b[33m.\n"})
    command("index", ".")
    shown = [
        *(command("ask", question, option).stdout for option in ("--explain", "--markdown")),
        *(command("audit", *rest).stdout for rest in (["list"], ["show", run_id], ["replay", run_id])),
        command("eval", "pinned", "pinned.jsonl").stdout,
    ]
    for text in shown:
        assert "garden" in text or "the same bytes" in text
        assert not {"\x1b", "\u202e"} & set(text)


def test_markdown_and_explanation_go_together(command: Command) -> None:
    written = command("ask", QUESTION, "--markdown", "--explain").stdout
    assert MarkdownIt("commonmark").parse(written)[-1].type == "code_block"
    assert MarkdownIt("commonmark").parse(written)[-1].content.startswith("How this answer was made\n")


def test_a_refusal_as_markdown_says_what_to_try(command: Command) -> None:
    written = command("ask", NOTHING, "--markdown")
    assert written.returncode == 1
    assert "- No information found" in written.stdout
    assert "- try: " in written.stdout


def test_the_past_is_asked_by_revision_and_by_date(command: Command, folder: Path) -> None:
    pages(folder / "rota.pdf", "The cook rakes the gravel.")
    command("index", ".")
    assert "cook" in command("ask", QUESTION, "--quiet").stdout
    assert "keeper" in command("ask", QUESTION, "--quiet", "--as-of", "1").stdout
    assert "cook" in command("ask", QUESTION, "--quiet", "--as-of", "2999-01-01").stdout
    assert "keeper" in command("search", QUESTION, "--as-of", "1").stdout
    for moment, code in (("1999-01-01", 2), ("77", 2), ("soon", 2)):
        ended = command("ask", QUESTION, "--as-of", moment)
        assert (ended.returncode, ended.stderr.count("\n")) == (code, 1)


def test_a_pin_tells_of_a_document_that_says_the_same_no_longer_and_of_one_that_contradicts(
    command: Command, folder: Path
) -> None:
    pages(folder / "copy.pdf", "The keeper rakes the gravel.")
    command("index", ".")
    answer = asked(command)
    assert answer["statements"][0]["also"]
    command("audit", "pin", answer["meta"]["trace_id"], "--as-is")
    (folder / "copy.pdf").unlink()
    command("index", ".", "--prune")
    changed = command("eval", "pinned", "pinned.jsonl")
    assert changed.returncode == 1
    assert "corroborated otherwise: " in changed.stdout
    pages(folder / "contrary.pdf", "The soup is boiled in a large pot by a cook. The keeper never rakes the gravel.")
    command("index", ".")
    changed = command("eval", "pinned", "pinned.jsonl").stdout
    assert "said as another kind: " in changed
    assert "newly said: Against this: The keeper never rakes the gravel." in changed
