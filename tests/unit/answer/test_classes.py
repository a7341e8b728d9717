"""Values of classes, and definitions with their symbol (docs/answers.md, 3, 3b and 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.documents import document, source

from pincite.engine.engine import Engine
from pincite.records.answers import Statement
from pincite.records.pages import BlockKind
from pincite.records.questions import Filter, RetrievalPolicy
from pincite.settings import Settings
from pincite.wiring import open_engine

DECKS: Sequence[tuple[BlockKind, str]] = (
    ("heading", "EN 88888 Decks"),
    ("heading", "1 General"),
    ("heading", "1.1 Terms"),
    ("heading", "1.1.1 Crowd load on the deck"),
    ("paragraph", "load which describes people that stand on the deck."),
    ("heading", "1.1.2 Deck"),
    ("paragraph", "surface of a ship that people walk on."),
    ("heading", "1.2 Symbols"),
    ("paragraph", "p Crowd load on the deck [kN/m2]\nw Width of the deck [m]"),
    ("heading", "2 Categories"),
    ("paragraph", "Decks are sorted as shown in Table 2.1."),
    ("caption", "Table 2.1 - Categories of decks"),
    (
        "paragraph",
        "Category Use\nA Decks for private gardens\nB Decks open to passengers of ferries\nC Decks for cattle",
    ),
    ("heading", "3 Values"),
    ("heading", "3.1 Crowd loads"),
    ("paragraph", "(1) Crowd loads for decks of category B are given in Table 3.1."),
    ("caption", "Table 3.1 - Crowd loads on decks of category B"),
    ("paragraph", "NOTE 1 For category B p may be chosen within the range 3,0 kN/m2 to 5,0 kN/m2."),
    ("paragraph", "The recommended values are:\np = 4,5 kN/m2"),
    ("paragraph", "NOTE 2 See also 4(1)"),
    ("heading", "3.2 Herds"),
    ("caption", "Table 3.2 - Crowd loads on decks for animals"),
    ("table", "Category C\t2,0 to\t1,5 to 4,5"),
    ("heading", "3.3 Waiting"),
    ("paragraph", "(1) The following times are valid for ferries with one deck."),
    (
        "paragraph",
        "(2) In case of slow boarding rate, t = 25 min; in case of brisk boarding rate, t = 5 min. "
        "NOTE For advice on the boarding rate, see Table 3.3.",
    ),
    ("caption", "Table 3.3 - Boarding rates"),
    ("table", "Who boards\tRate\tWidth\nCyclists\tBrisk\t2\nCoaches\tSlow\t4"),
    ("heading", "4 Combinations"),
    ("paragraph", "(1) Crowd loads, see 1.1.1, shall be combined with wind on open decks."),
)


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("decks"), create=True) as engine:
        engine.index_documents([(source("decks.txt"), document(DECKS))])
        yield engine


def statements(engine: Engine, question: str) -> tuple[Statement, ...]:
    return engine.ask(question, receipt=False).statements


def test_a_described_class_gets_its_recommended_value_its_range_and_what_its_notes_point_to(decks: Engine) -> None:
    found = statements(decks, "What crowd load should be used for a deck that is open to ferry passengers?")
    assert found[0].text == "Table 3.1, NOTE 1: For category B: The recommended values are: p = 4,5 kN/m2"
    assert found[1].text == "Table 2.1: B Decks open to passengers of ferries"
    texts = [statement.text for statement in found]
    assert any("within the range 3,0 kN/m2 to 5,0 kN/m2" in text for text in texts)
    assert any("combined with wind" in text for text in texts)


def test_a_row_that_lost_a_cell_is_not_read_as_if_it_were_whole(decks: Engine) -> None:
    found = statements(decks, "What crowd load should be used for a deck for cattle?")
    assert found[0].text == "Table 3.2: Category C: cannot be read, see the page itself"
    assert found[0].citations[0].quote.startswith("Table 3.2")
    assert not any("1,5" in statement.text for statement in found)


def test_a_definition_comes_with_its_symbol_and_the_first_duty_that_points_back_to_it(decks: Engine) -> None:
    found = statements(decks, "What is the crowd load on the deck?")
    assert [statement.text for statement in found] == [
        "1.1.1: Crowd load on the deck: load which describes people that stand on the deck.",
        "1.2: p Crowd load on the deck [kN/m2]",
        "4(1): Crowd loads, see 1.1.1, shall be combined with wind on open decks.",
    ]


def test_a_value_that_branches_is_chosen_by_the_table_that_the_clause_points_to(decks: Engine) -> None:
    found = statements(decks, "Which value of the waiting time should be used for coaches?")
    assert found[0].text == "3.3(2) with Table 3.3: Coaches: Slow; In case of slow boarding rate, t = 25 min"
    assert [citation.quote for citation in found[0].citations][1:] == ["Coaches\tSlow\t4"]
    assert found[1].text == "3.3(1): The following times are valid for ferries with one deck."


def test_a_value_that_branches_is_found_where_the_evidence_refers_to_it(tmp_path: Path) -> None:
    pointing: Sequence[tuple[BlockKind, str]] = (
        ("heading", "5 Waiting for coaches"),
        ("paragraph", "(1) The value of the waiting time that should be used for coaches is given in 3.3(2)."),
    )
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index_documents([(source("decks.txt"), document((*DECKS, *pointing)))])
        question = "Which value of the waiting time should be used for coaches?"
        answer = engine.ask(question, policy=RetrievalPolicy(top_k=1, looked_at=1), receipt=False)
        assert [item.chunk.section_number for item in answer.evidence] == ["5(1)"]
    assert answer.statements[0].text.startswith("3.3(2) with Table 3.3: Coaches: Slow; In case of slow boarding rate")


def test_a_clause_that_points_into_a_document_that_the_asker_may_not_see_shows_nothing_of_it(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    open_part = [block for block in DECKS if not block[1].startswith("NOTE 2")]
    index = next(i for i, block in enumerate(open_part) if block[1].startswith("The recommended values"))
    open_part.insert(index + 1, ("paragraph", "NOTE 2 See also EN 99999, 1(1)"))
    board = [
        ("heading", "EN 99999 Secret decks"),
        ("heading", "1 General"),
        ("paragraph", "(1) The hidden deck shall be closed at night."),
    ]
    question = "What crowd load should be used for a deck that is open to ferry passengers?"
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("secret"), create=True) as engine:
        secret = replace(source("secret.txt", "2" * 64), acl=("board",))
        engine.index_documents([(source("decks.txt"), document(open_part)), (secret, document(board))])
        everybody = engine.ask(question, receipt=False)
        of_the_board = engine.ask(question, filter=Filter(principals=("board",)), receipt=False)
    assert everybody.statements == of_the_board.statements
    assert not any("hidden deck" in statement.text for statement in everybody.statements)
