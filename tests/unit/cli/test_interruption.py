"""An interruption is told as one, whatever a library makes of it while it loads."""

from __future__ import annotations

import argparse

import pytest

from pincite.cli.main import main


def interrupted_while_loading(_: argparse.Namespace) -> int:
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as error:
        raise ImportError("initialization failed") from error


def test_a_library_that_is_interrupted_while_it_loads_is_no_bug_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pincite.cli.show.run_status", interrupted_while_loading)
    assert main(["status"]) == 130
    assert capsys.readouterr().err.startswith("pincite: interrupted")
