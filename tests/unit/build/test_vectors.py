"""1. Every text gets the vectors of the model, whatever the batches. 2. Few texts are under way at a time.
3. A run that was cut off between a document and its vectors is finished by the next one."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.documents import document, source
from tests.support.engines import hashing_engine

from pincite.build.stages import CALLS_UNDER_WAY, TEXTS_AT_ONCE, VectorStage
from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.ports import Vector
from pincite.store.sql_record import SqlRecord
from pincite_testing.hashing_embedder import HashingEmbedder

HASHING = HashingEmbedder(32)


class Counting(HashingEmbedder):
    """Remembers which texts it was asked to embed."""

    def __init__(self) -> None:
        super().__init__(32)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str], *, deadline: Deadline = Deadline.never()) -> list[Vector]:
        self.asked += texts
        return super().embed(texts, deadline=deadline)


class Failing(HashingEmbedder):
    """A model that is not there when it is needed."""

    def embed(self, texts: Sequence[str], *, deadline: Deadline = Deadline.never()) -> list[Vector]:
        raise ServiceError("the model is gone")


@pytest.fixture
def record(tmp_path: Path) -> Iterator[SqlRecord]:
    made = SqlRecord(tmp_path / "record.sqlite")
    yield made
    made.close()


def by_digest(texts: Sequence[str]) -> Mapping[str, str]:
    return {hashlib.sha256(text.encode()).hexdigest(): text for text in texts}


def vectors_in(path: Path) -> dict[str, list[list[float]]]:
    """The vectors that a record keeps, by the digest of their text."""
    found = defaultdict[str, list[list[float]]](list)
    with closing(sqlite3.connect(path)) as record:
        for digest, packed in record.execute('select text_sha256, vector from vector order by text_sha256, "window"'):
            found[digest].append(np.frombuffer(packed, np.float32).tolist())
    return found


@settings(max_examples=15)
@given(groups=st.lists(st.lists(st.integers(0, 400), max_size=300), max_size=4))
def test_each_text_is_embedded_once_and_has_its_own_vectors(
    groups: list[list[int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("vectors") / "record.sqlite"
    record = SqlRecord(path)
    embedder = Counting()
    texts = [by_digest([f"text {number} " * (number % 7) for number in group]) for group in groups]
    with VectorStage(record, lambda: embedder, 2, lambda done, total: None) as stage:
        for group in texts:
            stage.add(group)
        stage.finish()
    record.close()
    found = vectors_in(path)
    expected = {digest: text for group in texts for digest, text in group.items()}
    assert sorted(embedder.asked) == sorted(expected.values())
    assert found == {digest: HASHING.embed([text])[0].tolist() for digest, text in expected.items()}


def test_few_texts_are_under_way_at_a_time(record: SqlRecord) -> None:
    told: list[tuple[int, int]] = []
    embedder = Counting()
    most = 2 * CALLS_UNDER_WAY * TEXTS_AT_ONCE
    texts = by_digest([f"text {number}" for number in range(4 * most)])
    with VectorStage(record, lambda: embedder, 2, lambda done, total: told.append((done, total))) as stage:
        stage.add(texts)
        stored = len(record.known_vectors(embedder.digest, list(texts)))
        assert len(texts) - stored <= most
        stage.finish()
    assert told == sorted(told)
    assert told[-1] == (len(texts), len(texts))


def test_without_a_model_nothing_is_embedded(record: SqlRecord) -> None:
    with VectorStage(record, lambda: None, 2, lambda done, total: None) as stage:
        stage.add(by_digest(["a text"]))
        stage.finish()


@pytest.mark.promise
def test_a_run_that_lost_its_model_is_finished_by_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [(source(name), document(f"{name} lies on the roof.", title=name)) for name in ("snow", "ice")]
    with hashing_engine(tmp_path / "whole") as engine:
        engine.index_documents(documents)
        expected = engine.ask("What lies on the roof?", receipt=False).to_dict(stable=True)
    with monkeypatch.context() as patch:
        patch.setattr(HashingEmbedder, "embed", Failing.embed)
        with hashing_engine(tmp_path / "cut") as engine, pytest.raises(ServiceError, match="the model is gone"):
            engine.index_documents(documents)
    with hashing_engine(tmp_path / "cut") as engine:
        engine.index_documents(documents)
        assert engine.ask("What lies on the roof?", receipt=False).to_dict(stable=True) == expected
        assert engine.verify() == []
