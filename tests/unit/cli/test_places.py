"""1. `pincite sections` prints the tree with its pages. 2. `pincite show` prints one place. 3. What is not there ends
with exit code 1 and a line that names what is near."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.support.documents import document, page, source

from pincite.cli.main import main
from pincite.errors import NotThereError
from pincite.places import anchor_place
from pincite.records.outlines import Anchor
from pincite.records.pages import Document
from pincite.settings import Settings
from pincite.wiring import open_engine

Printed = pytest.CaptureFixture[str]


def rules(title: str) -> Document:
    """Three pages, each a section that is stated; the second one has "ii" printed on it."""
    made = document(title=title)
    pages = (
        page(1, [("paragraph", f"{title} apply to every roof.")], section="5"),
        replace(page(2, [("paragraph", f"{title} are loads from above.")], section="5.2"), label="ii"),
        page(3, [("paragraph", "An end.")], section="6"),
    )
    return replace(made, pages=pages)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    with open_engine(Settings(embedder="none"), folder, create=True) as engine:
        engine.index_documents(
            [(source("rules/snow.pdf"), rules("Snow")), (source("rules/wind.pdf", "1" * 64), rules("Wind"))]
        )
    return folder


def run(store: Path, *arguments: str) -> int:
    return main([*arguments, "--store", str(store)])


def test_the_sections_of_a_document_are_printed_as_a_tree_with_their_pages(store: Path, capsys: Printed) -> None:
    assert run(store, "sections", "snow") == 0
    assert capsys.readouterr().out.splitlines() == ["rules/snow.pdf", "  5  p.1", "    5.2  p.2 (ii)", "  6  p.3"]


def test_without_a_name_the_sections_of_all_documents_are_printed(store: Path, capsys: Printed) -> None:
    assert run(store, "sections", "--level", "1") == 0
    printed = capsys.readouterr().out
    assert printed == "rules/snow.pdf\n  5  p.1\n  6  p.3\n\nrules/wind.pdf\n  5  p.1\n  6  p.3\n"


def test_sections_come_as_json_too(store: Path, capsys: Printed) -> None:
    assert run(store, "sections", "wind.pdf", "--json") == 0
    (tree,) = json.loads(capsys.readouterr().out)
    assert tree["source_id"] == "rules/wind.pdf"
    assert [(row["number"], row["level"], row["first_page"], row["label"]) for row in tree["sections"]] == [
        ("5", 1, 1, None),
        ("5.2", 2, 2, "ii"),
        ("6", 1, 3, None),
    ]


def test_a_place_is_shown_with_its_page(store: Path, capsys: Printed) -> None:
    assert run(store, "show", "snow", "--section", "5.2") == 0
    assert capsys.readouterr().out == "rules/snow.pdf, 5.2\n\n--- p.2 (ii)\nSnow are loads from above.\n"
    assert run(store, "show", "rules/wind.pdf", "--page", "3") == 0
    assert capsys.readouterr().out == "rules/wind.pdf\n\n--- p.3\nAn end.\n"


def test_a_place_is_shown_with_what_stands_before_and_after_it(store: Path, capsys: Printed) -> None:
    assert run(store, "show", "snow", "--section", "5.2", "--context", "1") == 0
    printed = capsys.readouterr().out
    assert [printed.index(text) for text in ("apply to every roof", "are loads", "An end")] == sorted(
        printed.index(text) for text in ("apply to every roof", "are loads", "An end")
    )
    assert [line for line in printed.splitlines() if line.startswith("---")] == ["--- p.1", "--- p.2 (ii)", "--- p.3"]


def test_a_place_over_several_pages_names_each_of_them(store: Path, capsys: Printed) -> None:
    assert run(store, "show", "snow", "--section", "Section 5", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["kind"], shown["name"]) == ("section", "5")
    assert [(part["page"], part["label"]) for part in shown["pages"]] == [(1, None), (2, "ii")]
    assert shown["pages"][0]["text"].startswith("Snow apply")


def test_a_text_without_pages_shows_none(tmp_path: Path, capsys: Printed) -> None:
    store = tmp_path / "store"
    with open_engine(Settings(embedder="none"), store, create=True) as engine:
        engine.index_documents([(source("notes.md"), replace(rules("Snow"), paged=False))])
    assert run(store, "sections", "notes") == 0
    assert capsys.readouterr().out.splitlines() == ["notes.md", "  5", "    5.2  ii", "  6"]
    assert run(store, "show", "notes", "--section", "6") == 0
    assert capsys.readouterr().out == "notes.md, 6\n\nAn end.\n"
    assert run(store, "sections", "notes", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["paged"] is False
    assert run(store, "show", "notes", "--page", "1") == 1
    assert "there is no page 1: the document has no pages" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["sections", "snw.pdf"], 1, "the store holds no document 'snw.pdf': nearest are rules/snow.pdf"),
        (["show", "rules", "--page", "1"], 2, "'rules' may be rules/snow.pdf, rules/wind.pdf"),
        (["show", "snow", "--section", "5.3"], 1, "there is no section '5.3': nearest are 5.2"),
        (["show", "snow", "--page", "4"], 1, "there is no page 4: the document has pages 1 to 3"),
        (["show", "snow", "--anchor", "Table 1"], 1, "there is no 'Table 1': there are none"),
    ],
)
def test_what_is_not_there_is_said_with_what_is_near(
    store: Path, capsys: Printed, arguments: list[str], code: int, message: str
) -> None:
    assert run(store, *arguments) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert len(captured.err.splitlines()) == 1


def test_show_needs_one_place(store: Path, capsys: Printed) -> None:
    assert run(store, "show", "snow") == 2
    assert "--section --page --anchor" in capsys.readouterr().err


ANCHORS = [
    Anchor(0, "table", "4.1", "Terrain", 1, 10, 20),
    Anchor(1, "definition", None, "snow load", 1, 30, 40),
]


@pytest.mark.parametrize(
    ("asked", "name", "start"), [("Table 4.1", "Table 4.1", 10), ("table  4.1", "Table 4.1", 10), ("Snow load", "", 30)]
)
def test_a_table_or_definition_is_known_by_name_and_title(asked: str, name: str, start: int) -> None:
    place = anchor_place(ANCHORS, asked)
    assert (place.name, place.start) == (name, start)


def test_the_nearest_tables_are_named() -> None:
    with pytest.raises(NotThereError, match=r"there is no 'Table 4.2': nearest are Table 4.1"):
        anchor_place(ANCHORS, "Table 4.2")
