"""A ModernBERT cross-encoder (Warner et al. 2024) as an ONNX graph without weights, which onnxruntime gets from the
mapped file: rotary positions, full and local attention in turn, gated linear units, norms before layers, biases where
the config has them. Weights are laid out as in `transformers.ModernBertForSequenceClassification`. A pair is read
alone: the graph knows neither batches nor padding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.errors import ServiceError
from pincite.models import protobuf
from pincite.models.bert_graph import CONTRIB
from pincite.models.checkpoint import Checkpoint, Weights

FULL, SLIDING = "full_attention", "sliding_attention"
"""The kinds of layers, as a config names them: each token attends to all, or to those within half of the window."""

_READ: Mapping[str, tuple[Any, ...]] = {
    "hidden_activation": ("gelu",),
    "classifier_activation": ("gelu",),
    "classifier_pooling": ("cls", "mean"),
    "rope_scaling": (None,),
}
"""What a config may say of what has variants; the first is what it means where it says nothing."""
_FULL_THETA, _SLIDING_THETA, _FULL_EVERY, _LOCAL = 160_000.0, 10_000.0, 3, 128
"""What a config means that does not name its bases of rotation, its order of layers and its window: those of the
paper, and of transformers."""
_LOWEST = float(np.finfo(np.float32).min)
"""Added to what a token is not to attend to; its softmax is 0."""


@dataclass(frozen=True, slots=True)
class ModernBertShape:
    """What `config.json` says that the graph needs. `kinds` has the kind of each layer, `thetas` the base of rotation
    of each kind; `reach` is how many tokens to either side a sliding layer attends to."""

    kinds: tuple[str, ...]
    thetas: Mapping[str, float]
    heads: int
    reach: int
    positions: int
    epsilon: float
    pooling: str
    norm_bias: bool
    attention_bias: bool
    mlp_bias: bool
    classifier_bias: bool

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> ModernBertShape:
        """Read it; raise ServiceError for what the graph cannot do."""
        for name, known in _READ.items():
            if config.get(name, known[0]) not in known:
                readable = " or ".join(str(value) for value in known)
                raise ServiceError(
                    f"the ModernBERT has the {name} {config[name]!r}, and only {readable} is read: give a directory "
                    "with a model.onnx instead"
                )
        return cls(
            kinds=_kinds(config),
            thetas=_thetas(config),
            heads=int(config["num_attention_heads"]),
            reach=int(config.get("local_attention", _LOCAL)) // 2,
            positions=int(config["max_position_embeddings"]),
            epsilon=float(config.get("norm_eps", 1e-5)),
            pooling=config.get("classifier_pooling", "cls"),
            norm_bias=bool(config.get("norm_bias")),
            attention_bias=bool(config.get("attention_bias")),
            mlp_bias=bool(config.get("mlp_bias")),
            classifier_bias=bool(config.get("classifier_bias")),
        )


def arrange_weights(tensors: Mapping[str, NDArray[np.float32]], shape: ModernBertShape) -> Weights:
    """Name and transpose the checkpoint's tensors as the graph wants them, and add the tables of rotation."""
    get = Checkpoint(tensors, prefix="model.", kind="ModernBERT cross-encoder")
    weights: Weights = {"words": get("embeddings.tok_embeddings.weight")}

    def norm(ours: str, theirs: str) -> None:
        weights[ours] = get(f"{theirs}.weight")
        if shape.norm_bias:
            weights[f"{ours}_bias"] = get(f"{theirs}.bias")

    def dense(ours: str, theirs: str, *, bias: bool) -> None:
        weights[ours] = get.turned(f"{theirs}.weight")
        if bias:
            weights[f"{ours}_bias"] = get(f"{theirs}.bias")

    norm("embedded", "embeddings.norm")
    for i in range(len(shape.kinds)):
        if i:
            norm(f"before_attention.{i}", f"layers.{i}.attn_norm")
        dense(f"qkv.{i}", f"layers.{i}.attn.Wqkv", bias=shape.attention_bias)
        dense(f"attended.{i}", f"layers.{i}.attn.Wo", bias=shape.attention_bias)
        norm(f"before_unit.{i}", f"layers.{i}.mlp_norm")
        dense(f"inner.{i}", f"layers.{i}.mlp.Wi", bias=shape.mlp_bias)
        dense(f"outer.{i}", f"layers.{i}.mlp.Wo", bias=shape.mlp_bias)
    norm("final", "final_norm")
    dense("head", "head.dense", bias=shape.classifier_bias)
    norm("head_norm", "head.norm")
    dense("classifier", "classifier", bias=True)
    width, rest = divmod(weights["words"].shape[1], shape.heads)
    if rest or width % 2:
        raise ServiceError(f"{shape.heads} heads do not share the {weights['words'].shape[1]} components of the model")
    for kind in sorted(set(shape.kinds)):
        weights[f"cos.{kind}"], weights[f"sin.{kind}"] = _rotation(shape.thetas[kind], shape.positions, width)
    return weights


def build_cross_encoder(shape: ModernBertShape, weights: Weights) -> bytes:
    """The serialised cross-encoder: input `input_ids` (1, length) int32, output `logits` (1, labels) float32. The
    initialisers are declared external and must be handed in by name."""
    nodes = _Nodes(shape, weights)
    graph = protobuf.graph(
        "modernbert cross-encoder",
        nodes=nodes.all(),
        inputs=[protobuf.value("input_ids", protobuf.INT32, [1, "length"])],
        outputs=[protobuf.value("logits", protobuf.FLOAT, [1, weights["classifier_bias"].shape[0]])],
        initialisers=[protobuf.external_tensor(name, array.shape) for name, array in weights.items()],
    )
    return protobuf.model(graph, [("", 18), (CONTRIB, 1)])


class _Nodes:
    """Writes the nodes one after the other. A method adds what makes the tensor `to`."""

    def __init__(self, shape: ModernBertShape, weights: Weights) -> None:
        self._shape = shape
        self._weights = weights
        self._made: list[bytes] = []

    def all(self) -> list[bytes]:
        """The nodes of the whole model."""
        self._add("Gather", ["words", "input_ids"], "looked_up")
        self._norm("looked_up", "embedded", "x.0")
        self._constants()
        for i, kind in enumerate(self._shape.kinds):
            self._layer(i, kind)
        self._norm(f"x.{len(self._shape.kinds)}", "final", "hidden")
        if self._shape.pooling == "cls":
            self._add("Gather", ["hidden", "zero"], "pooled", axis=1)
        else:
            self._add("ReduceMean", ["hidden", "second_axis"], "pooled", keepdims=0)
        self._dense("pooled", "head", "head_dense")
        self._contrib("Gelu", ["head_dense"], "head_active")
        self._norm("head_active", "head_norm", "head_out")
        self._dense("head_out", "classifier", "logits")
        return self._made

    def _constants(self) -> None:
        """Numbers that nodes take as tensors, and what keeps a sliding layer from attending to tokens far apart."""
        self._add("Constant", [], "zero", value_int=0)
        self._add("Constant", [], "one", value_int=1)
        self._add("Constant", [], "start", value_ints=[0])
        self._add("Constant", [], "second_axis", value_ints=[1])
        self._add("Constant", [], "first_axes", value_ints=[0, 1])
        self._add("Constant", [], "reach", value_int=self._shape.reach)
        self._add("Constant", [], "near", value_float=0.0)
        self._add("Constant", [], "far", value_float=_LOWEST)
        self._add("Shape", ["input_ids"], "lengths", start=1)
        self._add("Squeeze", ["lengths"], "length")
        self._add("Range", ["zero", "length", "one"], "row")
        self._add("Unsqueeze", ["row", "second_axis"], "column")
        self._add("Sub", ["row", "column"], "between")
        self._add("Abs", ["between"], "distance")
        self._add("Greater", ["distance", "reach"], "is_far")
        self._add("Where", ["is_far", "far", "near"], "added")
        self._add("Unsqueeze", ["added", "first_axes"], SLIDING)

    def _layer(self, i: int, kind: str) -> None:
        """From `x.{i}` to `x.{i + 1}`. The first layer has no norm before its attention: the embedding has its own."""
        if i:
            self._norm(f"x.{i}", f"before_attention.{i}", f"a.{i}")
        self._dense(f"a.{i}" if i else "x.0", f"qkv.{i}", f"b.{i}")
        self._split(f"b.{i}", [f"q.{i}", f"k.{i}", f"v.{i}"])
        for name in (f"q.{i}", f"k.{i}"):
            self._contrib("RotaryEmbedding", [name, "start", f"cos.{kind}", f"sin.{kind}"], f"{name}.turned")
        attention = [f"q.{i}.turned", f"k.{i}.turned", f"v.{i}", "", "", SLIDING if kind == SLIDING else ""]
        self._contrib("MultiHeadAttention", attention, f"c.{i}", num_heads=self._shape.heads)
        self._dense(f"c.{i}", f"attended.{i}", f"d.{i}")
        self._add("Add", [f"x.{i}", f"d.{i}"], f"e.{i}")
        self._norm(f"e.{i}", f"before_unit.{i}", f"f.{i}")
        self._dense(f"f.{i}", f"inner.{i}", f"g.{i}")
        self._split(f"g.{i}", [f"given.{i}", f"gate.{i}"])
        self._contrib("Gelu", [f"given.{i}"], f"active.{i}")
        self._add("Mul", [f"active.{i}", f"gate.{i}"], f"h.{i}")
        self._dense(f"h.{i}", f"outer.{i}", f"j.{i}")
        self._add("Add", [f"e.{i}", f"j.{i}"], f"x.{i + 1}")

    def _norm(self, tensor: str, name: str, to: str) -> None:
        self._add("LayerNormalization", [tensor, name, *self._bias(name)], to, epsilon=self._shape.epsilon)

    def _dense(self, tensor: str, name: str, to: str) -> None:
        bias = self._bias(name)
        self._add("MatMul", [tensor, name], f"{to}.product" if bias else to)
        if bias:
            self._add("Add", [f"{to}.product", *bias], to)

    def _bias(self, name: str) -> list[str]:
        return [f"{name}_bias"] if f"{name}_bias" in self._weights else []

    def _split(self, tensor: str, parts: list[str]) -> None:
        self._made.append(protobuf.node("Split", [tensor], parts, axis=2, num_outputs=len(parts)))

    def _contrib(self, operator: str, inputs: list[str], to: str, **attributes: float) -> None:
        self._add(operator, inputs, to, domain=CONTRIB, **attributes)

    def _add(
        self, operator: str, inputs: list[str], to: str, *, domain: str = "", **attributes: float | list[int]
    ) -> None:
        self._made.append(protobuf.node(operator, inputs, [to], domain=domain, **attributes))


def _kinds(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The kind of each layer: named one by one, or every so many a full one, the first among them."""
    layers, every = int(config["num_hidden_layers"]), int(config.get("global_attn_every_n_layers", _FULL_EVERY))
    named = config.get("layer_types")
    kinds = tuple(named) if named else tuple(SLIDING if i % every else FULL for i in range(layers))
    if len(kinds) != layers or not {*kinds} <= {FULL, SLIDING}:
        raise ServiceError(
            f"the ModernBERT has {layers} layers of the kinds {', '.join(sorted({*kinds}))}, and one of {FULL} or "
            f"{SLIDING} is read for each: give a directory with a model.onnx instead"
        )
    return kinds


def _thetas(config: Mapping[str, Any]) -> dict[str, float]:
    """The base of rotation of each kind of layer, by the names that configs have had for them."""
    named = config.get("rope_parameters") or {}
    types = {named[kind].get("rope_type", "default") for kind in named}
    if types - {"default"}:
        raise ServiceError(
            f"the ModernBERT turns by {', '.join(sorted(types))}, and only default is read: give a directory with a "
            "model.onnx instead"
        )
    full = named.get(FULL, {}).get("rope_theta") or config.get("global_rope_theta") or _FULL_THETA
    sliding = named.get(SLIDING, {}).get("rope_theta") or config.get("local_rope_theta", _SLIDING_THETA) or full
    return {FULL: float(full), SLIDING: float(sliding)}


def _rotation(theta: float, positions: int, width: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Cosines and sines (positions, width / 2) of the angles by which the components of a head are turned."""
    speeds = theta ** (-np.arange(0, width, 2) / width)
    angles = np.arange(positions)[:, None] * speeds
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)
