"""What a question calls by its own name has to stand near the answer; its value is of the measure that is asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.documents import document, source
from tests.unit.answer.test_plans import Blocks, ask

from pincite.answer.asked.noun_phrases import identifiers_in, quoted_in
from pincite.answer.words.amounts import of_quantity
from pincite.engine.engine import Engine
from pincite.settings import Settings
from pincite.wiring import open_engine

FORMAT: Blocks = (
    ("heading", "1 Header"),
    (
        "paragraph",
        "The offset BY is 12 pixels from the lower edge. A picture is moved by 16 pixels from the left edge.",
    ),
    ("paragraph", "The frame rate field FRN of a header has a width of 32 bits."),
    ("heading", "2 Setup"),
    (
        "paragraph",
        "The autovacuum workers are started every minute, at most 3 at once. Retries of a worker are counted.",
    ),
)
OTHER = "Snapshot isolation is kept by --jobs alone. The limit autovacuum_max_retries_total is told elsewhere."


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Without a reranker, which reckons otherwise on processors of another kind."""
    settings = Settings(embedder="none", reranker="none")
    with open_engine(settings, tmp_path_factory.mktemp("video"), create=True) as engine:
        engine.index_documents(
            [(source("video.html"), document(FORMAT)), (source("other.html", "1" * 64), document(OTHER))]
        )
        yield engine


def missed(engine: Engine, question: str) -> list[str]:
    return [item.aspect for item in ask(engine, question).missing]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What does autovacuum_max_retries do with workers?", "autovacuum_max_retries"),
        ("How many workers are started at once with --jobs?", "--jobs"),
        (
            'With "snapshot isolation", are the autovacuum workers started every minute?',
            "snapshot isolation",
        ),
    ],
)
def test_a_name_of_the_question_that_stands_nowhere_near_the_answer_is_told(
    video: Engine, question: str, name: str
) -> None:
    answer = ask(video, question)
    assert answer.statements[0].kind != "missing"
    assert [item.aspect for item in answer.missing] == [name]
    assert answer.statements[-1].text.startswith(f"No information found on “{name}”")


@pytest.mark.parametrize(
    "question",
    [
        "How does a PC start the autovacuum workers in The 2008 setup?",
        "How often are autovacuum workers begun anew?",
        "How wide is FRN of a header?",
        "What is FRN 32?",
    ],
)
def test_no_ordinary_word_and_no_name_that_stands_there_is_told(video: Engine, question: str) -> None:
    assert not {"FRN", "autovacuum", "begun", "wide", "The 2008"}.intersection(missed(video, question))


def test_a_symbol_in_capitals_is_not_the_word_in_small_letters(video: Engine) -> None:
    answer = ask(video, "How many pixels from an edge is BY?")
    assert "1: The offset BY is 12 pixels from the lower edge." in [s.text for s in answer.statements]


def test_a_width_in_bits_is_no_frame_rate(video: Engine) -> None:
    answer = ask(video, "What is the recommended frame rate of a header?")
    assert all(statement.kind != "value" for statement in answer.statements)


@pytest.mark.parametrize(
    ("quantity", "text", "left"),
    [
        ("frame rate", "a width of 32 bits", False),
        ("bit rate", "32 bits per second", True),
        ("bit rate", "400 kbit/s", True),
        ("field width", "a width of 32 bits", True),
        ("crane load", "a span of 20 m", False),
    ],
)
def test_a_value_is_in_a_unit_of_its_quantity(quantity: str, text: str, left: bool) -> None:
    assert any(map(str.isdigit, of_quantity(text, quantity))) is left


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does max_wal_size set?", ("max_wal_size",)),
        ("Is S275 or AB-12/4 used?", ("S275", "AB-12/4")),
        ("What does -v and --verbose print?", ("-v", "--verbose")),
        ("What were sales in FY22 and Q3 2022 of 150m?", ()),
        ("What held from mid-2023 to post-2024, as COVID-19 did?", ("COVID-19",)),
        ("What is on p.3 of the 18th report?", ()),
    ],
)
def test_which_words_of_a_question_are_identifiers(question: str, names: tuple[str, ...]) -> None:
    assert identifiers_in(question) == names


def test_quoted_words_are_names() -> None:
    assert quoted_in("What does “bloat” or 'dead rows' mean in Anna's book?") == ("bloat", "dead rows")


@given(st.text(max_size=200))
def test_any_text_can_be_searched_for_names(text: str) -> None:
    identifiers_in(text), quoted_in(text)
