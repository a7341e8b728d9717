"""`pincite serve` and `pincite token`: what they refuse, and that tokens are made once and shown once."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from tests.support.issuers import AUDIENCE, signing
from tests.support.modules import forget
from tests.support.promises import files, store_of

from pincite.cli.main import main
from pincite.installing import install_extra

Printed = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = files(tmp_path_factory.mktemp("docs"), {"a.md": "The keeper rakes the gravel.\n"})
    with store_of(folder):
        return folder / ".pincite"


def test_without_its_packages_it_says_what_to_install(
    store: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fastapi", None)
    forget(monkeypatch, "pincite.serve")
    assert main(["serve", "--store", str(store)]) == 4
    told = capsys.readouterr().err
    assert told == f"pincite: the service needs packages that are not installed: run {install_extra('serve')}\n"
    assert main(["token", "list", "--store", str(store)]) == 0


def test_others_are_not_served_before_somebody_has_a_token(store: Path, capsys: Printed) -> None:
    assert main(["serve", str(store.parent), "--host", "0.0.0.0", "--port", "0", "--embedder", "none"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(
        "pincite: others can reach 0.0.0.0, and nobody has a token: run pincite token add NAME first"
    )
    assert told.count("\n") == 1


def test_others_are_served_where_an_issuer_says_who_they_are(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = "from pincite.cli.main import command; command()"
    options = ["serve", "--store", store, "--host", "0.0.0.0", "--port", "0", "--embedder", "none"]
    with signing() as signer:
        for name, value in (("JWT_ISSUER", signer.url), ("JWT_AUDIENCE", AUDIENCE), ("PROCESSES", "1")):
            monkeypatch.setenv(f"PINCITE_{name}", value)
        with subprocess.Popen([sys.executable, "-c", command, *options], stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            told = "".join(process.stderr.readline() for _ in range(3))
            port = re.findall(r"http://0.0.0.0:(\d+)", told)[0]
            asked = f"http://127.0.0.1:{port}/api/documents"
            assert f"or a JWT of {signer.url}" in told
            assert httpx.get(asked).status_code == 401
            assert httpx.get(asked, headers={"Authorization": f"Bearer {signer.signed()}"}).status_code == 200
            process.terminate()


def test_without_the_package_that_reads_jwts_it_says_what_to_install(
    store: Path, capsys: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jwt", None)
    forget(monkeypatch, "pincite.serve.issuer", "pincite.serve.issuer")
    monkeypatch.setenv("PINCITE_JWT_ISSUER", "https://example.org")
    monkeypatch.setenv("PINCITE_JWT_AUDIENCE", "pincite")
    assert main(["serve", "--store", str(store), "--port", "0", "--embedder", "none"]) == 4
    assert f"run {install_extra('serve')}" in capsys.readouterr().err


def test_a_port_that_is_taken_is_told(store: Path, capsys: Printed) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["serve", "--store", str(store), "--port", str(port), "--embedder", "none"]) == 2
    told = capsys.readouterr().err
    assert f"127.0.0.1:{port} cannot be listened on" in told
    assert told.count("\n") == 1
    assert main(["serve", "--store", str(store), "--port", "99999", "--embedder", "none"]) == 2


def test_where_there_is_no_store_there_is_nothing_to_serve(tmp_path: Path, capsys: Printed) -> None:
    assert main(["serve", str(tmp_path)]) == 3
    assert main(["token", "add", "ada", "--store", str(tmp_path)]) == 3
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err.count("run pincite index FOLDER first") == 2


def test_a_token_is_made_listed_and_removed(store: Path, capsys: Printed) -> None:
    where = ["--store", str(store)]
    assert main(["token", "list", *where]) == 0
    assert "nobody has a token" in capsys.readouterr().out
    assert main(["token", "add", "ada", "--principal", "board", "--principal", "staff", *where]) == 0
    written = capsys.readouterr()
    secret = written.out.strip()
    assert secret.startswith("pincite_")
    assert "shown this once" in written.err
    assert main(["token", "add", "root", "--role", "admin", "--json", *where]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "root"
    assert main(["token", "list", *where]) == 0
    listed = capsys.readouterr().out
    assert [line.split()[:2] for line in listed.splitlines()] == [["ada", "reader"], ["root", "admin"]]
    assert "sees board, staff" in listed
    assert secret not in listed
    assert main(["token", "list", "--json", *where]) == 0
    assert json.loads(capsys.readouterr().out)[0] == {"name": "ada", "role": "reader", "principals": ["board", "staff"]}
    for name in ("ada", "root"):
        assert main(["token", "remove", name, *where]) == 0
    assert main(["token", "remove", "ada", *where]) == 1
