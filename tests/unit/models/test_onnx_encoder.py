"""The local encoder gives the vectors of the reference implementation, the same bits in any company."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from pincite.errors import ServiceError
from pincite.models.onnx_encoder import OnnxEncoder
from pincite.models.weights import BGE, MINILM, inspect_encoder

# First eight components by torch 2.13 and transformers (BertModel, mean pooling, unit length), rounded to 1e-6.
REFERENCE = [
    (
        "The cat sits outside.",
        [
            0.138842,
            0.000126,
            0.042634,
            0.045752,
            -0.058628,
            -0.006741,
            0.008598,
            0.035419,
            -0.022004,
            -0.016529,
            -0.061828,
            0.028781,
        ],
    ),
    (
        "Snow loads on roofs shall be determined as follows: 0,4 kN/m².",
        [
            -0.012369,
            0.108228,
            0.009915,
            0.001212,
            -0.075865,
            -0.062474,
            -0.030441,
            0.050540,
            -0.008605,
            0.028164,
            -0.085878,
            0.008508,
        ],
    ),
    (
        "Überprüfung der Lasten",
        [
            -0.014646,
            0.083348,
            0.021657,
            -0.085720,
            0.008377,
            0.051392,
            0.102928,
            0.057353,
            0.042904,
            -0.004559,
            0.039983,
            -0.008206,
        ],
    ),
    (
        "",
        [
            -0.118838,
            0.048299,
            -0.002548,
            -0.011011,
            0.051951,
            0.010292,
            0.115433,
            0.000701,
            -0.085925,
            -0.070654,
            0.001332,
            -0.035472,
        ],
    ),
    (
        "wind " * 150,
        [
            -0.019842,
            0.022795,
            0.023094,
            0.012232,
            0.006177,
            0.077660,
            0.030649,
            -0.041952,
            0.009213,
            -0.070041,
            -0.010581,
            -0.041183,
        ],
    ),
]
TEXTS = [text for text, _ in REFERENCE] + ["Snow. " * n for n in (1, 3, 9, 20, 40, 90, 200, 500)]
ODD_TEXTS = ["wind " * n + last for n in range(1, 40) for last in ("load", "speed")]


@pytest.fixture(scope="module")
def folder() -> Path:
    found = MINILM.find()
    assert found is not None, "the weights are missing: make test installs them"
    return found


@pytest.fixture(scope="module")
def encoder(folder: Path) -> OnnxEncoder:
    return OnnxEncoder.of_package(MINILM, folder, threads=2)


@pytest.mark.parametrize(("text", "expected"), REFERENCE)
def test_vectors_are_those_of_the_reference(encoder: OnnxEncoder, text: str, expected: list[float]) -> None:
    (rows,) = encoder.embed([text])
    assert rows.shape == (1, 384)
    assert np.abs(rows[0, : len(expected)] - np.array(expected, np.float32)).max() < 1e-4


def test_a_text_has_the_same_bits_alone_in_batches_shuffled_and_with_other_threads(
    folder: Path, encoder: OnnxEncoder
) -> None:
    texts = TEXTS + ODD_TEXTS
    alone = [encoder.embed([text])[0] for text in texts]
    together = encoder.embed(texts)
    shuffled = encoder.embed(texts[::-1])[::-1]
    one_thread = OnnxEncoder(folder, threads=1).embed(texts)
    for rows in zip(alone, together, shuffled, one_thread, strict=True):
        assert len({row.tobytes() for row in rows}) == 1


def test_a_model_that_scales_its_activations_by_batch_is_given_one_window_at_a_time() -> None:
    found = BGE.find()
    assert found is not None, "the weights are missing: make test installs them"
    texts = [
        "Snow loads on roofs.",
        *["wind " * n + "load" for n in range(1, 12)],
        *[f"Wind acts on roof no. {n}." for n in range(9)],
    ]
    one, two = (OnnxEncoder.of_package(BGE, found, threads=threads) for threads in (1, 2))
    alone = [one.embed([text])[0] for text in texts]
    for together in (one.embed(texts), two.embed(texts), one.embed(texts[::-1])[::-1]):
        assert [rows.tobytes() for rows in together] == [rows.tobytes() for rows in alone]
    assert inspect_encoder(found).one_by_one


def test_a_prefix_stands_before_questions_and_never_before_texts(folder: Path, encoder: OnnxEncoder) -> None:
    prefixed = OnnxEncoder(folder, question_prefix="search: ")
    assert prefixed.embed(["snow"])[0].tobytes() == encoder.embed(["snow"])[0].tobytes()
    assert prefixed.embed_query("snow").tobytes() == encoder.embed_query("search: snow").tobytes()
    assert prefixed.digest != encoder.digest


def test_a_text_beyond_the_window_is_covered_to_its_end(encoder: OnnxEncoder) -> None:
    (short,) = encoder.embed(["roof " * 200])
    (long,) = encoder.embed(["roof " * 700 + "a volcano erupts"])
    assert len(short) == 1
    assert len(long) > 2
    volcano = encoder.embed_query("volcano eruption")
    assert int(np.argmax(long @ volcano)) == len(long) - 1


def test_rows_have_length_one(encoder: OnnxEncoder) -> None:
    rows = np.vstack(encoder.embed(TEXTS))
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)


def test_damaged_weights_are_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "model")
    with (tmp_path / "model" / "model.safetensors").open("r+b") as file:
        file.seek(1000)
        file.write(b"damage")
    with pytest.raises(ServiceError, match="damaged"):
        OnnxEncoder(tmp_path / "model", expected_sha256=MINILM.sha256)


def test_a_folder_without_weights_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ServiceError, match=r"config\.json, tokenizer\.json, model\.safetensors or model\.onnx missing"):
        OnnxEncoder(tmp_path)


def test_the_graph_is_a_valid_model_for_onnx(folder: Path) -> None:
    import json

    import onnx
    from safetensors.numpy import load_file

    from pincite.models.bert_graph import BertShape, arrange_weights, build_graph

    shape = BertShape.from_config(json.loads((folder / "config.json").read_text()))
    content = build_graph(shape, arrange_weights(load_file(folder / "model.safetensors"), shape))
    model = onnx.load_model_from_string(content)
    assert model.SerializeToString(deterministic=True) == onnx.load_model_from_string(content).SerializeToString(
        deterministic=True
    )
    assert [item.domain for item in model.opset_import] == ["", "com.microsoft"]
    assert [item.name for item in model.graph.input] == ["input_ids", "attention_mask"]
    assert len(model.graph.node) == 2 + 7 * 6
    assert model.graph.node[1].attribute[0].f == np.float32(1e-12)
    assert model.graph.node[2].attribute[0].i == 12
    assert list(model.graph.initializer[0].dims) == [30522, 384]
    assert model.graph.output[0].type.tensor_type.shape.dim[2].dim_value == 384
