"""1. `make bench` finds every set below its folder. 2. A measurement that fails does not keep the page from being
written, and the exit code says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench import run


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    for name in (
        "small/corpus.jsonl.gz",
        "pdf/codes/a.pdf",
        "pdf/filings/questions.jsonl",
        "examples.jsonl",
        "other/x",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"")
    return folder


def test_every_set_is_measured_by_its_command(data: Path) -> None:
    found = dict(run.commands(data, data / "foreign"))
    assert sorted(found) == ["codes-sections", "examples", "filings", "filings-sections", "small"]
    assert found["small"] == ["retrieval", str(data / "small")]
    assert found["filings"] == ["pages", str(data / "pdf" / "filings")]
    assert "--ask-sections" in found["codes-sections"]
    assert found["examples"][-1] == str(data / "examples.jsonl")


def test_foreign_documents_are_measured_where_they_were_fetched(data: Path) -> None:
    (data / "foreign").mkdir()
    assert dict(run.commands(data, data / "foreign"))["foreign"][:2] == ["pages", str(data / "foreign")]


@pytest.fixture
def two_sets(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    (data / "broken").mkdir(parents=True)
    (data / "broken" / "corpus.jsonl").write_text("{", encoding="utf-8")
    (data / "empty" / "qrels").mkdir(parents=True)
    for name, text in (("corpus.jsonl", ""), ("queries.jsonl", ""), ("qrels/dev.tsv", "")):
        (data / "empty" / name).write_text(text, encoding="utf-8")
    return data


def measure(data: Path, *names: str) -> int:
    page, kept = data.parent / "measurements.md", data.parent / "results"
    return run.main(data, data.parent / "foreign", data.parent / "bench", page, kept, names=names)


def test_a_set_that_cannot_be_measured_does_not_stop_the_others(
    two_sets: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert measure(two_sets, "broken", "empty") == 1
    assert "not measured: broken\n" in capfd.readouterr().err
    made, kept, page = (two_sets.parent / name for name in ("bench", "results", "measurements.md"))
    assert json.loads((made / "empty.json").read_text(encoding="utf-8"))["counts"]["questions"] == 0
    assert "empty" in page.read_text(encoding="utf-8")
    result = json.loads((kept / "empty.json").read_text(encoding="utf-8"))
    assert "per_query" not in result
    assert result["commit"] == run.commit_of(Path(run.__file__).parent)


def test_what_is_not_measured_again_keeps_its_figures_and_their_commit(two_sets: Path) -> None:
    measure(two_sets, "empty")
    kept = two_sets.parent / "results"
    older = json.loads((kept / "empty.json").read_text(encoding="utf-8")) | {"commit": "0a1b2c3", "set": "older"}
    (kept / "older.json").write_text(json.dumps(older), encoding="utf-8")
    measure(two_sets, "empty")
    rows = (two_sets.parent / "measurements.md").read_text(encoding="utf-8").splitlines()
    assert any(row.startswith("| older |") and row.endswith("| 0a1b2c3 |") for row in rows)


def test_a_measurement_that_does_not_exist_is_told_with_those_that_do(two_sets: Path) -> None:
    with pytest.raises(SystemExit, match=r"no such measurement: fast; choose from broken, empty, .*speed"):
        measure(two_sets, "fast", "empty")


def test_a_folder_without_sets_is_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="holds no sets"):
        measure(tmp_path)


def test_every_script_of_a_measurement_is_run_and_named() -> None:
    others = {"__init__", "run", "benchmarks", "figures", "merge_sets", "unguarded"}
    beside = {path.stem for path in Path(run.__file__).parent.glob("*.py")} - others
    assert set(run.SCRIPTS) == beside
