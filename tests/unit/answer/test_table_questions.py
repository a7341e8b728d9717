"""What is asked of all rows of a table is computed of all of them, or of those that the question names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.documents import document, source

from pincite.engine.engine import Engine
from pincite.settings import Settings
from pincite.wiring import open_engine

MILLS = (
    "Mill\tBuilt\tFloor area (m²)\tMillers\tFlour 2021\tFlour 2022\nAsh Mill\t1822\t310\t4\t1,200\t1,350\n"
    "Brook Mill\t1790\t95\t2\t800\t640\nCliff Mill\t1901\t150\t3\t950\t1,400\nTotal\t\t555\t9\t2,950\t3,390"
)
KEYS = (
    "Key\tRoom\tHolder\tHours open\nA-11\tBoiler house\tNils Ek\t7 to 9\nA-12\tGrain loft\tIda Holm\t10 to 14\n"
    "A-13\tRope store\tPer Lund\t15 to 18"
)
REPAIRS = (
    "day,mill,part,hours,cost\n2021-03-02,Ash,sail,4,210\n2021-09-14,Brook,millstone,2,550\n2022-01-20,Ash,brake,6,120\n"
    "2022-05-05,Cliff,sail,3,400\n2022-11-30,Ash,sail,5,330\n"
)
SACKS = "Sack\tWeight\n" + "\n".join(f"K{number}\t{number if number < 150 else 900} kg" for number in range(1, 151))


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("repairs")
    (folder / "repairs.csv").write_text(REPAIRS, encoding="utf-8")
    with open_engine(Settings(), tmp_path_factory.mktemp("mills"), create=True) as made:
        made.index_documents(
            [
                (source("mills.docx", "a" * 64), document([("heading", "Mills of the valley"), ("table", MILLS)])),
                (source("keys.docx", "c" * 64), document([("heading", "Keys of the granary"), ("table", KEYS)])),
                (source("sacks.docx", "b" * 64), document([("heading", "Sacks in the store"), ("table", SACKS)])),
            ]
        )
        made.index([folder])
        yield made


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many millers work in all mills together?", "Computed, sum 9 of 3: Millers: 4 + 2 + 3"),
        ("Which mill is the oldest?", "Computed, earliest of 3: Mill: Brook Mill | Built: 1790"),
        ("Which mill is the smallest?", "Computed, smallest of 3: Mill: Brook Mill | Floor area (m²): 95"),
        ("Which mill lost the most flour from 2021 to 2022?", "Computed, largest fall of 3: Mill: Brook Mill"),
        ("Which mill made less flour in 2022 than in 2021?", "Computed, 1 of 3: Mill: Brook Mill"),
        ("Whose flour grew most from 2021 to 2022?", "Computed, largest rise of 3: Mill: Cliff Mill"),
        ("Which mill was repaired most often?", "Computed, most often, 3 of 5: mill: Ash"),
        ("How many hours did the repairs of Ash take in total?", "Computed, sum 15 of 3: hours: 4 + 6 + 5"),
        ("What was the first repair after January 2022?", "Computed, earliest of 2: day: 2022-05-05 | mill: Cliff"),
        ("What was the latest repair of a sail?", "Computed, latest of 3: day: 2022-11-30 | mill: Ash | part: sail"),
        ("How many repairs of the sail were there?", "Computed, 3 of 5: day: 2021-03-02 | mill: Ash | part: sail"),
        ("What is the weight of sack K17?", "Sack: K17 | Weight: 17 kg"),
        ("Which sack is the heaviest?", "Computed, largest of 150: Sack: K150 | Weight: 900 kg"),
    ],
)
def test_what_is_asked_of_the_rows_of_a_table(engine: Engine, question: str, said: str) -> None:
    first = engine.ask(question, receipt=False).statements[0].text
    assert first.startswith(said), first


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Under which key number is the grain loft?", "Key: A-12"),
        ("Which key of the granary is open at 11 hours?", "Key: A-12"),
    ],
)
def test_a_cell_behind_the_label_tells_which_row_is_meant(engine: Engine, question: str, said: str) -> None:
    texts = [statement.text for statement in engine.ask(question, receipt=False).statements]
    assert len(texts) == 1 and texts[0].startswith(said), texts


def test_a_row_that_two_chunks_share_counts_once(tmp_path: Path) -> None:
    rows = "".join(f"mill {number},pond {number % 7},{number}\n" for number in range(1, 301))
    (tmp_path / "sacks.csv").write_text(f"mill,pond,sacks\n{rows}", encoding="utf-8")
    with open_engine(Settings(), tmp_path / "store", create=True) as made:
        made.index([tmp_path / "sacks.csv"])
        questions = ("How many sacks do the mills have in total?", "Which pond has the most sacks?")
        added, largest = (made.ask(question, receipt=False).statements[0].text for question in questions)
    assert added.startswith("Computed, sum 45,150 of 300: sacks: 1 + 2 + 3"), added
    assert largest.startswith("Computed, largest of 300: mill: mill 300 | pond: pond 6 | sacks: 300"), largest


@pytest.mark.parametrize(
    "question", ["How many repairs of the sail were there?", "How many hours did the repairs of Ash take in total?"]
)
def test_what_columns_say_is_as_likely_as_they_hold_words_of_the_question(engine: Engine, question: str) -> None:
    assert engine.ask(question, receipt=False).certainty != "low"


def test_who_did_something_last_is_said_with_the_date(engine: Engine) -> None:
    first = engine.ask("Who repaired the sail of the Ash mill most recently?", receipt=False).statements[0].text
    assert "2022-11-30" in first and "cost: 330" in first


def test_where_no_row_of_what_is_named_lies_in_the_asked_time_none_is_said(engine: Engine) -> None:
    answer = engine.ask("Which repairs of Cliff were there in 2021?", receipt=False)
    assert [statement.kind for statement in answer.statements] == ["missing"]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who is the holder of the key A-13?", "Key: A-13 | Holder: Per Lund"),
        ("Which room has the key of Ida Holm?", "Room: Grain loft | Holder: Ida Holm"),
    ],
)
def test_the_one_row_that_is_named_is_said(engine: Engine, question: str, said: str) -> None:
    statements = engine.ask(question, receipt=False).statements
    assert [statement.text.removeprefix("Key: A-12 | ") for statement in statements] == [said]


def test_of_something_that_stands_nowhere_no_other_row_is_said(engine: Engine) -> None:
    answer = engine.ask("How many millers does the Dune Mill have?", receipt=False)
    assert [statement.kind for statement in answer.statements] == ["missing"]


def test_numbers_beside_each_other_in_delimited_text_are_two(engine: Engine) -> None:
    answer = engine.ask("Which repairs were there in 2021?", receipt=False)
    assert [statement.text.split(" | ")[0] for statement in answer.statements] == ["day: 2021-03-02", "day: 2021-09-14"]


def test_the_mark_of_a_note_below_a_table_stands_apart_from_the_number(tmp_path: Path) -> None:
    rows = "<tr><th>Hall</th><th>Hire</th><th>Seats</th></tr><tr><td>Barn</td><td>85<sup>2</sup></td><td>60</td></tr>"
    notes = "<p><sup>1</sup> With heating. <sup>2</sup> Without chairs.</p>"
    page = f"<h1>Halls</h1><table>{rows}<tr><td>Loft</td><td>40</td><td>12 m<sup>2</sup></td></tr></table>{notes}"
    (tmp_path / "halls.html").write_text(page, encoding="utf-8")
    with open_engine(Settings(), tmp_path / "store", create=True) as made:
        made.index([tmp_path / "halls.html"])
        questions = "What is the hire of the Barn?", "How many seats does the Loft have?"
        hire, seats = (made.ask(question, receipt=False).statements[0].text for question in questions)
    assert (hire, seats) == ("Hall: Barn | Hire: 85 ²", "Hall: Loft | Seats: 12 m²")


@pytest.mark.parametrize("space", [" ", "\u00a0", "\u202f", "\u2009", "'"])
def test_numbers_with_spaced_thousands_stand_below_heads_of_two_levels(space: str, tmp_path: Path) -> None:
    heads = '<tr><th rowspan="2">Hull (m)</th><th colspan="2">Berth</th></tr><tr><td>Summer</td><td>Winter</td></tr>'
    rows = "".join(
        f"<tr><td>{hull}</td><td>{summer}</td><td>{winter}</td></tr>".replace("_", space)
        for hull, summer, winter in (("5 – 8", "1_350", "2_200"), ("9 – 14", "12_800", "16_050"))
    )
    (tmp_path / "berths.html").write_text(f"<h1>Berths</h1><table>{heads}{rows}</table>", encoding="utf-8")
    with open_engine(Settings(), tmp_path / "store", create=True) as made:
        made.index([tmp_path / "berths.html"])
        said = made.ask("What is the winter price of a berth for a hull of 12 m?", receipt=False).statements[0].text
    assert said == f"Hull (m): 9 – 14 | Berth, Winter: 16{' ' if space.isspace() else space}050"


@pytest.fixture(scope="module")
def moorings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("moorings")
    prices = "| Length of boat | Weekday | Weekend |\n|---|---|---|\n| up to 6 m | 8 euros | 12 euros |\n"
    prices += "| over 6 m up to 10 m | 11 euros | 16 euros |\n| over 10 m | 19 euros | 27 euros |\n"
    calls = "| Sail number | Type | Cast off | Crew |\n|---|---|---|---|\n| NED-KO | sloop | 07:45 | 3 |\n"
    calls += "| GBR-LU | ketch | 09:20 | 5 |\n| DEN-AV | yawl | 10:05 | 2 |\n"
    text = f"# Moorings\n\nPrices for a night at the pontoon.\n\n{prices}\n## Boats that left\n\n{calls}"
    (folder / "moorings.md").write_text(text, encoding="utf-8")
    with open_engine(Settings(), tmp_path_factory.mktemp("harbour"), create=True) as made:
        made.index([folder])
        yield made


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does a boat of 9 m pay on a Sunday?", "over 6 m up to 10 m | Weekday: 11 euros | Weekend: 16 euros"),
        ("At what time did the Dutch yacht NED-KO cast off?", "NED-KO | Type: sloop | Cast off: 07:45"),
    ],
)
def test_a_day_of_the_week_or_a_word_beside_a_name_hides_no_row(moorings: Engine, question: str, said: str) -> None:
    assert said in moorings.ask(question, receipt=False).statements[0].text
