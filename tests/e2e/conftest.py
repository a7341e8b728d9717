"""The command as a user runs it: a fresh process, real files, real engines."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
COMMAND = Path(sys.executable).parent / "pincite"
TOOLS = Path(__file__).parents[2] / "tools"


def environment() -> dict[str, str]:
    """The environment of a user without settings of their own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PINCITE_")}  # noqa: TID251


@pytest.fixture(scope="session")
def pincite() -> Run:
    """Run `pincite` with these arguments."""

    def run(
        *arguments: str | Path, cwd: Path | None = None, typed: str | None = None, **more: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [COMMAND, *map(str, arguments)],
            input=typed,
            capture_output=True,
            text=True,
            cwd=cwd,
            env=environment() | more,
            timeout=300,
            check=False,
        )

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
