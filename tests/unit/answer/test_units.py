"""Units are the smallest pieces that can be read and said: no sentence is lost, lists keep their lead-in, a table's row
has the heads of its columns."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.documents import document, source

from pincite.answer.asked.question import understand
from pincite.answer.material.passages import LONGEST_QUOTE
from pincite.answer.material.select import can_answer
from pincite.answer.material.sentences import Sentence, sentences_of_chunk
from pincite.answer.material.units import LONGEST_PATH, LONGEST_UNIT, MOST_SENTENCES, Unit, path_of, units_of
from pincite.build.chunks import cut_chunks
from pincite.records.chunks import ChunkPolicy
from pincite.records.pages import BlockKind
from pincite.retrieve.query import parse_query
from pincite.settings import Settings
from pincite.wiring import open_engine

WORDS = st.text(alphabet="abcdefg ", min_size=1, max_size=120).filter(str.strip)
WHAT = ("stairs", "boiler", "yard", "roof")
BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(("paragraph", "list_item", "table", "caption")),
        WORDS.map(lambda words: f"{words.strip().capitalize()} goes on."),
    ),
    min_size=1,
    max_size=12,
)


def sentences(blocks: list[tuple[BlockKind, str]]) -> list[Sentence]:
    chunks, _ = cut_chunks(source(), document(blocks), (), ChunkPolicy(), "v1")
    return [s for rank, chunk in enumerate(chunks, 1) for s in sentences_of_chunk(chunk, None, rank)]


def units(blocks: list[tuple[BlockKind, str]]) -> list[Unit]:
    return units_of(sentences(blocks))


@given(BLOCKS)
def test_every_sentence_outside_tables_stands_in_a_unit(blocks: list[tuple[BlockKind, str]]) -> None:
    given_sentences = sentences(blocks)
    held = {s.passage.spans for unit in units_of(given_sentences) for s in unit.sentences}
    text = {s.passage.spans for s in given_sentences if s.passage.kind != "table"}
    assert text <= held


@given(BLOCKS)
def test_a_unit_is_short_and_lies_in_one_chunk(blocks: list[tuple[BlockKind, str]]) -> None:
    for unit in units(blocks):
        assert len({s.chunk.chunk_id for s in unit.sentences}) == 1
        if len(unit.sentences) > 1 and not unit.is_list and all(s.passage.kind == "paragraph" for s in unit.sentences):
            assert len(unit.sentences) <= MOST_SENTENCES
            assert len(unit.text) <= LONGEST_UNIT
        if len(unit.sentences) > 1:
            assert len(unit.text) <= LONGEST_QUOTE


def test_sentences_of_two_paragraphs_are_not_read_as_one() -> None:
    first = "The lift is inspected every spring by the firm that built it. The tenants are told a week before."
    second = "Waste is collected on Mondays."
    assert [unit.text for unit in units([("paragraph", first), ("paragraph", second)])] == [first, second]


def test_a_long_list_is_read_in_pieces_each_with_its_lead_in() -> None:
    lead_in = "The caretaker looks after:"
    items = [f"({letter}) the {noun} {'of the house ' * 11}" for letter, noun in zip("abcd", WHAT, strict=True)]
    found = units([("paragraph", lead_in), *(("list_item", f"{item.strip()};") for item in items)])
    assert len(found) > 1
    assert all(unit.text.startswith(lead_in) for unit in found)
    assert [noun for noun in WHAT if any(f"the {noun} of" in unit.text for unit in found)] == list(WHAT)


def test_prose_behind_a_lead_in_is_read_without_it() -> None:
    lead_in, opening = "To stop the flow, use the wheel:", f"Turns {'the valve in the cellar and ' * 14}the lamp."
    prose = "The valve is oiled. It is then closed by hand. A second person checks it."
    found = units([("paragraph", lead_in), ("list_item", opening), ("list_item", prose)])
    assert [unit.text for unit in found] == [f"{lead_in} {opening}", prose]


def test_the_end_of_a_paragraph_that_the_next_chunk_repeats_is_read_with_its_beginning() -> None:
    whole = sentences([("paragraph", "The pump starts by itself. It stops at two metres.")])
    repeated = replace(whole[1], chunk=replace(whole[1].chunk, chunk_id="b", index=1), rank=2, position=0)
    assert [unit.text for unit in units_of([*whole, repeated])] == [
        "The pump starts by itself. It stops at two metres."
    ]


TARIFF = "Zone\tAdult\tChild\nInner\t2.40\t1.20\nOuter\t3.80\t–"


def test_an_item_of_several_sentences_is_read_for_itself() -> None:
    quiet = "--quiet Print no line. It is meant for scripts. Errors are still printed."
    tidy = "--tidy Remove old files. Nothing else is touched."
    found = units([("list_item", quiet), ("list_item", tidy)])
    assert [unit.text for unit in found] == [quiet, tidy]


def test_a_row_of_a_table_has_its_caption_and_the_heads_of_its_columns() -> None:
    inner, outer = units([("caption", "Table 3: Single tickets"), ("table", TARIFF)])[-2:]
    assert inner.readable.parts == ("Table 3: Single tickets |", "Zone: Inner |", "Adult: 2.40 |", "Child: 1.20 |")
    assert outer.text == "Zone: Outer | Adult: 3.80 | Child: –"
    quotes = [quote for passage, _ in outer.quoted for quote in passage.quotes]
    assert quotes == ["Table 3: Single tickets", "Zone\tAdult\tChild", "Outer\t3.80\t–"]


def test_a_head_is_no_row() -> None:
    assert not any(
        unit.text.startswith("Zone: Zone") or "Adult: Adult" in unit.text for unit in units([("table", TARIFF)])
    )


def test_heads_of_two_levels_are_joined() -> None:
    table = "\tVisitors\t\tMembers\t\nDay\tAdult\tChild\tAdult\tChild\nSunday\t410\t95\t120\t33"
    (row,) = units([("table", table)])
    told = "Day: Sunday | Visitors, Adult: 410 | Visitors, Child: 95 | Members, Adult: 120 | Members, Child: 33"
    assert row.text == told


def test_heads_of_two_levels_above_times_and_words_are_joined() -> None:
    table = (
        "Tide\tOutward\t\tHomeward\t\tBoat\n\tleaves\tlands\tleaves\tlands\t\nNeap\t05:10\t06:00\t17:20\t18:15\tTern"
    )
    rows = units([("table", f"{table}\nSpring\t04:40\t05:50\t16:30\t17:45\tFulmar")])
    told = "Outward, leaves: 05:10 | Outward, lands: 06:00 | Homeward, leaves: 17:20 | Homeward, lands: 18:15"
    assert rows[0].text == f"Tide: Neap | {told} | Boat: Tern"


def test_an_empty_cell_keeps_its_column() -> None:
    (_, row) = units([("table", "Pump\tInflow\tOutflow\nAlder\t12\t9\nPoplar\t14\t")])
    assert row.text == "Pump: Poplar | Inflow: 14 | Outflow: –"


def test_a_row_that_names_those_below_it_is_read_with_them() -> None:
    rows = units([("table", "Who\tDay\tNight\nResidents:\nCar\t2\t1\nVan\t4\t2")])
    assert [row.text for row in rows] == [
        "Residents | Who: Car | Day: 2 | Night: 1",
        "Residents | Who: Van | Day: 4 | Night: 2",
    ]


def test_a_cell_that_goes_on_below_is_one_cell() -> None:
    table = "Name\tSize\tMeaning\nBY\t20\tThe row of the\nlower left corner.\nFX\t8\tThe column."
    first, second = units([("table", table)])
    assert first.text == "Name: BY | Size: 20 | Meaning: The row of the lower left corner."
    assert second.text == "Name: FX | Size: 8 | Meaning: The column."


def test_a_wide_row_is_read_in_pieces_each_with_its_label() -> None:
    heads = "\t".join(["Town", *(f"Passengers who boarded in the month number {n}" for n in range(1, 13))])
    row = "\t".join(["Arnheim", *(str(1000 + n) for n in range(1, 13))])
    found = units([("table", f"{heads}\n{row}")])
    assert len(found) > 1
    assert all(unit.text.startswith("Town: Arnheim | Passengers") and len(unit.text) <= LONGEST_UNIT for unit in found)


def test_a_lead_in_stands_with_all_its_items() -> None:
    lead_in, items = "The tenant pays for:", ["(a) water;", "(b) heating;", "(c) waste;", "(d) the lift."]
    blocks: list[tuple[BlockKind, str]] = [("paragraph", "Rent is due monthly."), ("paragraph", lead_in)]
    first, second = units_of(sentences([*blocks, *(("list_item", item) for item in items)]))
    assert first.text == "Rent is due monthly."
    assert second.text == " ".join([lead_in, *items])
    assert second.is_list


def test_a_footnote_stands_by_itself_and_parts_no_lead_in_from_its_items() -> None:
    lead_in, items = "The tenant pays for:", ["(a) water;", "(b) heating."]
    note = "3 Rent was due yearly before 1999."
    blocks: list[tuple[BlockKind, str]] = [("paragraph", lead_in), ("footnote", note)]
    listed, noted = units_of(sentences([*blocks, *(("list_item", item) for item in items)]))
    assert listed.text == " ".join([lead_in, *items])
    assert noted.text == note


def test_what_a_reader_reads_names_document_and_headings() -> None:
    made = document([("heading", "4 Deposit"), ("paragraph", "It is two months' rent.")], title="Lease of a flat")
    chunks, _ = cut_chunks(source(), made, (), ChunkPolicy(), "v1")
    (unit,) = units_of(sentences_of_chunk(chunks[0], None, 1))
    assert unit.readable.path.startswith("Lease of a flat")
    assert unit.readable.parts == ("It is two months' rent.",)
    assert len(path_of(chunks[0])) <= LONGEST_PATH + 2


@pytest.mark.parametrize(
    ("text", "asked", "can"),
    [
        ("How does a tenant end the lease?", "How do I end the lease?", False),
        ("How does a tenant end the lease?", "Which questions does the guide answer?", True),
        ("For more information on the lease, please visit the office.", "How do I end the lease?", False),
        ("See section 4 for further details.", "How do I end the lease?", False),
        ("More information can be found in https://example.org/lease.", "How do I end the lease?", False),
        ("See section 4 for further details.", "Where do I read more of the lease?", True),
        ("Visitors pay 5 crowns for more information.", "How do I end the lease?", True),
        ("See section 4.", "How do I end the lease?", True),
    ],
)
def test_a_question_and_what_only_leads_on_are_no_answers(text: str, asked: str, *, can: bool) -> None:
    (sentence,) = sentences([("paragraph", text)])
    assert can_answer(sentence, understand(parse_query(asked, ("en",)))) is can


def test_years_are_heads_of_two_levels() -> None:
    table = "\t2021\t2021\t2022\t2022\nHerd\tBorn\tSold\tBorn\tSold\nGoats\t14\t6\t11\t–"
    (row,) = units([("table", table)])
    assert row.text == "Herd: Goats | 2021, Born: 14 | 2021, Sold: 6 | 2022, Born: 11 | 2022, Sold: –"


def test_the_label_of_a_group_of_rows_is_quoted_with_them() -> None:
    (row,) = units([("table", "Who\tDay\tNight\nResidents:\nCar\t2\t1")])
    assert [passage.quotes[0] for passage, _ in row.quoted] == ["Who\tDay\tNight", "Residents:", "Car\t2\t1"]


def test_rows_of_a_sheet_are_one_table() -> None:
    found = units([("table", "Boat\tBerth\tFee"), ("table", "Tern\t4\t–"), ("table", "Gull\t\t30")])
    assert [row.text for row in found] == ["Boat: Tern | Berth: 4 | Fee: –", "Boat: Gull | Berth: – | Fee: 30"]


def test_what_stands_under_a_heading_inside_its_section_is_read_and_said_with_it(tmp_path: Path) -> None:
    fields: list[tuple[BlockKind, str]] = [
        ("heading", "Sender"),
        ("paragraph", "This is whoever hands the parcel in. Its colour is red."),
        ("heading", "Bearer"),
        ("paragraph", "This is whoever carries the parcel. Its colour is blue."),
    ]
    found = units(fields)
    assert [unit.readable.path.rpartition(" > ")[2] for unit in found] == ["Sender", "Bearer"]
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("parcels.txt"), document(fields))])
        (opening, *_) = engine.ask("Who carries the parcel?", receipt=False).statements
        both = engine.ask("What is the difference between the sender and the bearer?", receipt=False).statements
    assert opening.text == "Bearer: This is whoever carries the parcel."
    assert [citation.quote for citation in opening.citations] == ["Bearer", "This is whoever carries the parcel."]
    assert [statement.text for statement in both] == [
        "Sender: This is whoever hands the parcel in.",
        "Bearer: This is whoever carries the parcel.",
    ]


def test_a_sentence_that_leans_on_the_one_before_it_is_said_with_it(tmp_path: Path) -> None:
    text = "The pump stands in the cellar. It must be oiled twice a year."
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("pump.txt"), document([("paragraph", text)]))])
        said = engine.ask("How often must it be oiled?", receipt=False).statements
    assert [statement.text for statement in said] == [
        "The pump stands in the cellar.",
        "It must be oiled twice a year.",
    ]


@pytest.mark.parametrize(
    ("before", "leaning", "question"),
    [
        ("The porter holds a key of the gate.", "Otherwise, guests ring the bell at the wall.", "Who rings the bell?"),
        (
            "The caretaker files a plan of the garden.",
            "So, look into this file for the hedges.",
            "Where are the hedges?",
        ),
        (
            "A frozen pipe may burst at night.",
            "To prevent this, drain the boiler in autumn.",
            "When is the boiler drained?",
        ),
    ],
)
def test_a_sentence_is_said_with_the_one_that_it_points_back_to(
    tmp_path: Path, before: str, leaning: str, question: str
) -> None:
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("house.pdf"), document([("paragraph", f"{before} {leaning}")]))])
        said = engine.ask(question, receipt=False).statements
    assert [statement.text for statement in said] == [before, leaning]


@pytest.mark.parametrize(
    "text",
    [
        "The key is lost and this key opens the gate.",
        "The tenant pays the rent under this Agreement.",
        "If the rent is late, this is told to the owner.",
        "The yard was swept this year.",
        "It is forbidden to burn leaves.",
    ],
)
def test_a_sentence_that_names_what_it_speaks_of_points_back_to_nothing(text: str) -> None:
    (sentence,) = sentences([("paragraph", text)])
    assert not sentence.points_back


def test_a_paragraph_that_leans_on_the_one_before_it_is_said_with_its_last_sentence(tmp_path: Path) -> None:
    first = "The lamps of the stairs go out where the fuse of the cellar has melted."
    second = "This happens when the heater and the mangle run at the same hour."
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        paragraphs: list[tuple[BlockKind, str]] = [
            ("paragraph", f"The stairs are lit at dusk. {first}"),
            ("paragraph", second),
        ]
        engine.index_documents([(source("lamps.pdf"), document(paragraphs))])
        said = engine.ask("Does it happen when the mangle runs?", receipt=False).statements
    assert [statement.text for statement in said] == [first, second]


def test_of_a_code_is_said_what_holds_the_code(tmp_path: Path) -> None:
    plain = [f"The sluice of pond {number} is opened and closed by hand in spring." for number in range(8)]
    coded = "A line with SLUICEX shuts the gate at night and opens it again in the morning."
    with open_engine(Settings(embedder="none"), tmp_path, create=True) as engine:
        engine.index_documents([(source("ponds.pdf"), document([("paragraph", text) for text in (*plain, coded)]))])
        said = engine.ask("What does SLUICEX do with the sluice of the pond?", receipt=False).statements
    assert [statement.text for statement in said] == [coded]


def test_what_an_item_goes_on_to_say_is_said_with_its_beginning(tmp_path: Path) -> None:
    chain = "- Anchor chain. Necessary only if the boat lies outside the harbour at night."
    text = f"The boat carries:\n\n- Two oars.\n{chain}\n- Lamp of brass. Its oil is kept in the shed.\n- Pump.\n"
    path = tmp_path / "boat.md"
    path.write_text(text, encoding="utf-8")
    with open_engine(Settings(embedder="none"), tmp_path / "store", create=True) as engine:
        engine.index([path])
        (said, *_) = engine.ask("What is needed when the boat lies outside the harbour?", receipt=False).statements
    assert said.text.startswith(f"The boat carries: {chain}")


def test_a_lead_in_ends_where_a_heading_inside_its_section_begins() -> None:
    items: list[tuple[BlockKind, str]] = [
        ("list_item", f"({letter}) the yard {'and the stairs ' * 18}") for letter in "ab"
    ]
    below: list[tuple[BlockKind, str]] = [("heading", "Tenants"), ("list_item", f"(c) the lift {'and its door ' * 10}")]
    found = units([("heading", "Caretaker"), ("paragraph", "The caretaker sweeps:"), *items, *below])
    assert [unit.text.startswith("The caretaker sweeps:") for unit in found] == [True, True, False]
