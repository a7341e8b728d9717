"""The reader as an ONNX graph without weights: a BERT encoder in 8 bits with two heads.

Weights are int8 with a scale for each output channel, activations are quantised as they come: products are summed
exactly, so that a pair has the same bits on every processor (docs/decisions/0113). One pair a call: what is quantised
depends on all that flows through together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.models import protobuf
from pincite.models.bert_graph import CONTRIB

Tensors = dict[str, NDArray[Any]]
HEADS = 12
EPSILON = 1e-12
SCALE = "scale"
_LEVELS = 127
_DENSE = {"qkv": ("q", "k", "v"), "attended": ("o",), "inner": ("i",), "outer": ("out",)}
_NORMS = {"attended": "n1", "outer": "n2"}


def quantise(trained: Mapping[str, NDArray[Any]]) -> Tensors:
    """The tensors that the package carries, of those that training left (named as in tools/train_reader.py): matrices
    of the layers as (in, out) int8 with one float32 scale for each column, all else float32."""
    given = {name: tensor.astype(np.float32) for name, tensor in trained.items()}
    found: Tensors = {
        "positions": given["pe.weight"],
        "types": given["te.weight"],
        "gamma": given["n.weight"],
        "beta": given["n.bias"],
        "pooler": given["pool.weight"].T,
        "pooler_bias": given["pool.bias"],
        "relevance": given["cls.weight"].T,
        "relevance_bias": given["cls.bias"],
        "evidence": given["ev.weight"].T,
        "evidence_bias": given["ev.bias"],
    }
    for layer in range(layers_of(given)):
        prefix = f"layers.{layer}."
        for name, parts in _DENSE.items():
            matrix = np.concatenate([given[f"{prefix}{part}.weight"] for part in parts]).T
            scale = np.maximum(np.abs(matrix).max(axis=0) / _LEVELS, np.finfo(np.float32).tiny).astype(np.float32)
            found[f"{name}.{layer}"] = np.rint(matrix / scale).astype(np.int8)
            found[f"{name}_{SCALE}.{layer}"] = scale
            found[f"{name}_bias.{layer}"] = np.concatenate([given[f"{prefix}{part}.bias"] for part in parts])
        for name, norm in _NORMS.items():
            found[f"{name}_gamma.{layer}"] = given[f"{prefix}{norm}.weight"]
            found[f"{name}_beta.{layer}"] = given[f"{prefix}{norm}.bias"]
    return {name: np.ascontiguousarray(tensor) for name, tensor in found.items()}


def layers_of(tensors: Mapping[str, Any]) -> int:
    """How many layers the encoder has."""
    return len({name.split(".")[1] for name in tensors if name.startswith(("layers.", "qkv."))})


def build_reader(tensors: Mapping[str, NDArray[Any]]) -> bytes:
    """The serialised graph: inputs `input_ids`, `token_type_ids` (1, length) int32; outputs `relevance` (1, 1) and
    `evidence` (1, length, 1) float32. The tensors, and the embeddings `words`, are handed in by name."""
    layers = layers_of(tensors)
    embedding = ["input_ids", "token_type_ids", "words", "positions", "types", "gamma", "beta"]
    nodes = [_contrib("EmbedLayerNormalization", embedding, ["x.0", ""], epsilon=EPSILON)]
    for layer in range(layers):
        nodes += _layer(layer)
    last = f"x.{layers}"
    nodes += [
        protobuf.node("Constant", [], ["first"], value_int=0),
        protobuf.node("Gather", [last, "first"], ["start"], axis=1),
        protobuf.node("Gemm", ["start", "pooler", "pooler_bias"], ["dense"]),
        protobuf.node("Tanh", ["dense"], ["pooled"]),
        protobuf.node("Gemm", ["pooled", "relevance", "relevance_bias"], ["relevance_logit"]),
        protobuf.node("MatMul", [last, "evidence"], ["evidence_sum"]),
        protobuf.node("Add", ["evidence_sum", "evidence_bias"], ["evidence_logits"]),
    ]
    graph = protobuf.graph(
        "reader",
        nodes=nodes,
        inputs=[protobuf.value(name, protobuf.INT32, ("pair", "length")) for name in ("input_ids", "token_type_ids")],
        outputs=[
            protobuf.value("relevance_logit", protobuf.FLOAT, ("pair", 1)),
            protobuf.value("evidence_logits", protobuf.FLOAT, ("pair", "length", 1)),
        ],
        initialisers=[protobuf.external_tensor(name, array.shape, array.dtype) for name, array in tensors.items()],
    )
    return protobuf.model(graph, [("", 17), (CONTRIB, 1)])


def _layer(layer: int) -> list[bytes]:
    x, attended, inner = f"x.{layer}", f"c.{layer}", f"e.{layer}"
    states, scale, zero = f"states.{layer}", f"states_{SCALE}.{layer}", f"states_zero.{layer}"
    qkv = [states, f"qkv.{layer}", f"qkv_bias.{layer}", scale, f"qkv_{SCALE}.{layer}", "", zero]
    return [
        protobuf.node("DynamicQuantizeLinear", [x], [states, scale, zero]),
        _contrib("QAttention", qkv, [f"a.{layer}"], num_heads=HEADS),
        _dense("attended", layer, f"a.{layer}", f"b.{layer}"),
        _normalised("attended", layer, f"b.{layer}", x, attended),
        _dense("inner", layer, attended, f"d.{layer}"),
        _contrib("BiasGelu", [f"d.{layer}", f"inner_bias.{layer}"], [inner]),
        _dense("outer", layer, inner, f"f.{layer}"),
        _normalised("outer", layer, f"f.{layer}", attended, f"x.{layer + 1}"),
    ]


def _dense(name: str, layer: int, given: str, output: str) -> bytes:
    return _contrib("DynamicQuantizeMatMul", [given, f"{name}.{layer}", f"{name}_{SCALE}.{layer}"], [output])


def _normalised(name: str, layer: int, given: str, skip: str, output: str) -> bytes:
    """The sum of a block's output, its bias and what went into it, normalised."""
    inputs = [given, skip, f"{name}_gamma.{layer}", f"{name}_beta.{layer}", f"{name}_bias.{layer}"]
    return _contrib("SkipLayerNormalization", inputs, [output], epsilon=EPSILON)


def _contrib(operator: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: float) -> bytes:
    return protobuf.node(operator, inputs, outputs, domain=CONTRIB, **attributes)
