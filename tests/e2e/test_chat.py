"""One question after the other, as a user types or pipes them."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.e2e.conftest import COMMAND, Run, environment
from tests.support.language_scripts import SLOW
from tests.support.language_server import LanguageServer

QUESTIONS = "Who founded SolarCity?\nWhen was it founded?\n"


def test_a_follow_up_is_understood_from_what_was_asked_before(pincite: Run, demo_store: Path) -> None:
    done = pincite("chat", "--store", demo_store, typed=QUESTIONS)
    assert done.returncode == 0, done.stderr
    assert "understood as: When was SolarCity founded?" in done.stdout
    assert "(solarcity_history.pdf, p.1)" in done.stdout.split("understood as")[1]


def test_a_folder_is_read_first_and_reused_when_told(pincite: Run, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    missing = pincite("chat", folder, "--reuse", typed=QUESTIONS)
    assert missing.returncode == 3
    assert "leave out --reuse" in missing.stderr
    (folder / "roof.md").write_text("# Roof\n\nThe roof bears 2.5 kN/m2 of snow.\n")
    first = pincite("chat", folder, typed="How much snow does the roof bear?\n")
    assert "2.5 kN/m2" in first.stdout
    assert "1 indexed" in first.stderr
    (folder / "wall.md").write_text("# Wall\n\nThe wall bears 0.8 kN/m2 of wind.\n")
    assert "indexed" not in pincite("chat", folder, "--reuse", typed="").stderr
    assert "1 indexed, 1 unchanged" in pincite("chat", folder, typed="").stderr
    assert "2 indexed" in pincite("chat", folder, "--force", typed="").stderr


def test_a_turn_a_line_as_json(pincite: Run, demo_store: Path) -> None:
    turns = [
        json.loads(line)
        for line in pincite("chat", "--store", demo_store, "--json", typed=QUESTIONS).stdout.splitlines()
    ]
    assert [(turn["typed"], turn["question"]) for turn in turns] == [
        ("Who founded SolarCity?", "Who founded SolarCity?"),
        ("When was it founded?", "When was SolarCity founded?"),
    ]
    assert turns[1]["answer"]["statements"][0]["citations"][0]["page"] == 1


def test_a_conversation_is_saved(pincite: Run, demo_store: Path, tmp_path: Path) -> None:
    done = pincite(
        "chat", "--store", demo_store, "--save", tmp_path / "talk.md", typed=f"{QUESTIONS}/save {tmp_path}/talk.json\n"
    )
    assert done.returncode == 0, done.stderr
    saved = (tmp_path / "talk.md").read_text(encoding="utf-8")
    assert "# When was SolarCity founded?" in saved
    assert "Typed: When was it founded?" in saved
    assert len(json.loads((tmp_path / "talk.json").read_text(encoding="utf-8"))) == 2
    wrong = pincite("chat", "--store", demo_store, "--save", tmp_path / "talk.pdf", typed=QUESTIONS)
    assert (wrong.returncode, len(wrong.stderr.splitlines())) == (2, 1)


def test_what_is_no_command_shows_those_that_are(pincite: Run, demo_store: Path) -> None:
    done = pincite("chat", "--store", demo_store, typed="/wat\n/explain\n/new\n/quit\nnever asked\n")
    assert done.returncode == 0
    assert "/evidence" in done.stderr
    assert "nothing has been asked yet" in done.stderr
    assert "never asked" not in done.stdout


def test_ctrl_c_stops_an_answer_and_not_the_chat(demo_store: Path) -> None:
    command = [COMMAND, "chat", "--store", demo_store, "--mode", "generate", "--language-model", "openai"]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with LanguageServer(SLOW["hangs before it answers"]) as server:
        settings = {"PINCITE_OPENAI_BASE_URL": f"{server.url}/v1", "PINCITE_OPENAI_MODEL": "slow"}
        with subprocess.Popen(command, env=environment() | settings, text=True, **pipes) as chat:
            try:
                assert chat.stdin is not None
                chat.stdin.write("Who founded SolarCity?\n")
                chat.stdin.flush()
                while not server.requests:
                    time.sleep(0.05)
                    assert chat.poll() is None
                chat.send_signal(signal.SIGINT)
                _, told = chat.communicate("/new\n", timeout=60)
            finally:
                chat.kill()
    assert chat.returncode == 0, told
    assert "stopped" in told
    assert "earlier questions are forgotten" in told
