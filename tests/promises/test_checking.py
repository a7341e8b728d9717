"""Being able to check an answer."""

from __future__ import annotations

import json
from pathlib import Path

from tests.e2e.conftest import Run
from tests.support.promises import files, pages, store_of

KEYWORDS = ("--embedder", "none")
QUESTION = "Who rakes the gravel?"


def test_the_same_question_gives_the_same_bytes_whatever_the_hash_seed(pincite: Run, tmp_path: Path) -> None:
    names = {
        f"{number}.md": f"# Rota {number}\n\nKeeper {number} of the lock rakes the gravel.\n" for number in range(9)
    }
    folder = files(tmp_path, names)
    pincite("index", folder, *KEYWORDS)
    asked = [
        pincite("ask", QUESTION, "--json", "--stable", *KEYWORDS, cwd=folder, PYTHONHASHSEED=seed).stdout
        for seed in ("1", "2")
    ]
    assert asked[0] == asked[1]
    assert json.loads(asked[0])["statements"]


def test_each_result_tells_which_channels_found_it_what_they_gave_and_how_long_each_step_took(tmp_path: Path) -> None:
    pages(tmp_path / "a.pdf", "The keeper rakes the gravel as table 2 says.", "Table 2 - Rakes\nThe rake is of steel.")
    with store_of(tmp_path) as engine:
        answer = engine.ask(QUESTION).to_dict()
    for result in answer["results"]:
        assert result["retrieved_by"]
        assert set(result["scores"]) >= {"bm25", "final"}
        assert all(0 <= score <= 1 for score in result["scores"].values())
    assert answer["meta"]["timings_ms"]
    assert answer["meta"]["profile"] == "auto"


def test_what_was_not_found_is_said_with_where_was_looked(tmp_path: Path) -> None:
    pages(tmp_path / "a.pdf", "The keeper rakes the gravel.")
    with store_of(tmp_path) as engine:
        answer = engine.ask("What does a kilogram of saffron cost in Reykjavik?", receipt=False)
    assert answer.refused
    assert {statement.kind for statement in answer.statements} == {"missing"}
    assert answer.missing
