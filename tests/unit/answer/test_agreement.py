"""What other documents say to a statement: the same, the contrary, another value; and whom a pronoun stands for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.schema import checked

from pincite.records.answers import Answer, Statement
from pincite.settings import Settings
from pincite.wiring import open_engine


def ask(folder: Path, texts: Mapping[str, str], question: str) -> Answer:
    with open_engine(Settings(embedder="none"), folder, create=True) as engine:
        engine.index_documents((source(name), document(text)) for name, text in texts.items())
        return checked(engine.ask(question))


def said(answer: Answer) -> list[tuple[str, str]]:
    return [(statement.kind, statement.text) for statement in answer.statements]


def also(statement: Statement) -> list[str]:
    return [citation.filename for citation in statement.also]


ROADS = {
    "rules.pdf": "The speed limit on Harbour Road is 50 km/h. Lorries take the eastern lane.",
    "handbook.pdf": "The speed limit on Harbour Road is 30 km/h. The gate closes at night.",
    "notes.pdf": "Keys are kept in the office. The speed limit on Harbour Road is 50 km/h.",
}


def test_two_values_of_one_thing_stand_side_by_side_and_neither_wins(tmp_path: Path) -> None:
    answer = ask(tmp_path, ROADS, "What is the speed limit on Harbour Road?")
    first, second = answer.statements[:2]
    texts = {"The speed limit on Harbour Road is 50 km/h.", "The speed limit on Harbour Road is 30 km/h."}
    assert {first.kind, second.kind} == {"conflict"}
    assert {first.text, second.text.removeprefix("Against this: ")} == texts
    assert second.text.startswith("Against this: ")


def test_another_document_that_says_the_same_stands_behind_the_statement_and_is_not_quoted_again(
    tmp_path: Path,
) -> None:
    answer = ask(tmp_path, ROADS, "What is the speed limit on Harbour Road?")
    (fifty,) = [statement for statement in answer.statements if "50" in statement.text]
    assert {fifty.citations[0].filename, *also(fifty)} == {"rules.pdf", "notes.pdf"}
    assert f"(also: {also(fifty)[0]}, p.1)" in answer.summary


def test_no_yes_opens_an_answer_that_another_document_denies(tmp_path: Path) -> None:
    texts = {
        "permits.pdf": "Fishing is allowed on the north pier.",
        "ban.pdf": "Fishing is not allowed on the north pier.",
    }
    answer = ask(tmp_path, texts, "Is fishing allowed on the north pier?")
    assert {kind for kind, _ in said(answer)} == {"conflict"}
    assert not any(text.startswith(("Yes", "No:")) for _, text in said(answer))
    assert {c.filename for s in answer.statements for c in s.citations} == {"permits.pdf", "ban.pdf"}


def test_the_same_in_other_order_is_known_by_its_triplet(tmp_path: Path) -> None:
    texts = {"x.pdf": "Acme Corp bought Bolt Ltd in 2019.", "y.pdf": "Bolt Ltd was bought by Acme Corp in 2019."}
    (statement,) = ask(tmp_path, texts, "Who bought Bolt Ltd?").statements
    assert [statement.citations[0].filename, *also(statement)] in (["x.pdf", "y.pdf"], ["y.pdf", "x.pdf"])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme Corp bought Bolt Ltd in 2019.", "Bolt Ltd bought Acme Corp in 2019."),
        ("The crane at Quay 4 lifts 40 t of cargo.", "The crane at Quay 5 lifts 40 t of cargo."),
        ("We own 30 % of Bolt Ltd.", "We own 70 % of Bolt Ltd."),
        ("The fair of Bolt Ltd opened in May 2001.", "The fair of Bolt Ltd opened in May 2003."),
        ("The crane at Bolt Ltd shall lift 40 t.", "The crane at Bolt Ltd should lift 40 t."),
    ],
)
def test_what_only_looks_alike_is_neither_a_conflict_nor_the_same(tmp_path: Path, one: str, other: str) -> None:
    answer = ask(tmp_path, {"a.pdf": one, "b.pdf": other}, "What is said of Bolt Ltd and the crane at the quay?")
    assert not any(statement.kind == "conflict" or statement.also for statement in answer.statements)


def test_figures_of_documents_of_two_years_are_no_conflict(tmp_path: Path) -> None:
    texts = {"bolt_2019.pdf": "Sales of Bolt Ltd rose by 5 %.", "bolt_2020.pdf": "Sales of Bolt Ltd rose by 7 %."}
    answer = ask(tmp_path, texts, "How much did the sales of Bolt Ltd rise?")
    assert "conflict" not in dict(said(answer))


def test_two_births_of_one_person_are_a_conflict(tmp_path: Path) -> None:
    texts = {"a.pdf": "Marta Olsen was born in 1961 in Bergen.", "b.pdf": "Marta Olsen was born in 1963 in Bergen."}
    answer = ask(tmp_path, texts, "When was Marta Olsen born?")
    assert [kind for kind, _ in said(answer)] == ["conflict", "conflict"]


def resolved(folder: Path, text: str, question: str) -> list[str]:
    return [text for _, text in said(ask(folder, {"a.pdf": text}, question))]


def test_a_pronoun_is_resolved_in_brackets_and_the_sentence_with_the_name_is_cited(tmp_path: Path) -> None:
    text = "Marta Olsen is a Norwegian engineer. She was born in Bergen in 1961. Her company builds bridges."
    answer = ask(tmp_path, {"a.pdf": text}, "When was Marta Olsen born?")
    born = next(s for s in answer.statements if "1961" in s.text)
    assert born.text == "She [Marta Olsen] was born in Bergen in 1961."
    assert [c.quote for c in born.citations] == [
        "She was born in Bergen in 1961.",
        "Marta Olsen is a Norwegian engineer.",
    ]
    assert answer.summary.count("(a.pdf, p.1) (a.pdf, p.1)") == 0


def test_an_owner_and_a_thing_are_named_too(tmp_path: Path) -> None:
    text = "Marta Olsen is an engineer. In 1990 she left Bergen. Her company builds bridges of steel."
    assert "Her [Marta Olsen’s] company builds bridges of steel." in resolved(
        tmp_path / "1", text, "What does Marta Olsen's company build?"
    )
    text = "The Long Bridge is a bridge of steel. It was opened in 2013. Its main span is 1310 m."
    assert "Its [The Long Bridge’s] main span is 1310 m." in resolved(
        tmp_path / "2", text, "Tell me of the main span of a bridge!"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Marta Olsen met Carla Neri in Bergen. She was born there in 1961.",
        "Lund Boats hired Anna Berg in May. She was born there in 1961.",
        "Anna Berg bought the Long Bridge. It was born of steel in 1961.",
        "The Long Bridge is a bridge. It was born in mind in 1961 that bridges rust.",
        "The board met in Bergen. She was born there in 1961.",
    ],
)
def test_a_pronoun_that_may_stand_for_another_is_left_alone(tmp_path: Path, text: str) -> None:
    assert not any("[" in line for line in resolved(tmp_path, text, "Who or what was born in 1961 in Bergen?"))
