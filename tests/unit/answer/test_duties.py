"""Questions on a document's whole subject: does it apply, what has to be done (docs/answers.md, 1 and 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.support.documents import document, source

from pincite.engine.engine import Engine
from pincite.records.answers import Answer
from pincite.records.pages import BlockKind
from pincite.settings import Settings
from pincite.wiring import open_engine

STANDARD: Sequence[tuple[BlockKind, str]] = (
    ("heading", "EN 88888 Actions of ice"),
    ("heading", "Foreword"),
    ("paragraph", "The members of Norway and Sweden are bound to implement this standard."),
    ("paragraph", "Annexes A and B are informative."),
    ("heading", "1 General"),
    ("heading", "1.1 Scope"),
    ("paragraph", "(1) This standard is applicable to masts and towers made of steel."),
    ("paragraph", "(2) It does not apply at altitudes above 900 m."),
    ("paragraph", "(3) The melting of ice on roads is not covered."),
    ("paragraph", "(4) No guidance is given here: it does not cover guyed masts."),
    ("paragraph", "(5) Cooling towers are treated in EN 66666."),
    ("heading", "1.2 Definitions"),
    ("paragraph", "(1) Ice loads shall be understood as loads of frozen water."),
    ("heading", "2 Actions"),
    ("paragraph", "(1) Ice loads shall be classified as variable actions."),
    ("paragraph", "(2) The relevant ice loads shall be determined for each site, see ISO 77777."),
    ("heading", "3 Values"),
    ("paragraph", "(1) The ice loads on ropes should be taken as twice the weight of the rope."),
    ("heading", "4 Checks"),
    ("paragraph", "(1) Where ice falls on a path, the path should be checked."),
)


@pytest.fixture(scope="module")
def standard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("standard"), create=True) as engine:
        other = document([("heading", "1 Roads"), ("paragraph", "Roads and masts shall be inspected each year.")])
        engine.index_documents([(source("ice_loads.txt"), document(STANDARD)), (source("roads.txt"), other)])
        yield engine


def ask(engine: Engine, question: str) -> Answer:
    return engine.ask(question, receipt=False)


def texts(answer: Answer, kind: str) -> list[str]:
    return [statement.text for statement in answer.statements if statement.kind == kind]


def test_what_the_scope_admits_gets_a_yes_with_the_first_duty_and_all_that_is_left_out(standard: Engine) -> None:
    answer = ask(standard, "Do I need to consider ice loads on my mast?")
    assert texts(answer, "verdict")[0].endswith(
        "Yes, where this document applies: The relevant ice loads shall be determined for each site, see ISO 77777."
    )
    facts = " ".join(texts(answer, "fact"))
    assert "applicable to masts and towers" in facts
    assert "does not apply at altitudes above 900 m" in facts
    assert "not covered" in facts


def test_what_the_scope_leaves_out_gets_a_no_that_quotes_it(standard: Engine) -> None:
    answer = ask(standard, "I am building a road. Should I consider ice loads?")
    assert texts(answer, "verdict")[0].endswith("No: The melting of ice on roads is not covered.")


def test_a_thing_that_is_left_out_by_its_full_name_gets_a_no_though_its_class_is_admitted(standard: Engine) -> None:
    answer = ask(standard, "I am designing a guyed mast. Should I consider ice loads?")
    assert texts(answer, "verdict")[0].endswith("it does not cover guyed masts.")
    assert "No: " in texts(answer, "verdict")[0]


def test_what_another_standard_treats_gets_a_no_that_names_it(standard: Engine) -> None:
    answer = ask(standard, "I am designing a cooling tower. Does the ice code apply?")
    assert texts(answer, "verdict") == ["1.1(5): No: Cooling towers are treated in EN 66666."]


@pytest.mark.parametrize(
    ("altitude", "opening"), [("1 200 m", "1.1(2): No: It does not apply at altitudes above 900 m"), ("850 m", "2")]
)
def test_a_limit_of_the_scope_is_held_against_the_amount_that_is_asked(
    standard: Engine, altitude: str, opening: str
) -> None:
    answer = ask(standard, f"My mast stands at an altitude of {altitude}. Does the ice code apply?")
    assert texts(answer, "verdict")[0].startswith(opening)


def test_what_the_scope_does_not_name_is_not_settled(standard: Engine) -> None:
    answer = ask(standard, "I am designing a balloon in Sweden. Should I consider ice loads?")
    assert "Not settled for a balloon: This standard is applicable to masts" in texts(answer, "verdict")[0]
    assert any("Sweden" in text for text in texts(answer, "fact"))
    assert any("balloon" in text and "No information found" in text for text in texts(answer, "missing"))


def test_steps_follow_the_order_of_the_document_and_end_with_what_is_not_in_the_folder(standard: Engine) -> None:
    answer = ask(standard, "Do I need to apply ice loads to my mast? What steps do I take?")
    steps = texts(answer, "step")
    assert [step.split(":")[0].split(",")[0] for step in steps] == ["Step 1", "Step 2", "Step 3"]
    assert "classified as variable" in steps[0]
    assert "taken as twice" in steps[1]
    assert "should be checked" in steps[2]
    assert not any("shall be determined" in step for step in steps), "what the verdict says is not said again"
    assert any("ISO 77777" in text for text in texts(answer, "missing"))
    assert any("informative" in text for text in texts(answer, "fact"))


def test_a_question_on_one_rule_is_not_answered_by_the_subject_as_a_whole(standard: Engine) -> None:
    answer = ask(standard, "Must the path below ropes be closed when ice falls on it in winter storms?")
    assert not any("where this document applies" in text for text in texts(answer, "verdict"))


def test_a_document_whose_file_has_no_telling_name_is_known_by_its_title(tmp_path: Path) -> None:
    with open_engine(Settings(embedder="none"), tmp_path / "titled", create=True) as engine:
        engine.index_documents([(source("AD_X_2019.txt"), document(STANDARD, title="Ice loads"))])
        answer = ask(engine, "Do I need to consider ice loads on my mast?")
    assert "Yes, where this document applies" in texts(answer, "verdict")[0]


POLICY: Sequence[tuple[BlockKind, str]] = (
    ("heading", "Respirator policy"),
    ("heading", "1 Scope"),
    ("paragraph", "This policy applies to laboratories and workshops."),
    ("paragraph", "It does not apply to offices."),
    ("heading", "2 Selection"),
    ("paragraph", "Respirators must be approved by the safety officer before use."),
    ("heading", "3 Use"),
    ("paragraph", "Respirators must be worn where dust is made."),
    ("heading", "4 Records"),
    ("paragraph", "The use of respirators must be recorded in the log."),
)


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("policy"), create=True) as engine:
        canteen = document([("heading", "Canteen rules"), ("paragraph", "Trays must be returned to the rack.")])
        engine.index_documents([(source("respirators.pdf"), document(POLICY)), (source("canteen.pdf"), canteen)])
        yield engine


@pytest.mark.parametrize(
    ("place", "verdict"),
    [
        ("workshop", "2: Yes, where this document applies: Respirators must be approved by the safety officer"),
        ("office", "1: No: It does not apply to offices."),
        ("garage", "1: Not settled for a garage: This policy applies to laboratories and workshops."),
    ],
)
def test_a_policy_of_a_firm_is_read_by_its_scope_too(policy: Engine, place: str, verdict: str) -> None:
    (only,) = texts(ask(policy, f"Do I need to use respirators in my {place}?"), "verdict")
    assert only.startswith(verdict)


def test_the_steps_of_a_policy_are_its_other_duties_in_order(policy: Engine) -> None:
    steps = texts(ask(policy, "Do I need to use respirators in my workshop? What steps do I take?"), "step")
    assert steps == [
        "Step 1, 3: Respirators must be worn where dust is made.",
        "Step 2, 4: The use of respirators must be recorded in the log.",
    ]
