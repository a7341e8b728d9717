"""1. The page of measurements has one row a set and channel, the plain searches beside the others. 2. Targets stand
beside what was measured. 3. What was not measured has no row."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.benchmarks import write_benchmarks


def report(command: str, name: str, results: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    return {
        "command": f"eval {command}",
        "commit": "0a1b2c3",
        "set": name,
        "counts": {"questions": 807},
        "results": results,
        "intervals": {"keyword": {"ndcg@10": [0.6, 0.7]}},
        "machine": {"cores": 2, "load": 0.5},
        "versions": {"pincite": "0.1.0"},
    }


def page(folder: Path, *reports: Mapping[str, Any]) -> str:
    for number, content in enumerate(reports):
        (folder / f"{number}.json").write_text(json.dumps(content), encoding="utf-8")
    write_benchmarks(folder, folder / "measurements.md")
    return (folder / "measurements.md").read_text(encoding="utf-8")


def rows(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(f"| {start}")]


def retrieval(hybrid: float) -> dict[str, Any]:
    figures = {"keyword": {"ndcg@10": 0.65, "bytes": 123456.0}, "vector": {"ndcg@10": 0.6}}
    return report("retrieval", "scifact_train", {**figures, "hybrid": {"ndcg@10": hybrid, "query_ms_p50": 12.34}})


def test_each_channel_has_its_row_beside_the_plain_searches(tmp_path: Path) -> None:
    text = page(tmp_path, retrieval(0.7))
    assert "| scifact_train | keyword (plain BM25) | 0.6500 [0.6000, 0.7000] |" in text
    assert "| scifact_train | vector (plain dense) | 0.6000 | 0a1b2c3 |" in text
    assert "| scifact_train | hybrid | 0.7000 |" in text
    assert "| scifact_train | hybrid | 12.34 | - | 0a1b2c3 |" in text
    assert "123456" in text
    assert "807 questions" in text


def test_a_target_is_reached_or_not(tmp_path: Path) -> None:
    above = "ndcg@10: hybrid above keyword and vector"
    assert f"| scifact_train | {above} | 0.7000 | yes |" in page(tmp_path, retrieval(0.7))
    assert f"| scifact_train | {above} | 0.6400 | no |" in page(tmp_path, retrieval(0.64))


def test_a_target_that_was_not_measured_has_no_row(tmp_path: Path) -> None:
    text = page(tmp_path, report("retrieval", "scifact_train", {"keyword": {"ndcg@10": 0.65}}))
    assert "## Targets" not in text
    assert "## Answers" not in text


def test_answers_have_a_table_of_their_own(tmp_path: Path) -> None:
    figures = {"extract": {"quote_validity": 1.0, "page_hit@5": 0.5, "summary_chars_p50": 700.0}}
    text = page(tmp_path, report("pages", "eurocode (sections)", figures))
    assert "| eurocode (sections) | quote_validity: 1.0000 | 1.0000 | yes |" in text
    assert rows(text, "eurocode (sections) | extract") == [
        "| eurocode (sections) | extract | 0.5000 | 1.0000 | 700 | 0a1b2c3 |"
    ]
    assert rows(text, "set |  |") == ["| set |  | page_hit@5 | quote_validity | summary_chars_p50 | commit |"]
