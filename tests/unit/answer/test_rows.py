"""Cells of tables as scans and accounts have them: rows over several lines, side by side, over a page, by symbol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.support.documents import document, source

from pincite.answer.material.rows import rows_of
from pincite.build.chunks import cut_chunks
from pincite.engine.engine import Engine
from pincite.records.answers import Statement
from pincite.records.chunks import ChunkPolicy
from pincite.records.pages import BlockKind
from pincite.settings import Settings
from pincite.wiring import open_engine

Blocks = Sequence[tuple[BlockKind, str]]
SURFACES: Blocks = (
    ("heading", "7 Decks"),
    ("paragraph", "where:\nGo is the grip of a deck\nWmin is the least wear of a deck"),
    ("caption", "Table 7.1 - Deck categories"),
    ("paragraph", "Go Wmin"),
    ("paragraph", "Deck category"),
    ("paragraph", "II Deck of planks that are laid\nacross the keel (such 0,3 5\nas oak or pine)"),
    ("paragraph", "III Deck of plates with at least 20 rivets\n0,7 10\n(or studs)"),
    ("paragraph", "NOTE Decks are drawn in A.1."),
    ("caption", "Table 7.2 - Equivalent wear of new surfaces"),
    ("table", "plate\t0,05\tsawn plank\t2,0\npaint\t0,06\tcork\t3,0"),
)
CARGO: Blocks = (
    ("heading", "9 Cargo"),
    ("caption", "Table 9.1 - Cargo in holds"),
    ("paragraph", "Density\n[kN/m3]"),
    ("paragraph", "lnilk 10,0\nbrine 12,0\nrye 7,5"),
)
MORE_CARGO: Blocks = (("paragraph", "molasses 14,2\ntallow 9,1\nwheat 7,9"), ("paragraph", "NOTE See Section 4."))
ROPES: Blocks = (
    ("caption", "Table 9.2 - Calculation of ropes"),
    ("paragraph", "Parameter Reference\nmean pull of a rope 4.3.1\nweight of a rope 4.3.2\npeak pull of a rope 4.3.4"),
)
HELD: Blocks = (
    ("heading", "Balance sheets"),
    ("paragraph", "(in millions)\nDecember 31,\n2021 2022"),
    (
        "table",
        "Rope reserve\t31\t47\nUnearned revenue\t8\t9\nTackle, net\t70\t80\nLess spoilage allowance (5)\t(11)\t(14)",
    ),
)
MOVED: Blocks = (
    ("heading", "Statements of cash flows"),
    ("paragraph", "(in millions)\nYears ended December 31,\n2021 2022"),
    ("table", "Rope reserve\t3\t16\nUnearned revenue\t1\t2\nTackle\t5\t6"),
)
SALES: Blocks = (
    ("heading", "Statements of income"),
    ("paragraph", "(in millions)\nYear ended December 31,\n2021 2022"),
    ("table", "Net sales\t90\t95\nCost of sales\t40\t41\nNet income\t6\t7\nRopeworks Capital\t2\t3"),
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("tables"), create=True) as engine:
        made = {"Ships.pdf": [SURFACES, CARGO, MORE_CARGO, ROPES], "Ropeworks_2022.pdf": [MOVED, SALES, HELD]}
        engine.index_documents(
            (source(name, str(number) * 64), document(*pages)) for number, (name, pages) in enumerate(made.items())
        )
        yield engine


def first(engine: Engine, question: str) -> Statement:
    return engine.ask(question, receipt=False).statements[0]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the least wear of deck category III?", ", Wmin: 10"),
        ("What is the grip of deck category II?", ", Go: 0,3"),
        ("What is the density of brine?", "brine: 12,0 (kN/m3)"),
        ("What is the density of milk?", "lnilk: 10,0 (kN/m3)"),
        ("What is the equivalent wear of cork?", "cork: 3,0"),
        ("What is the equivalent wear of plate?", "plate: 0,05"),
        ("What is the density of tallow?", "tallow: 9,1 (kN/m3)"),
    ],
    ids=[
        "a row over several lines, its column by a symbol",
        "the key of a class chooses the row",
        "a unit from the head",
        "a label with letters that look alike",
        "the right one of two tables side by side",
        "the left one of them",
        "a table that goes on over a page without its head",
    ],
)
def test_a_cell_is_found_by_its_row_and_its_column(tables: Engine, question: str, value: str) -> None:
    assert first(tables, question).text.endswith(value)


def test_the_number_of_a_clause_is_no_value(tables: Engine) -> None:
    assert first(tables, "What is the mean pull of a rope?").kind != "value"


def test_a_row_that_holds_the_name_of_its_company_is_not_asked_for_that(tables: Engine) -> None:
    assert "Ropeworks Capital" not in first(tables, "Who were the customers of Ropeworks in 2022?").text


def test_a_row_that_shares_a_word_does_not_open_the_answer_where_its_column_is_not_certain(tmp_path: Path) -> None:
    hulls: Blocks = (
        ("heading", "Hulls repaired in a season, and their cost"),
        ("paragraph", "In the last season, 7 hulls were repaired at a total cost of 9 crowns."),
        ("table", "Total oak\t50\t60"),
    )
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("yard.txt"), document(hulls))])
        assert "crowns" in first(engine, "How many hulls were repaired for the total cost of the season?").text


def test_a_row_of_several_values_and_a_title_are_no_sentences_to_be_quoted(tmp_path: Path) -> None:
    hulls: Blocks = (
        ("heading", "Hulls"),
        ("paragraph", "The hulls of the yard are tarred by the harbour."),
        ("table", "Hulls of the yard\t50\t60\t70"),
        ("paragraph", "Tarred Hulls of the Yard"),
    )
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("yard.txt"), document(hulls))])
        texts = [item.text for item in engine.ask("Who tars the hulls of the yard?", receipt=False).statements]
    assert any("tarred" in text for text in texts)
    assert not any("50" in text or "Tarred Hulls" in text for text in texts)


def test_a_row_over_several_lines_is_cited_whole(tables: Engine) -> None:
    quotes = [citation.quote for citation in first(tables, "What is the grip of deck category II?").citations]
    row = "II Deck of planks that are laid\nacross the keel (such 0,3 5\nas oak or pine)"
    assert quotes == ["Table 7.1 - Deck categories", "Go Wmin", "Go is the grip of a deck", row]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the rope reserve of Ropeworks at the end of 2022?", "Rope reserve, 2022: 47 (in millions)"),
        ("What was the unearned revenue of Ropeworks at the end of 2021?", "Unearned revenue, 2021: 8 (in millions)"),
        ("What was the tackle of Ropeworks in 2022?", "Tackle, net, 2022: 80 (in millions)"),
        ("What was the change of the tackle of Ropeworks in 2022?", "Tackle, 2022: 6 (in millions)"),
        (
            "What was the spoilage allowance of Ropeworks in 2022?",
            "Less spoilage allowance (5), 2022: (14) (in millions)",
        ),
        ("What was the revenue of Ropeworks in 2022?", "Net sales, 2022: 95 (in millions)"),
    ],
    ids=[
        "what stands at the end of a year is no flow of the year",
        "a line that has the name of a measure in its own",
        "what there is, not what flowed, where no change is asked",
        "what flowed, where a change is asked",
        "what is deducted and its note are no part of the name",
        "the measure itself",
    ],
)
def test_a_line_of_accounts_is_found_by_its_own_name(tables: Engine, question: str, value: str) -> None:
    assert first(tables, question).text.endswith(value)


def test_the_name_of_a_document_is_no_label_of_a_row(tables: Engine) -> None:
    assert first(tables, "Who owned Ropeworks in 2022?").kind != "value"


def test_a_head_beside_an_empty_column_is_no_row() -> None:
    table = "Timber\tWeight\t\nlarch\t5,9\t\nyew\t\t"
    (chunk,), _ = cut_chunks(source(), document([("table", table)]), (), ChunkPolicy(), "v1")
    assert [row.label for row in rows_of(chunk, None)] == ["larch", "yew"]
