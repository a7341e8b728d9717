"""Figures of accounts, causes, and documents named by an abbreviation (docs/answers.md, 6 and 9b)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.support.documents import document, source

from pincite.engine.engine import Engine
from pincite.records.answers import Statement
from pincite.records.pages import BlockKind
from pincite.retrieve.named import named_sources
from pincite.settings import Settings
from pincite.wiring import open_engine

Blocks = Sequence[tuple[BlockKind, str]]


def income(years: str, sales: str, cost: str, research: str) -> Blocks:
    return (
        ("heading", "Consolidated Statements of Income"),
        ("paragraph", f"(Millions, except per share amounts)\n{years}"),
        ("table", f"Net sales\t{sales}\nCost of sales\t{cost}\nResearch and development\t{research}\nNet income\t9\t8"),
    )


OLD = income("2018 2017", "$ 500\t$ 480", "300\t290", "21\t20")
NEW: Blocks = (
    ("paragraph", "Gross margin fell in 2022, primarily due to the price of copper."),
    ("paragraph", "Gross margin is what is left of sales."),
    *income("2022 2021", "$ 700\t$ 650", "430\t380", "35\t31"),
)
RECAST: Blocks = (
    ("paragraph", "All figures have been recast to leave out the lamps that were sold."),
    ("heading", "Condensed Consolidated Statement of Earnings"),
    (
        "table",
        "(in Millions)\t2022\nQ3\tQ4\tFULL YEAR\nNet sales\t$ 150\t99.0 %\t$ 160\t99.0 %\t$ 5,600 99.0 %\n"
        "Net income\t2\t3\t7",
    ),
)
CASH: Blocks = (
    ("heading", "Consolidated Statements of Cash Flows"),
    ("paragraph", "(Millions)\n2022 2021"),
    (
        "table",
        "Net cash provided by operating activities\t90\t80\nDepreciation\t4\t3\nDividends paid\t(8)\t(7)\n"
        "Purchases of property and equipment\t(35)\t(31)",
    ),
)
QUARTERS: Blocks = (
    ("heading", "Consolidated Statements of Income"),
    (
        "paragraph",
        "(in millions)\nThree Months Ended Six Months Ended\nJuly 2, 2023 July 3, 2022 July 2, 2023 July 3, 2022",
    ),
    ("table", "Net sales\t12\t11\t25\t24\nCost of sales\t5\t4\t9\t8"),
)
OTHER: Blocks = (
    *income("2022 2018", "$ 11\t$ 10", "3\t2", "1\t1"),
    ("paragraph", "Copper prices rose because of strikes."),
)


@pytest.fixture(scope="module")
def filings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("filings"), create=True) as engine:
        named = {"ACME_2018_10K.txt": OLD, "ACME_2022_10K.txt": NEW, "Birch_Boats_2022_10K.txt": OTHER}
        engine.index_documents((source(name), document(blocks)) for name, blocks in named.items())
        yield engine


def statements(engine: Engine, question: str) -> tuple[Statement, ...]:
    return engine.ask(question, receipt=False).statements


def test_a_measure_that_stands_on_no_line_is_answered_by_the_lines_it_is_made_of(filings: Engine) -> None:
    found = statements(filings, "Does ACME have an improving gross margin profile as of FY2022?")
    assert [statement.text for statement in found[:2]] == [
        "Net sales, 2022: $ 700 (Millions, except per share amounts)",
        "Cost of sales, 2022: 430 (Millions, except per share amounts)",
    ]
    assert {citation.filename for statement in found for citation in statement.citations} == {"ACME_2022_10K.txt"}


def test_two_years_of_two_filings_are_compared_and_both_are_cited(filings: Engine) -> None:
    (verdict, *_) = statements(filings, "Did ACME spend more on research and development in 2022 than in 2018?")
    assert verdict.text == (
        "Yes: Research and development, 2022: 35, against 21 in 2018 (Millions, except per share amounts)"
    )
    assert {c.filename for c in verdict.citations} == {"ACME_2018_10K.txt", "ACME_2022_10K.txt"}


def test_the_lesser_figure_gives_a_no(filings: Engine) -> None:
    (verdict, *_) = statements(filings, "Did the research and development of ACME decline from 2018 to 2022?")
    assert verdict.text.startswith("No: ")


def test_what_is_spent_is_compared_by_its_amount_though_it_stands_in_brackets(tmp_path: Path) -> None:
    with open_engine(Settings(embedder="none"), tmp_path / "cash", create=True) as engine:
        engine.index_documents([(source("ACME_2022_10K.txt"), document(CASH))])
        (verdict, *_) = statements(engine, "Did ACME's capital expenditure fall from 2021 to 2022?")
    assert verdict.text == "No: Purchases of property and equipment, 2022: (35), against (31) in 2021 (Millions)"


def test_a_line_that_is_named_itself_is_answered_alone(filings: Engine) -> None:
    (verdict, *_) = statements(filings, "Did ACME's net income grow from 2021 to 2022?")
    assert verdict.text.startswith("Yes: Net income, 2022: 9, against 8 in 2021")


def test_behind_a_figure_stand_sentences_on_the_same_measure_and_no_others(tmp_path: Path) -> None:
    prose: Blocks = (
        ("heading", "Results"),
        ("paragraph", "Net sales rose because the harbours ordered more lamps."),
        ("paragraph", "In 2022 ACME painted the gates of its works."),
    )
    with open_engine(Settings(embedder="none"), tmp_path / "prose", create=True) as engine:
        engine.index_documents([(source("ACME_2022_10K.txt"), document([*NEW, *prose]))])
        texts = [statement.text for statement in statements(engine, "What were ACME's net sales in 2022?")]
    assert any("harbours" in text for text in texts)
    assert not any("gates" in text for text in texts)


def test_a_year_beyond_all_filings_is_not_answered_by_another(filings: Engine) -> None:
    (only,) = statements(filings, "What were ACME's sales in 2031?")
    assert only.kind == "missing"
    assert only.text == "No information found on Net sales of 2031 (years found: 2017, 2018, 2021, 2022)"


def test_of_quarter_and_half_year_the_asked_period_counts(tmp_path: Path) -> None:
    with open_engine(Settings(embedder="none"), tmp_path / "quarters", create=True) as engine:
        engine.index_documents([(source("ACME_2023Q2_10Q.txt"), document(QUARTERS))])
        (value, *_) = statements(engine, "What were ACME's net sales in the second quarter of 2023?")
    assert value.text == "Net sales, Three Months, 2023: 12 (in millions)"


def test_a_measure_beside_much_else_is_not_taken_for_the_whole_question(filings: Engine) -> None:
    question = "Which revenues did the pirates of Tortuga hide from the governor's collectors at Acme?"
    assert not any(statement.text.startswith("Net sales, ") for statement in statements(filings, question))


@pytest.mark.parametrize(
    "question",
    [
        "What was the net income of ACME in 2022?",
        "According to the report that was handed out to the shareholders, what was ACME's net income in 2022?",
        "How much net income did ACME show for the fiscal year 2022?",
    ],
)
def test_a_measure_is_asked_for_in_any_words_around_it(filings: Engine, question: str) -> None:
    assert statements(filings, question)[0].text.startswith("Net income, 2022: 9")


def test_what_drove_a_change_is_answered_by_causes_of_the_named_company(filings: Engine) -> None:
    found = statements(filings, "What drove the change of ACME's gross margin in 2022?")
    assert found[0].text == "Gross margin fell in 2022, primarily due to the price of copper."
    assert not any("strikes" in statement.text for statement in found)


def test_two_figures_for_one_year_are_both_said_with_their_basis(tmp_path_factory: pytest.TempPathFactory) -> None:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("recast"), create=True) as engine:
        named = {"ACME_2022_10K.txt": NEW, "ACME_2023_8K.txt": RECAST}
        engine.index_documents((source(name), document(blocks)) for name, blocks in named.items())
        found = statements(engine, "What were ACME's net sales in 2022?")
    assert [statement.kind for statement in found[:2]] == ["conflict", "conflict"]
    assert found[0].text.startswith("Two figures on two bases. Net sales, 2022: $ 700")
    assert found[1].text == "Net sales, 2022: $ 5,600 (in Millions)"
    assert found[2].text.startswith("All figures have been recast")


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What are the sales of BnB?", ("Birch_Boats_2022.pdf",)),
        ("What are B&B's sales?", ("Birch_Boats_2022.pdf",)),
        ("Does AMEX grow?", ("AmericanExpress_2022.pdf",)),
        ("What is the EBITDA?", ()),
        ("Does AMEX grow more than Birch Boats?", ("Birch_Boats_2022.pdf",)),
    ],
)
def test_an_abbreviation_names_a_document_where_no_name_does(question: str, named: tuple[str, ...]) -> None:
    assert named_sources(question, ["Birch_Boats_2022.pdf", "AmericanExpress_2022.pdf"]) == named
