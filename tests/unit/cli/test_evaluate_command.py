"""1. `pincite eval` measures and prints a table or JSON. 2. Wrong use ends with exit code 2 and one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.cli.main import main


@pytest.fixture
def small_set(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    (folder / "qrels").mkdir(parents=True)
    rows = [{"_id": f"d{n}", "title": "", "text": f"word{n} and others"} for n in range(3)]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": "word1?"}), encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text("q\td1\t1\n", encoding="utf-8")
    return folder


def measure(folder: Path, *options: str) -> int:
    return main(["eval", "retrieval", str(folder), "--embedder", "none", "--channels", "keyword", *options])


def test_a_set_is_measured_printed_and_written(
    small_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure(small_set, "--out", str(tmp_path / "out.json")) == 0
    printed = capsys.readouterr().out
    assert "eval retrieval small: 3 documents, 3 rows, 1 questions" in printed
    assert "ndcg@10" in printed
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["results"]["keyword"]["recall@2"] == 1.0


def test_the_same_comes_as_json(small_set: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert measure(small_set, "--json") == 0
    assert json.loads(capsys.readouterr().out)["results"]["keyword"]["mrr@10"] == 1.0


@pytest.mark.parametrize("options", [["--channels", "graph"], ["--limit", "0"], ["--limit", "many"]])
def test_a_wrong_option_is_wrong_use(small_set: Path, options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert measure(small_set, *options) == 2
    assert options[0] in capsys.readouterr().err


def test_a_folder_that_is_no_set_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert measure(tmp_path) == 2
    message = capsys.readouterr().err.strip()
    assert "corpus.jsonl does not exist" in message
    assert "\n" not in message


def test_a_folder_without_questions_says_what_to_give(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "pages", str(tmp_path), "--embedder", "none"]) == 2
    assert "--ask-sections" in capsys.readouterr().err
