"""The vectors of a document leave the store with the columns that the spec names."""

from __future__ import annotations

import json
import sqlite3
import uuid
from pathlib import Path

import numpy as np
import pytest
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.cli.main import main
from pincite_testing.hashing_embedder import HashingEmbedder

TEXT = "The pump has a red lever."
COLUMNS = ("embedding_id", "chunk_id", "embedding_model", "vector_dim", "vector_json", "vector_sha256", "created_utc")


def test_an_embedding_has_its_chunk_its_models_name_and_its_numbers(tmp_path: Path) -> None:
    with hashing_engine(tmp_path / "store") as engine:
        engine.index_documents([(source("a.pdf", "1"), document(TEXT))])
        (chunk,) = engine.session().documents.chunks_at("a.pdf", 0, 5)
        (found,) = engine.session().documents.embeddings("a.pdf")
        assert (found.chunk_id, found.embedding_model) == (chunk.chunk_id, HashingEmbedder().name)
        (expected,) = HashingEmbedder().embed([chunk.content])[0]
        assert np.array_equal(np.array(found.vector, np.float32), expected)
        assert found.vector_dim == len(found.vector)
        assert uuid.UUID(found.embedding_id).version == 5
        assert engine.session().documents.embeddings("b.pdf") == []


def test_a_view_that_an_older_pincite_made_is_made_anew(tmp_path: Path) -> None:
    with hashing_engine(tmp_path / "store") as engine:
        engine.index_documents([(source("a.pdf", "1"), document(TEXT))])
    path = tmp_path / "store" / "record.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("DROP VIEW embedding")
        connection.execute("CREATE VIEW embedding AS SELECT 1 AS embedding_id")
    with hashing_engine(tmp_path / "store") as engine:
        assert len(engine.session().documents.embeddings("a.pdf")) == 1
    with sqlite3.connect(path) as connection:
        ((model,),) = connection.execute("SELECT embedding_model FROM embedding").fetchall()
    assert model == HashingEmbedder().name


def test_the_command_writes_a_line_of_json_for_each_with_the_columns_of_the_spec(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with hashing_engine(tmp_path / "store") as engine:
        engine.index_documents([(source("a.pdf", "1"), document(TEXT))])
    assert main(["show", "a.pdf", "--embeddings", "--store", str(tmp_path / "store")]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    row = json.loads(line)
    assert tuple(row) == COLUMNS
    assert len(json.loads(row["vector_json"])) == row["vector_dim"]
