"""Of a row of a table the cell is said that is asked for, below its heads; a cell without a value as what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.documents import document, source

from pincite.answer.asked.question import understand
from pincite.answer.material.columns import asked_cells
from pincite.answer.material.headed_rows import headed_rows_of
from pincite.build.chunks import cut_chunks
from pincite.engine.engine import Engine
from pincite.records.chunks import ChunkPolicy
from pincite.retrieve.query import parse_query
from pincite.settings import Settings
from pincite.wiring import open_engine

CABINS = (
    "\tSummer\tSummer\tWinter\tWinter\nCabin\tGuest\tDog\tGuest\tDog\n"
    "Heron\t80\t12\t55\t9\nOtter\t95\tn/a\t60\t–\nWren\t70\t\t48\t7"
)
PARTS = "Quantity\tMin\tMax\tUnit\nLoad of the shelf\t2\t9\tkg\nWidth\t40\t\tcm"
LOCKERS = "Height\tDeposit\n0-40 cm\tnone\n40-90 cm\t5\nover 90 cm\t8"
COURTS = "Court fees of the club\nCourt\tMembers\tGuests\nClay\tfree\tfree\nHall\t9\t14"
STAFF = "Name\tCompany\tTown\tNo. of posts\nKiln works\tAsh & Sons Ltd\tHolm\t55"

KILNS = (
    "Kiln\tCost price\tMark-up\tWeight (kg)\tFired for\tPaid from\n"
    "Ash\t4.10\t15%\t310\t31:45\tMay 2023\nElm\t5.20\t18%\t–\t–\tJune 2023"
)
SALES = "Goodwill\tAmerica\t\tAsia\nIn March\t$\t11,165\t$ 1,077"


def told(table: str, question: str) -> list[str]:
    chunks, _ = cut_chunks(source(), document([("table", table)]), (), ChunkPolicy(), "v1")
    asked = understand(parse_query(question, ["en"]))
    return [asked_cells(asked, row).text for chunk in chunks for row in headed_rows_of(chunk)]


@pytest.mark.parametrize(
    ("question", "row", "text"),
    [
        ("What does a dog cost in the Heron cabin in winter?", 0, "Cabin: Heron | Winter, Dog: 9"),
        ("What is the price for a summer guest of Otter?", 1, "Cabin: Otter | Summer, Guest: 95"),
        ("What does a dog pay for Otter in summer?", 1, "Cabin: Otter | Summer, Dog: n/a"),
        ("What does a dog pay for Wren in summer?", 2, "Cabin: Wren | Summer, Dog: –"),
        ("What do dogs pay at Heron?", 0, "Cabin: Heron | Summer, Dog: 12 | Winter, Dog: 9"),
        (
            "Tell me about Heron",
            0,
            "Cabin: Heron | Summer, Guest: 80 | Summer, Dog: 12 | Winter, Guest: 55 | Winter, Dog: 9",
        ),
    ],
)
def test_the_cell_below_the_heads_that_are_asked_for(question: str, row: int, text: str) -> None:
    assert told(CABINS, question)[row] == text


@pytest.mark.parametrize(
    ("question", "row", "text"),
    [
        ("By what percentage is the price of Ash raised?", 0, "Kiln: Ash | Mark-up: 15%"),
        ("How heavy is the kiln that costs most, Ash?", 0, "Kiln: Ash | Weight (kg): 310"),
        ("For how long was Ash fired?", 0, "Kiln: Ash | Fired for: 31:45"),
        ("From which month was the price of Ash paid?", 0, "Kiln: Ash | Paid from: May 2023"),
        ("How heavy is Elm?", 1, "Kiln: Elm | Weight (kg): –"),
        ("For how long was Elm fired?", 1, "Kiln: Elm | Fired for: –"),
    ],
)
def test_of_cells_that_share_words_with_a_question_the_one_that_gives_the_asked_measure(
    question: str, row: int, text: str
) -> None:
    assert told(KILNS, question)[row] == text


def test_a_currency_sign_in_a_cell_of_its_own_stands_with_its_number() -> None:
    (row,) = told(SALES, "What did they pay in America in March?")
    assert row == "Goodwill: In March | America: $ 11,165"


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        (
            LOCKERS,
            ["Height: 0-40 cm | Deposit: none", "Height: 40-90 cm | Deposit: 5", "Height: over 90 cm | Deposit: 8"],
        ),
        (COURTS, ["Court: Clay | Members: free | Guests: free", "Court: Hall | Members: 9 | Guests: 14"]),
    ],
)
def test_a_first_row_without_a_number_is_no_head(table: str, rows: list[str]) -> None:
    assert told(table, "What is there?") == rows


def test_a_unit_with_a_column_of_its_own_stands_behind_the_value() -> None:
    assert told(PARTS, "What is the max load of the shelf?")[0] == "Quantity: Load of the shelf | Max: 9 kg"
    assert told(PARTS, "What is the max width?")[1] == "Quantity: Width | Max: – | Unit: cm"


def test_a_number_of_units_is_a_value_and_no_unit() -> None:
    sold = "Region\tProduct\tUnits\nNorth\tLamp\t12\nNorth\tChair\t7"
    assert "Units: 7" in told(sold, "How many units of the chair were sold in the north?")[1]


def test_heads_of_a_table_whose_language_cannot_be_told_meet_other_forms_of_their_words() -> None:
    sheet = document([("table", CABINS.replace("Guest", "Guests"))])
    chunks, _ = cut_chunks(source(), sheet, (), ChunkPolicy(), "v1")
    asked = understand(parse_query("What does a guest pay for Wren in winter?", [None]))
    unknown = [replace(chunk, language=None) for chunk in chunks]
    texts = [asked_cells(asked, row).text for chunk in unknown for row in headed_rows_of(chunk)]
    assert texts[2] == "Cabin: Wren | Winter, Guests: 48"


def test_the_only_number_of_a_row_answers_how_many() -> None:
    text = "Name: Kiln works | Company: Ash & Sons Ltd | Town: Holm | No. of posts: 55"
    assert told(STAFF, "How many people did the kiln works lose?") == [text]


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("ferries")
    files = {
        "boats.csv": "Boat;Crew;Seats\nTern;4;–\nGull;;30\nSkua;6;44\n",
        "piers.md": "# Piers\n\n| Pier | Depth | Cranes |\n|---|---|---|\n| Holm | 4 m | nil |\n| Vik |  | 2 |\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    with open_engine(Settings(embedder="none"), folder / "store", create=True) as engine:
        engine.index([folder])
        yield engine


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many seats does the Tern have?", "Boat: Tern | Seats: –"),
        ("How many crew does the Gull have?", "Boat: Gull | Crew: –"),
        ("How many seats does the Skua have?", "Boat: Skua | Seats: 44"),
        ("How many cranes does Holm have?", "Pier: Holm | Cranes: nil"),
        ("What is the depth of Vik?", "Pier: Vik | Depth: –"),
    ],
)
def test_tables_of_text_files_have_cells(ferries: Engine, question: str, said: str) -> None:
    answer = ferries.ask(question, receipt=False)
    assert answer.statements[0].text == said
    assert len(answer.statements) == 1


def test_a_row_that_lost_cells_gives_no_cell(tmp_path: Path) -> None:
    table = "Boat\tCrew\tSeats\tBerths\nSkua\t6\t44\t2\nGull\t30"
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("boats.pdf"), document([("table", table)]))])
        assert "Gull: 30" not in engine.ask("How many berths does the Gull have?", receipt=False).summary


def test_a_head_that_says_no_denies_nothing(tmp_path: Path) -> None:
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("posts.pdf"), document([("table", f"{STAFF}\nSaw mill\tElm Ltd\tVik\t7")]))])
        answer = engine.ask("How many posts did the Saw mill of Elm Ltd lose in Vik?", receipt=False)
        assert answer.statements[0].text == "Name: Saw mill | Company: Elm Ltd | Town: Vik | No. of posts: 7"


def test_of_heads_that_hold_as_many_words_the_evidence_chooses() -> None:
    table = "Lot\tConsigned by\tHammer price, crowns\n7\tAbbey\t640\n8\tHall\t90"
    chunks, _ = cut_chunks(source(), document([("table", table)]), (), ChunkPolicy(), "v1")
    row = next(row for chunk in chunks for row in headed_rows_of(chunk))
    asked = understand(parse_query("How many crowns did the consigned goods bring?", ["en"]))
    assert asked_cells(asked, row).text == "Lot: 7 | Consigned by: Abbey"
    assert asked_cells(asked, row, (-3.0, 0.0, 6.0)).text == "Lot: 7 | Consigned by: Abbey | Hammer price, crowns: 640"
