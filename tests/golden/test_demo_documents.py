"""The demo documents are read, cut into sections and answered as they always were."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.schema import checked

from pincite.answer.said.citations import printed_statement
from pincite.engine.engine import Engine
from pincite.engine.session import Conversation
from pincite.ports import ReadOptions
from pincite.read.registry import reader_for
from pincite.records.answers import Statement
from pincite.records.plain import to_plain
from pincite.records.prompts import Prompt
from pincite.settings import load_settings
from pincite.structure.sections import find_sections
from pincite.wiring import open_engine
from pincite_testing.scripted_language_model import ScriptedLanguageModel

Golden = Callable[[str, Any], None]
QUESTIONS = {
    "founders": "Which founders of Tesla or Rivian have invested in solar energy startups, "
    "and what patents related to EV batteries do they hold?",
    "definition": "What is a fragile surface?",
    "nothing": "What does a kilogram of saffron cost in Reykjavik?",
}


@pytest.fixture(scope="module")
def engine(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A store of the demo documents, keywords alone: the same bytes on every machine. Processors of another kind reckon
    the reranker's weights otherwise."""
    settings = load_settings(environment={}, options={"embedder": "none", "reranker": "none"})[0]
    with open_engine(settings, tmp_path_factory.mktemp("store"), create=True) as made:
        made.index([documents])
        yield made


def test_the_handbook_is_read_the_same(documents: Path, golden: Golden) -> None:
    path = documents / "roof_access_handbook.pdf"
    document = reader_for(path).read(path, ReadOptions(ocr="never"))
    pages = [
        {
            "number": page.number,
            "label": page.label,
            "blocks": [[block.kind, page.text[block.span.start : block.span.end]] for block in page.blocks],
            "tables": [
                [[cell.row, cell.column, page.text[cell.span.start : cell.span.end]] for cell in table.cells]
                for table in page.tables
            ],
        }
        for page in document.pages
    ]
    golden("handbook_pages", {"title": document.title, "outline": to_plain(document.outline), "pages": pages})


def test_the_handbook_has_the_same_sections(documents: Path, golden: Golden) -> None:
    path = documents / "roof_access_handbook.pdf"
    document = reader_for(path).read(path, ReadOptions(ocr="never"))
    golden("handbook_sections", [[s.level, s.number, s.title, s.first_page] for s in find_sections(document)])


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_get_the_same_answers(engine: Engine, golden: Golden, name: str) -> None:
    golden(f"answer_{name}", shown(engine, QUESTIONS[name]))


def shown(engine: Engine, question: str) -> Any:
    """What is answered and found, without the ids of passages."""
    answer = checked(engine.ask(question, receipt=False)).to_dict(stable=True)
    results = [
        [r["filename"], r["page"], r["section"], r["scores"]] if r["type"] == "chunk" else [r["path"], r["edges"]]
        for r in answer["results"]
    ]
    return _without_ids({**answer, "results": results})


@pytest.mark.parametrize("comment", ["one", "another"])
def test_bytes_that_say_nothing_change_no_answer_and_no_score(
    engine: Engine, documents: Path, tmp_path: Path, comment: str
) -> None:
    for file in documents.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes() + f"%{comment}\n".encode())
    settings = load_settings(environment={}, options={"embedder": "none", "reranker": "none"})[0]
    with open_engine(settings, tmp_path / "store", create=True) as commented:
        commented.index([tmp_path])
        for question in QUESTIONS.values():
            assert shown(commented, question) == shown(engine, question)


def test_with_the_reader_the_same_is_said(engine: Engine, documents: Path, tmp_path: Path) -> None:
    settings = load_settings(environment={}, options={"embedder": "none"})[0]
    with open_engine(settings, tmp_path, create=True) as judging:
        judging.index([documents])
        for name in ("founders", "definition"):
            plain, judged = (made.ask(QUESTIONS[name], receipt=False) for made in (engine, judging))
            assert [printed(said) for said in judged.statements] == [printed(said) for said in plain.statements]
        assert judging.ask(QUESTIONS["nothing"], receipt=False).refused


def test_a_language_model_is_told_the_same(documents: Path, tmp_path: Path, golden: Golden) -> None:
    told: list[Prompt] = []

    def say(prompt: Prompt) -> str:
        told.append(prompt)
        return json.dumps({"relevant": True, "facts": []}) if prompt.schema else "No information found."

    model = ScriptedLanguageModel(say)
    settings = load_settings(environment={}, options={"embedder": "none", "reranker": "none"})[0]
    with open_engine(settings, tmp_path, create=True, language_model=model) as made:
        made.index([documents])
        for mode in ("generate", "agentic", "follow"):
            made.ask(QUESTIONS["definition"], mode=mode, receipt=False)
        talk = Conversation(made.session())
        talk.ask(QUESTIONS["definition"], mode="generate", receipt=False)
        talk.understood("Who wears it?", mode="generate")
    first_of_each = {prompt.version: prompt for prompt in reversed(told)}
    golden("prompts", {version: to_plain(prompt) for version, prompt in sorted(first_of_each.items())})


def printed(statement: Statement) -> str:
    return printed_statement(statement, {})


def _without_ids(value: Any) -> Any:
    """Ids name the versions of the installed readers, which may differ from machine to machine."""
    if isinstance(value, dict):
        return {key: _without_ids(item) for key, item in value.items() if key not in ("chunk_id", "generation")}
    return [_without_ids(item) for item in value] if isinstance(value, list) else value
