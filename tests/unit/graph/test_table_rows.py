"""1. A row says each of its values, by the column's name, with the unit. 2. What is empty says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.graph.ontology import shipped_ontology
from pincite.graph.triplet_sources import row_values, table_triplets
from pincite.ports import ReadOptions
from pincite.read.markdown import read_markdown
from pincite.read.plain_text import read_csv


def said(headers: Sequence[str], cells: Sequence[str]) -> list[tuple[str, str, str]]:
    return [(cells[0], name, value) for _, name, value in row_values(headers, cells)]


@pytest.mark.parametrize("header", ["Yield strength (MPa)", "Yield strength [MPa]", "Yield\nstrength, MPa"])
def test_the_unit_of_the_column_goes_to_the_number(header: str) -> None:
    assert said(["Steel", header], ["S 235", "235"]) == [("S 235", "yield_strength", "235 MPa")]


@pytest.mark.parametrize("header", ["Sales (2019)", "Sales, net", "Sales (note 3)", "Plan A", "Opened in"])
def test_what_is_no_unit_goes_to_no_number(header: str) -> None:
    ((_, _, value),) = row_values(["Shop", header], ["Berlin", "235"])
    assert value == "235"


@pytest.mark.parametrize(
    ("header", "unit"),
    [("Load (kN/m²)", "kN/m²"), ("Sales, $ million", "$ million"), ("Share (%)", "%"), ("Load in kN", "kN")],
)
def test_units_of_many_kinds(header: str, unit: str) -> None:
    ((_, _, value),) = row_values(["Shop", header], ["Berlin", "1,235.5"])
    assert value == f"1,235.5 {unit}"


def test_a_value_with_its_own_unit_or_in_words_stays() -> None:
    assert said(["Part", "Length (mm)", "Length (mm)"], ["Bolt", "3 cm", "see note"]) == [
        ("Bolt", "length", "3 cm"),
        ("Bolt", "length", "see note"),
    ]


def test_a_range_is_a_number_too() -> None:
    assert said(["Class", "Height (m)"], ["A", "1.5 – 3.0"]) == [("A", "height", "1.5 – 3.0 m")]


def test_what_is_empty_says_nothing() -> None:
    assert said(["Part", "Length", ""], ["Bolt", "–", "4"]) == []
    assert said(["Part", "Length"], ["", "4"]) == []
    assert said([], []) == []


def test_the_column_is_told() -> None:
    assert [column for column, _, _ in row_values(["A", "B", "C"], ["x", "", "1"])] == [2]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pumps.csv", 'Model,"Flow, rated (m3/h)",Note\nP-100,120,\nP-200,240,old\n'),
        ("pumps.tsv", "Model\tFlow, rated (m3/h)\tNote\nP-100\t120\t\nP-200\t240\told\n"),
        (
            "pumps.md",
            "| Model | Flow, rated (m3/h) | Note |\n|-|-|-|\n| P-100 | 120 | |\n| P-200 | 240 | old |\n",
        ),
    ],
)
def test_rows_are_read_however_the_file_parts_its_cells(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    read = read_markdown if name.endswith(".md") else read_csv
    document = read(tmp_path / name, ReadOptions())
    found = list(table_triplets(document, shipped_ontology()))
    assert [(triplet.subject, triplet.name, triplet.object) for triplet in found] == [
        ("P-100", "flow_rated", "120 m3/h"),
        ("P-200", "flow_rated", "240 m3/h"),
        ("P-200", "note", "old"),
    ]
    for triplet in found:
        page = document.pages[0].text
        assert triplet.subject == page[slice(*triplet.subject_place)]
        assert triplet.object.startswith(page[slice(*triplet.object_place)])
        assert triplet.start <= triplet.subject_place[0] < triplet.object_place[1] <= triplet.end
