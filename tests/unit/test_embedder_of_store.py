"""A store is asked with the embedder that it was made with, where the settings leave it open."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from pathlib import Path

import pytest

from pincite.errors import StoreError
from pincite.models.onnx_encoder import OnnxEncoder
from pincite.models.onnx_reader import OnnxReader
from pincite.models.weights import BGE, MINILM
from pincite.settings import Settings
from pincite.store.sql_record import SqlRecord
from pincite.wiring import make_embedder, open_engine

SETTINGS = replace(Settings(), threads=1, workers=1)
OF_ITS_OWN = replace(SETTINGS, embedder="minilm", threads=3)
"""With models that no other test has opened."""


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes.md").write_text("# Roofs\n\nSnow loads are determined for each roof.\n", encoding="utf-8")
    return tmp_path / "notes.md"


def digest_of(store: Path) -> str | None:
    record = SqlRecord(store / "record.sqlite")
    try:
        return record.setting("model_digest")
    finally:
        record.close()


def test_a_new_store_takes_the_default_embedder() -> None:
    embedder = make_embedder(SETTINGS)
    assert embedder is not None
    assert (embedder.name, embedder.digest) == (BGE.name, BGE.digest)


@pytest.mark.parametrize(("name", "digest"), [("minilm", MINILM.digest), ("bge", BGE.digest), ("none", "none")])
def test_a_store_is_asked_with_its_own_embedder(tmp_path: Path, notes: Path, name: str, digest: str) -> None:
    store = tmp_path / "store"
    with open_engine(replace(SETTINGS, embedder=name), store, create=True) as engine:
        engine.index([notes])
    assert digest_of(store) == digest
    with open_engine(SETTINGS, store) as engine:
        engine.index([notes])
        found = engine.search("snow on the roof", receipt=False)
    assert [item.chunk.filename for item in found.evidence] == ["notes.md"]
    assert bool(found.trace.degraded) == (name == "none")


def test_another_embedder_by_name_is_refused(tmp_path: Path, notes: Path) -> None:
    store = tmp_path / "store"
    with open_engine(replace(SETTINGS, embedder="minilm"), store, create=True) as engine:
        engine.index([notes])
    with (
        open_engine(replace(SETTINGS, embedder="bge"), store) as engine,
        pytest.raises(StoreError, match=r"all-MiniLM-L6-v2, not bge-small-en-v1\.5"),
    ):
        engine.plan([notes])


def test_an_answer_that_is_kept_is_given_without_opening_a_model(tmp_path: Path, notes: Path) -> None:
    asked, store = "What is determined for each roof?", tmp_path / "store"
    with open_engine(OF_ITS_OWN, store, create=True) as engine:
        engine.index([notes])
        engine.ask(asked)
    with open_engine(OF_ITS_OWN, store) as engine:
        assert engine.ask(asked).statements
        embedder = engine._embedder()
        assert isinstance(embedder, OnnxEncoder)
        assert embedder._model.taken() is None


def test_a_store_that_is_closed_keeps_no_model_in_memory(tmp_path: Path, notes: Path) -> None:
    """At once, not when Python next looks for what nobody uses any more."""
    gc.disable()
    try:
        with open_engine(OF_ITS_OWN, tmp_path / "store", create=True) as engine:
            engine.index([notes])
            assert engine.ask("What is determined for each roof?").statements
            reader = engine._reader()
            assert isinstance(reader, OnnxReader)
            embedder = engine._embedder()
            assert isinstance(embedder, OnnxEncoder)
            models = [embedder, embedder._model()[0], engine._bulk_embedder()]
            models += [reader, reader._session()[0]]
            kept = [weakref.ref(model) for model in models if model is not None]
            del models, reader, embedder
        assert [reference() for reference in kept] == [None] * 5
    finally:
        gc.enable()


def test_engines_of_a_process_share_their_models(tmp_path: Path, notes: Path) -> None:
    engines = [open_engine(OF_ITS_OWN, tmp_path / name, create=True) for name in ("one", "other")]
    for engine in engines:
        engine.index([notes])
    one, other = [(engine._embedder(), engine._reader()) for engine in engines]
    assert one[0] is other[0] is not None
    assert one[1] is other[1] is not None
    engines[0].close()
    assert engines[1].ask("What is determined for each roof?").statements
    engines[1].close()
