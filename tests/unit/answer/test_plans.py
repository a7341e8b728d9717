"""What an answer opens with, by kind of question, on small documents of our own (docs/design.md section 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.support.documents import document, source
from tests.support.schema import checked

from pincite.engine.engine import Engine
from pincite.records.answers import NEAREST, Answer, Statement
from pincite.records.evidence import Trace
from pincite.records.pages import BlockKind, Document
from pincite.records.questions import RetrievalPolicy
from pincite.rendering import statement_lines
from pincite.settings import Settings
from pincite.wiring import open_engine

Blocks = Sequence[tuple[BlockKind, str]]
PEOPLE = {
    "The Long Night": "The Long Night is a 1951 drama film directed by Anna Berg and starring Jo Poe.",
    "Green Hills": "Green Hills is a 1962 comedy film directed by Carlo Neri.",
    "Anna Berg": "Anna Berg (born 3 May 1901 – 9 June 1980) was a Swedish film director. She lived in Lund.",
    "Carlo Neri": "Carlo Neri (12 March 1910 – 1 April 1975) was an Italian film director and writer.",
    "Lerwick Quay": "Lerwick Quay is a harbour in Kent County, on the English coast.",
    "Sandvik Quay": "Sandvik Quay is an English and Danish harbour in the county of Essex.",
    "Mole Head": "Mole Head is not a harbour but a rock off the coast.",
    "Lund Cup": "The Lund Cup is a race of boats that is held each summer in Lund.",
}
RULES: Blocks = (
    ("heading", "1 Terms"),
    ("heading", "1.1 guard rail"),
    ("paragraph", "barrier at an edge that stops a fall."),
    ("heading", "2 Exceptions"),
    ("paragraph", "A permit is not needed where one of the following exceptions applies:"),
    ("list_item", "a) repair of a fence;"),
    ("list_item", "b) planting of a tree, unless it is\ntaller than a house;"),
    ("footnote", "1 A hedge counts as a fence."),
)
REST: Blocks = (
    ("list_item", "c) painting of a wall."),
    ("heading", "3 Loads"),
    ("paragraph", "The wind coefficient depends on the site. Its recommended value is 1,25 for open land."),
    ("heading", "4 Sites"),
    ("paragraph", "The rope factor is chosen by the owner, see ISO 99999."),
)
SALES: Blocks = (
    ("heading", "Net revenues"),
    ("paragraph", "(In thousands)\nThree months ended Twelve months ended\n2022 2021 2022 2021"),
    ("table", "North Harbour\t$ 1,111\t$ 1,000\t$ 4,444\t$ 4,000\nSouth Harbour\t$ 2,222\t$ 2,000\t$ 8,888\t$ 8,000"),
)


def titled(title: str, text: str) -> Document:
    return document([("heading", title), ("paragraph", text)], title=title)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("people"), create=True) as engine:
        engine.index_documents((source(f"{title}.txt"), titled(title, text)) for title, text in PEOPLE.items())
        yield engine


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with open_engine(Settings(embedder="none"), tmp_path_factory.mktemp("rules"), create=True) as engine:
        made = [(source("rules.pdf"), document(RULES, REST)), (source("harbours.pdf", "1" * 64), document(SALES))]
        engine.index_documents(made)
        yield engine


def ask(engine: Engine, question: str) -> Answer:
    return checked(engine.ask(question, receipt=False))


def first(answer: Answer) -> str:
    return answer.statements[0].text


def test_which_of_two_is_earlier_names_the_one_with_both_dates(people: Engine) -> None:
    answer = ask(people, "Who died first, Anna Berg or Carlo Neri?")
    assert first(answer) == "Carlo Neri: 1 April 1975, against 9 June 1980 (Anna Berg)"
    assert answer.statements[0].kind == "comparison"
    assert {c.source_id for c in answer.statements[0].citations} == {"Anna Berg.txt", "Carlo Neri.txt"}


def test_a_comparison_of_those_who_made_two_things_follows_their_names(people: Engine) -> None:
    answer = ask(people, "Which film has the director who was born earlier, Green Hills or The Long Night?")
    assert first(answer) == "The Long Night: 3 May 1901, against 12 March 1910 (Green Hills)"


def test_the_same_country_or_not_is_a_verdict_with_both_words(people: Engine) -> None:
    answer = ask(people, "Are Anna Berg and Carlo Neri from the same country?")
    assert first(answer) == "No: Anna Berg (Swedish), against Carlo Neri (Italian)"
    assert answer.statements[0].kind == "verdict"


def test_countries_say_nothing_of_a_smaller_place_unless_they_differ(people: Engine) -> None:
    same = ask(people, "Are the harbour towns Lerwick Quay and Sandvik Quay in the same county?")
    assert first(same) == "No: Lerwick Quay (Kent), against Sandvik Quay (Essex)"
    assert "Yes" not in ask(people, "Are Lerwick Quay and Sandvik Quay in the same province?").summary
    assert "Yes" not in ask(people, "Do Lerwick Quay and Sandvik Quay have the same owner?").summary
    assert first(ask(people, "Are Anna Berg and Carlo Neri from the same town?")).startswith("No: Anna Berg (Swedish)")


def test_of_a_dissolved_state_and_one_that_came_after_it_nothing_is_said(tmp_path: Path) -> None:
    painters = {
        "Irina Belova": "Irina Belova is a Soviet painter.",
        "Pavel Orlov": "Pavel Orlov is a Russian painter.",
        "Denzel Hart": "Denzel Hart, a nephew of Martha Washington, is a Norwegian painter.",
    }
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents((source(f"{title}.txt"), titled(title, text)) for title, text in painters.items())
        open_answer = ask(engine, "Are Irina Belova and Pavel Orlov from the same country?")
        both = ask(engine, "Are Irina Belova and Pavel Orlov both Russian painters?")
        answer = ask(engine, "Are Irina Belova and Denzel Hart from the same country?")
    assert not any(statement.kind == "verdict" for statement in (*open_answer.statements, *both.statements))
    assert first(answer) == "No: Irina Belova (Soviet), against Denzel Hart (Norwegian)"


def test_two_that_are_said_to_be_of_a_kind_both_are(people: Engine) -> None:
    answer = ask(people, "Are Anna Berg and Carlo Neri both film directors?")
    assert first(answer) == "Yes: Anna Berg (film director), also Carlo Neri (film director)"


def test_of_two_that_are_of_other_countries_one_is_not_of_the_asked_kind(people: Engine) -> None:
    answer = ask(people, "Were Anna Berg and Carlo Neri both Swedish film directors?")
    assert first(answer) == "No: Anna Berg (Swedish), against Carlo Neri (Italian)"
    assert "No:" not in ask(people, "Are Lerwick Quay and Sandvik Quay both English harbours?").summary


def test_a_kind_that_nobody_tells_is_not_denied(people: Engine) -> None:
    for question in ("Are Anna Berg and Carlo Neri both painters?", "Are Mole Head and Sandvik Quay both harbours?"):
        assert not ask(people, question).summary.startswith(("Yes", "No:"))


def test_a_long_document_that_the_question_names_answers_alone(tmp_path: Path) -> None:
    berths = ("".join(f"Rope {n} of berth {page} was checked. " for n in range(80)) for page in range(12))
    own = (*berths, "Ferries left the northern berth each evening in winter.")
    other: Blocks = (("heading", "1 Ferries"), ("paragraph", "Ferries were cancelled in winter at Lowmoor in 2022."))
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index_documents(
            [(source("Highmoor_2022.txt"), document(*own)), (source("Lowmoor.txt"), document(other))]
        )
        answer = ask(engine, "Were ferries at Highmoor cancelled in winter?")
        assert {evidence.chunk.filename for evidence in answer.evidence} == {"Highmoor_2022.txt", "Lowmoor.txt"}
    cited = {citation.filename for statement in answer.statements for citation in statement.citations}
    assert cited <= {"Highmoor_2022.txt"}


def test_a_long_document_that_is_named_by_its_way_hides_no_better_answer_of_another(tmp_path: Path) -> None:
    shops = ("".join(f"Shelf {n} of shop {page} was swept. " for n in range(80)) for page in range(12))
    harbour: Blocks = (
        ("heading", "1 Piers"),
        ("paragraph", "The ferry pays a fee of 40 crowns at the old pier."),
    )
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index_documents([(source("old_pier.txt"), document(*shops)), (source("harbour.txt"), document(harbour))])
        answer = ask(engine, "What fee does the ferry pay at the old pier?")
    assert answer.statements[0].text == "1: The ferry pays a fee of 40 crowns at the old pier."


def test_a_question_of_two_steps_quotes_the_second_document(people: Engine) -> None:
    answer = ask(people, "When was the director of the film Green Hills born?")
    assert any("12 March 1910" in statement.text for statement in answer.statements)


def test_a_definition_comes_first(rules: Engine) -> None:
    answer = ask(rules, "What is a guard rail?")
    assert answer.statements[0].kind == "definition"
    assert first(answer) == "1: Guard rail: barrier at an edge that stops a fall."


def test_what_is_done_to_a_thing_does_not_define_it(tmp_path: Path) -> None:
    """Tanks are emptied and filled; what one is stands elsewhere."""
    done: Blocks = (("heading", "1 Care"), ("paragraph", "A surge tank is emptied by hand before the frost."))
    told: Blocks = (
        ("heading", "2 Terms"),
        ("paragraph", "A surge tank is a vessel that takes up the blow of water when a valve closes."),
        ("paragraph", "The settling basin is used to hold water until the mud has sunk."),
        ("heading", "3 Sluice gates"),
        ("paragraph", "Sluice gates support three ways of lifting by hand."),
    )
    with open_engine(Settings(embedder="none"), tmp_path / "water", create=True) as engine:
        engine.index_documents([(source("care.txt"), document(done)), (source("terms.txt"), document(told))])
        assert first(ask(engine, "What is a surge tank?")).startswith("A surge tank is a vessel")
        assert ask(engine, "What is the settling basin?").statements[0].kind == "definition"
        assert ask(engine, "What are sluice gates?").statements[0].kind != "definition"


def test_what_a_thing_is_comes_before_what_it_is_in_some_cases(tmp_path: Path) -> None:
    text = "Description: Hatch is a door in a deck. In small boats, a hatch is usually one plank of oak."
    with open_engine(Settings(embedder="none"), tmp_path / "boats", create=True) as engine:
        engine.index_documents([(source("boats.txt"), document([("paragraph", text)]))])
        assert first(ask(engine, "What is a hatch?")) == "Description: Hatch is a door in a deck."


def test_the_title_that_a_paragraph_opens_with_is_said_of_no_clause(tmp_path: Path) -> None:
    text = "1. Term. This lease begins in May.\n\n2. Rent of the Boat House. The rent is forty crowns a month.\n"
    path = tmp_path / "lease.txt"
    path.write_text(text, encoding="utf-8")
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index([path])
        said = ask(engine, "What is the rent of the boat house?").statements
    assert [statement.text for statement in said] == ["2: The rent is forty crowns a month."]


def test_where_a_thing_is_done_does_not_say_what_it_is(tmp_path: Path) -> None:
    text = "Mooring under any other bridge is allowed by day."
    with open_engine(Settings(embedder="none"), tmp_path / "river", create=True) as engine:
        engine.index_documents([(source("river.txt"), document([("paragraph", text)]))])
        assert ask(engine, "What is mooring?").statements[0].kind != "definition"


def test_a_word_of_the_name_of_a_file_is_not_missing(tmp_path: Path) -> None:
    text = "The copyright is held by the bird club of Arle."
    with open_engine(Settings(embedder="none"), tmp_path / "birds", create=True) as engine:
        engine.index_documents([(source("HERON_notes.txt"), document([("paragraph", text)]))])
        answer = ask(engine, "Who holds the copyright of HERON?")
    assert text in answer.statements[0].text
    assert answer.missing == ()


def test_a_date_of_somebody_is_not_answered_by_a_line_on_dates(tmp_path: Path) -> None:
    with open_engine(Settings(embedder="none"), tmp_path / "births", create=True) as engine:
        named = {
            "Ada Lund": "Ada Lund is a singer. She was born on 5 May 1987.",
            "Ben Roy": "Date of birth: 16th March.",
        }
        engine.index_documents((source(f"{title}.txt"), titled(title, text)) for title, text in named.items())
        answer = ask(engine, "What is the date of birth of Ada Lund?")
    assert answer.statements[0].kind != "definition"
    assert any("5 May 1987" in statement.text for statement in answer.statements)


def test_a_term_is_found_in_its_plural(tmp_path: Path) -> None:
    with open_engine(Settings(embedder="none"), tmp_path / "plural", create=True) as engine:
        engine.index_documents([(source("walls.txt"), document([("paragraph", "Loose walls are those which move.")]))])
        answer = ask(engine, "What does loose wall mean?")
    assert answer.statements[0].kind == "definition"


def test_a_list_is_whole_over_a_page_break_and_counted(rules: Engine) -> None:
    answer = ask(rules, "Which exceptions apply where a permit is not needed?")
    listed = [statement for statement in answer.statements if statement.kind == "list"]
    assert [statement.text for statement in listed] == [
        "2: A permit is not needed where one of the following exceptions applies (3 found, a to c)",
        "a) repair of a fence",
        "b) planting of a tree, unless it is taller than a house",
        "c) painting of a wall.",
    ]
    assert [statement.citations[0].page for statement in listed] == [1, 1, 1, 2]


def test_a_list_that_lost_its_bullets_is_read_from_semicolon_to_stop(tmp_path: Path) -> None:
    blocks: Blocks = (
        ("heading", "1 Gates"),
        ("paragraph", "The following gates are locked at night:"),
        ("paragraph", "the gate of the park;"),
        ("paragraph", "the gate of the yard;"),
        ("paragraph", "the gate of the pier."),
        ("paragraph", "Keys are kept by the warden."),
    )
    with open_engine(Settings(embedder="none"), tmp_path / "gates", create=True) as engine:
        engine.index_documents([(source("gates.txt"), document(blocks))])
        answer = ask(engine, "Which gates are locked at night?")
    assert [statement.text for statement in answer.statements] == [
        "1: The following gates are locked at night (3 found)",
        "the gate of the park",
        "the gate of the yard",
        "the gate of the pier.",
    ]


def test_behind_an_opening_stands_only_what_speaks_of_the_question(rules: Engine) -> None:
    answer = ask(rules, "What is the recommended value of the wind coefficient for open land?")
    assert not any("rope factor" in statement.text for statement in answer.statements)


MORTARS: Blocks = (
    ("heading", "4 Weights"),
    ("paragraph", "Table 4.1 - Weight of mortars"),
    ("paragraph", "Density\n[kN/m3]\nclay mortar 11,0 to 12,0\nsand mortar 12,5 to 18,0\nash mortar 9,0\nash 7,0"),
    ("table", "Houses (1-9 rooms)\t10%\nHouses (10+ rooms)\t20%**"),
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the density of sand mortar?", "Table 4.1: sand mortar: 12,5 to 18,0 (kN/m3)"),
        ("What percentage applies to houses of 10 or more rooms?", "Houses (10+ rooms): 20%**"),
    ],
)
def test_a_row_is_told_by_its_words_and_numbers_also_outside_a_drawn_table(
    tmp_path: Path, question: str, value: str
) -> None:
    with open_engine(Settings(embedder="none"), tmp_path / "mortars", create=True) as engine:
        engine.index_documents([(source("mortars.txt"), document(MORTARS))])
        assert first(ask(engine, question)) == value


def test_a_quantity_whose_name_stands_nowhere_is_not_answered_by_a_row_that_shares_its_thing(tmp_path: Path) -> None:
    with open_engine(Settings(embedder="none"), tmp_path / "mortars", create=True) as engine:
        engine.index_documents([(source("mortars.txt"), document(MORTARS))])
        assert ask(engine, "What is the minimum ceiling height of houses?").refused


def test_a_row_of_another_class_than_the_asked_one_is_no_answer(tmp_path: Path) -> None:
    blocks: Blocks = (("paragraph", "Table 2 - Deck loads"), ("table", "Category\tDeck load\nCategory B deck\t4,5"))
    with open_engine(Settings(embedder="none"), tmp_path / "decks", create=True) as engine:
        engine.index_documents([(source("decks.txt"), document(blocks))])
        assert "4,5" not in first(ask(engine, "What deck load applies to category A?"))


def test_a_value_stands_with_the_sentence_that_names_it(rules: Engine) -> None:
    answer = ask(rules, "What is the recommended value of the wind coefficient for open land?")
    assert "1,25" in answer.summary
    assert "wind coefficient" in first(answer)


def test_a_cell_is_found_by_row_year_and_period_with_its_unit(rules: Engine) -> None:
    answer = ask(rules, "What were the net revenues of South Harbour for full year 2022?")
    assert first(answer) == "South Harbour, Twelve months, 2022: $ 8,888 (In thousands)"
    quarter = ask(rules, "What were the net revenues of South Harbour in the quarter of 2021?")
    assert first(quarter) == "South Harbour, Three months, 2021: $ 2,000 (In thousands)"


def test_a_quantity_without_a_value_is_not_answered_by_its_neighbours(rules: Engine) -> None:
    answer = ask(rules, "Which rope factor should be used?")
    assert answer.refused
    assert "no value of “rope factor”" in first(answer)
    assert any("chosen by the owner" in statement.text for statement in answer.statements)


def test_what_comes_nearest_to_a_quantity_without_a_value_is_quoted(rules: Engine) -> None:
    answer = ask(rules, "Which rope factor should be used?")
    nearest = [said for said in answer.statements if said.text.startswith(NEAREST)]
    assert nearest
    assert all(said.text.removeprefix(NEAREST) in said.citations[0].quote for said in nearest)


def test_words_that_stand_nowhere_are_not_answered(rules: Engine) -> None:
    answer = ask(rules, "How do penguins navigate?")
    assert answer.refused
    assert answer.missing[0].aspect == "How do penguins navigate?"


def test_nothing_is_said_twice(rules: Engine) -> None:
    for question in ("What is a guard rail?", "What is the recommended value of the wind coefficient for open land?"):
        texts = [statement.text for statement in ask(rules, question).statements]
        assert len(texts) == len(set(texts))


def test_every_statement_is_borne_out_and_the_same_each_time(people: Engine, rules: Engine) -> None:
    for engine, question in ((people, "Who is Carlo Neri?"), (rules, "What does a permit need?")):
        once, again = ask(engine, question), ask(engine, question)
        assert once.to_dict(stable=True) == again.to_dict(stable=True)
        assert all(statement.citations for statement in once.statements if statement.kind != "missing")


def test_a_rule_answers_yes_or_no_itself(tmp_path: Path) -> None:
    made = document(
        [
            ("heading", "2 Doors"),
            ("paragraph", "A shed that is longer than 3 m should have two doors."),
            ("heading", "3 Windows"),
            ("paragraph", "Windows in the roof of a shed are not included in its height."),
        ]
    )
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index_documents([(source("sheds.pdf"), made)])
        yes = ask(engine, "Should a shed longer than 3 m have two doors?")
        no = ask(engine, "Are windows in the roof of a shed included in its height?")
    assert first(yes) == "A shed that is longer than 3 m should have two doors."
    assert first(no) == "Windows in the roof of a shed are not included in its height."


def test_what_is_said_alike_of_another_thing_than_the_asked_one_is_left_out(tmp_path: Path) -> None:
    text = "The Elm pump lifts 40 litres a minute. The Ash pump lifts 65 litres a minute. Both pumps stand in the yard."
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("pumps.txt"), document((("paragraph", text),)))])
        answer = ask(engine, "How many litres a minute does the Ash pump lift?")
        assert [statement.text for statement in answer.statements] == ["The Ash pump lifts 65 litres a minute."]
        both = ask(engine, "How many litres a minute do the Ash pump and the Elm pump lift?")
        assert {"65", "40"} <= set(" ".join(statement.text for statement in both.statements).split())


def test_of_two_tables_with_the_same_rows_the_one_of_the_asked_quantity_counts(tmp_path: Path) -> None:
    tables: Blocks = (
        ("heading", "Lifts"),
        ("caption", "Table 1 - Sizes of lifts"),
        ("table", "Class of lift\tLoad\tWidth of axle\nLF1\t10\t2,0\nLF2\t20\t3,0"),
        ("caption", "Table 2 - Axle loads of lifts"),
        ("table", "Class of lift\tAxle load\nLF1\t44\nLF2\t55"),
    )
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("lifts.txt"), document(tables))])
        assert (
            first(ask(engine, "What is the axle load of a lift of class LF2?")) == "Class of lift: LF2 | Axle load: 55"
        )


def test_a_numbered_sentence_that_is_set_like_a_heading_is_read_to_its_end(tmp_path: Path) -> None:
    blocks: Blocks = (
        ("heading", "5.2 Coefficients"),
        ("heading", "(1) The drift coefficient should be used to allow for"),
        ("paragraph", "snow that slides from a higher roof."),
        ("heading", "Cd = 1,7"),
    )
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("drifts.txt"), document(blocks))])
        answer = ask(engine, "What value of the drift coefficient should be used for snow from a higher roof?").summary
    assert "The drift coefficient should be used to allow for snow that slides from a higher roof." in answer
    assert "Cd = 1,7" in answer


def test_the_parts_of_an_answer_stand_under_their_headings_in_a_terminal() -> None:
    statement = Statement("Yes: so it is.", "verdict", (), part="Does it apply?")
    step = Statement("Step 1: this is done.", "step", (), part="Steps")
    last = Statement("Step 2: that is done.", "step", (), part="Steps")
    answer = Answer(
        query="?", mode="extract", summary="Yes: so it is.\nStep 1: this is done.\nStep 2: that is done.",
        statements=(statement, step, last), evidence=(), missing=(), policy=RetrievalPolicy(), generation="",
        trace=Trace({}, {}, {}, ()),
    )  # fmt: skip
    assert statement_lines(answer) == [
        "Does it apply?",
        "Yes: so it is.",
        "",
        "Steps",
        "Step 1: this is done.",
        "Step 2: that is done.",
    ]


def test_each_person_gets_each_aspect_or_where_was_looked_for_it(tmp_path: Path) -> None:
    facts = {
        "Lund Boats": "Anna Berg, co-founder of Lund Boats, invested in sails.",
        "Lund Papers": "Anna Berg holds patents for keels of boats.",
        "Malmo Boats": "Carlo Neri, founder of Malmo Boats, holds patents for keels of boats.",
        "Malmo Money": "The papers name no outside investments of Carlo Neri.",
    }
    question = (
        "Which founders of Lund Boats or Malmo Boats have invested in sails, and what patents for keels do they hold?"
    )
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents((source(f"{title}.txt"), titled(title, text)) for title, text in facts.items())
        answer = ask(engine, question)
    assert sorted(statement.text for statement in answer.statements) == [
        "Anna Berg holds patents for keels of boats.",
        "Anna Berg, co-founder of Lund Boats, invested in sails.",
        "Carlo Neri, founder of Malmo Boats, holds patents for keels of boats.",
        "No information found about Carlo Neri: invested in sails",
    ]
    assert [(item.aspect, [place.filename for place in item.looked_in]) for item in answer.missing] == [
        ("Carlo Neri: invested in sails", ["Malmo Money"])
    ]


def test_what_a_thing_is_called_does_not_say_of_what_kind_it_is(tmp_path: Path) -> None:
    facts = {
        "Lund Boats": "Anna Berg, co-founder of Lund Boats, invested in SolarWinds.",
        "Networks": "SolarWinds is a maker of software for networks.",
        "Malmo Boats": "Carlo Neri, founder of Malmo Boats, invested in Gullwing.",
        "Lund Papers": "Anna Berg holds patents for keels of boats.",
        "Malmo Papers": "Carlo Neri holds patents for keels of boats.",
    }
    question = (
        "Which founders of Lund Boats or Malmo Boats have invested in solar energy startups, and what patents for "
        "keels do they hold?"
    )
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents((source(f"{title}.txt"), titled(title, text)) for title, text in facts.items())
        texts = [statement.text for statement in ask(engine, question).statements]
    assert "No information found about Anna Berg: invested in solar energy startups" in texts
    assert "Carlo Neri, founder of Malmo Boats, invested in Gullwing." in texts, "of what kind it is, nobody says"
