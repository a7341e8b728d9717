"""Text, Markdown and CSV: places are line numbers, so the text keeps the file's own lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.office_files import blocks, cells, read, sliced

from pincite.errors import ReadError


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode("utf-8"))
    return path


@pytest.mark.parametrize("suffix", [".txt", ".md", ".csv", ".json"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(text=st.text(alphabet='ab1 #->|,;"\\\n\r\t\x0c*`=_[]()<!', max_size=200))
def test_lines_stay_one_to_one_and_all_words_stand_in_blocks(tmp_path: Path, suffix: str, text: str) -> None:
    path = written(tmp_path / f"a{suffix}", text)
    try:
        document = read(path)
    except ReadError:
        assert not text.replace("\x0c", " ").strip()
        return
    page = document.pages[0]
    assert page.text.split("\n") == text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0c", " ").split("\n")
    assert document.locators == "line"
    covered = {place for block in page.blocks for place in range(block.span.start, block.span.end)}
    assert all(place in covered for place, letter in enumerate(page.text) if letter in "ab1")


def test_paragraphs_are_runs_of_lines(tmp_path: Path) -> None:
    document = read(written(tmp_path / "a.txt", "one\ntwo\n\n\n  three  \n"))
    assert blocks(document, "paragraph") == ["one\ntwo", "three"]


def test_each_line_of_a_log_is_a_paragraph_of_its_own_and_those_of_prose_are_none(tmp_path: Path) -> None:
    log = "3 May  The weir gate stuck. (14)\n19 May Otter in the sluice; pump stopped. (7)\n2 June Quiet. (0)"
    prose = "2024 was the year in which the weir was\n3 metres too low for boats of more than\n4 tonnes."
    document = read(written(tmp_path / "a.txt", f"Weir log\n--------\n{log}\n\n{prose}\n"))
    assert blocks(document, "paragraph") == [*log.split("\n"), prose]


def test_an_underlined_line_of_a_text_is_a_heading(tmp_path: Path) -> None:
    text = "=====\nRoofs\n=====\n\nIntro\nmore\n\n1. Loads\n--------\nWind.\n\n  2. Snow\n  -------\n\n"
    document = read(written(tmp_path / "a.txt", f"{text}A | B\n-----------\n1 | 2\n"))
    assert blocks(document, "heading") == ["Roofs", "1. Loads", "2. Snow"]
    assert [block.level for block in document.pages[0].blocks if block.kind == "heading"] == [1, 2, 2]
    assert blocks(document, "paragraph") == ["Intro\nmore", "Wind.", "A | B\n-----------\n1 | 2"]


def test_markdown_headings_lists_and_code_are_told_apart(tmp_path: Path) -> None:
    text = "# Roofs\n\nIntro\nmore\n\nLoads\n-----\n\n- wind\n- snow\n  1. deep\n\n```\n# no heading\n```\n"
    document = read(written(tmp_path / "a.md", text))
    assert blocks(document, "heading") == ["Roofs", "Loads"]
    assert [block.level for block in document.pages[0].blocks if block.kind == "heading"] == [1, 2]
    assert blocks(document, "list_item") == ["- wind", "- snow", "1. deep"]
    assert blocks(document, "paragraph") == ["Intro\nmore", "```\n# no heading\n```"]
    assert document.title == "Roofs"


def test_markdown_front_matter_is_no_heading_and_comments_are_no_text(tmp_path: Path) -> None:
    document = read(written(tmp_path / "a.md", '---\ntitle: "Plan"\ndate: 1\n---\nText\n\n<!-- hidden -->\n'))
    assert document.title == "Plan"
    assert blocks(document, "heading") == []
    assert blocks(document, "furniture") == ['---\ntitle: "Plan"\ndate: 1\n---', "<!-- hidden -->"]
    assert blocks(document, "paragraph") == ["Text"]


def test_markdown_tables_have_cells_where_they_stand(tmp_path: Path) -> None:
    document = read(written(tmp_path / "a.md", "| a | b |\n|---|---|\n| 1 | 1 |\n|   | 2 |\n"))
    assert cells(document) == {(0, 0): "a", (0, 1): "b", (1, 0): "1", (1, 1): "1", (2, 1): "2"}
    starts = [cell.span.start for cell in document.pages[0].tables[0].cells]
    assert starts == sorted(set(starts))
    assert [cell.header for cell in document.pages[0].tables[0].cells] == [True, True, False, False, False]


def test_csv_cells_are_found_through_quotes_and_line_breaks(tmp_path: Path) -> None:
    document = read(written(tmp_path / "a.csv", 'name,note\nA,"one, two\nthree"\nB,"say ""no"""\n\nC, x \n'))
    assert cells(document) == {
        (0, 0): "name",
        (0, 1): "note",
        (1, 0): "A",
        (1, 1): "one, two\nthree",
        (2, 0): "B",
        (2, 1): 'say ""no""',
        (3, 0): "C",
        (3, 1): "x",
    }


def test_a_quote_that_is_never_closed_spoils_its_own_row_only(tmp_path: Path) -> None:
    document = read(written(tmp_path / "a.csv", 'id,name\n1,"open\n2,b\n'))
    assert cells(document)[(1, 1)] == '"open'
    assert cells(document)[(2, 1)] == "b"


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path: Path, mark: str) -> None:
    document = read(written(tmp_path / "a.csv", f"load{mark}kN\nsnow, drifted{mark}1\nwind{mark}2\n"))
    assert cells(document)[(1, 0)] == ("snow" if mark == "," else "snow, drifted")


def test_a_long_table_is_cut_into_blocks_of_whole_rows(tmp_path: Path) -> None:
    text = "name,value\n" + "".join(f"row {index},{index}\n" for index in range(1000))
    document = read(written(tmp_path / "a.csv", text))
    assert len(document.pages[0].blocks) > 5
    assert all(text.startswith(("name", "row")) for text in blocks(document, "table"))
    assert sliced(document, document.pages[0].tables[0].cells[-1].span) == "999"
