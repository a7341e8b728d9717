"""What a question restricts in its own words: the file, the company, the section; its answer holds to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.engine.engine import Engine
from pincite.records.answers import Answer
from pincite.records.questions import Filter

HANDBOOK = (
    [("heading", "1 General"), ("paragraph", "The gate is open from 7 to 18. Dogs stay outside.")],
    [("heading", "2 Visitors"), ("paragraph", "The gate for visitors is open from 9 to 16.")],
    [("heading", "3 Suppliers"), ("paragraph", "Suppliers report at the dock.")],
    [("heading", "3.1 Hours"), ("paragraph", "The gate for suppliers is open from 5 to 8.")],
)
RULES = ([("heading", "1 Gates"), ("paragraph", "The gate of the rules is open from 2 to 3.")],)
SALES = "Net sales were {} million dollars."


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with hashing_engine(tmp_path_factory.mktemp("filters")) as made:
        made.index_documents(
            [
                (source("handbook.pdf"), document(*HANDBOOK)),
                (source("old/rules.pdf"), document(*RULES)),
                (source("secret.pdf", acl=("board",)), document("The gate of the board is open at night.")),
                (source("Tesla_2021.pdf", date="2021-12-31"), document(SALES.format("538"))),
                (source("Johnson_Johnson/2022.pdf", date="2022-12-31"), document(SALES.format("170"))),
            ]
        )
        yield made


def cited(answer: Answer) -> set[str]:
    return {citation.source_id for statement in answer.statements for citation in statement.citations}


@pytest.mark.parametrize(
    ("question", "sources"),
    [
        ("According to rules.pdf, when is the gate open?", {"old/rules.pdf"}),
        ("When is the gate open in the file RULES.PDF?", {"old/rules.pdf"}),
        ("When is the gate open file=handbook.pdf", {"handbook.pdf"}),
        ("When is the gate open source:handbook.pdf", {"handbook.pdf"}),
        ("What were net sales company:Tesla", {"Tesla_2021.pdf"}),
        ('What were net sales company:"Johnson & Johnson"', {"Johnson_Johnson/2022.pdf"}),
        ("What were net sales company=[Tesla|Johnson]", {"Tesla_2021.pdf", "Johnson_Johnson/2022.pdf"}),
        ("What were net sales date:2021", {"Tesla_2021.pdf"}),
        ("According to rules.pdf, when is the gate open file=handbook.pdf", {"handbook.pdf"}),
    ],
)
def test_the_answer_comes_from_what_the_question_allows(engine: Engine, question: str, sources: set[str]) -> None:
    answer = engine.ask(question, receipt=False)
    assert not answer.refused
    assert cited(answer) == sources == {item.chunk.source_id for item in answer.evidence}


def test_a_filter_outweighs_a_name_of_which_its_documents_say_nothing(engine: Engine) -> None:
    answer = engine.ask("How many million dollars were net sales of Tesla company:Johnson", receipt=False)
    assert {item.chunk.source_id for item in answer.evidence} == {"Johnson_Johnson/2022.pdf"}
    assert cited(answer) <= {"Johnson_Johnson/2022.pdf"}


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ("When is the gate open in section 2?", {"2: The gate for visitors is open from 9 to 16."}),
        (
            "When is the gate open by section 3 of handbook.pdf?",
            {"3: Suppliers report at the dock.", "3.1: The gate for suppliers is open from 5 to 8."},
        ),
    ],
)
def test_of_a_named_section_its_own_sentences_answer(engine: Engine, question: str, texts: set[str]) -> None:
    answer = engine.ask(question, receipt=False)
    assert answer.statements
    assert {statement.text for statement in answer.statements} <= texts


def test_a_filter_that_nothing_fits_is_told_and_no_word_is_blamed(engine: Engine) -> None:
    answer = engine.ask("net sales company:Nobody", receipt=False)
    assert answer.refused
    assert answer.missing[0].suggestions == ("no document fits the filter: search without it",)


def test_the_name_of_a_file_that_the_asker_may_not_see_is_a_word_like_any_other(engine: Engine) -> None:
    question = "According to {}, when is the gate open?"
    hidden, unknown = (engine.ask(question.format(name), receipt=False) for name in ("secret.pdf", "absent.pdf"))
    assert {item.chunk.source_id for item in hidden.evidence} == {item.chunk.source_id for item in unknown.evidence}
    assert hidden.trace.query is not None
    assert hidden.trace.query.filter == Filter()
    allowed = engine.ask(question.format("secret.pdf"), filter=Filter(principals=("board",)), receipt=False)
    assert cited(allowed) == {"secret.pdf"}


def test_what_a_question_leaves_out_is_not_cited_and_told(engine: Engine) -> None:
    answer = engine.ask("When is the gate open, not counting the handbook?", receipt=False)
    assert cited(answer) == {"old/rules.pdf"}
    assert answer.notices == ("as the question says, handbook.pdf was left out",)


def test_documents_of_one_name_are_told_apart_where_one_alone_is_cited(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as made:
        made.index_documents(
            [
                (source("mill/stage/log.txt"), document("The mill grinds rye on Mondays.")),
                (source("dairy/stage/log.txt"), document("The dairy makes butter on Fridays.")),
                (source("inn/bill.txt"), document("The inn bakes bread each morning.")),
            ]
        )
        answer = made.ask("When does the mill grind rye?", receipt=False)
        assert answer.summary.splitlines()[0] == "The mill grinds rye on Mondays. (mill/stage/log.txt, p.1)"
        assert "(bill.txt, p.1)" in made.ask("When does the inn bake bread?", receipt=False).summary


def test_a_document_that_is_named_to_be_left_out_is_not_searched_by_its_name(tmp_path: Path) -> None:
    with hashing_engine(tmp_path) as made:
        made.index_documents(
            [
                (source("guest-list.txt"), document("The feast begins at six.")),
                (source("letter.txt"), document("The feast begins at seven.")),
            ]
        )
        answer = made.ask("When does the feast begin, leaving out the guest list?", receipt=False)
        assert cited(answer) == {"letter.txt"}
