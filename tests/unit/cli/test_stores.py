"""1. --store takes a store, or the folder that holds it as `.pincite`. 2. The JSON of an answer says whether it is a
refusal, and where a passage stands in a source without pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.cli.main import main

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "rent.md").write_text("# Rent\n\nThe rent is due on the third working day.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["index", "notes", "--embedder", "none", "--quiet"]) == 0
    return folder


def asked(store: Path, question: str, capsys: Printed) -> dict[str, object]:
    main(["ask", question, "--store", str(store), "--json"])
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("given", ["notes", "notes/.pincite"])
def test_a_store_is_found_in_the_folder_that_holds_it(notes: Path, given: str, capsys: Printed) -> None:
    assert main(["status", "--store", given]) == 0
    assert "1 source" in capsys.readouterr().out


def test_indexing_goes_on_in_the_store_that_the_folder_holds(notes: Path) -> None:
    (notes / "keys.md").write_text("# Keys\n\nTwo keys are handed over.\n", encoding="utf-8")
    assert main(["index", "notes", "--store", "notes", "--embedder", "none", "--quiet"]) == 0
    assert not (notes / "record.sqlite").exists()


def test_an_answer_says_whether_it_is_a_refusal(notes: Path, capsys: Printed) -> None:
    assert asked(notes, "When is the rent due?", capsys)["refused"] is False
    assert asked(notes, "Who painted saffron in Reykjavik?", capsys)["refused"] is True


def test_a_passage_without_pages_tells_its_lines_and_has_no_address(notes: Path, capsys: Printed) -> None:
    found = asked(notes, "When is the rent due?", capsys)["results"]
    assert isinstance(found, list)
    assert found[0]["locator"].startswith("line")
    assert "s3_path" not in found[0]
