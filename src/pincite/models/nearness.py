"""How near texts are to a question in meaning, by their words alone: each word piece has a vector, and a text is their
sum. `tools/train_word_vectors.py` trains the vectors."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.models.checkpoint import load_tensors
from pincite.models.weights import check_sha256

WORDS, WORDS_ABOUT = "weights/words.safetensors", "models/words.json"
"""Inside the package; the second holds the SHA-256 of the first."""
UNKNOWN = "[UNK]"
KEPT_TEXTS = 16384
"""Texts whose vectors are kept: questions meet the same ones again and again."""

Vector = NDArray[np.float32]


def nearness(question: str, texts: Sequence[str]) -> NDArray[np.float64]:
    """The cosine of the question and each text, -1 to 1; 0 where one has no words."""
    asked = _vector(question)
    vectors = np.array([_vector(text) for text in texts], np.float32).reshape(len(texts), len(asked))
    return np.asarray(np.round((vectors * asked).sum(axis=1, dtype=np.float64), 4))


@lru_cache(maxsize=1)
def english_words() -> frozenset[str]:
    """The words that are pieces by themselves, in lower case: some 20,000 common ones."""
    return frozenset(piece for piece in _shipped()[0].get_vocab() if piece.isascii() and piece.isalpha())


@lru_cache(maxsize=KEPT_TEXTS)
def _vector(text: str) -> Vector:
    """A vector of length 1; all zeros for a text without words."""
    tokenizer, vectors = _shipped()
    summed = vectors[tokenizer.encode(text, add_special_tokens=False).ids].sum(axis=0)
    return np.asarray(summed / max(float(np.linalg.norm(summed)), 1e-9), np.float32)


@lru_cache(maxsize=1)
def _shipped() -> tuple[Any, Vector]:
    return open_words(Path(__file__).parent.parent)


def open_words(package: Path) -> tuple[Any, Vector]:
    """The tokenizer of the package in a folder, and the vector of each word piece, (pieces, 64); ServiceError where the
    weights are damaged."""
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    about = json.loads((package / WORDS_ABOUT).read_text(encoding="utf-8"))
    check_sha256(package, {WORDS: about["sha256"]})
    found = load_tensors(package / WORDS)
    pieces = found["vocabulary"].tobytes().decode().split("\n")
    tokenizer = Tokenizer(WordPiece({piece: place for place, piece in enumerate(pieces)}, unk_token=UNKNOWN))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer, found["vectors"] * found["scales"][:, None]
