"""Cross-encoders of BERT and ModernBERT with random weights, small enough to be made by the tests that use them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from tests.support.small_models import write_pair_tokenizer

WORDS = (
    "How",
    "deep",
    "must",
    "the",
    "foundation",
    "be?",
    "The",
    "be",
    "at",
    "least",
    "m",
    "sea",
    "is",
    "snow",
    "roof",
)
SMALL = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_attention_heads": 4,
    "num_hidden_layers": 4,
    "max_position_embeddings": 512,
}
"""Of every kind of part more than one, so that none can be taken for another."""


def write_bert(folder: Path, *, labels: int = 1, seed: int = 0, **more: Any) -> dict[str, Any]:
    """A BERT cross-encoder with random weights, `more` in its config; its config."""
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "layer_norm_eps": 1e-12,
        "type_vocab_size": 2,
        **SMALL,
        **more,
    }
    drawn = _Drawn(seed)
    width, inner = config["hidden_size"], config["intermediate_size"]
    for name, rows in (("word", len(WORDS) + 3), ("position", config["max_position_embeddings"]), ("token_type", 2)):
        drawn.dense(f"bert.embeddings.{name}_embeddings", rows, width, bias=False)
    drawn.norm("bert.embeddings.LayerNorm", width, bias=True)
    for i in range(config["num_hidden_layers"]):
        layer = f"bert.encoder.layer.{i}"
        for name in ("query", "key", "value"):
            drawn.dense(f"{layer}.attention.self.{name}", width, width, bias=True)
        drawn.dense(f"{layer}.attention.output.dense", width, width, bias=True)
        drawn.norm(f"{layer}.attention.output.LayerNorm", width, bias=True)
        drawn.dense(f"{layer}.intermediate.dense", inner, width, bias=True)
        drawn.dense(f"{layer}.output.dense", width, inner, bias=True)
        drawn.norm(f"{layer}.output.LayerNorm", width, bias=True)
    drawn.dense("bert.pooler.dense", width, width, bias=True)
    drawn.dense("classifier", labels, width, bias=True)
    return drawn.saved(folder, config)


def write_modernbert(folder: Path, *, labels: int = 1, seed: int = 0, **more: Any) -> dict[str, Any]:
    """A ModernBERT cross-encoder with random weights, `more` in its config; its config. Its window is so short that
    texts of a few words are longer."""
    config = {
        "model_type": "modernbert",
        "hidden_activation": "gelu",
        "classifier_activation": "gelu",
        "classifier_pooling": "mean",
        "norm_eps": 1e-5,
        "global_attn_every_n_layers": 3,
        "local_attention": 8,
        "global_rope_theta": 160000.0,
        "local_rope_theta": 10000.0,
        **dict.fromkeys(("norm_bias", "attention_bias", "mlp_bias", "classifier_bias"), False),
        **SMALL,
        **more,
    }
    drawn = _Drawn(seed)
    width, inner, norm_bias = config["hidden_size"], config["intermediate_size"], config["norm_bias"]
    drawn.dense("model.embeddings.tok_embeddings", len(WORDS) + 3, width, bias=False)
    drawn.norm("model.embeddings.norm", width, bias=norm_bias)
    for i in range(config["num_hidden_layers"]):
        layer = f"model.layers.{i}"
        if i:
            drawn.norm(f"{layer}.attn_norm", width, bias=norm_bias)
        drawn.dense(f"{layer}.attn.Wqkv", 3 * width, width, bias=config["attention_bias"])
        drawn.dense(f"{layer}.attn.Wo", width, width, bias=config["attention_bias"])
        drawn.norm(f"{layer}.mlp_norm", width, bias=norm_bias)
        drawn.dense(f"{layer}.mlp.Wi", 2 * inner, width, bias=config["mlp_bias"])
        drawn.dense(f"{layer}.mlp.Wo", width, inner, bias=config["mlp_bias"])
    drawn.norm("model.final_norm", width, bias=norm_bias)
    drawn.dense("head.dense", width, width, bias=config["classifier_bias"])
    drawn.norm("head.norm", width, bias=norm_bias)
    drawn.dense("classifier", labels, width, bias=True)
    return drawn.saved(folder, config)


class _Drawn:
    """Random tensors of a checkpoint, large enough that every part of a model tells in what comes out."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._tensors: dict[str, Any] = {}

    def dense(self, name: str, rows: int, columns: int, *, bias: bool) -> None:
        self._tensors[f"{name}.weight"] = self._normal(rows, columns) * np.float32(1.5 / columns**0.5)
        if bias:
            self._tensors[f"{name}.bias"] = self._normal(rows) / 4

    def norm(self, name: str, width: int, *, bias: bool) -> None:
        self._tensors[f"{name}.weight"] = 1 + self._normal(width) / 4
        if bias:
            self._tensors[f"{name}.bias"] = self._normal(width) / 4

    def saved(self, folder: Path, config: dict[str, Any]) -> dict[str, Any]:
        from safetensors.numpy import save_file

        write_pair_tokenizer(folder, WORDS)
        save_file(self._tensors, folder / "model.safetensors")
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        return config

    def _normal(self, *shape: int) -> Any:
        return self._random.standard_normal(shape, dtype=np.float32)
