"""The command as a user runs it: real files, real engines; in a fresh process where it is typed to or has settings, in
this one elsewhere, which spares the start of Python and the opening of the models."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from pincite.cli.main import main

Run = Callable[..., subprocess.CompletedProcess[str]]
COMMAND = Path(sys.executable).parent / "pincite"
TOOLS = Path(__file__).parents[2] / "tools"


def environment() -> dict[str, str]:
    """The environment of a user without settings of their own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}  # noqa: TID251


def here(arguments: list[str], cwd: Path | None) -> subprocess.CompletedProcess[str]:
    """Run `pincite` in this process."""
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with chdir(cwd or Path.cwd()), redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    written = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(arguments, code, *written)


def alone(
    arguments: list[str], cwd: Path | None, typed: str | None, settings: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run `pincite` in a process of its own."""
    return subprocess.run(
        [COMMAND, *arguments],
        input=typed,
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment() | settings,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="session")
def pincite() -> Run:
    """Run `pincite` with these arguments."""

    def run(
        *arguments: str | Path, cwd: Path | None = None, typed: str | None = None, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        given = [*map(str, arguments)]
        return here(given, cwd) if typed is None and not settings else alone(given, cwd, typed, settings)

    return run


@pytest.fixture(scope="session")
def demo_documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo PDFs, made by the script that `make demo` runs."""
    folder = tmp_path_factory.mktemp("demo documents")
    subprocess.run([sys.executable, TOOLS / "make_demo_documents.py", folder], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def demo_store(pincite: Run, demo_documents: Path) -> Path:
    """A store of the demo PDFs, made by `pincite index`."""
    done = pincite("index", demo_documents)
    assert done.returncode == 0, done.stderr
    return demo_documents / ".pincite"
