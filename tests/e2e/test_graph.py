"""Who finds triplets, and what predicates are called, can be chosen; `pincite graph` tells what was found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.conftest import Run

from pincite.installing import install_extra

FIRST = ("--embedder", "none", "--json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = tmp_path / "documents"
    documents.mkdir()
    (documents / "cars.txt").write_text("Elon Musk, co-founder of Tesla, invested in SolarCity.\n", encoding="utf-8")
    return documents


def statuses(pincite: Run, folder: Path, *options: str | Path, **more: str) -> list[str]:
    done = pincite("index", folder, *FIRST, *options, **more)
    assert done.returncode == 0, done.stderr
    return [document["status"] for document in json.loads(done.stdout)["documents"]]


def triplets(pincite: Run, folder: Path, name: str, **more: str) -> list[dict[str, Any]]:
    done = pincite("graph", name, "--store", folder / ".pincite", *FIRST, **more)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["triplets"]
    return found


def test_another_extractor_or_ontology_reads_a_document_again(pincite: Run, folder: Path, tmp_path: Path) -> None:
    assert statuses(pincite, folder, "--extractor", "none") == ["indexed"]
    assert statuses(pincite, folder, "--extractor", "none") == ["unchanged"]
    assert statuses(pincite, folder) == ["indexed"]
    assert statuses(pincite, folder, "--extractor", "rules") == ["unchanged"]
    own = tmp_path / "own.toml"
    own.write_text('[put_money_into]\nforms = ["invested_in"]\ninverse = "got_money_from"\n', encoding="utf-8")
    assert statuses(pincite, folder, PINCITE_ONTOLOGY=str(own)) == ["indexed"]
    assert statuses(pincite, folder, PINCITE_ONTOLOGY=str(own)) == ["unchanged"]
    (found,) = (
        t for t in triplets(pincite, folder, "SolarCity", PINCITE_ONTOLOGY=str(own)) if t["subject"] == "Elon Musk"
    )
    assert (found["predicate"], found["inverse"]) == ("put_money_into", "got_money_from")
    asked = ("graph", "SolarCity", "--store", folder / ".pincite", "--embedder", "none")
    shown = pincite(*asked, PINCITE_ONTOLOGY=str(own)).stdout
    assert "Elon Musk · put_money_into · SolarCity (inverse: got_money_from)" in shown


def test_an_extractor_or_ontology_that_is_none_is_told_in_one_line(pincite: Run, folder: Path, tmp_path: Path) -> None:
    done = pincite("index", folder, *FIRST, "--extractor", "wizard")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "the extractor 'wizard' is not known" in done.stderr
    own = tmp_path / "own.toml"
    for text, told in ((None, "cannot be read"), ("[steers\n", "is not TOML"), ("steers = 1\n", "has no table")):
        if text is not None:
            own.write_text(text, encoding="utf-8")
        done = pincite("index", folder, *FIRST, PINCITE_ONTOLOGY=str(own))
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert str(own) in done.stderr
        assert told in done.stderr


def test_an_extractor_whose_package_is_missing_ends_with_what_to_install(pincite: Run, folder: Path) -> None:
    done = pincite("index", folder, *FIRST, "--extractor", f"relik:{folder}")
    assert (done.returncode, done.stderr.count("\n")) == (4, 1), done.stderr
    assert f"run {install_extra('relik')}" in done.stderr


def test_a_language_model_that_does_not_answer_leaves_the_rules(pincite: Run, folder: Path) -> None:
    done = pincite(*("index", folder, *FIRST, "--extractor", "ollama"), PINCITE_OLLAMA_BASE_URL="http://127.0.0.1:9")
    assert done.returncode == 0, done.stderr
    (document,) = json.loads(done.stdout)["documents"]
    assert document["status"] == "warned"
    assert "triplets by rules alone: http://127.0.0.1:9/api/chat does not answer" in document["warnings"][0]
    assert any(t["extractor"] == "clauses" for t in triplets(pincite, folder, "SolarCity"))
