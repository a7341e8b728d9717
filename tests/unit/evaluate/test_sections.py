"""1. What was found is paired with the gold by number, title and page. 2. Clauses without title and optional rows do
not count. 3. The command reads a folder and prints figures with every mistake."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from pincite.cli.main import main
from pincite.errors import UsageError
from pincite.evaluate.sections import (
    Entry,
    Gold,
    alike,
    compare_document,
    evaluate_sections,
    is_same,
    load_gold,
    mistakes,
    pair,
    same_number,
)
from pincite.records.outlines import Anchor, AnchorKind, Section
from pincite.settings import Settings

BY_WORDS = Settings(embedder="none", workers=1)


def section(number: str | None, title: str, page: int, level: int = 1) -> Section:
    return Section(0, number, title, level, None, (number or title,), page, page, 0, 1)


def entry(number: str, title: str, page: int, level: int = 1, label: str = "") -> Entry:
    return Entry("section", number, title, page, level, label)


def anchor(kind: AnchorKind, number: str | None, title: str, page: int) -> Anchor:
    return Anchor(0, kind, number, title, page, 0, 1)


def figures(gold: Sequence[Entry], found: Sequence[Section], optional: Sequence[Entry] = ()) -> Mapping[str, float]:
    return compare_document(Gold(gold, [], optional), found, [])[""].figures()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Roof shape coefficients", "Roof shape coefJicients"),
        ("General", "GENERAL "),
        ("Multi-span roofs", "MUlti span roofs"),
        ("Local", "Loca1"),
    ],
)
def test_titles_are_the_same_but_for_slips(one: str, other: str) -> None:
    assert alike(one, other)


@pytest.mark.parametrize(("one", "other"), [("General", "Genera"), ("Roofs", "Roads"), ("", ""), ("Wind", "Snow")])
def test_titles_that_differ_more_are_others(one: str, other: str) -> None:
    assert not alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("5.3", "Section 5.3"), ("A", "Annex A"), ("B1", "B.1"), ("B.3.1", "8.3.1"), ("1.1", "l.1"), ("CSP 4", "CSP4")],
)
def test_numbers_are_the_same_without_words_and_slips(one: str, other: str) -> None:
    assert same_number(one, other)
    assert not same_number(one, "5.30")


def test_a_section_is_the_same_by_number_and_title() -> None:
    assert is_same(entry("5.3", "Roofs", 3), entry("5.3", "Roofs", 9))
    assert not is_same(entry("5.3", "Roofs", 3), entry("5.3", "Walls", 3))
    assert not is_same(entry("5.3", "Roofs", 3), entry("5.4", "Roofs", 3))
    assert is_same(entry("CSP 4", "Homes", 3, label="Policy CSP 4"), entry("", "Policy CSP 4 Homes", 3))


def test_of_several_that_fit_the_nearest_is_taken_and_each_once() -> None:
    gold = [entry("", "Notes", 9), entry("", "Notes", 2)]
    found = [entry("", "Notes", 2), entry("", "Notes", 8)]
    assert pair(gold, found) == [(0, 1), (1, 0)]


def test_figures_count_pages_levels_misses_and_false_alarms() -> None:
    gold = [entry("1", "General", 2), entry("1.1", "Scope", 2, 2), entry("2", "Loads", 4)]
    found = [section("1", "General", 2), section("1.1", "Scope", 3, 3), section("9", "Axis", 5), section("1.2", "", 3)]
    assert figures(gold, found) == pytest.approx(
        {"f1": 2 / 3, "precision": 2 / 3, "recall": 2 / 3, "page_exact": 0.5, "level_exact": 0.5}
    )


def test_optional_rows_are_neither_missed_nor_false() -> None:
    optional = [entry("", "Background", 3), entry("Issue 1", "Keep the belt", 4)]
    found = [section(None, "Background", 3), section(None, "Issue 1", 4), section("1", "General", 5)]
    assert figures([entry("1", "General", 5)], found, optional)["f1"] == 1.0
    assert figures([entry("1", "General", 5)], [section(None, "Background", 9)], optional)["precision"] == 0.0


def test_anchors_go_by_kind_and_number_and_those_without_name_do_not_count() -> None:
    gold = [Entry("table", "4.1", "Loads", 5), Entry("equation", "A.1", "", 6), Entry("definition", "", "Belt", 7)]
    found = [
        anchor("table", "4.1", "Lo4ds of it", 5),
        anchor("equation", "A.1", "s = 2", 6),
        anchor("definition", None, "Belt", 8),
        anchor("table", None, "", 5),
        anchor("figure", "4.1", "Loads", 5),
        anchor("note", "1", "See 5.2", 5),
    ]
    compared = compare_document(Gold([entry("1", "General", 1)], gold, []), [], found)
    assert compared["anchor"].figures() == pytest.approx(
        {"f1": 6 / 7, "precision": 3 / 4, "recall": 1.0, "page_exact": 2 / 3}
    )
    assert [item.number for item in compared["anchor"].false] == ["4.1"]
    assert set(compared) == {"", "anchor", "table", "equation", "definition"}


def write_pdf(path: Path, pages: Sequence[Sequence[str]]) -> None:
    canvas = Canvas(str(path), pagesize=(595, 400), invariant=1)
    for heading, *lines in pages:
        canvas.setFont("Helvetica-Bold", 16)
        canvas.drawString(50, 340, heading)
        canvas.setFont("Helvetica", 11)
        for number, line in enumerate(lines):
            canvas.drawString(50, 300 - 20 * number, line)
        canvas.showPage()
    canvas.save()


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


WORDS = "Loads on roofs shall be taken from the map of the country in which the site of the roof lies."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = tmp_path / "codes"
    documents.mkdir()
    write_pdf(documents / "snow.pdf", [["1 General", WORDS, "Figure 1 - Roofs"], ["2 Roofs", WORDS]])
    write_pdf(documents / "other.pdf", [["1 Nothing", WORDS]])
    write_rows(
        documents / "snow.sections.jsonl",
        [
            {"number": "1", "title": "General", "page": 1, "level": 1, "label": "Section 1"},
            {"number": "2", "title": "Roofs", "page": 2, "level": 1},
            {"number": "3", "title": "Walls", "page": 2, "level": 1},
        ],
    )
    write_rows(documents / "snow.anchors.jsonl", [{"type": "figure", "number": "1", "caption": "Roofs", "page": 1}])
    return documents


def test_a_folder_is_read_and_compared_with_the_gold_beside_its_documents(folder: Path) -> None:
    evaluation = evaluate_sections(folder, settings=BY_WORDS)
    assert evaluation.counts == {"documents": 1, "sections": 3, "anchors": 1}
    results = evaluation.results["default"]
    assert results["recall"] == pytest.approx(2 / 3)
    assert (results["precision"], results["page_exact"], results["anchor_f1"], results["figure_f1"]) == (1, 1, 1, 1)
    assert [line for line in mistakes(evaluation) if "missed" in line] == ["  missed: 3 'Walls' p.2, level 1"]


def test_the_command_prints_every_mistake(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = folder.parent / "gold"
    gold.mkdir()
    for path in folder.glob("*.jsonl"):
        path.rename(gold / path.name)
    out = folder.parent / "out.json"
    assert main(["eval", "sections", str(folder), "--gold", str(gold), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "eval sections codes: 1 documents" in printed
    assert "missed: 3 'Walls'" in printed
    assert json.loads(out.read_text(encoding="utf-8"))["results"]["default"]["level_exact"] == 1.0


def test_a_folder_without_gold_is_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Text", encoding="utf-8")
    with pytest.raises(UsageError, match="--gold"):
        evaluate_sections(tmp_path, settings=BY_WORDS)
    assert load_gold(tmp_path, "note") is None
