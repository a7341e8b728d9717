"""The README's commands do what it shows, on the demo documents."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from tests.e2e.conftest import Run
from tests.e2e.test_serve import serving

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
ENDLESS = ("serve",)
"""Commands that end when somebody ends them."""


@pytest.fixture(scope="module")
def folder(demo_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which all that the README names is there."""
    base = tmp_path_factory.mktemp("a folder")
    shutil.copytree(demo_store.parent, base / "reports")
    shutil.copytree(demo_store.parent, base / "demo" / "documents")
    (base / "sheet.csv").write_text("question\nWho founded SolarCity?\n", encoding="utf-8")
    return base


def commands() -> list[list[str]]:
    lines = [line.removeprefix("$ ") for kind, text in BLOCKS if not kind for line in text.splitlines()]
    found = [shlex.split(line, comments=True) for line in lines if re.match(r"pincite [a-z-]", line)]
    return [words[1:] for words in found if words[1] not in ENDLESS]


@pytest.mark.parametrize("words", commands(), ids=lambda words: " ".join(words[:3]))
def test_a_command_of_the_readme_runs(pincite: Run, folder: Path, words: list[str]) -> None:
    given = [word.replace("sheet.xlsx", "sheet.csv") for word in words]
    inside = folder if "--store" in given or "reports/" in given or "--help" in given else folder / "reports"
    if "--questions" in given:
        given[given.index("sheet.csv")] = str(folder / "sheet.csv")
    done = pincite(*given, cwd=inside)
    assert done.returncode in (0, 1), done.stderr
    assert not done.stderr or done.returncode == 0 or "nothing" in done.stderr or "No information" in done.stdout


def test_the_answer_that_is_shown_is_the_one_that_is_given(pincite: Run, folder: Path) -> None:
    (text,) = (text for kind, text in BLOCKS if text.startswith("$ pincite ask"))
    command, *shown = text.splitlines()
    done = pincite(*shlex.split(command)[2:], cwd=folder)
    assert done.stdout.startswith("\n".join(shown) + "\n")


def test_the_snippet_of_python_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = (text for kind, text in BLOCKS if kind == "python")
    monkeypatch.chdir(folder)
    exec(compile(text, "README.md", "exec"), {})
    assert os.path.isdir("reports/.pincite")  # noqa: PTH112


def test_the_address_of_the_readme_answers(demo_store: Path) -> None:
    (url,) = re.findall(r'curl "(http://127\.0\.0\.1:8470/qa[^"]+)"', README)
    with serving(demo_store) as (address, _):
        query = parse_qs(urlsplit(url).query)["query"][0]
        assert httpx.get(f"{address}/qa", params={"query": query}, timeout=60).json()["state"] == "answered"


def test_the_questions_to_try_end_as_the_readme_says(pincite: Run, demo_store: Path) -> None:
    asked = re.findall(r"^- (.+?\?)", README.partition("Three questions")[2].partition("```")[0], re.MULTILINE)
    codes = [pincite("ask", question, "--store", demo_store).returncode for question in asked]
    assert codes == [0, 0, 1]
