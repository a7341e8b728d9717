"""BERT and ModernBERT cross-encoders in plain NumPy, float64, head by head: written from the papers and the names of
the checkpoints, with nothing of the graphs that they are held against."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Tensors = Mapping[str, NDArray[Any]]


def bert_logits(tensors: Tensors, config: Mapping[str, Any], ids: Sequence[int], types: Sequence[int]) -> Array:
    """Devlin et al. 2019 with a pooler and a classifier upon it: (labels,) of one pair."""
    get, epsilon = Doubles(tensors), config["layer_norm_eps"]
    x = get("bert.embeddings.word_embeddings.weight")[list(ids)]
    x = x + get("bert.embeddings.position_embeddings.weight")[: len(ids)]
    x = x + get("bert.embeddings.token_type_embeddings.weight")[list(types)]
    x = _norm(x, get, "bert.embeddings.LayerNorm", epsilon)
    for i in range(config["num_hidden_layers"]):
        layer = f"bert.encoder.layer.{i}"
        q, k, v = (_dense(x, get, f"{layer}.attention.self.{name}") for name in ("query", "key", "value"))
        attended = _attend(q, k, v, config["num_attention_heads"], reach=len(ids))
        x = _norm(
            x + _dense(attended, get, f"{layer}.attention.output.dense"),
            get,
            f"{layer}.attention.output.LayerNorm",
            epsilon,
        )
        inner = _gelu(_dense(x, get, f"{layer}.intermediate.dense"))
        x = _norm(x + _dense(inner, get, f"{layer}.output.dense"), get, f"{layer}.output.LayerNorm", epsilon)
    return _dense(np.tanh(_dense(x[0], get, "bert.pooler.dense")), get, "classifier")


def modernbert_logits(tensors: Tensors, config: Mapping[str, Any], ids: Sequence[int]) -> Array:
    """Warner et al. 2024 with its prediction head and a classifier upon it: (labels,) of one pair."""
    get, epsilon, heads = Doubles(tensors), config["norm_eps"], config["num_attention_heads"]
    x = _norm(get("model.embeddings.tok_embeddings.weight")[list(ids)], get, "model.embeddings.norm", epsilon)
    for i in range(config["num_hidden_layers"]):
        layer, is_full = f"model.layers.{i}", i % config["global_attn_every_n_layers"] == 0
        theta = config["global_rope_theta"] if is_full else config["local_rope_theta"]
        normed = _norm(x, get, f"{layer}.attn_norm", epsilon) if i else x
        q, k, v = np.split(_dense(normed, get, f"{layer}.attn.Wqkv"), 3, axis=1)
        q, k = _turned(q, heads, theta), _turned(k, heads, theta)
        attended = _attend(q, k, v, heads, reach=len(ids) if is_full else config["local_attention"] // 2)
        x = x + _dense(attended, get, f"{layer}.attn.Wo")
        given, gate = np.split(_dense(_norm(x, get, f"{layer}.mlp_norm", epsilon), get, f"{layer}.mlp.Wi"), 2, axis=1)
        x = x + _dense(_gelu(given) * gate, get, f"{layer}.mlp.Wo")
    x = _norm(x, get, "model.final_norm", epsilon)
    pooled = x[0] if config["classifier_pooling"] == "cls" else x.mean(axis=0)
    return _dense(_norm(_gelu(_dense(pooled, get, "head.dense")), get, "head.norm", epsilon), get, "classifier")


class Doubles:
    """The tensors by name, in float64; None for what is not there."""

    def __init__(self, tensors: Tensors) -> None:
        self._tensors = tensors

    def __call__(self, name: str) -> Any:
        return self._tensors[name].astype(np.float64) if name in self._tensors else None


def _dense(x: Array, get: Doubles, name: str) -> Array:
    bias = get(f"{name}.bias")
    product: Array = x @ get(f"{name}.weight").T
    return product if bias is None else product + bias


def _norm(x: Array, get: Doubles, name: str, epsilon: float) -> Array:
    bias = get(f"{name}.bias")
    apart = x - x.mean(axis=-1, keepdims=True)
    scaled: Array = apart / np.sqrt((apart**2).mean(axis=-1, keepdims=True) + epsilon) * get(f"{name}.weight")
    return scaled if bias is None else scaled + bias


def _gelu(x: Array) -> Array:
    return x * 0.5 * (1 + np.vectorize(math.erf)(x / math.sqrt(2)))


def _attend(q: Array, k: Array, v: Array, heads: int, *, reach: int) -> Array:
    """Each token attends to those that are at most `reach` away."""
    places = np.arange(len(q))
    is_far = np.abs(places[:, None] - places) > reach
    out = []
    for q_part, k_part, v_part in zip(*(np.split(x, heads, axis=1) for x in (q, k, v)), strict=True):
        scores = q_part @ k_part.T / math.sqrt(q_part.shape[1])
        scores[is_far] = -np.inf
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        out.append(shares @ v_part / shares.sum(axis=1, keepdims=True))
    return np.concatenate(out, axis=1)


def _turned(x: Array, heads: int, theta: float) -> Array:
    """Su et al. 2021, component c of a head turned together with component c + width / 2."""
    out = []
    for part in np.split(x, heads, axis=1):
        width = part.shape[1]
        first, second = part[:, : width // 2], part[:, width // 2 :]
        angles = np.array([[place / theta ** (2 * c / width) for c in range(width // 2)] for place in range(len(x))])
        out += [first * np.cos(angles) - second * np.sin(angles), second * np.cos(angles) + first * np.sin(angles)]
    return np.concatenate(out, axis=1)
