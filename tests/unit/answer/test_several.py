"""Where a question asks it of several alike, those of the asked time, the latest or the largest are said."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.support.documents import document, source

from pincite.engine.engine import Engine
from pincite.settings import Settings
from pincite.wiring import open_engine

CHOIR = (
    "The choir sang in Lund on 2 May 2018.",
    "The choir sang in Malmo on 9 June 2019.",
    "The choir sang in Ystad on 14 July 2021.",
    "The choir sang in Visby on 3 August 2022.",
    "The choir has 40 members. Coffee is served after each rehearsal.",
)
LOANS = (
    "Loan\tBorrower\tSigned\tAmount\nL-7\tAnn Holt\t2019-04-02\t1,200\nL-8\tBen Ross\t2021-09-30\t900\n"
    "L-9\tCarl Ek\t2020-01-15\t4,050\nL-10\tDina Berg\t2018-11-20\t75"
)
PACKING = (
    "Packing list of the expedition",
    "[x] The tents were aired.",
    "[ ] The stove was cleaned.",
    "[x] The maps were copied.",
    "☐ The rope was measured.",
)
CLOSING = (
    ("heading", "Closing round of the bath house"),
    ("paragraph", "The caretaker of the bath house does the closing round each evening and hands the list in."),
    ("heading", "Pool"),
    *(("list_item", text) for text in ("[x] The pump of the pool was stopped.", "[ ] The cover was pulled over.")),
    ("heading", "Sauna"),
    *(("list_item", text) for text in ("[ ] The stove of the sauna was cooled.", "[x] The towels were counted.")),
)
DYEING = (
    ("heading", "How wool is dyed with woad"),
    *(
        ("list_item", f"{number}. {step}")
        for number, step in enumerate(
            ("Wash the wool.", "Soak it in alum overnight.", "Simmer it with the woad.", "Hang it in the wind."), 1
        )
    ),
)
WELLS = "The Alder well gives 12 kg of salt a day. The Birch well gives 31 kg of salt a day. The Cedar well gives 7 kg."


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(), tmp_path_factory.mktemp("several"), create=True) as made:
        editions = [
            (
                source(f"bylaws_{year}.txt", str(number) * 64),
                document(
                    [("heading", f"Bylaws {year}"), ("paragraph", f"The entrance fee of the club is {fee} marks.")]
                ),
            )
            for number, (year, fee) in enumerate(((2015, 20), (2018, 25), (2023, 35)), start=1)
        ]
        made.index_documents(
            [
                (source("choir.txt", "a" * 64), document([("paragraph", text) for text in CHOIR])),
                (source("loans.pdf", "b" * 64), document([("table", LOANS)])),
                (
                    source("packing.docx", "d" * 64),
                    document([("heading", PACKING[0]), *(("list_item", text) for text in PACKING[1:])]),
                ),
                (source("wells.txt", "c" * 64), document(WELLS)),
                (source("dyeing.md", "f" * 64), document([*DYEING])),
                (source("closing.md", "e" * 64), document([*CLOSING])),
                *editions,
            ]
        )
        yield made


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Where did the choir sing after 2020?", ["14 July 2021", "3 August 2022"]),
        ("Where did the choir sing between May 2019 and December 2021?", ["9 June 2019", "14 July 2021"]),
        ("Where did the choir sing before 2019?", ["2 May 2018"]),
        ("Which loan was signed last?", ["Computed, latest of 4: Loan: L-8"]),
        ("Which loan was signed first?", ["Computed, earliest of 4: Loan: L-10"]),
        ("How many loans were signed before 2020?", ["Computed, 2 of 4: Loan: L-10", "Loan: L-7"]),
        ("Which loan has the largest amount?", ["Computed, largest of 4: Loan: L-9"]),
        ("Which well gives the most salt?", ["Computed, largest of 3: The Birch well gives 31 kg"]),
        (
            "Which things on the packing list of the expedition are still open?",
            ["Computed, 2 of 4: [ ] The stove was cleaned.", "☐ The rope was measured."],
        ),
        (
            "Which tasks of the closing round of the bath house are not done?",
            ["Computed, 2 of 4: [ ] The cover was", "[ ] The stove"],
        ),
        ("What is the third step of dyeing wool?", ["3. Simmer it with the woad."]),
        ("Which things on the packing list are done?", ["Computed, 2 of 4: [x] The tents", "[x] The maps"]),
        ("What is the latest entrance fee of the club?", ["Computed, latest of 3: The entrance fee of the club is 35"]),
        (
            "How much is the entrance fee of the club?",
            ["is 35 marks", "Earlier editions say otherwise."],
        ),
        (
            "How much was the entrance fee of the club in earlier editions?",
            ["is 35 marks", "Earlier edition: The entrance fee of the club is 25", "Earlier edition: The entrance"],
        ),
        ("What was the entrance fee of the club before 2018?", ["is 20 marks"]),
        ("What was the entrance fee of the club in 2020?", ["is 25 marks"]),
    ],
)
def test_of_several_alike_those_that_are_asked_for(engine: Engine, question: str, said: list[str]) -> None:
    answer = engine.ask(question, receipt=False)
    texts = [statement.text for statement in answer.statements]
    assert len(texts) == len(said), texts
    assert all(part in text for part, text in zip(said, texts, strict=True)), texts


def test_what_is_computed_cites_what_it_was_compared_with(engine: Engine) -> None:
    (statement,) = engine.ask("Which loan was signed last?", receipt=False).statements
    quotes = {citation.quote.split("\t")[0] for citation in statement.citations}
    assert quotes == {"Loan", "L-7", "L-8", "L-9", "L-10"}


def test_a_column_that_is_meant_is_found_without_its_word(engine: Engine) -> None:
    (statement,) = engine.ask("Which loan was the most expensive?", receipt=False).statements
    assert statement.text.startswith("Computed, largest of 4: Loan: L-9")
