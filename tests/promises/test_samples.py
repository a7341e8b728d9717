"""A store of every format that there ever was is opened: it works, or is refused with what to do, and goes on.

The samples are real stores, made by the code of their time with `tools/make_store_sample.py`. Each holds three
documents, one of which has changed once, and a question that was asked."""

from __future__ import annotations

import json
import re
import sqlite3
import tarfile
from pathlib import Path
from typing import Any

import pytest

from pincite.engine.engine import Engine
from pincite.store.schema import SCHEMA_VERSION
from pincite.wiring import open_engine
from tests.e2e.conftest import Run
from tests.support.promises import SETTINGS

SAMPLES = sorted((Path(__file__).parents[1] / "samples").glob("schema_*.tar.xz"))
QUESTION = "Who rakes the gravel?"
ANSWER = "The keeper of the lock rakes the gravel. (guide.md, line 3)"
THIS_MACHINE = re.compile(rb"/(?:home|root|tmp|work|Users)/")

samples = pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name.partition(".")[0])


def unpacked(sample: Path, folder: Path) -> Path:
    """The documents of a sample, with their store."""
    with tarfile.open(sample) as pack:
        pack.extractall(folder, filter="data")
    return folder / "documents"


def schema_of(folder: Path) -> int:
    """The version of the record's tables."""
    connection = sqlite3.connect(folder / ".pincite" / "record.sqlite")
    ((version,),) = connection.execute("SELECT value FROM meta WHERE name = 'schema_version'")
    connection.close()
    return int(version)


def told(engine: Engine) -> tuple[dict[str, int], dict[str, Any]]:
    """How much a store holds, and its answer."""
    return engine.session().documents.counts(), engine.ask(QUESTION, receipt=False).to_dict(stable=True)


@pytest.fixture(scope="module")
def told_afresh(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, int], dict[str, Any]]:
    """What a new store of the same documents tells."""
    folder = unpacked(SAMPLES[0], tmp_path_factory.mktemp("samples"))
    with open_engine(SETTINGS, folder.parent / "fresh", create=True) as engine:
        engine.index([folder])
        return told(engine)


def test_every_format_up_to_the_one_of_today_has_a_sample(tmp_path: Path) -> None:
    found = [schema_of(unpacked(sample, tmp_path / sample.name)) for sample in SAMPLES]
    assert found == list(range(1, SCHEMA_VERSION + 1))


@samples
def test_a_store_of_every_format_answers_or_says_what_to_do(command: Run, tmp_path: Path, sample: Path) -> None:
    folder = unpacked(sample, tmp_path)
    asked = command("ask", QUESTION, cwd=folder)
    if asked.returncode == 0:
        assert ANSWER in asked.stdout
    else:
        assert asked.returncode == 3
        assert asked.stdout == ""
        assert re.fullmatch(
            r"pincite: .* was written by another version of pincite: run pincite index FOLDER\n", asked.stderr
        )


@samples
def test_a_store_of_every_format_becomes_one_of_today_when_it_is_indexed(
    command: Run, tmp_path: Path, sample: Path, told_afresh: tuple[dict[str, int], dict[str, Any]]
) -> None:
    folder = unpacked(sample, tmp_path)
    receipts = command("audit", "list", cwd=folder).stdout
    report = json.loads(command("index", folder, "--json").stdout)
    assert [document["source"] for document in report["documents"]] == ["en.1990.md", "guide.md", "rota.pdf"]
    assert {document["status"] for document in report["documents"]} <= {"indexed", "unchanged"}
    assert schema_of(folder) == SCHEMA_VERSION
    with open_engine(SETTINGS, folder / ".pincite") as engine:
        assert engine.verify() == []
        assert told(engine) == told_afresh
    assert command("audit", "list", cwd=folder).stdout == receipts
    assert "rakes the leaves" in command("ask", "Who rakes the leaves?", "--as-of", "3", cwd=folder).stdout


@samples
def test_a_sample_tells_nothing_of_the_machine_that_made_it(tmp_path: Path, sample: Path) -> None:
    folder = unpacked(sample, tmp_path)
    assert [path.name for path in folder.rglob("*") if path.is_file() and THIS_MACHINE.search(path.read_bytes())] == []
    assert sample.stat().st_size < 200_000
