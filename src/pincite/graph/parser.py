"""Dependency parsing by a small convolutional network over word features, in numpy. Each word chooses its head, scored
as in Dozat and Manning (2017); `tools/train_parser.py` trained it, and says on what. All weights and values are
multiples of a power of two so small that no float32 sum is rounded: a sentence has the same tree in any batch and on
any machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from pincite.graph.trees import Tree, Word
from pincite.threads import ARRAY_HEADS

WORD_ROWS, SUFFIX_ROWS, PREFIX_ROWS, SHAPE_ROWS = 8192, 2048, 512, 512
SUFFIXES = WORD_ROWS
PREFIXES = SUFFIXES + SUFFIX_ROWS
SHAPES = PREFIXES + PREFIX_ROWS
ROWS = SHAPES + SHAPE_ROWS
FEATURES = 5
_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=1 << 16)
def word_rows(word: str) -> tuple[int, ...]:
    """The rows of a word: two for itself in lower case with its digits as 0, so that words which share one row (Bloom
    1970) seldom share both; one each for its last three letters, its first two and its shape."""
    folded = _DIGIT.sub("0", word.lower())
    spelled = _bytes(folded)
    return (
        crc32(spelled) % WORD_ROWS,
        crc32(spelled, 1) % WORD_ROWS,
        SUFFIXES + crc32(_bytes(folded[-3:])) % SUFFIX_ROWS,
        PREFIXES + crc32(_bytes(folded[:2])) % PREFIX_ROWS,
        SHAPES + crc32(_bytes(word_shape(word))) % SHAPE_ROWS,
    )


def word_shape(word: str) -> str:
    """ "McKay-27" -> "XxXxx-dd": capitals, small letters and digits by kind, no kind more than three times in a row."""
    kinds = "".join("X" if c.isupper() else "x" if c.islower() else "d" if c.isdigit() else c for c in word)
    return re.sub(r"(.)\1{3,}", r"\1\1\1", kinds)


def _bytes(text: str) -> bytes:
    """UTF-8, also of half a surrogate pair, which a broken file can hold."""
    return text.encode("utf-8", "surrogatepass")


WEIGHTS = "parser.npz"
DILATIONS = (1, 1, 2, 4, 8)
LONGEST = 250
VALUE_STEP, WEIGHT_STEP, BIAS_STEP = 32, 128, 4096
_LARGEST, _LARGEST_SIGNED = 255 / VALUE_STEP, 127 / VALUE_STEP
_STEPS = np.array([*range(15), *[15] * 3, *[16] * 4, *[17] * 5, *[18] * 7, *[19] * 11, *[20] * 16, 21])
Floats = NDArray[np.float32]
Indexes = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Layer:
    """A linear layer; both parts are multiples of powers of two."""

    weight: Floats
    bias: Floats

    def __call__(self, values: Floats) -> Floats:
        """The sums, without rounding."""
        return np.asarray(values @ self.weight + self.bias)


@dataclass(frozen=True, slots=True)
class Network:
    """The weights of the parser, and what its tags, relations and kinds of names are called."""

    table: Floats
    layers: tuple[Layer, ...]
    tag: Layer
    name: Layer
    arc_dependent: Layer
    arc_head: Layer
    distance: Layer
    label_dependent: Layer
    label_head: Layer
    label: Layer
    tags: tuple[str, ...]
    relations: tuple[str, ...]
    names: tuple[str, ...]

    def encode(self, sentences: Sequence[Sequence[Word]]) -> Floats:
        """One row a word, all sentences one after another: what the word is in its surroundings."""
        lengths = np.array([len(words) for words in sentences])
        values = self._look_up(sentences)
        for number, (layer, step) in enumerate(zip(self.layers, DILATIONS, strict=True)):
            before, after = _neighbours(lengths, step)
            padded = np.concatenate([values, np.zeros((1, values.shape[1]), np.float32)])
            sums = layer(np.concatenate([padded[before], values, padded[after]], axis=1))
            values = _activate(sums if number == 0 else values + sums)
        return values

    def _look_up(self, sentences: Sequence[Sequence[Word]]) -> Floats:
        known: dict[str, int] = {}
        places = [known.setdefault(word.text, len(known)) for words in sentences for word in words]
        rows = np.array([word_rows(word) for word in known], dtype=np.intp).reshape(-1, FEATURES)
        summed = self.table[rows].sum(axis=1)
        return np.asarray(summed[places])


def parse(sentences: Sequence[Sequence[Word]]) -> list[Tree]:
    """The tree of each sentence; one of no words, or of more than 250, has none of its words under another."""
    fitting = [words for words in sentences if 0 < len(words) <= LONGEST]
    parsed = iter(_parse(fitting) if fitting else ())
    return [next(parsed) if 0 < len(words) <= LONGEST else _flat(words) for words in sentences]


def _parse(sentences: Sequence[Sequence[Word]]) -> list[Tree]:
    network = _shipped()
    values = network.encode(sentences)
    tags = _labels(network.tag, network.tags, values)
    labels = _labels(network.name, network.names, values)
    heads = _heads(network, values, [len(words) for words in sentences])
    joined = np.array([start + head for start, own in heads for head in own], dtype=np.intp)
    hidden = _activate(network.label_dependent(values) + network.label_head(values)[joined])
    relations = _labels(network.label, network.relations, hidden)
    trees: list[Tree] = []
    for words, (start, own) in zip(sentences, heads, strict=True):
        here = slice(start, start + len(words))
        related = ["ROOT" if head == word else relations[start + word] for word, head in enumerate(own)]
        trees.append(Tree(words, tags[here], own, related, labels[here]))
    return trees


def _labels(layer: Layer, names: Sequence[str], values: Floats) -> list[str]:
    return [names[best] for best in layer(values).argmax(axis=1).tolist()]


def _heads(network: Network, values: Floats, lengths: Sequence[int]) -> list[tuple[int, list[int]]]:
    dependents = _round(network.arc_dependent(values))
    candidates = _round(network.arc_head(values))
    distances = network.distance(values)
    found: list[tuple[int, list[int]]] = []
    start = 0
    for length in lengths:
        here = slice(start, start + length)
        by_distance = distances[here][np.arange(length)[:, None], distance_classes()[:length, :length]]
        scores = dependents[here] @ candidates[here].T + by_distance
        found.append((start, _without_circles(scores.argmax(axis=1).tolist(), scores)))
        start += length
    return found


def _without_circles(heads: list[int], scores: Floats) -> list[int]:
    """Of words that hang on each other in a circle, the one that scores highest as a root becomes one."""
    state = [0] * len(heads)
    for first in range(len(heads)):
        path: list[int] = []
        word = first
        while state[word] == 0:
            state[word] = 1
            path.append(word)
            word = heads[word]
        if state[word] == 1 and heads[word] != word:
            circle = path[path.index(word) :]
            root = max(circle, key=lambda member: (scores[member, member] - scores[member, heads[member]], -member))
            heads[root] = root
        for seen in path:
            state[seen] = 2
    return heads


def _flat(words: Sequence[Word]) -> Tree:
    return Tree(words, ["XX"] * len(words), list(range(len(words))), ["ROOT"] * len(words), ["O"] * len(words))


def _activate(sums: Floats) -> Floats:
    return np.asarray(np.rint(np.clip(sums, 0, _LARGEST) * VALUE_STEP) / np.float32(VALUE_STEP))


def _round(sums: Floats) -> Floats:
    clipped = np.clip(sums, -_LARGEST_SIGNED, _LARGEST_SIGNED)
    return np.asarray(np.rint(clipped * VALUE_STEP) / np.float32(VALUE_STEP))


def _neighbours(lengths: NDArray[np.intp], step: int) -> tuple[Indexes, Indexes]:
    """For each word the row `step` before and after it; where its sentence has none, the row of zeros at the end."""
    total = int(lengths.sum())
    ends = np.repeat(lengths.cumsum(), lengths)
    starts = ends - np.repeat(lengths, lengths)
    own = np.arange(total)
    before, after = own - step, own + step
    return np.where(before >= starts, before, total), np.where(after < ends, after, total)


@lru_cache(maxsize=1)
def distance_classes() -> Indexes:
    """Row i, column j: the class of the distance from word i to its head j; exact for near ones, coarse for far."""
    places = np.arange(LONGEST)
    distance = places[None, :] - places[:, None]
    steps = _STEPS[np.minimum(np.abs(distance), len(_STEPS) - 1)]
    return np.asarray(_STEPS[-1] + np.sign(distance) * steps)


@lru_cache(maxsize=1)
def _shipped() -> Network:
    with ARRAY_HEADS, (files("pincite.graph") / WEIGHTS).open("rb") as stream, np.load(stream) as stored:
        arrays = {name: stored[name] for name in stored.files}

    def layer(name: str) -> Layer:
        weight, bias = arrays[f"{name}_weight"], arrays[f"{name}_bias"]
        return Layer(weight.astype(np.float32) / WEIGHT_STEP, bias.astype(np.float32) / BIAS_STEP)

    return Network(
        table=arrays["table"].astype(np.float32) / VALUE_STEP,
        layers=tuple(layer(f"layer{number}") for number in range(len(DILATIONS))),
        tag=layer("tag"),
        name=layer("name"),
        arc_dependent=layer("arc_dependent"),
        arc_head=layer("arc_head"),
        distance=layer("distance"),
        label_dependent=layer("label_dependent"),
        label_head=layer("label_head"),
        label=layer("label"),
        tags=tuple(arrays["tags"].tolist()),
        relations=tuple(arrays["relations"].tolist()),
        names=tuple(arrays["names"].tolist()),
    )
