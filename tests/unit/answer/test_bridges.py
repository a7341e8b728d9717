"""A value that two documents give together: the row for what the question gives, the column that another document
chooses (docs/answers.md, 5b)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from tests.support.documents import document, source

from pincite.answer.material.limits import admits
from pincite.engine.engine import Engine
from pincite.records.pages import BlockKind
from pincite.settings import Settings
from pincite.wiring import open_engine

Blocks = Sequence[tuple[BlockKind, str]]
MOORING: Blocks = (
    ("heading", "1 Mooring pull"),
    ("paragraph", "Harbours of the League are in Norland, Sudland and Ostmark."),
    ("paragraph", "(1) The other values of the mooring pull are as follows:"),
    ("paragraph", "Storm value aS\nDaily value bS\nResting value cS"),
    ("paragraph", "NOTE: The values depend on where the quay is."),
    ("caption", "Table 1.1 Recommended parts of the mooring pull for\ndifferent quays."),
    ("paragraph", "Regions a b c"),
    ("paragraph", "Norland\n0,90 0,60 0,40\nOstmark"),
    ("paragraph", "Other harbours of the League, quays\n0,80 0,50 0,30\nof depth D > 20 m below the tide"),
    ("paragraph", "Other harbours of the League, quays\n0,70 0,40 0,10\nof depth D :::; 20 m below the tide"),
)
COLLISION: Blocks = (
    ("paragraph", "EN 4711-2"),
    ("heading", "1 Scope"),
    ("paragraph", "This guide on collision shall be used in conjunction with EN 4711-1."),
    ("heading", "2 Collision"),
    ("paragraph", "(1) The pull may be taken as the resting value, or as an alternative the daily value."),
    ("paragraph", "The use of the resting value is recommended."),
    ("paragraph", "(2) Where the mooring pull helps the quay, it should be left out."),
)
PAINT: Blocks = (("heading", "1 Paint"), ("paragraph", "The storm value of paint shall be taken from the tin."))


@pytest.fixture(scope="module")
def quays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("quays"), create=True) as engine:
        made = {"EN 4711-1 Mooring pull": MOORING, "EN 4711-2 Collision": COLLISION, "Paint": PAINT}
        engine.index_documents(
            (source(f"{title}.pdf", str(number) * 64), document(blocks, title=title))
            for number, (title, blocks) in enumerate(made.items())
        )
        yield engine


def told(engine: Engine, question: str) -> list[str]:
    return [statement.text for statement in engine.ask(question, receipt=False).statements]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        (
            "In a collision, which fraction of the mooring pull is taken for a quay in Sudland 5 m below the tide?",
            "Other harbours of the League, quays of depth D ≤ 20 m below the tide, Resting value: 0,10",
        ),
        (
            "In a collision, which fraction of the mooring pull is taken for a quay in Sudland 30 m below the tide?",
            "Other harbours of the League, quays of depth D > 20 m below the tide, Resting value: 0,30",
        ),
        (
            "In a collision, which fraction of the mooring pull is taken for a quay in Ostmark 30 m below the tide?",
            "Norland Ostmark, Resting value: 0,40",
        ),
        (
            "Which daily value of the mooring pull counts for quays 5 m below the tide?",
            "Other harbours of the League, quays of depth D ≤ 20 m below the tide, Daily value: 0,40",
        ),
    ],
    ids=["within the limit", "beyond the limit", "a row that is named", "the question names the column"],
)
def test_a_cell_is_chosen_by_limit_by_name_and_by_the_other_document(quays: Engine, question: str, value: str) -> None:
    assert told(quays, question)[0] == f"Table 1.1: Recommended: {value}"


def test_the_choice_of_the_column_and_the_place_of_the_question_are_accounted_for(quays: Engine) -> None:
    question = "In a collision, which fraction of the mooring pull is taken for a quay in Sudland 5 m below the tide?"
    assert told(quays, question)[1:] == [
        "2(1): The pull may be taken as the resting value, or as an alternative the daily value. "
        "The use of the resting value is recommended.",
        "1: This guide on collision shall be used in conjunction with EN 4711-1.",
        "1: Harbours of the League are in Norland, Sudland and Ostmark.",
        "2(2): Where the mooring pull helps the quay, it should be left out.",
    ]


@pytest.mark.parametrize(
    ("given", "label", "admitted"),
    [
        ("a site 50 m above the sea", "sites at altitude H ≤ 1000 m above sea", True),
        ("a site 1 200 m above the sea", "sites at altitude H :::; 1000 m above sea", False),
        ("a roof 8 m wide", "roofs up to 8 m", True),
        ("a roof 8 m wide", "roofs less than 8 m", False),
        ("a roof 8 m wide", "roofs of at least 8 m", True),
        ("a roof 8 m wide", "roofs of no more than 7 m", False),
        ("a roof 8 m wide and 3 m high", "roofs below 5 m", True),
        ("a roof 8 m wide", "walls below 5 m", None),
        ("a roof 8 m wide", "roofs below 5 years", None),
    ],
)
def test_a_row_with_a_limit_holds_what_lies_within_it(given: str, label: str, admitted: bool | None) -> None:
    assert admits(given, label) is admitted
