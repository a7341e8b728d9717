"""A difference, a sum or a percentage of two cells of one row is computed and shown with both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.documents import document, source

from pincite.answer.reading.arithmetic import asked_operation
from pincite.engine.engine import Engine
from pincite.settings import Settings
from pincite.wiring import open_engine

HERDS = (
    "Herd\tMilk\tCheese\t2022\t2023\nAlpine goats\t1,200\t300\t80\t100\nHill sheep\t950\t(40)\t60\t45\n"
    "Cows\t10\t–\t1\t1"
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(), tmp_path_factory.mktemp("herds"), create=True) as made:
        made.index_documents([(source("herds.pdf"), document([("heading", "Herds"), ("table", HERDS)]))])
        yield made


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the difference between milk and cheese of the Alpine goats?", "difference 900: Herd: Alpine goats"),
        ("What is the sum of milk and cheese of the Alpine goats?", "sum 1,500: Herd: Alpine goats"),
        ("What is the difference between milk and cheese of the Hill sheep?", "difference 990: Herd: Hill sheep"),
        ("By what percentage did the Alpine goats grow from 2022 to 2023?", "change in percent 25.0 %: Herd: Alpine"),
        ("By what percentage did the Hill sheep change from 2022 to 2023?", "change in percent -25.0 %: Herd: Hill"),
    ],
)
def test_what_is_asked_of_two_cells(engine: Engine, question: str, said: str) -> None:
    first = engine.ask(question, receipt=False).statements[0]
    assert first.text.startswith(f"Computed, {said}")
    assert len(first.text.split(" | ")) == 3


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How much more cheese do the Alpine goats give than the Cows?", None),
        ("How much more milk do the Alpine goats give than the Hill sheep?", "difference 250"),
        ("How much milk do the Alpine goats and the Hill sheep give together?", "sum 2,150"),
    ],
)
def test_what_is_asked_of_one_cell_of_two_rows(engine: Engine, question: str, said: str | None) -> None:
    first = engine.ask(question, receipt=False).statements[0].text
    assert first.startswith("Computed") == (said is not None)
    if said is not None:
        assert first == f"Computed, {said}: Herd: Alpine goats | Milk: 1,200; Herd: Hill sheep | Milk: 950"


def test_nothing_is_computed_with_a_cell_without_a_value(engine: Engine) -> None:
    answer = engine.ask("What is the difference between milk and cheese of the Cows?", receipt=False)
    assert not any(statement.text.startswith("Computed") for statement in answer.statements)


def test_other_questions_ask_for_no_result() -> None:
    assert asked_operation("What is the milk of the goats?") is None
