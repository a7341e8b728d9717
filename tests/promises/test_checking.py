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
    arguments = ("ask", QUESTION, "--json", "--stable", *KEYWORDS)
    asked = [
        pincite(*arguments, cwd=folder, PYTHONHASHSEED=seed, PINCITE_CACHE_MINUTES="0").stdout for seed in ("1", "2")
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


def test_the_same_question_gives_the_same_bytes_in_another_process_after_indexing_in_another_order(
    pincite: Run, tmp_path: Path
) -> None:
    texts = {f"{name}.md": f"# Rota {name}\n\nKeeper {name} of the lock rakes the gravel.\n" for name in "abcd"}
    at_once, one_by_one = files(tmp_path / "x" / "docs", texts), tmp_path / "y" / "docs"
    assert pincite("index", at_once, *KEYWORDS).returncode == 0
    for name in sorted(texts, reverse=True):
        files(one_by_one, {name: texts[name]})
        assert pincite("index", one_by_one, *KEYWORDS).returncode == 0
    asked = [pincite("ask", QUESTION, "--json", "--stable", *KEYWORDS, cwd=f).stdout for f in (at_once, one_by_one)]
    assert json.loads(asked[0])["statements"]
    assert asked[0] == asked[1]


def test_an_answer_is_explained(tmp_path: Path, command: Run) -> None:
    pages(tmp_path / "a.pdf", "The keeper rakes the gravel.")
    files(tmp_path, {"a.md": "The keeper rakes the gravel.", "b.md": "The keeper rakes the gravel."})
    command("index", tmp_path)
    told = command("ask", f"{QUESTION} file:*.md", "--explain", cwd=tmp_path).stdout.partition("How this answer")[2]
    for part in (
        f"searched {QUESTION}",
        "filter   sources *.md",
        "found    keyword 2",
        "best     bm25 0.",
        "says the same as",
        "defined: found nothing",
        "units that were read: said: The keeper rakes the gravel.",
        "answer ",
    ):
        assert part in told
    explained = json.loads(command("ask", QUESTION, "--explain", "--json", cwd=tmp_path).stdout)["meta"]["explanation"]
    assert explained["query"]["search_text"] == QUESTION
    run_id = command("audit", "list", cwd=tmp_path).stdout.split()[0]
    kept = json.loads(command("audit", "show", run_id, "--json", cwd=tmp_path).stdout)["answer"]["trace"]
    assert {name: kept[name] for name in explained} == explained


def test_an_answer_can_be_asked_of_the_store_as_it_was(tmp_path: Path, command: Run) -> None:
    files(tmp_path, {"a.md": "The keeper rakes the gravel."})
    command("index", tmp_path)
    files(tmp_path, {"a.md": "The cook rakes the gravel."})
    command("index", tmp_path)
    assert "cook" in command("ask", QUESTION, cwd=tmp_path).stdout
    assert "keeper" in command("ask", QUESTION, "--as-of", "1", cwd=tmp_path).stdout
    refused = command("ask", QUESTION, "--as-of", "2001-01-01", cwd=tmp_path)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_every_answer_leaves_a_receipt_from_which_it_is_made_again_to_the_same_bytes(
    tmp_path: Path, command: Run
) -> None:
    files(tmp_path, {"a.md": "The keeper rakes the gravel."})
    command("index", tmp_path)
    command("ask", QUESTION, cwd=tmp_path)
    run_id = command("audit", "list", cwd=tmp_path).stdout.split()[0]
    files(tmp_path, {"a.md": "The cook rakes the gravel."})
    command("index", tmp_path)
    for option in ((), ("--answer",)):
        assert command("audit", "replay", run_id, *option, cwd=tmp_path).stdout.endswith("the same bytes\n")
    assert command("audit", "verify", cwd=tmp_path).returncode == 0


def test_a_wrong_answer_becomes_a_pinned_question_with_the_right_page(tmp_path: Path, command: Run) -> None:
    pages(tmp_path / "a.pdf", "The keeper rakes the gravel.", "The gravel is raked by the night watch alone.")
    command("index", tmp_path)
    command("ask", QUESTION, cwd=tmp_path)
    run_id = command("audit", "list", cwd=tmp_path).stdout.split()[0]
    command("audit", "pin", run_id, "--pages", "a.pdf:2", cwd=tmp_path)
    row = json.loads((tmp_path / "pinned.jsonl").read_text(encoding="utf-8"))
    assert (row["question"], row["must_cite"]) == (QUESTION, [["a.pdf", 2]])
    assert command("eval", "pinned", "pinned.jsonl", cwd=tmp_path).returncode in (0, 1)
