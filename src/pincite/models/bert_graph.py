"""A BERT encoder, and a cross-encoder upon it, as ONNX graphs without weights: onnxruntime is handed these apart.

The fused operators (EmbedLayerNormalization, Attention, SkipLayerNormalization, BiasGelu) are onnxruntime's
contrib operators; the layout of the weights is that of `transformers.BertModel` (Devlin et al. 2019).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ServiceError
from pincite.models import protobuf
from pincite.models.checkpoint import Checkpoint, Weights

CONTRIB = "com.microsoft"


@dataclass(frozen=True, slots=True)
class BertShape:
    """The numbers of `config.json` that the graph needs."""

    layers: int
    heads: int
    epsilon: float

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> BertShape:
        """Read them; raise ServiceError for an architecture that is not BERT's."""
        if config.get("model_type") != "bert" or config.get("hidden_act", "gelu") != "gelu":
            raise ServiceError(
                f"the model type {config.get('model_type')!r} with activation {config.get('hidden_act')!r} is not a "
                "BERT encoder with gelu: give a directory with a model.onnx instead"
            )
        return cls(
            layers=int(config["num_hidden_layers"]),
            heads=int(config["num_attention_heads"]),
            epsilon=float(config.get("layer_norm_eps", 1e-12)),
        )


def arrange_weights(tensors: Mapping[str, NDArray[np.float32]], shape: BertShape) -> Weights:
    """Name and transpose the checkpoint's tensors as the graph wants them; query, key and value are fused."""
    get = _checkpoint(tensors)
    weights: Weights = {
        "words": get("embeddings.word_embeddings.weight"),
        "positions": get("embeddings.position_embeddings.weight"),
        "types": get("embeddings.token_type_embeddings.weight"),
        "gamma": get("embeddings.LayerNorm.weight"),
        "beta": get("embeddings.LayerNorm.bias"),
    }
    for layer in range(shape.layers):
        prefix = f"encoder.layer.{layer}."
        parts = [prefix + f"attention.self.{name}." for name in ("query", "key", "value")]
        weights[f"qkv.{layer}"] = np.ascontiguousarray(np.concatenate([get(part + "weight") for part in parts]).T)
        weights[f"qkv_bias.{layer}"] = np.concatenate([get(part + "bias") for part in parts])
        for ours, theirs in _DENSE.items():
            weights[f"{ours}.{layer}"] = get.turned(f"{prefix}{theirs}.dense.weight")
            weights[f"{ours}_bias.{layer}"] = get(f"{prefix}{theirs}.dense.bias")
        for ours, theirs in _NORMS.items():
            weights[f"{ours}_gamma.{layer}"] = get(f"{prefix}{theirs}.LayerNorm.weight")
            weights[f"{ours}_beta.{layer}"] = get(f"{prefix}{theirs}.LayerNorm.bias")
    return weights


def arrange_head(tensors: Mapping[str, NDArray[np.float32]]) -> Weights:
    """What a cross-encoder has beside its encoder: the pooler and the classifier."""
    get = _checkpoint(tensors)
    return {
        "pooler": get.turned("pooler.dense.weight"),
        "pooler_bias": get("pooler.dense.bias"),
        "classifier": get.turned("classifier.weight"),
        "classifier_bias": get("classifier.bias"),
    }


def build_graph(shape: BertShape, weights: Weights) -> bytes:
    """The serialised encoder: inputs `input_ids`, `attention_mask` (batch, length) int32, output `hidden`
    (batch, length, width) float32. The initialisers are declared external and must be handed in by name."""
    nodes = [protobuf.node("Sub", ["input_ids", "input_ids"], ["zeros"]), *_nodes(shape, "zeros")]
    output = protobuf.value("hidden", protobuf.FLOAT, [*_WHOLE, weights["gamma"].shape[0]])
    return _model("bert", nodes, _INPUTS, output, weights)


def build_cross_encoder(shape: BertShape, weights: Weights) -> bytes:
    """The serialised cross-encoder: inputs `input_ids`, `attention_mask`, `token_type_ids` (batch, length) int32,
    output `logits` (batch, labels) float32, of encoder and head (`transformers.BertForSequenceClassification`)."""
    nodes = [
        *_nodes(shape, "token_type_ids"),
        protobuf.node("Constant", [], ["first"], value_int=0),
        protobuf.node("Gather", ["hidden", "first"], ["start"], axis=1),
        protobuf.node("Gemm", ["start", "pooler", "pooler_bias"], ["dense"]),
        protobuf.node("Tanh", ["dense"], ["pooled"]),
        protobuf.node("Gemm", ["pooled", "classifier", "classifier_bias"], ["logits"]),
    ]
    output = protobuf.value("logits", protobuf.FLOAT, ["batch", weights["classifier_bias"].shape[0]])
    return _model("bert cross-encoder", nodes, (*_INPUTS, "token_type_ids"), output, weights)


_INPUTS = ("input_ids", "attention_mask")
_WHOLE = ("batch", "length")
_DENSE = {"attended": "attention.output", "inner": "intermediate", "outer": "output"}
_NORMS = {"attended": "attention.output", "outer": "output"}


def _checkpoint(tensors: Mapping[str, NDArray[np.float32]]) -> Checkpoint:
    return Checkpoint(tensors, prefix="bert.", kind="BERT encoder")


def _model(name: str, nodes: Sequence[bytes], inputs: Sequence[str], output: bytes, weights: Weights) -> bytes:
    graph = protobuf.graph(
        name,
        nodes=nodes,
        inputs=[protobuf.value(item, protobuf.INT32, _WHOLE) for item in inputs],
        outputs=[output],
        initialisers=[protobuf.external_tensor(item, array.shape) for item, array in weights.items()],
    )
    return protobuf.model(graph, [("", 17), (CONTRIB, 1)])


def _nodes(shape: BertShape, types: str) -> list[bytes]:
    embedding = ["input_ids", types, "words", "positions", "types", "gamma", "beta"]
    nodes = [contrib("EmbedLayerNormalization", embedding, ["x.0", ""], epsilon=shape.epsilon)]
    for i in range(shape.layers):
        nodes += _layer(shape, i, "hidden" if i == shape.layers - 1 else f"x.{i + 1}")
    return nodes


def _layer(shape: BertShape, i: int, output: str) -> list[bytes]:
    attention = [f"x.{i}", f"qkv.{i}", f"qkv_bias.{i}", "attention_mask"]
    return [
        contrib("Attention", attention, [f"a.{i}"], num_heads=shape.heads),
        protobuf.node("MatMul", [f"a.{i}", f"attended.{i}"], [f"b.{i}"]),
        contrib("SkipLayerNormalization", _norm(f"b.{i}", f"x.{i}", "attended", i), [f"c.{i}"], epsilon=shape.epsilon),
        protobuf.node("MatMul", [f"c.{i}", f"inner.{i}"], [f"d.{i}"]),
        contrib("BiasGelu", [f"d.{i}", f"inner_bias.{i}"], [f"e.{i}"]),
        protobuf.node("MatMul", [f"e.{i}", f"outer.{i}"], [f"f.{i}"]),
        contrib("SkipLayerNormalization", _norm(f"f.{i}", f"c.{i}", "outer", i), [output], epsilon=shape.epsilon),
    ]


def contrib(operator: str, inputs: Sequence[str], outputs: Sequence[str], **attributes: float) -> bytes:
    """A node of an operator that is not in the standard, but in onnxruntime."""
    return protobuf.node(operator, inputs, outputs, domain=CONTRIB, **attributes)


def _norm(tensor: str, skip: str, name: str, layer: int) -> list[str]:
    return [tensor, skip, f"{name}_gamma.{layer}", f"{name}_beta.{layer}", f"{name}_bias.{layer}"]
