"""Every answer keeps the JSON Schema that the package ships, and the schema tells what is wrong of others.

Answers of all plans are checked in test_plans.py, those with paths in test_paths.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.support.promises import files, pages, store_of
from tests.support.schema import checked, faults

from pincite.cli.main import main
from pincite.engine.engine import Engine
from pincite.records.questions import Filter

TEXTS = {
    "notes.md": "# Notes\n\nThe keeper rakes the gravel.\n\nThe gravel is raked at dawn.\n",
    "copy.md": "# Notes\n\nThe keeper rakes the gravel.\n\nThe gravel is raked at dawn.\n",
    "book.csv": "Item,Price\nRake,12\nGravel,3\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = files(tmp_path_factory.mktemp("mixed"), TEXTS)
    pages(folder / "rota.pdf", "The keeper rakes the gravel, see Table 9.", "Table 9 - Rakes\nThe rake is of steel.")
    with store_of(folder) as made:
        yield made


@pytest.mark.parametrize(
    "question",
    [
        "Who rakes the gravel?",
        "What does table 9 say?",
        "What is the price of a rake?",
        "Who rakes the zyzzyva?",
        "What does a kilogram of saffron cost in Reykjavik?",
        "Who rakes the gravel? file:nothing.pdf",
    ],
)
def test_answers_and_refusals_over_all_kinds_of_files_keep_the_schema(engine: Engine, question: str) -> None:
    checked(engine.ask(question))
    checked(engine.ask(question))
    checked(engine.ask(question, filter=Filter(as_of="1"), receipt=False))


def changed(plain: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(plain))
    change(copy)
    return copy


@pytest.mark.parametrize(
    "change",
    [
        lambda plain: plain.pop("summary"),
        lambda plain: plain.update(metadata={}),
        lambda plain: plain["statements"][0].update(kind="guess"),
        lambda plain: plain["statements"][0].update(citations=[]),
        lambda plain: plain["statements"][0]["citations"][0].update(page=0),
        lambda plain: plain["statements"][0]["citations"][0].update(span=[1]),
        lambda plain: plain["results"][0]["scores"].update(vec=1.5),
        lambda plain: plain["results"][0]["scores"].pop("final"),
        lambda plain: plain["results"][0].update(type="page"),
        lambda plain: plain["meta"].update(trace_id="1"),
    ],
)
def test_the_schema_bites(engine: Engine, change: Callable[[dict[str, Any]], object]) -> None:
    plain = engine.ask("Who rakes the gravel?").to_dict()
    assert faults(plain) == []
    assert faults(changed(plain, change)) != []


def test_the_command_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["ask", "--schema"])
    assert left.value.code == 0
    shipped = Path(__file__).parents[3] / "src" / "pincite" / "answer.schema.json"
    assert capsys.readouterr().out == shipped.read_text(encoding="utf-8")
