"""Struck out, raised and lowered text in every format that can set it so."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.office_files import blocks, docx, read

STYLES = (
    '<w:style w:type="character" w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style>'
    '<w:style w:type="character" w:styleId="Older"><w:basedOn w:val="Old"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Void"><w:rPr><w:dstrike/></w:rPr></w:style>'
)


def run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


UP, DOWN = '<w:vertAlign w:val="superscript"/>', '<w:vertAlign w:val="subscript"/>'
STRIKE, DOUBLE, NOT_STRUCK = "<w:strike/>", "<w:dstrike/>", '<w:strike w:val="0"/>'


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (
            run("The toll is ") + run("4 ", STRIKE) + run("marks ", DOUBLE) + run("5 marks."),
            "The toll is ~~4 marks~~ 5 marks.",
        ),
        (run("Open ") + run("daily", '<w:rStyle w:val="Older"/>'), "Open ~~daily~~"),
        (run("Open ") + run("daily", '<w:rStyle w:val="Old"/><w:strike w:val="false"/>'), "Open daily"),
        (
            '<w:pPr><w:pStyle w:val="Void"/></w:pPr>' + run("gone ") + run("here", '<w:dstrike w:val="0"/>'),
            "~~gone~~ here",
        ),
        (run("10") + run("-", UP) + run("9", UP) + run(" m") + run("2", UP), "10⁻⁹ m²"),
        (run("H") + run("2", DOWN) + run("O and x") + run("i", DOWN), "H₂O and x_i"),
        (run("10", STRIKE) + run("3", STRIKE + UP), "~~10³~~"),
    ],
)
def test_runs_of_word(tmp_path: Path, runs: str, text: str) -> None:
    assert read(docx(tmp_path / "a.docx", f"<w:p>{runs}</w:p>", styles=STYLES)).pages[0].text == text


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<p>The ferry leaves at <del>two</del> <ins>three</ins>.</p>", "The ferry leaves at ~~two~~ three."),
        ("<p><s>No <b>dogs</b></s> <strike>or cats</strike></p>", "~~No dogs or cats~~"),
        ('<p style="text-decoration: line-through red">Free entry.</p>', "~~Free entry.~~"),
        ('<p>Seats: <span style="text-decoration-line:line-through">4</span> 6</p>', "Seats: ~~4~~ 6"),
        ("<p>4 × 10<sup>8</sup> m<sup>2</sup> of CO<sub>2</sub></p>", "4 × 10⁸ m² of CO₂"),
        ('<p>e<span style="vertical-align: super">x</span></p>', "e^x"),
        ('<p>512<sup><a href="#n1">1</a></sup> stars</p>', "512¹ stars"),
        ("<p>the 5<sup>th</sup> of May</p>", "the 5th of May"),
    ],
)
def test_elements_and_styles_of_html(tmp_path: Path, inside: str, text: str) -> None:
    path = tmp_path / "a.html"
    path.write_text(f"<html><body>{inside}</body></html>", encoding="utf-8")
    assert read(path).pages[0].text == text


def test_cells_of_html(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<table><tr><td>Area</td><td><s>4</s> 5 km<sup>2</sup></td></tr></table>", encoding="utf-8")
    assert blocks(read(path), "table") == ["Area\t~~4~~ 5 km²"]
