"""A local sentence encoder (bge-small-en-v1.5, all-MiniLM-L6-v2, or any in their layout), run by onnxruntime on CPU."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.deadline import Deadline
from pincite.models.bert_graph import BertShape, arrange_weights, build_graph
from pincite.models.checkpoint import load_tensors
from pincite.models.sessions import load_tokenizer, open_graph, open_session
from pincite.models.weights import EncoderFiles, PackagedEncoder, inspect_encoder
from pincite.ports import Vector
from pincite.threads import Lazy

BATCH_TOKENS = 2048
WINDOW_OVERLAP = 32

TokenIds = list[int]


class OnnxEncoder:
    """Embeds texts in windows of the model's length. A window shares a batch only with windows of its own length, where
    the model takes batches at all: without padding, its vector has the same bits in any batch and with any number of
    threads (docs/decisions/0108, 0109). The model opens when first asked. Deadlines are checked between batches."""

    def __init__(
        self,
        folder: Path,
        *,
        threads: int = 0,
        expected_sha256: str | None = None,
        name: str = "",
        pooling: str | None = None,
        question_prefix: str = "",
        seven_bits: bool = False,
    ) -> None:
        files = inspect_encoder(
            folder, expected_sha256=expected_sha256, pooling=pooling, question_prefix=question_prefix
        )
        self.name = name or str(files.config.get("_name_or_path") or folder.name)
        self.digest = files.digest
        self._question_prefix = question_prefix
        self._batch_tokens = 0 if files.one_by_one else BATCH_TOKENS
        self.dimension = int(files.config["hidden_size"])
        self._pooling = files.pooling
        self._window = files.window
        self._tokenizer = tokenizer = Lazy(lambda: load_tokenizer(folder))
        self._frame = Lazy(lambda: _frame_of(tokenizer()))
        self._model = Lazy(lambda: _open_session(files, threads, seven_bits=seven_bits))

    @classmethod
    def of_package(cls, known: PackagedEncoder, folder: Path, *, threads: int = 0) -> OnnxEncoder:
        """An encoder whose package is installed in `folder`; ServiceError where its weights are damaged."""
        return cls(
            folder,
            threads=threads,
            expected_sha256=known.sha256,
            name=known.name,
            pooling=known.pooling,
            question_prefix=known.question_prefix,
            seven_bits=known.seven_bits,
        )

    def embed(self, texts: Sequence[str], *, deadline: Deadline = Deadline.never()) -> list[Vector]:
        """One array (windows, dimension) for each text; rows have length 1."""
        deadline.check(self.name)
        encoded = self._tokenizer().encode_batch(list(texts), add_special_tokens=False)
        windows = [self._windows(item.ids) for item in encoded]
        flat = [window for text_windows in windows for window in text_windows]
        vectors = self._embed_windows(flat, deadline)
        ends = np.cumsum([len(text_windows) for text_windows in windows])
        return [vectors[end - len(part) : end] for end, part in zip(ends, windows, strict=True)]

    def embed_query(self, text: str, *, deadline: Deadline = Deadline.never()) -> Vector:
        """One vector (dimension,): the normalised mean over the question's windows."""
        mean = self.embed([self._question_prefix + text], deadline=deadline)[0].mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), dtype=np.float32)

    def _windows(self, ids: TokenIds) -> list[TokenIds]:
        """Windows of even length that overlap by 32 tokens; one (perhaps empty) for a text that fits."""
        room = self._window - 2
        first, last = self._frame()
        count = 1 if len(ids) <= room else -(-(len(ids) - WINDOW_OVERLAP) // (room - WINDOW_OVERLAP))
        step = -(-(len(ids) - WINDOW_OVERLAP) // count) if count > 1 else 0
        starts = [index * step for index in range(count)]
        length = step + WINDOW_OVERLAP if count > 1 else len(ids)
        return [[first, *ids[start : start + length], last] for start in starts]

    def _embed_windows(self, windows: list[TokenIds], deadline: Deadline) -> Vector:
        vectors = np.empty((len(windows), self.dimension), dtype=np.float32)
        for members in _batches(windows, self._batch_tokens):
            deadline.check(self.name)
            vectors[members] = self._run(np.array([windows[member] for member in members], dtype=np.int32))
        return vectors

    def _run(self, ids: NDArray[np.int32]) -> Vector:
        session, _ = self._model()
        return _pool(session.run(None, _feed(session, ids))[0], self._pooling)


def _frame_of(tokenizer: Any) -> tuple[int, int]:
    """The special tokens before and after a text, as the tokenizer's own post-processor sets them."""
    ids = tokenizer.encode("a", add_special_tokens=True).ids
    return ids[0], ids[-1]


def _feed(session: Any, ids: NDArray[np.int32]) -> dict[str, NDArray[Any]]:
    """The inputs that a model names, in the type that it wants."""
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    types = {item.name: np.int64 if "int64" in item.type else np.int32 for item in session.get_inputs()}
    return {name: feed[name].astype(kind, copy=False) for name, kind in types.items()}


def _batches(windows: list[TokenIds], batch_tokens: int) -> Iterator[list[int]]:
    """Windows of one length by their places, at most so many tokens a batch, or one window."""
    of_length: dict[int, list[int]] = defaultdict(list)
    for index, window in enumerate(windows):
        of_length[len(window)].append(index)
    for length, members in sorted(of_length.items()):
        size = max(1, batch_tokens // length)
        for start in range(0, len(members), size):
            yield members[start : start + size]


def _pool(hidden: NDArray[np.float32], pooling: str) -> Vector:
    """One vector (batch, width) of length 1 for each window of `hidden` (batch, length, width)."""
    pooled = hidden[:, 0] if pooling == "cls" else hidden.sum(axis=1) / np.float32(hidden.shape[1])
    norms = np.sqrt(np.square(pooled).sum(axis=1, keepdims=True))
    return np.asarray(pooled / np.maximum(norms, 1e-12), dtype=np.float32)


def _open_session(files: EncoderFiles, threads: int, *, seven_bits: bool) -> tuple[Any, list[Any]]:
    """The session, and the weights that it reads in place: they must live as long as it does."""
    if files.weights.suffix == ".onnx":
        return open_session(files.weights, threads, seven_bits=seven_bits), []
    shape = BertShape.from_config(files.config)
    weights = arrange_weights(load_tensors(files.weights), shape)
    return open_graph(build_graph(shape, weights), weights, threads, files.weights)
