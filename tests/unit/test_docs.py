"""1. The generated pages are current. 2. The README keeps its length. 3. No link or path of README and docs is dead.
4. Every command that they name is one that the parser takes. 5. The site builds strictly. 6. They name no machine."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import tomllib
from pathlib import Path

import pytest

from pincite.cli.main import build_parser
from pincite.errors import UsageError

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
WRITER = runpy.run_path(str(ROOT / "tools" / "write_docs.py"))
PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "BENCHMARKS.md", "CONTRIBUTING.md", "CHANGELOG.md")]
WRITTEN = sorted(path for path in DOCS.rglob("*.md") if "decisions" not in path.parts)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(path: Path, *kinds: str) -> list[str]:
    found = BLOCK.findall(path.read_text(encoding="utf-8"))
    return [re.sub(rf"^{indent}", "", text, flags=re.MULTILINE) for indent, kind, text in found if kind in kinds]


@pytest.mark.parametrize("name", WRITER["PAGES"])
def test_a_generated_page_is_current(name: str) -> None:
    """`make docs` writes them again."""
    assert (DOCS / name).read_text(encoding="utf-8") == WRITER["PAGES"][name]()


def test_the_readme_keeps_its_length() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.encode()) < 9 * 1024
    assert readme.count("\n") <= 160
    assert all(path.stat().st_size < 200_000 for path in (DOCS / "images").iterdir())


@pytest.mark.parametrize("path", [*PAGES, *WRITTEN], ids=name_of)
def test_no_link_is_dead(path: Path) -> None:
    links = [link for link in LINK.findall(path.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (path.parent / link.partition("#")[0]).exists()] == []


@pytest.mark.parametrize("path", [ROOT / "README.md", *WRITTEN], ids=name_of)
def test_every_path_of_the_repository_that_is_named_is_there(path: Path) -> None:
    named = re.findall(
        r"`((?:tests|tools|src|examples|deploy|evaluation|docs)/[\w./-]*)`", path.read_text(encoding="utf-8")
    )
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("path", [ROOT / "README.md", *WRITTEN], ids=name_of)
def test_every_command_is_one_that_there_is(path: Path) -> None:
    lines = [line for text in blocks(path, "") for line in text.splitlines()]
    commands = [line.removeprefix("$ ") for line in lines if re.match(r"(\$ )?pincite [a-z-]", line)]
    for command in commands:
        words = shlex.split(re.split(r" {2,}| \| | [<>] ", command)[0], comments=True)[1:]
        if "[options]" in words or "--help" in words:
            continue
        try:
            build_parser().parse_args(words)
        except UsageError as error:
            pytest.fail(f"{command}: {error}")


@pytest.mark.parametrize("path", [ROOT / "README.md", *WRITTEN], ids=name_of)
def test_every_snippet_can_be_read(path: Path) -> None:
    for text in blocks(path, "json"):
        json.loads(text)
    for text in blocks(path, "toml"):
        tomllib.loads(text)
    for text in blocks(path, "python"):
        compile(text, path.name, "exec")


def test_the_site_builds_strictly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dead link, an anchor that is not there, or a page in no menu ends it."""
    build = pytest.importorskip("mkdocs.commands.build", reason="make docs installs mkdocs-material")
    config = pytest.importorskip("mkdocs.config")
    pytest.importorskip("material", reason="make docs installs mkdocs-material")
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    loaded = config.load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path / "site"))
    build.build(loaded)
    assert {path.stem for path in (tmp_path / "site").glob("*.html")} > {path.stem for path in DOCS.glob("*.md")} - {
        "README"
    }


def test_it_says_where_commands_work() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [found.start() for found in re.finditer(r"^(?:\$ )?pincite (?!answers)", readme, re.MULTILINE)]
    assert readme.index(". .venv/bin/activate") < commands[0]
    assert "pincite[" not in readme
