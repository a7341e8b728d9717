"""1. A folder with gold tuples is measured. 2. A folder without, or with two, is refused.
3. Intervals hold the figure.
4. A folder of sentences with entities is measured by spans and types."""

from __future__ import annotations

import gzip
import json
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
    with pytest.raises(UsageError, match="give a folder that holds one"):
        evaluate_triplets(folder)


def test_a_folder_without_gold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="neither"):
        evaluate_triplets(tmp_path)


def test_names_are_measured_beside_the_part_to_learn_from(tmp_path: Path) -> None:
    text = "Angela Merkel met Barack Obama in Paris."
    places = (("Peop", 0, 13), ("Peop", 18, 30), ("Loc", 34, 39))
    row = {"id": "1", "text": text, "entities": [{"type": kind, "start": s, "end": e} for kind, s, e in places]}
    (tmp_path / "dev.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (tmp_path / "train.jsonl").write_text(json.dumps(row), encoding="utf-8")
    evaluation = evaluate_triplets(tmp_path)
    assert evaluation.counts == {"sentences": 1, "gold entities": 3, "entities found": 3}
    assert (evaluation.results["default"]["span_f1"], evaluation.results["default"]["typed_f1"]) == (1.0, 1.0)
