"""The promises of the README, each with a test that fails where it is not kept. Alone: `pytest -m promise`."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pincite.cli.main import main
from tests.e2e.conftest import Run, pincite

HERE = Path(__file__).parent

__all__ = ["pincite"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder is a promise; some others carry the mark themselves."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.promise)


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `pincite` with these arguments in this process, by keywords alone: quicker than in a new one."""

    def run(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        given = [*map(str, arguments), "--embedder", "none"]
        with monkeypatch.context() as patch:
            patch.chdir(cwd or Path.cwd())
            code = main(given)
        written = capfd.readouterr()
        return subprocess.CompletedProcess(given, code, written.out, written.err)

    return run
