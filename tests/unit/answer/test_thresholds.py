"""From what size on a rule holds, and what another document says on the same subject (docs/answers.md, 9c)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.support.documents import document, source

from pincite.engine.engine import Engine
from pincite.records.answers import Statement
from pincite.records.pages import BlockKind
from pincite.settings import Settings
from pincite.wiring import open_engine

Blocks = Sequence[tuple[BlockKind, str]]
LOCAL: Blocks = (
    ("heading", "1 Growth"),
    ("paragraph", "1.1 There will be potential within the quays to meet the requirements in Porthaven."),
    ("heading", "Policy 4 Boat sheds"),
    ("paragraph", "This is an interim policy pending the adoption of another."),
    ("paragraph", "The Council will require:"),
    ("paragraph", "on quays of 12 berths or more, a shared shed; and\non other quays, a shared shed or a fee."),
    ("paragraph", "The Council may require up to 40% of a shared shed on a quay to be kept for boats of the harbour."),
)
NATIONAL: Blocks = (
    ("heading", "1 Sheds"),
    ("paragraph", "A shared shed should not be asked of owners of harbours that are no great harbours."),
    ("paragraph", "A shared shed may be painted."),
    ("heading", "2 Effect"),
    ("paragraph", "Existing policies should not be considered out-of-date because they are older than this Framework."),
    ("paragraph", "Due weight should be given to them."),
    ("heading", "Annex Glossary"),
    ("paragraph", "Great harbour: A harbour that has 20 berths or more."),
    ("paragraph", "Small harbour: A harbour that has 3 berths or fewer."),
)


@pytest.fixture(scope="module")
def harbours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("harbours"), create=True) as engine:
        made = {"Porthaven.pdf": LOCAL, "national.pdf": NATIONAL}
        engine.index_documents(
            (source(name, str(number) * 64), document(blocks)) for number, (name, blocks) in enumerate(made.items())
        )
        yield engine


def ask(engine: Engine, question: str) -> tuple[Statement, ...]:
    return engine.ask(question, receipt=False).statements


@pytest.fixture(scope="module")
def sheds(harbours: Engine) -> tuple[Statement, ...]:
    return ask(harbours, "From how many berths can a shared shed be required on a quay of Porthaven?")


def test_the_rule_with_its_limit_opens_the_answer_not_a_share_of_something(sheds: Sequence[Statement]) -> None:
    assert sheds[0].text.endswith(
        "The Council will require: on quays of 12 berths or more, a shared shed; "
        "and on other quays, a shared shed or a fee."
    )


def test_the_rule_of_another_document_stands_beside_it_with_its_own_verb(sheds: Sequence[Statement]) -> None:
    also = next(statement for statement in sheds if "Also: " in statement.text)
    assert also.text.endswith("should not be asked of owners of harbours that are no great harbours.")
    assert {citation.filename for citation in also.citations} == {"national.pdf"}
    assert not any(statement.kind == "conflict" for statement in sheds)


def test_a_term_of_a_limit_is_told_with_its_number_and_other_terms_are_not(sheds: Sequence[Statement]) -> None:
    terms = [statement.text for statement in sheds if statement.kind == "definition"]
    assert [term.partition("Great")[2] for term in terms] == [" harbour: A harbour that has 20 berths or more."]


def test_what_the_texts_say_of_their_own_standing_is_told_too(sheds: Sequence[Statement]) -> None:
    facts = [statement.text.rpartition(": ")[2] for statement in sheds if statement.kind == "fact"]
    assert facts == [
        "Existing policies should not be considered out-of-date because they are older than this Framework.",
        "Due weight should be given to them.",
        "This is an interim policy pending the adoption of another.",
    ]


def test_where_no_other_document_rules_on_it_nothing_is_said_of_which_counts(harbours: Engine) -> None:
    statements = ask(harbours, "From how many berths is a harbour a great harbour?")
    assert "20 berths or more" in " ".join(statement.text for statement in statements)
    assert not any("out-of-date" in statement.text for statement in statements)


def test_another_document_that_the_asker_may_not_see_is_not_read(harbours: Engine) -> None:
    question = "From how many berths can a shared shed be required on a quay of Porthaven? file:Porthaven.pdf"
    assert {c.filename for statement in ask(harbours, question) for c in statement.citations} == {"Porthaven.pdf"}


def test_which_of_two_texts_counts_is_told_of_a_lease_and_its_house_rules(tmp_path: Path) -> None:
    lease: Blocks = (
        ("heading", "1 Pets"),
        ("paragraph", "A house dog may be kept by a tenant where it is lighter than 10 kg."),
        ("heading", "2 Effect"),
        ("paragraph", "In the event of any conflict with earlier house rules, this lease prevails."),
    )
    rules: Blocks = (
        ("heading", "1 Dogs"),
        ("paragraph", "A house dog that is heavier than 15 kg must be walked on a lead."),
        ("paragraph", "A house dog may bark by day."),
    )
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        made = {"lease.pdf": lease, "rules_of_the_house.pdf": rules}
        engine.index_documents(
            (source(name, str(number) * 64), document(blocks)) for number, (name, blocks) in enumerate(made.items())
        )
        found = [statement.text for statement in ask(engine, "Up to what weight may a house dog be kept?")]
    assert found[0] == "1: A house dog may be kept by a tenant where it is lighter than 10 kg."
    assert "1: Also: A house dog that is heavier than 15 kg must be walked on a lead." in found
    assert "2: In the event of any conflict with earlier house rules, this lease prevails." in found
