"""Of two editions the newest says what is asked; the others are pointed to, or told where that is asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.documents import document, source

from pincite.answer.relations.editions import are_editions, edition_of
from pincite.engine.engine import Engine
from pincite.settings import Settings
from pincite.wiring import open_engine

FEE = "The ferry carries a horse across the sound for {} crowns."
BELL = "The bell at the slip is rung three times for the ferry."


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(), tmp_path_factory.mktemp("editions"), create=True) as made:
        files = [("ferry_rev-b.txt", 40), ("ferry_rev-c.txt", 55), ("ferry_rev-a.txt", 30)]
        made.index_documents(
            [
                (source(name, str(number) * 64), document([("paragraph", FEE.format(fee)), ("paragraph", BELL)]))
                for number, (name, fee) in enumerate(files, start=1)
            ]
        )
        yield made


def test_the_newest_edition_says_it_and_the_others_are_pointed_to(engine: Engine) -> None:
    answer = engine.ask("What does it cost to take a horse over the sound?", receipt=False)
    fee, others, *_ = answer.statements
    assert (fee.text, fee.citations[0].filename) == (FEE.format(55), "ferry_rev-c.txt")
    assert others.text == "Earlier editions say otherwise."
    assert {citation.filename for citation in others.citations} == {"ferry_rev-a.txt", "ferry_rev-b.txt"}
    assert "40" not in answer.summary and "30" not in answer.summary


def test_what_earlier_editions_say_is_told_where_it_is_asked_for(engine: Engine) -> None:
    texts = [
        s.text
        for s in engine.ask("What did a horse cost over the sound in earlier revisions?", receipt=False).statements
    ]
    assert texts[0] == FEE.format(55)
    assert f"Earlier edition: {FEE.format(40)}" in texts


def test_what_all_editions_say_is_cited_from_the_newest(engine: Engine) -> None:
    statement = engine.ask("How often is the bell at the slip rung for the ferry?", receipt=False).statements[0]
    assert [citation.filename for citation in statement.citations] == ["ferry_rev-c.txt"]
    assert {citation.filename for citation in statement.also} == {"ferry_rev-a.txt", "ferry_rev-b.txt"}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("tariff-2022.pdf", "tariff-2024.pdf"),
        ("recipes-3rd-edition.pdf", "recipes-12th-edition.pdf"),
        ("manual_rev-b.pdf", "manual_rev-c.pdf"),
        ("manual v1.9.docx", "manual v1.10.docx"),
        ("a/rules issue 9.md", "a/rules issue 10.md"),
    ],
)
def test_editions_are_told_by_a_year_a_number_or_a_letter(older: str, newer: str) -> None:
    first, second = edition_of(older), edition_of(newer)
    assert are_editions(older, newer)
    assert first is not None and second is not None and first < second


@pytest.mark.parametrize(
    ("one", "other"),
    [("a/rules_2020.md", "b/rules_2021.md"), ("plan.pdf", "plan2.pdf"), ("van.txt", "bed.txt"), ("1.pdf", "2.pdf")],
)
def test_other_files_are_no_editions(one: str, other: str) -> None:
    assert not are_editions(one, other)
