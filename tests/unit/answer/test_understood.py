"""Questions are answered as they are meant: terms, comparisons, yes or no."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.documents import document, source
from tests.unit.answer.test_plans import Blocks, ask

from pincite.answer.asked.question import bare_term
from pincite.answer.material.parts import asked_of_two, compared_things
from pincite.engine.engine import Engine
from pincite.settings import Settings
from pincite.wiring import open_engine

MANUAL: Blocks = (
    ("heading", "1 Vacuum"),
    ("paragraph", "Tables grow. Bloat is the space that dead rows take in a table. Vacuum removes dead rows from it."),
    ("paragraph", "The bloat of an index is told by a view. Rows are not sorted by default. A row is not always kept."),
    ("heading", "2 Locks"),
    (
        "paragraph",
        "An advisory lock is a lock whose meaning an application gives. A lock is not lost, but it may wait.",
    ),
    ("heading", "3 Indexes"),
    ("paragraph", "A hash index answers questions on equality alone. A tree index keeps an order of its own."),
    ("paragraph", "A block index is small. A shared lock lets others read, whereas an own lock keeps all others out."),
    ("heading", "4 Sizes"),
    ("paragraph", "The header of a page has a size of 24 bytes. The header of a row has a size of 23 bytes."),
)
GUIDE = "Postbase is a system. In Postbase, toast refers to the storage of large values outside the row."


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("manual"), create=True) as engine:
        engine.index_documents(
            [(source("manual.html"), document(MANUAL)), (source("guide.html", "1" * 64), document(GUIDE))]
        )
        yield engine


@pytest.mark.parametrize(
    "question",
    ["What does bloat mean in Postbase?", "What is bloat in Postbase?", "What is bloat?", "bloat", "Bloat?"],
)
def test_a_term_of_one_word_is_defined_however_it_is_asked_for(manual: Engine, question: str) -> None:
    assert ask(manual, question).statements[0].text == "1: Bloat is the space that dead rows take in a table."


def test_a_term_is_defined_where_a_sentence_says_in_what_it_is_used(manual: Engine) -> None:
    assert ask(manual, "What is toast in Postbase?").statements[0].text == GUIDE.split(". ")[1]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("advisory lock", "advisory lock"),
        ("rows of a table", None),
        ("how", None),
        ("size 24", None),
        ("one two three four five", None),
    ],
)
def test_what_is_no_more_than_a_term_asks_for_its_meaning(text: str, term: str | None) -> None:
    assert bare_term(text) == term


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "What is the difference between a hash index and a tree index?",
            [
                ("What is a hash index?", "3: A hash index answers questions on equality alone."),
                ("What is a tree index?", "3: A tree index keeps an order of its own."),
            ],
        ),
        (
            "Which is larger, the header of a page or the header of a row?",
            [
                ("How large is the header of a page?", "4: The header of a page has a size of 24 bytes."),
                ("How large is the header of a row?", "4: The header of a row has a size of 23 bytes."),
            ],
        ),
        (
            "What is the size of the header of a page, and of the header of a row?",
            [
                ("What is the size of the header of a page?", "4: The header of a page has a size of 24 bytes."),
                ("What is the size of the header of a row?", "4: The header of a row has a size of 23 bytes."),
            ],
        ),
        (
            "What is the size of the header of a page, and the meaning of bloat?",
            [
                ("What is the size of the header of a page?", "4: The header of a page has a size of 24 bytes."),
                ("What is the meaning of bloat?", "1: Bloat is the space that dead rows take in a table."),
            ],
        ),
    ],
)
def test_what_is_asked_of_two_things_is_told_of_each(
    manual: Engine, question: str, parts: list[tuple[str, str]]
) -> None:
    assert [(statement.part, statement.text) for statement in ask(manual, question).statements] == parts


def test_a_sentence_that_tells_the_difference_itself_comes_first(manual: Engine) -> None:
    opening = ask(manual, "What is the difference between a shared lock and an own lock?").statements[0]
    assert opening.text.startswith("3: A shared lock lets others read, whereas an own lock")


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("What are the differences between hash and tree indexes?", ("hash indexes", "tree indexes")),
        ("How does a view differ from a table?", ("a view", "a table")),
        ("Compare the lease with the deed", ("the lease", "the deed")),
        ("When mowing, what is the difference between a swath and a windrow?", ("a swath", "a windrow")),
        ("What is the difference between the two stamps seen and settled?", ("seen", "settled")),
        ("What is the difference between the classes LF1 and LF2?", ("LF1", "LF2")),
        ("What is the difference between the sales tax and VAT?", ("the sales tax", "VAT")),
        ("Which of these is more secure, a key or a card?", ("a key", "a card")),
        ("What is the difference between one, two and three", None),
        ("Which film came out first, Green Hills or The Long Night?", None),
        ("How does vacuum work?", None),
        ("Which is the larger harbour?", None),
    ],
)
def test_which_two_things_are_compared(question: str, things: tuple[str, str] | None) -> None:
    found = compared_things(question)
    assert (None if found is None else (found.first, found.second)) == things


@given(st.text(max_size=120))
def test_any_text_can_be_taken_for_a_comparison(text: str) -> None:
    compared_things(f"What is the difference between {text}")
    assert len(asked_of_two(f"What is the {text}")) in (0, 2)


def test_a_question_for_yes_or_no_is_answered_by_the_sentence_that_decides_it(manual: Engine) -> None:
    assert ask(manual, "Is a lock lost?").statements[0].text.startswith("2: A lock is not lost")
