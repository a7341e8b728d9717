"""Sources with tags, dates and access come in through a manifest, and questions are held to them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.e2e.conftest import Run


@pytest.fixture
def folder(pincite: Run, tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("open", "secret", "old"):
        (docs / f"{name}.txt").write_text(f"The {name} report speaks of snow.\n")
    manifest = docs / "sources.json"
    entries = [
        {"path": "open.txt", "tags": ["code"], "date": "2024-05-01", "uri": "s3://bucket/open.txt"},
        {"path": "secret.txt", "acl": ["board"], "date": "2024-06-01"},
        {"path": "old.txt", "date": "1999"},
    ]
    manifest.write_text(json.dumps({"sources": entries}))
    done = pincite("index", "--source-manifest", manifest, "--embedder", "none", "--store", tmp_path / "store")
    assert done.returncode == 0, done.stderr
    return tmp_path


def found(pincite: Run, folder: Path, *options: str) -> set[str]:
    done = pincite("search", "snow", "--embedder", "none", "--store", folder / "store", "--json", *options)
    return {result["filename"] for result in json.loads(done.stdout)["results"]}


def test_a_source_with_access_tags_is_seen_by_those_who_share_one(pincite: Run, folder: Path) -> None:
    assert found(pincite, folder) == {"open.txt", "old.txt"}
    assert found(pincite, folder, "--principal", "board") == {"open.txt", "secret.txt", "old.txt"}


def test_tags_and_dates_restrict(pincite: Run, folder: Path) -> None:
    assert found(pincite, folder, "--tag", "code") == {"open.txt"}
    assert found(pincite, folder, "--before", "2000") == {"old.txt"}
    assert found(pincite, folder, "--after", "2024-05-01") == {"open.txt"}
    assert found(pincite, folder, "--type", "pdf") == set()


def test_changed_tags_are_stored_without_reading_again(pincite: Run, folder: Path) -> None:
    manifest = folder / "docs" / "sources.json"
    content = json.loads(manifest.read_text())
    content["sources"][2]["tags"] = ["code"]
    manifest.write_text(json.dumps(content))
    done = pincite("index", "--source-manifest", manifest, "--embedder", "none", "--store", folder / "store", "--json")
    assert {document["status"] for document in json.loads(done.stdout)["documents"]} == {"unchanged"}
    assert found(pincite, folder, "--tag", "code") == {"open.txt", "old.txt"}


def test_a_question_of_filters_alone_is_wrong_use(pincite: Run, folder: Path) -> None:
    done = pincite("search", "tag:code", "--embedder", "none", "--store", folder / "store")
    assert done.returncode == 2
    assert "filters alone" in done.stderr


def test_retrievals_are_kept_for_the_audit(pincite: Run, folder: Path) -> None:
    import sqlite3

    found(pincite, folder)
    with sqlite3.connect(folder / "store" / "audit.sqlite") as connection:
        rows = connection.execute("SELECT query_text, top_k FROM retrieval").fetchall()
        hits = connection.execute("SELECT COUNT(*) FROM retrieval_hit").fetchone()[0]
    connection.close()
    assert rows == [("snow", 12)]
    assert hits == 2
