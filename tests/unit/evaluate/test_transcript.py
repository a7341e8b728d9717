"""1. Each answer of a measurement is a line, with the prompts and completions that led to it. 2. The same run gives the
same bytes; one that is cut off keeps what it had. 3. It lies where it was asked for, or beside the figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.cli.main import main
from pincite.errors import UsageError
from pincite.evaluate import answer_sets, pages
from pincite.evaluate.questions import PageQuestion
from pincite.evaluate.report import open_transcript
from pincite.evaluate.retrieval import load_set
from pincite.records.answers import Answer
from pincite.records.prompts import Prompt
from pincite_testing.scripted_language_model import ScriptedLanguageModel

TEXT = "Snow lies on the roof of the station. The roof bears 2.5 kN/m2 of snow."
SAID = "The roof of the station bears 2.5 kN/m2 of snow (snow.pdf, p.1)."
QUESTIONS = (PageQuestion("q1", "How much snow does the roof bear?"), PageQuestion("q2", "Where does snow lie?"))
BY_WORDS = ("--embedder", "none", "--reranker", "none", "--quiet")


class InMode:
    """An engine of whose answers all are made in one mode; the last of them fails where so many are `wanted`."""

    def __init__(self, folder: Path, mode: str, wanted: int = 99) -> None:
        self._engine = hashing_engine(folder, language_model=ScriptedLanguageModel(self._say))
        self._engine.index_documents([(source("snow.pdf"), document(TEXT, title="snow.pdf"))])
        self._mode, self._wanted = mode, wanted
        self.search, self.index = self._engine.search, self._engine.index

    def ask(self, question: str, *, receipt: bool) -> Answer:
        self._wanted -= 1
        if self._wanted < 0:
            raise KeyboardInterrupt
        return self._engine.ask(question, mode=self._mode, receipt=receipt)

    def close(self) -> None:
        self._engine.close()

    def _say(self, prompt: Prompt) -> str:
        return SAID


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def asked(folder: Path, path: Path, mode: str, wanted: int = 99) -> bytes:
    """What the transcript of two questions holds that are asked in a mode."""
    engine = InMode(folder, mode, wanted)
    try:
        with open_transcript(path) as note:
            pages.ask_all(engine, QUESTIONS, pages.QuoteChecker(folder, lambda _: ()), pages.Findings(), note)
    except KeyboardInterrupt:
        pass
    finally:
        engine.close()
    return path.read_bytes()


def test_each_answer_is_a_line_with_what_led_to_it(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "a.jsonl"
    asked(tmp_path / "store", path, "generate")
    first, second = rows(path)
    assert [first["id"], second["id"]] == ["q1", "q2"]
    assert (first["question"], first["mode"], first["degraded"]) == (QUESTIONS[0].text, "generate", [])
    assert "(snow.pdf, p.1)" in first["summary"]
    (statement,) = first["statements"]
    assert statement["text"] == "The roof of the station bears 2.5 kN/m2 of snow."
    assert statement["citations"][0]["quote"] == "The roof bears 2.5 kN/m2 of snow."
    assert first["decisions"]
    (call,) = first["calls"]
    assert QUESTIONS[0].text in call["prompt"]["messages"][-1]["content"]
    assert call["completion"]["text"] == SAID
    assert call["completion"]["prompt_tokens"] > 0


@pytest.mark.parametrize("mode", ["extract", "generate", "agentic", "follow"])
def test_the_same_run_gives_the_same_bytes(tmp_path: Path, mode: str) -> None:
    first, again = (asked(tmp_path / name, tmp_path / f"{name}.jsonl", mode) for name in ("first", "again"))
    assert first == again
    assert b"milliseconds" not in first


def test_a_run_that_is_cut_off_keeps_what_it_had(tmp_path: Path) -> None:
    asked(tmp_path / "store", tmp_path / "a.jsonl", "generate", wanted=1)
    assert [row["id"] for row in rows(tmp_path / "a.jsonl")] == ["q1"]


def test_a_line_is_there_as_soon_as_its_question_is_answered(tmp_path: Path) -> None:
    path, engine = tmp_path / "a.jsonl", InMode(tmp_path / "store", "generate")
    with open_transcript(path) as note:
        for count, question in enumerate(QUESTIONS, start=1):
            note(question.id, engine.ask(question.text, receipt=False))
            assert len(rows(path)) == count
    engine.close()


def test_a_transcript_that_cannot_be_written_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--transcript FILE"), open_transcript(tmp_path):
        pass


# --- the commands ------------------------------------------------------------------------------------------


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "films"
    (folder / "qrels").mkdir(parents=True)
    films = {"_id": "d1", "title": "Blue Lake", "text": "Blue Lake is a film of 1950 directed by Anna Berg."}
    query = {"_id": "q1", "text": "Who directed Blue Lake?", "metadata": {"answer": "Anna Berg"}}
    (folder / "corpus.jsonl").write_text(json.dumps(films), encoding="utf-8")
    (folder / "queries.jsonl").write_text(json.dumps(query), encoding="utf-8")
    (folder / "qrels" / "dev.tsv").write_text("q1\td1\t1", encoding="utf-8")
    return folder


def test_the_question_that_warms_up_is_in_no_transcript(tmp_path: Path, beir: Path) -> None:
    loaded, engine = load_set(beir), InMode(tmp_path / "store", "generate")
    with open_transcript(tmp_path / "a.jsonl") as note:
        answer_sets.ask_all(engine, loaded, loaded.questions, note)
    engine.close()
    assert [row["id"] for row in rows(tmp_path / "a.jsonl")] == ["q1"]


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        (["--mode", "follow", "--out", "runs/a.json"], ["runs/a.transcript.jsonl"]),
        (["--mode", "follow", "--out", "a.v2"], ["a.v2.transcript.jsonl"]),
        (["--mode", "follow", "--out", "a.json", "--transcript", "b.jsonl"], ["b.jsonl"]),
        (["--transcript", "b.jsonl"], ["b.jsonl"]),
        (["--out", "a.json"], []),
        (["--mode", "follow"], []),
    ],
)
def test_a_transcript_lies_where_it_was_asked_for_or_beside_the_figures(
    tmp_path: Path, beir: Path, monkeypatch: pytest.MonkeyPatch, options: Sequence[str], kept: Sequence[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["eval", "answers", "films", *BY_WORDS, *options]) == 0
    found = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.jsonl") if path.parent != beir}
    assert found == set(kept)
    assert [row["id"] for name in kept for row in rows(tmp_path / name)] == ["q1"] * len(kept)


def test_the_pages_of_a_folder_have_a_transcript_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "snow.md").write_text(f"# Snow\n\n{TEXT}\n", encoding="utf-8")
    question = {"id": "q1", "question": QUESTIONS[0].text, "file": "snow.md", "pages": [1]}
    (tmp_path / "notes" / "questions.jsonl").write_text(json.dumps(question), encoding="utf-8")
    assert main(["eval", "pages", "notes", *BY_WORDS, "--mode", "follow", "--out", "a.json"]) == 0
    (row,) = rows(tmp_path / "a.transcript.jsonl")
    assert (row["id"], row["mode"]) == ("q1", "follow")
