"""Answers on documents of a dozen genres that no benchmark knows: what people get who ask them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.genres import GENRES

from pincite.engine.engine import Engine
from pincite.records.answers import Statement
from pincite.settings import Settings
from pincite.wiring import open_engine


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("genres"), create=True) as engine:
        engine.index_documents(
            (source(name, f"{number:x}" * 64), document(blocks)) for number, (name, blocks) in enumerate(GENRES.items())
        )
        yield engine


def statements(engine: Engine, question: str) -> tuple[Statement, ...]:
    return engine.ask(question, receipt=False).statements


def of_kind(engine: Engine, question: str, kind: str) -> list[str]:
    return [statement.text for statement in statements(engine, question) if statement.kind == kind]


# --- yes or no ----------------------------------------------------------------------------------------------

DECIDED = [
    # A lease.
    ("May the tenant keep a cat?", "The tenant may keep one cat but shall not keep a dog."),
    ("May the tenant keep a dog?", "The tenant may keep one cat but shall not keep a dog."),
    ("Must the tenant repaint the walls?", "The tenant need not repaint the walls at the end of the term."),
    ("Is smoking permitted in the hallway?", "Smoking is not permitted in the hallway."),
    # A statute.
    ("Is a permit required for a greenhouse?", "No permit is required for a greenhouse."),
    ("Do I need a permit for my greenhouse?", "No permit is required for a greenhouse."),
    (
        "Is a permit required for a shed of 15 square metres?",
        "A permit is required for a shed that is larger than 12 square metres.",
    ),
    # Minutes.
    (
        "Did the council approve the new swings?",
        "The council did not approve the new swings, since the offer came too late.",
    ),
    (
        "Did the council agree to close the footbridge?",
        "The council agreed to close the footbridge from 1 June until 30 September.",
    ),
    # A data sheet.
    (
        "Must the pump be disconnected before cleaning?",
        "Before cleaning, the pump must be disconnected from the supply.",
    ),
    # A medical leaflet.
    ("May Norvalin be taken with food?", "Norvalin may be taken with food."),
    ("Can children under 12 take Norvalin?", "Children under 12 years should not take Norvalin."),
    # A contract.
    ("Is the Supplier liable for loss of profit?", "The Supplier is not liable for loss of profit."),
    # A by-law, the page of a router, the report of a trial.
    (
        "May a dog be left alone for 6 hours?",
        "A dog shall not be left alone for more than 4 hours.",
    ),
    ("Does the AX5 have four LAN ports?", "The AX5 has four LAN ports and one WAN port."),
    (
        "Was nausea more frequent in the treated group?",
        "Nausea was more frequent in the treated group (9 %) than in the control group (4 %).",
    ),
    ("Must the Customer pay each invoice within 30 days?", "The Customer shall pay each invoice within 30 days."),
]


@pytest.mark.parametrize(("question", "clause"), DECIDED, ids=[question for question, _ in DECIDED])
def test_a_question_for_yes_or_no_is_answered_by_the_clause_that_decides_it(
    folder: Engine, question: str, clause: str
) -> None:
    assert clause in statements(folder, question)[0].text


# --- definitions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "definition"),
    [
        ("What does fixtures mean in the lease?", "fixtures means things that are fastened to the walls or the floor."),
        ("What does allotment garden mean in the Act?", "means a plot that is tilled by its occupier"),
        ("What is an allotment garden?", "means a plot that is tilled by its occupier"),
        ("What does Business Day mean in the agreement?", "means a day other than a Saturday"),
        ("What does owner mean in the by-law?", "“owner” means a person who keeps a dog"),
        ("What is a leash?", "“leash” means a line of no more than 2 m."),
        ("What is a state file?", "State file: the file in which rotor writes down when"),
        ("What is Norvalin?", "Norvalin is a medicine that lowers the blood pressure."),
    ],
)
def test_what_a_word_means_is_told_by_the_sentence_that_says_so(folder: Engine, question: str, definition: str) -> None:
    assert definition in statements(folder, question)[0].text


@pytest.mark.parametrize(
    ("question", "definition"),
    [
        ("What is meant by fixtures in this lease?", "means things that are fastened to the walls or the floor."),
        ("What is the definition of Deliverable in the contract?", "means any item that the Supplier hands over"),
    ],
)
def test_a_word_is_defined_though_the_question_says_where(tmp_path: Path, question: str, definition: str) -> None:
    with open_engine(Settings(), tmp_path, create=True) as engine:
        engine.index_documents(
            (source(name, f"{number:x}" * 64), document(GENRES[name]))
            for number, name in enumerate(("lease.pdf", "supply_agreement.pdf"))
        )
        assert definition in statements(engine, question)[0].text


@pytest.mark.parametrize(
    ("question", "meaning"),
    [
        ("What does exit status 2 mean?", "2: The state file is locked"),
        ("What is exit code 1?", "1: A log could not be read"),
        ("What does the red light mean?", "Red: No signal"),
    ],
)
def test_what_a_code_stands_for_is_told_by_its_row(folder: Engine, question: str, meaning: str) -> None:
    assert of_kind(folder, question, "definition") == [meaning]


def test_the_number_of_a_section_is_no_code(folder: Engine) -> None:
    assert of_kind(folder, "What is section 2?", "definition") == []


def test_what_something_does_is_no_definition_of_it(folder: Engine) -> None:
    assert of_kind(folder, "What is the lease?", "definition") == []


# --- lists and steps ---------------------------------------------------------------------------------------


def test_the_last_item_of_a_list_ends_where_it_ends_and_prose_behind_it_is_none(folder: Engine) -> None:
    assert of_kind(folder, "Which repairs is the landlord responsible for?", "list") == [
        "4: The landlord is responsible for the following repairs (3 found, a to c)",
        "(a) the roof and the outer walls",
        "(b) the boiler and the pipes, unless the tenant has damaged them",
        "(c) the windows.",
    ]


def test_a_list_ends_in_front_of_the_next_heading_and_items_of_one_word_count(folder: Engine) -> None:
    assert of_kind(folder, "What ingredients do I need for the cake?", "list") == [
        "For the cake you need the following ingredients (4 found)",
        "• 225 g of soft butter",
        "• 225 g of caster sugar",
        "• 4 eggs",
        "• the zest of 2 lemons",
    ]
    assert of_kind(folder, "What should I tell my doctor?", "list")[0].endswith("any of the following (3 found)")


def test_the_steps_of_a_recipe_are_told_in_order_without_what_stands_behind_them(folder: Engine) -> None:
    steps = of_kind(folder, "How do I make the cake?", "step")
    assert steps == [
        "Step 1: Heat the oven. Line a loaf tin with paper.",
        "Step 2: Beat the butter and the sugar, then add the eggs one by one.",
        "Step 3: Bake the cake until a skewer comes out clean.",
    ]


def test_a_paragraph_between_steps_belongs_to_the_one_above_it(folder: Engine) -> None:
    assert of_kind(folder, "How do I reset the router?", "step") == [
        "Step 1: Unplug the cable.",
        "Step 2: Hold the button for 10 seconds. The light turns green.",
        "Step 3: Plug in the cable.",
    ]


def test_items_of_an_item_are_counted_inside_it(folder: Engine) -> None:
    assert of_kind(folder, "Which dogs do the duties of the by-law not apply to?", "list") == [
        "3: The duties of this by-law do not apply to the following dogs (3 found, a to c)",
        "(a) police dogs",
        "(b) guide dogs",
        "(c) dogs that are trained: (i) by a trainer, or (ii) by a club.",
    ]


# --- causes ------------------------------------------------------------------------------------------------


def test_why_something_happened_is_told_by_its_own_cause(folder: Engine) -> None:
    assert of_kind(folder, "Why did the crane stand still?", "fact") == [
        "The crane stood still since its motor had burnt out."
    ]


def test_the_cause_of_something_else_is_none(folder: Engine) -> None:
    assert of_kind(folder, "Why was the harbour closed on Monday?", "fact") == []


# --- values ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "value", "filename"),
    [
        ("How much is the deposit?", "deposit of £1,900", "lease.pdf"),
        ("How much is the monthly rent?", "rent is £950", "lease.pdf"),
        ("How much butter does the cake need?", "225 g of soft butter", "cake.md"),
        ("How long are logs kept?", "Logs are kept for 30 days by default.", "rotor.1.txt"),
        ("How high may a fence be?", "higher than 2 m", "allotments_act.pdf"),
        ("How much will the repair of the footbridge cost?", "£18,400", "minutes.docx"),
        ("What is the supply voltage of the PX-40?", "24 V", "px40.pdf"),
        ("What is the weight of the pump?", "2.4 kg", "px40.pdf"),
        ("What is the minimum water temperature of the pump?", "Quantity: Water temperature | Min: -5 °C", "px40.pdf"),
        ("What is the maximum battery load?", "Quantity: Battery load | Max: 9 kg", "px40.pdf"),
        ("How long may the tablets be used after opening?", "6 months after opening", "norvalin.pdf"),
        ("How many LAN ports does the AX5 have?", "four LAN ports", "ax5.html"),
        ("How many patients were enrolled?", "214 patients", "senforal.pdf"),
        ("How long were patients followed?", "12 months", "senforal.pdf"),
        ("What is the limit of liability?", "limited to EUR 250,000", "supply_agreement.pdf"),
        ("How many days does the Customer have to pay an invoice?", "within 30 days", "supply_agreement.pdf"),
    ],
)
def test_a_value_is_of_what_is_asked_and_in_its_unit(folder: Engine, question: str, value: str, filename: str) -> None:
    first = next(statement for statement in statements(folder, question)[:2] if value in statement.text)
    assert {citation.filename for citation in first.citations} == {filename}


def test_a_value_stands_without_sentences_that_say_nothing_of_what_is_asked(folder: Engine) -> None:
    assert "180 °C" not in statements(folder, "How much butter does the cake need?")[0].text
    assert "three firms" not in statements(folder, "How much will the repair of the footbridge cost?")[0].text


def test_a_length_is_no_weight_though_its_row_names_the_thing(folder: Engine) -> None:
    assert not any("5 m" in text for text in of_kind(folder, "How much does the cable weigh?", "value"))


# --- thresholds --------------------------------------------------------------------------------------------


def test_the_size_from_which_a_rule_holds_is_told_with_the_rule(folder: Engine) -> None:
    first = statements(folder, "From what size on is a permit required for a shed?")[0]
    assert first.kind == "value"
    assert first.text.endswith("A permit is required for a shed that is larger than 12 square metres.")


def test_a_threshold_of_another_thing_is_not_told(folder: Engine) -> None:
    texts = of_kind(folder, "From what size on is a permit required for a greenhouse?", "value")
    assert not any("12 square metres" in text for text in texts)
