"""1. A BERT or ModernBERT cross-encoder with its weights in `model.safetensors` scores as its reference does. 2. What
is not read is refused in one line, and never guessed.

The reference is plain NumPy with random weights. By hand, on 2026-11-23, it was itself held against transformers 5.23
(torch 2.13): ModernBertForSequenceClassification and BertForSequenceClassification, 8 models each with all biases and
both poolings, 3 to 512 tokens; the largest difference of a logit was 4.2e-6 and 1.9e-6.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tests.support.random_cross_encoders import SMALL, WORDS, write_bert, write_modernbert
from tests.support.reference_encoders import bert_logits, modernbert_logits

from pincite.errors import ServiceError
from pincite.models.onnx_reranker import OnnxReranker, open_cross_encoder
from pincite.models.sessions import fed
from pincite.models.weights import inspect_reranker

ALLOWED = 1e-4
"""Of a logit, from the reference; issue 19 sets it."""
LENGTHS = (2, 9, 10, 60, 512)
"""Tokens of pairs: shorter than the window of 8 and far longer, up to the longest that is ever read."""
ALL_BIASES = {f"{name}_bias": True for name in ("norm", "attention", "mlp", "classifier")}


def logits_of(folder: Path, ids: list[int], types: list[int]) -> Any:
    session, _weights = open_cross_encoder(inspect_reranker(folder))
    return session.run(None, fed(session, ids, types))[0][0]


def drawn_pairs() -> list[tuple[list[int], list[int]]]:
    random = np.random.default_rng(0)
    return [
        (random.integers(0, len(WORDS) + 3, length).tolist(), [0] * (length // 3) + [1] * (length - length // 3))
        for length in LENGTHS
    ]


@pytest.mark.parametrize("labels", [1, 2])
def test_a_bert_gives_the_logits_of_the_reference(tmp_path: Path, labels: int) -> None:
    config = write_bert(tmp_path, labels=labels)
    tensors = load_file(tmp_path / "model.safetensors")
    for ids, types in drawn_pairs():
        np.testing.assert_allclose(
            logits_of(tmp_path, ids, types), bert_logits(tensors, config, ids, types), rtol=0, atol=ALLOWED
        )


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"labels": 2, "classifier_pooling": "cls"},
        ALL_BIASES,
        {"global_attn_every_n_layers": 1},
        {"global_attn_every_n_layers": 2, "local_rope_theta": 300.0, "global_rope_theta": 900.0, "norm_eps": 0.1},
        {"local_attention": 2, "num_hidden_layers": 6, "num_attention_heads": 2},
    ],
)
def test_a_modernbert_gives_the_logits_of_the_reference(tmp_path: Path, more: dict[str, Any]) -> None:
    config = write_modernbert(tmp_path, **more)
    tensors = load_file(tmp_path / "model.safetensors")
    for ids, types in drawn_pairs():
        np.testing.assert_allclose(
            logits_of(tmp_path, ids, types), modernbert_logits(tensors, config, ids), rtol=0, atol=ALLOWED
        )


def test_the_names_that_newer_configs_have_for_layers_and_rotations_mean_the_same(tmp_path: Path) -> None:
    config = write_modernbert(tmp_path / "old", global_rope_theta=900.0, local_rope_theta=300.0)
    ids, types = drawn_pairs()[3]
    old = logits_of(tmp_path / "old", ids, types)
    for name in ("global_attn_every_n_layers", "global_rope_theta", "local_rope_theta"):
        del config[name]
    full, sliding = "full_attention", "sliding_attention"
    thetas = {full: {"rope_type": "default", "rope_theta": 900.0}, sliding: {"rope_theta": 300.0}}
    config |= {"layer_types": [full, sliding, sliding, full], "rope_parameters": thetas}
    write_modernbert(tmp_path / "new")
    (tmp_path / "new" / "config.json").write_text(json.dumps(config))
    assert logits_of(tmp_path / "new", ids, types).tobytes() == old.tobytes()


def test_a_local_rotation_that_is_not_named_is_the_global_one(tmp_path: Path) -> None:
    ids, types = drawn_pairs()[3]
    write_modernbert(tmp_path / "none", local_rope_theta=None)
    write_modernbert(tmp_path / "same", local_rope_theta=160000.0)
    assert logits_of(tmp_path / "none", ids, types).tobytes() == logits_of(tmp_path / "same", ids, types).tobytes()


def test_weights_of_half_precision_are_read_as_what_they_are(tmp_path: Path) -> None:
    config = write_modernbert(tmp_path)
    halves = {name: tensor.astype(np.float16) for name, tensor in load_file(tmp_path / "model.safetensors").items()}
    save_file(halves, tmp_path / "model.safetensors")
    ids, types = drawn_pairs()[3]
    expected = modernbert_logits(halves, config, ids)
    np.testing.assert_allclose(logits_of(tmp_path, ids, types), expected, rtol=0, atol=ALLOWED)


@pytest.mark.parametrize("write", [write_bert, write_modernbert])
def test_question_and_text_are_read_as_one_pair(tmp_path: Path, write: Any) -> None:
    config = write(tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    known = {word: number for number, word in enumerate(WORDS, start=3)}
    question, text = [known["How"], known["deep"]], [known["The"], known["snow"], 0, known["deep"]]
    ids, types = [1, *question, 2, *text, 2], [0, 0, 0, 0, 1, 1, 1, 1, 1]
    expected = (
        bert_logits(tensors, config, ids, types) if write is write_bert else modernbert_logits(tensors, config, ids)
    )
    (score,) = OnnxReranker(inspect_reranker(tmp_path), threads=1).scores("How deep", ["The snow lies deep"])
    assert abs(score - expected[0]) < ALLOWED


def test_the_config_is_part_of_what_a_folder_of_weights_is_known_by(tmp_path: Path) -> None:
    write_modernbert(tmp_path)
    before = inspect_reranker(tmp_path)
    assert set(before.sha256) == {"model.safetensors", "tokenizer.json", "config.json"}
    config = json.loads((tmp_path / "config.json").read_text()) | {"local_attention": 16}
    (tmp_path / "config.json").write_text(json.dumps(config))
    assert inspect_reranker(tmp_path).digest != before.digest
    with pytest.raises(ServiceError, match=r"config\.json is damaged"):
        OnnxReranker(before).scores("snow", ["snow"])


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"hidden_activation": "silu"}, "has the hidden_activation 'silu', and only gelu is read"),
        ({"classifier_activation": "relu"}, "has the classifier_activation 'relu', and only gelu is read"),
        ({"classifier_pooling": "max"}, "has the classifier_pooling 'max', and only cls or mean is read"),
        ({"rope_scaling": {"type": "linear"}}, "has the rope_scaling {'type': 'linear'}, and only None is read"),
        ({"rope_parameters": {"full_attention": {"rope_type": "yarn"}}}, "turns by yarn, and only default is read"),
        ({"layer_types": ["full_attention"]}, "has 4 layers of the kinds full_attention"),
        ({"layer_types": ["full_attention"] * 3 + ["linear"]}, "4 layers of the kinds full_attention, linear"),
        ({"num_hidden_layers": None}, r"config\.json does not say what its model needs"),
        ({"global_attn_every_n_layers": 0}, r"config\.json does not say what its model needs"),
        ({"num_hidden_layers": 5}, r"hold no tensor layers\.4\.attn_norm\.weight: this is not a ModernBERT"),
        ({"num_attention_heads": 3}, "3 heads do not share the 32 components"),
        ({"num_attention_heads": 32}, "32 heads do not share the 32 components"),
        ({"norm_bias": True}, r"hold no tensor embeddings\.norm\.bias"),
        ({"model_type": "roberta"}, "the model type 'roberta' .* is not a BERT encoder with gelu: give a directory"),
        ({"model_type": "bert"}, r"hold no tensor embeddings\.word_embeddings\.weight: this is not a BERT encoder"),
    ],
)
def test_what_is_not_read_is_refused_in_one_line(tmp_path: Path, more: dict[str, Any], told: str) -> None:
    config = write_modernbert(tmp_path) | more
    (tmp_path / "config.json").write_text(json.dumps(config))
    reranker = OnnxReranker(inspect_reranker(tmp_path), threads=1)
    with pytest.raises(ServiceError, match=told) as caught:
        reranker.scores("snow", ["snow"])
    assert "\n" not in str(caught.value)


def test_a_bert_without_a_head_is_no_cross_encoder(tmp_path: Path) -> None:
    write_bert(tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    save_file(
        {name: tensor for name, tensor in tensors.items() if "pooler" not in name}, tmp_path / "model.safetensors"
    )
    with pytest.raises(ServiceError, match=r"hold no tensor pooler\.dense\.weight"):
        OnnxReranker(inspect_reranker(tmp_path)).scores("snow", ["snow"])


def test_weights_of_a_kind_that_numpy_does_not_know_are_refused_with_what_to_do(tmp_path: Path) -> None:
    write_bert(tmp_path)
    head = json.dumps({"a": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]}}).encode()
    for content in (struct.pack("<Q", len(head)) + head + bytes(4), b"damage"):
        (tmp_path / "model.safetensors").write_bytes(content)
        with pytest.raises(ServiceError, match=r"model\.safetensors cannot be read .* in float32 or float16"):
            OnnxReranker(inspect_reranker(tmp_path)).scores("snow", ["snow"])


def test_they_are_refused_whatever_else_is_loaded(tmp_path: Path) -> None:
    pytest.importorskip("ml_dtypes")
    test_weights_of_a_kind_that_numpy_does_not_know_are_refused_with_what_to_do(tmp_path)


def test_a_tokenizer_of_another_model_is_told_so(tmp_path: Path) -> None:
    write_bert(tmp_path, hidden_size=16)
    tensors = load_file(tmp_path / "model.safetensors")
    words = "bert.embeddings.word_embeddings.weight"
    save_file({**tensors, words: tensors[words][:2]}, tmp_path / "model.safetensors")
    with pytest.raises(ServiceError, match="cannot read what its tokenizer gives it"):
        OnnxReranker(inspect_reranker(tmp_path)).scores("snow", ["snow"])


def test_a_config_that_is_no_object_is_told_by_its_name(tmp_path: Path) -> None:
    write_bert(tmp_path)
    for text in ("[]", "{", "[" * 100_000):
        (tmp_path / "config.json").write_text(text)
        with pytest.raises(ServiceError, match=r"config\.json (cannot be read|is no object)"):
            inspect_reranker(tmp_path)


@pytest.mark.parametrize("write", [write_bert, write_modernbert])
def test_the_graphs_are_valid_for_onnx(tmp_path: Path, write: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import onnx

    from pincite.models import onnx_reranker

    built: list[bytes] = []

    def keep(graph: bytes, *_: Any) -> tuple[None, list[Any]]:
        built.append(graph)
        return None, []

    monkeypatch.setattr(onnx_reranker, "open_graph", keep)
    write(tmp_path, labels=2)
    open_cross_encoder(inspect_reranker(tmp_path))
    model = onnx.load_model_from_string(built[0])
    assert [item.name for item in model.graph.output] == ["logits"]
    assert model.graph.output[0].type.tensor_type.shape.dim[1].dim_value == 2
    assert len({name for node in model.graph.node for name in node.output if name}) == sum(
        len([name for name in node.output if name]) for node in model.graph.node
    )
    assert SMALL["hidden_size"] in model.graph.initializer[0].dims
