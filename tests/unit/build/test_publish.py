"""1. A generation is the same whatever its vectors are searched by, and says which that is. 2. How many documents are
taken at once does not show in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.build.publish import IndexMakers, publish
from pincite.errors import StoreError
from pincite.graph import network, relations
from pincite.store import inverted, live
from pincite.store.bm25_keywords import Bm25Keywords
from pincite.store.faiss_vectors import FaissCodes, FaissVectors
from pincite.store.generations import Generations
from pincite.store.sql_record import SqlRecord
from pincite_testing.hashing_embedder import HashingEmbedder

KINDS = {"flat": FaissVectors, "sq8": FaissCodes}
TEXT = "Anna Berg founded Rivian in {0}. See section {1}. The snow of {0} lies on the roof of Rivian. " * 9


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a store of nine documents of two chunks and more."""
    folder = tmp_path_factory.mktemp("store")
    texts = {
        f"{name}.txt": TEXT.format(name.title(), number) for number, name in enumerate(("oslo", "turin", "bremen"))
    }
    with hashing_engine(folder) as engine:
        given = [(source(f"{part}/{name}"), document(text, text)) for name, text in texts.items() for part in "abc"]
        engine.index_documents(given)
    return folder / "record.sqlite"


def manifest(path: Path, folder: Path, kind: str = "flat") -> Mapping[str, Any]:
    """What the manifest of a generation says that is published from this record."""
    folder.mkdir(exist_ok=True)
    record, generations = SqlRecord(path), Generations(folder)
    publish(record, generations, HashingEmbedder(), IndexMakers(KINDS, Bm25Keywords, lambda rows: kind))
    record.close()
    (written,) = folder.glob("generations/*/manifest.json")
    found: Mapping[str, Any] = json.loads(written.read_text(encoding="utf-8"))
    return found


def test_the_manifest_says_by_what_vectors_are_searched(path: Path, tmp_path: Path) -> None:
    flat, codes = manifest(path, tmp_path / "flat"), manifest(path, tmp_path / "sq8", "sq8")
    assert (flat["vector_index"], codes["vector_index"]) == ("flat", "sq8")
    assert flat["generation"] == codes["generation"]
    others = [{name: sha for name, sha in item["files"].items() if "vectors/" not in name} for item in (flat, codes)]
    assert others[0] == others[1]


def test_a_generation_of_an_older_pincite_is_opened_and_one_of_a_newer_is_refused(path: Path, tmp_path: Path) -> None:
    made = dict(manifest(path, tmp_path))
    makers = IndexMakers(KINDS, Bm25Keywords, lambda rows: "flat")
    (folder,) = tmp_path.glob("generations/*")
    assert made.pop("vector_index") == "flat"
    assert makers.vectors_of(folder, made).rows([0])[0].shape == (1, made["dimension"])
    with pytest.raises(StoreError, match="a kind that this pincite does not know"):
        makers.vectors_of(folder, {**made, "vector_index": "quantum"})


@pytest.mark.parametrize("at_once", [1, 7])
def test_how_much_is_taken_at_once_does_not_show(
    at_once: int, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = manifest(path, tmp_path / "whole")
    for module, name in (
        (live, "CHUNKS_AT_ONCE"),
        (live, "DOCUMENTS_AT_ONCE"),
        (inverted, "TOKENS_AT_ONCE"),
        (relations, "NUMBERS_AT_ONCE"),
        (network, "NUMBERS_AT_ONCE"),
        (relations, "NUMBERS_AT_ONCE"),
    ):
        monkeypatch.setattr(module, name, at_once)
    assert manifest(path, tmp_path / "parts")["files"] == expected["files"]
