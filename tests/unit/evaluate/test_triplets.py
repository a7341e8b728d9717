"""1. A folder with gold tuples is measured. 2. A folder without, or with two, is refused.
3. Intervals hold the figure."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from pincite.errors import UsageError
from pincite.evaluate.triplets import evaluate_triplets

GOLD = "Ann Lee founded Acme .\tfounded\tAnn Lee\tAcme\nBo Ek bought a bank in 2009 .\tbought\tBo Ek\ta bank\tin 2009\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gold_dev.tsv.gz").write_bytes(gzip.compress(GOLD.encode()))
    return tmp_path


def test_a_folder_with_gold_tuples_is_measured(folder: Path) -> None:
    evaluation = evaluate_triplets(folder)
    results, intervals = evaluation.results["default"], evaluation.intervals["default"]
    assert evaluation.command == "eval triplets"
    assert (results["precision"], results["recall"], results["f1"], results["auc"]) == (1.0, 1.0, 1.0, 1.0)
    assert all(intervals[name][0] <= results[name] <= intervals[name][1] for name in ("precision", "recall", "f1"))
    assert [row["id"] for row in evaluation.per_query] == ["Ann Lee founded Acme .", "Bo Ek bought a bank in 2009 ."]


def test_the_first_sentences_alone(folder: Path) -> None:
    assert evaluate_triplets(folder, limit=1).counts["sentences"] == 1


def test_a_folder_without_one_gold_file_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "gold_test.tsv").write_text(GOLD, encoding="utf-8")
    with pytest.raises(UsageError, match="2 files"):
        evaluate_triplets(folder)
