"""Lists and steps: whole, of what is asked, also where they stand in a table (docs/design.md section 7)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.unit.answer.test_plans import Blocks, ask

from pincite.engine.engine import Engine
from pincite.settings import Settings
from pincite.wiring import open_engine

HARBOUR: Blocks = (
    ("heading", "1 Harbour"),
    ("paragraph", "The harbour office keeps the following books, which every ship may read:"),
    ("list_item", "• the book of tides;"),
    ("list_item", "• the book of ships."),
    ("heading", "2 Signals"),
    ("paragraph", "The following flags are required on a ship in the harbour."),
    ("table", "Flag\tMeaning\nblue\tShe is at rest\nred\tShe takes fuel\nwhite\tShe asks for a pilot"),
    ("heading", "3 How to moor a ship"),
    ("paragraph", "The master of a ship may begin the following procedure."),
    ("list_item", "1. Ask the office for a berth. The answer names the berth."),
    ("list_item", "2. Wait for the pilot."),
    ("list_item", "3. Moor the ship at the berth."),
    ("heading", "4 Fees"),
    ("paragraph", "The crane load at the quay of the harbour is told at the gate, see Table 6.4 on crane loads."),
    ("paragraph", "The crane load at the quay acts on a width of 50 mm."),
    ("heading", "5 Gate"),
    ("paragraph", "Twelve men are paid at the gate of the quay for 30 days."),
)


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("harbour"), create=True) as engine:
        engine.index_documents([(source("harbour.pdf"), document(HARBOUR))])
        yield engine


def texts(engine: Engine, question: str, kind: str) -> list[str]:
    return [statement.text for statement in ask(engine, question).statements if statement.kind == kind]


def test_a_list_of_something_else_than_what_is_asked_is_no_answer(harbour: Engine) -> None:
    assert texts(harbour, "Which version of the book of the harbour office may every ship read?", "list") == []


def test_what_one_item_of_a_list_does_is_no_question_for_the_list(harbour: Engine) -> None:
    assert texts(harbour, "What does the book of tides of the harbour office do?", "list") == []


def test_a_question_for_one_of_several_is_not_answered_by_all_of_them(tmp_path: Path) -> None:
    settings: Blocks = (
        ("heading", "Settings"),
        ("paragraph", "The station reads some settings for the alarm:"),
        ("list_item", "• alarm horn sets the tone of the horn"),
        ("list_item", "• alarm delay sets the seconds that the alarm waits"),
        ("list_item", "• alarm mail sets the address that is written to"),
    )
    with open_engine(Settings(embedder="none", reranker="none"), tmp_path / "station", create=True) as engine:
        engine.index_documents([(source("station.txt"), document(settings))])
        answer = ask(engine, "Which alarm setting reads the delay?")
        assert [statement.kind for statement in answer.statements if "delay" in statement.text] == ["quote"]
        assert len(ask(engine, "Which settings does the station read for the alarm?").statements) == 4


def test_a_list_in_a_table_is_told_row_by_row_without_its_head(harbour: Engine) -> None:
    assert texts(harbour, "Which flags are required in the harbour?", "list") == [
        "2: The following flags are required on a ship in the harbour (3 found)",
        "blue She is at rest",
        "red She takes fuel",
        "white She asks for a pilot",
    ]


def test_numbered_steps_are_told_in_order_below_what_leads_into_them(harbour: Engine) -> None:
    answer = ask(harbour, "What steps do I need to take to moor a ship?")
    assert [statement.text for statement in answer.statements[:4]] == [
        "3: The master of a ship may begin the following procedure.",
        "Step 1, 3: Ask the office for a berth. The answer names the berth.",
        "Step 2, 3: Wait for the pilot.",
        "Step 3, 3: Moor the ship at the berth.",
    ]


SIGNS: Blocks = (
    ("heading", "Signs of the referee"),
    ("paragraph", "Players see these signs."),
    ("list_item", "14. A throw is taken again"),
    ("list_item", "15. A player leaves the field"),
    ("list_item", "16. The game is over"),
)


@pytest.mark.parametrize("question", ["What is the sign with number 15 of the referee?", "What is sign no. 15?"])
def test_an_item_that_is_asked_for_by_its_mark_is_told_alone(tmp_path: Path, question: str) -> None:
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("signs.md"), document(SIGNS))])
        assert [item.text for item in ask(engine, question).statements] == ["15. A player leaves the field"]


def test_a_section_on_a_subject_is_told_by_its_heading(harbour: Engine) -> None:
    answer = ask(harbour, "Which section covers signals?")
    assert [statement.text for statement in answer.statements[:3]] == [
        "2: Signals",
        "2: The following flags are required on a ship in the harbour.",
        "2: Flag Meaning",
    ]


def test_a_load_is_not_answered_by_a_width_nor_by_the_number_of_a_table(harbour: Engine) -> None:
    answer = ask(harbour, "What crane load should be used at the quay of the harbour?")
    assert not any(statement.kind == "value" for statement in answer.statements)


def test_a_number_of_something_is_not_answered_by_a_number_of_something_else(harbour: Engine) -> None:
    answer = ask(harbour, "How many pilots are paid at the gate of the quay?")
    assert not any(statement.kind == "value" for statement in answer.statements)


def test_a_heading_of_a_long_document_names_a_part_of_it(tmp_path: Path) -> None:
    parts: Blocks = tuple(
        block
        for number in range(1, 12)
        for block in (
            ("heading", f"{number} para. {number}"),
            ("paragraph", f"Boats of group {number} lie at pier {number}, see para. {number % 11 + 1}. " * 9),
        )
    )  # type: ignore[assignment]
    late: Blocks = (("paragraph", "A late boat pays a fee of 20 % where its papers are missing."),)
    with open_engine(Settings(embedder="none"), tmp_path / "boats", create=True) as engine:
        engine.index_documents([(source("boats.pdf"), document((*parts, *late)))])
        answer = ask(engine, "What fee does a late boat pay where its papers are missing?")
    assert answer.statements[0].text.endswith("A late boat pays a fee of 20 % where its papers are missing.")


def test_a_list_longer_than_an_answer_says_how_many_it_has(tmp_path: Path) -> None:
    ships = [("list_item", f"• the ship of captain {name};") for name in "ABCDEFGHIJKLMNOPQRST"]
    blocks: Blocks = (("heading", "1 Ships"), ("paragraph", "The following ships are at sea:"), *ships)  # type: ignore[arg-type]
    with open_engine(Settings(embedder="none"), tmp_path / "ships", create=True) as engine:
        engine.index_documents([(source("ships.pdf"), document(blocks))])
        listed = texts(engine, "Which ships are at sea?", "list")
    assert listed[0] == "1: The following ships are at sea (20 found, the first 15 here)"
    assert len(listed) == 16


EDITOR: Blocks = (
    ("heading", "1 Gates"),
    ("paragraph", "A gate is opened where one of the following conditions holds:"),
    ("list_item", "a) the ship is late; or"),
    ("list_item", "b) the pilot asks for what ships cross in or"),
    ("paragraph", "The guard notes each opening in a book; he signs it."),
    ("heading", "2 Modes"),
    ("paragraph", "The cursor of the editor has the following modes:"),
    ("list_item", "• jump over;"),
    ("list_item", "• R"),
    ("list_item", "• cross in or"),
    ("heading", "3 Listing"),
    ("paragraph", "The sails of a ship are set by this command:"),
    ("paragraph", "s -l\ns -a"),
    ("paragraph", "Nothing else is needed."),
)


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("editor"), create=True) as engine:
        engine.index_documents([(source("editor.pdf"), document(EDITOR))])
        yield engine


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "Which conditions open a gate?",
            [
                "1: A gate is opened where one of the following conditions holds (2 found, a to b)",
                "a) the ship is late",
                "b) the pilot asks for what ships cross in or",
            ],
        ),
        (
            "Which modes has the cursor?",
            [
                "2: The cursor of the editor has the following modes (3 found)",
                "• jump over",
                "• R",
                "• cross in or",
            ],
        ),
    ],
)
def test_the_last_item_keeps_its_words_and_prose_behind_a_list_is_no_item(
    editor: Engine, question: str, told: list[str]
) -> None:
    assert texts(editor, question, "list") == told


def test_the_count_of_a_list_is_that_of_the_items_below_it(editor: Engine) -> None:
    for question in ("Which conditions open a gate?", "Which modes has the cursor?"):
        lead_in, *items = texts(editor, question, "list")
        assert f"({len(items)} found" in lead_in


def test_a_lead_in_is_told_with_the_command_behind_it(editor: Engine) -> None:
    told = ask(editor, "How are the sails of a ship set?").statements[0]
    assert told.text.startswith("3: The sails of a ship are set by this command: s -l s -a")
    assert any("s -l\ns -a" in citation.quote for citation in told.citations)
