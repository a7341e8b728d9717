"""Train the weights of `pincite.graph.parser` on annotated sentences (needs jax; not part of the package).

    python tools/train_parser.py SENTENCES.jsonl WEIGHTS.npz [--epochs N]

SENTENCES is what `tools/annotate_sentences.py` writes. Weights and values are rounded to their steps while training,
the gradient passing straight through (Bengio, Leonard, Courville 2013), so that the network in numpy computes the same.
Encyclopedia sentences count twice. Prints the share of right heads, heads with relation, tags and names on what was
held out: every fiftieth sentence, and those of CaRB.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from pincite.graph.parser import BIAS_STEP, DILATIONS, ROWS, VALUE_STEP, WEIGHT_STEP, distance_classes, word_rows

TABLE, WIDTH, ARC, LABEL = 64, 96, 64, 64
DISTANCES = 43
LENGTHS = (8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 90)
WORDS_AT_ONCE = 2048
RATE, WARM_UP = 3e-3, 200
DROPPED_VALUES, DROPPED_WORDS = 0.04, 0.04
TWICE = frozenset(("2wiki_train500", "musique_v1train_100", "hotpotqa_v1train_100", "conll04_dev"))
HELD_OUT_SET = "carb_dev"
Weights = dict[str, Any]


class Example(NamedTuple):
    """A sentence as numbers: feature rows, tags, heads, relations, names; in a batch with a mask of its words."""

    features: Any
    mask: Any
    tags: Any
    heads: Any
    relations: Any
    names: Any


class Labels(NamedTuple):
    """What the network tells apart."""

    tag: list[str]
    relation: list[str]
    name: list[str]


class State(NamedTuple):
    """The weights, and the running means of their gradients and of the squares of these."""

    weights: Weights
    mean: Weights
    square: Weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sentences", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=int, default=16)
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in arguments.sentences.open(encoding="utf-8")]
    labels = Labels(*(sorted({label for row in rows for label in row[column]}) for column in (2, 4, 5)))
    data, held = split(rows, labels)
    weights = fit(data, held, start_weights(labels), arguments.epochs)
    np.savez_compressed(
        arguments.out, **stored(weights), **{f"{name}s": np.array(each) for name, each in labels._asdict().items()}
    )


# --- sentences ---------------------------------------------------------------------------------------------


def split(rows: Sequence[Any], labels: Labels) -> tuple[dict[int, list[Example]], dict[str, list[Example]]]:
    """The examples to learn from by padded length, and those held out."""
    tag_of, relation_of, name_of = ({label: number for number, label in enumerate(each)} for each in labels)
    data: dict[int, list[Example]] = defaultdict(list)
    held: dict[str, list[Example]] = defaultdict(list)
    for origin, words, tags, heads, relations, names in rows:
        length = next(length for length in LENGTHS if length >= len(words))
        tagged, related, named = map(tag_of.get, tags), map(relation_of.get, relations), map(name_of.get, names)
        features = np.array([word_rows(word) for word in words])
        example = padded(length, features, list(tagged), heads, list(related), list(named))
        digest = int(hashlib.sha256(" ".join(words).encode()).hexdigest()[:8], 16)
        if origin == HELD_OUT_SET:
            held["CaRB"].append(example)
        elif digest % 50 == 0:
            held["others"].append(example)
        else:
            data[length].extend([example] * (2 if origin in TWICE else 1))
    return data, held


def padded(length: int, features: Any, *labels: Sequence[int]) -> Example:
    count = len(features)
    filled = [np.pad(np.array(values, np.int32), (0, length - count)) for values in labels]
    mask = (np.arange(length) < count).astype(np.float32)
    return Example(np.pad(features, ((0, length - count), (0, 0))).astype(np.int32), mask, *filled)


def stacked(examples: Sequence[Example]) -> Example:
    return Example(*map(np.stack, zip(*examples, strict=True)))


def batches(data: dict[int, list[Example]], shuffler: random.Random) -> Iterator[Example]:
    places: list[tuple[int, int, int]] = []
    for length, examples in data.items():
        shuffler.shuffle(examples)
        size = WORDS_AT_ONCE // length
        places.extend((length, start, size) for start in range(0, len(examples) - size + 1, size))
    shuffler.shuffle(places)
    for length, start, size in places:
        yield stacked(data[length][start : start + size])


# --- the network -------------------------------------------------------------------------------------------


def start_weights(labels: Labels) -> Weights:
    random_key = jax.random.PRNGKey(0)
    shapes: dict[str, tuple[int, int, float]] = {}
    fan = TABLE
    for number in range(len(DILATIONS)):
        shapes[f"layer{number}"] = (3 * fan, WIDTH, (2 / (3 * fan)) ** 0.5 * (1.0 if number == 0 else 0.5))
        fan = WIDTH
    shapes |= dict.fromkeys(("arc_dependent", "arc_head"), (WIDTH, ARC, WIDTH ** (-0.5)))
    shapes |= dict.fromkeys(("label_dependent", "label_head"), (WIDTH, LABEL, WIDTH ** (-0.5)))
    outputs = {"tag": len(labels.tag), "name": len(labels.name), "distance": DISTANCES}
    shapes |= {name: (WIDTH, size, WIDTH**-0.5) for name, size in outputs.items()}
    shapes["label"] = (LABEL, len(labels.relation), LABEL**-0.5)
    random_key, own = jax.random.split(random_key)
    weights = {"table": jax.random.normal(own, (ROWS, TABLE)) * 0.25}
    for name, (rows, columns, scale) in shapes.items():
        random_key, own = jax.random.split(random_key)
        weights[f"{name}_weight"] = jax.random.normal(own, (rows, columns)) * scale
        weights[f"{name}_bias"] = jnp.zeros(columns)
    return weights


def straight_through(values: Any, rounded: Any) -> Any:
    return values + jax.lax.stop_gradient(rounded - values)


def rounded_to(values: Any, step: int, low: float, high: float) -> Any:
    clipped = jnp.clip(values, low / step, high / step)
    return straight_through(clipped, jnp.round(clipped * step) / step)


def activate(sums: Any) -> Any:
    return rounded_to(sums, VALUE_STEP, 0, 255)


def linear(weights: Weights, name: str, values: Any) -> Any:
    matrix = weights[f"{name}_weight"]
    matrix = straight_through(matrix, jnp.clip(jnp.round(matrix * WEIGHT_STEP), -127, 127) / WEIGHT_STEP)
    bias = weights[f"{name}_bias"]
    return values @ matrix + straight_through(bias, jnp.round(bias * BIAS_STEP) / BIAS_STEP)


def encode(weights: Weights, batch: Example, key: Any) -> Any:
    """Values of each word in its surroundings; without `key` nothing is dropped."""
    table = weights["table"]
    table = straight_through(table, jnp.clip(jnp.round(table * VALUE_STEP), -127, 127) / VALUE_STEP)
    looked_up = table[batch.features]
    mask = batch.mask[..., None]
    if key is not None:
        kept = jax.random.bernoulli(key, 1 - DROPPED_WORDS, batch.mask.shape)[..., None, None]
        looked_up = jnp.concatenate([looked_up[:, :, :2] * kept, looked_up[:, :, 2:]], axis=2)
    values = looked_up.sum(axis=2) * mask
    for number, step in enumerate(DILATIONS):
        around = [shifted(values, step), values, shifted(values, -step)]
        sums = linear(weights, f"layer{number}", jnp.concatenate(around, axis=-1))
        values = activate(sums if number == 0 else values + sums) * mask
        if key is not None:
            key, own = jax.random.split(key)
            values = values * jax.random.bernoulli(own, 1 - DROPPED_VALUES, values.shape) / (1 - DROPPED_VALUES)
    return values


def shifted(values: Any, step: int) -> Any:
    if abs(step) >= values.shape[1]:
        return jnp.zeros_like(values)
    if step > 0:
        return jnp.pad(values, ((0, 0), (step, 0), (0, 0)))[:, :-step]
    return jnp.pad(values, ((0, 0), (0, -step), (0, 0)))[:, -step:]


def score_heads(weights: Weights, values: Any, mask: Any) -> Any:
    dependents = rounded_to(linear(weights, "arc_dependent", values), VALUE_STEP, -127, 127)
    candidates = rounded_to(linear(weights, "arc_head", values), VALUE_STEP, -127, 127)
    length = values.shape[1]
    classes = jnp.broadcast_to(distance_classes()[:length, :length], (len(values), length, length))
    distances = jnp.take_along_axis(linear(weights, "distance", values), classes, axis=2)
    scores = jnp.einsum("bid,bjd->bij", dependents, candidates) + distances
    return jnp.where(mask[:, None, :] > 0, scores, -1e9)


def score_relations(weights: Weights, values: Any, heads: Any) -> Any:
    above = jnp.take_along_axis(values, heads[..., None], axis=1)
    matrix = {"label_head_weight": weights["label_head_weight"], "label_head_bias": jnp.zeros(LABEL)}
    hidden = activate(linear(weights, "label_dependent", values) + linear(matrix, "label_head", above))
    return linear(weights, "label", hidden)


# --- learning ----------------------------------------------------------------------------------------------


def loss(weights: Weights, batch: Example, key: Any) -> Any:
    values = encode(weights, batch, key)
    parts = (
        (score_heads(weights, values, batch.mask), batch.heads),
        (linear(weights, "tag", values), batch.tags),
        (linear(weights, "name", values), batch.names),
        (score_relations(weights, values, batch.heads), batch.relations),
    )
    return sum(cross_entropy(scores, right, batch.mask) for scores, right in parts)


def cross_entropy(scores: Any, right: Any, mask: Any) -> Any:
    chosen = jnp.take_along_axis(jax.nn.log_softmax(scores), right[..., None], axis=-1)[..., 0]
    return -(chosen * mask).sum() / mask.sum()


@partial(jax.jit, donate_argnums=0)
def step(state: State, batch: Example, key: Any, rate: Any, count: Any) -> State:
    """One step of Adam (Kingma and Ba 2015), gradients clipped to norm 2."""
    weights, mean, square = state
    gradient = jax.grad(loss)(weights, batch, key)
    norm = jnp.sqrt(sum((part**2).sum() for part in jax.tree.leaves(gradient)))
    gradient = jax.tree.map(lambda part: part * jnp.minimum(1, 2 / norm), gradient)
    mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, mean, gradient)
    square = jax.tree.map(lambda old, new: 0.99 * old + 0.01 * new**2, square, gradient)

    def moved(weight: Any, first: Any, second: Any) -> Any:
        return weight - rate * (first / (1 - 0.9**count)) / (jnp.sqrt(second / (1 - 0.99**count)) + 1e-8)

    return State(jax.tree.map(moved, weights, mean, square), mean, square)


def fit(data: dict[int, list[Example]], held: dict[str, list[Example]], weights: Weights, epochs: int) -> Weights:
    state = State(weights, jax.tree.map(jnp.zeros_like, weights), jax.tree.map(jnp.zeros_like, weights))
    steps = epochs * sum(len(examples) // (WORDS_AT_ONCE // length) for length, examples in data.items())
    shuffler, key, count = random.Random(1), jax.random.PRNGKey(1), 0
    for epoch in range(epochs):
        for batch in batches(data, shuffler):
            count += 1
            key, own = jax.random.split(key)
            rate = RATE * min(1, count / WARM_UP) * (0.5 * (1 + np.cos(np.pi * count / steps)) * 0.99 + 0.01)
            state = step(state, batch, own, rate, float(count))
        print(f"epoch {epoch + 1}:", *(f"{name} {agreement(state.weights, held[name])}" for name in held), flush=True)
    return state.weights


@jax.jit
def predict(weights: Weights, batch: Example) -> Any:
    values = encode(weights, batch, None)
    heads = score_heads(weights, values, batch.mask).argmax(axis=-1)
    relations = score_relations(weights, values, heads).argmax(axis=-1)
    tags, names = (linear(weights, output, values).argmax(axis=-1) for output in ("tag", "name"))
    return heads, relations, tags, names


def agreement(weights: Weights, examples: Sequence[Example]) -> str:
    """Shares of heads, of heads with relation, of tags and of names that are right, word by word."""
    by_length: dict[int, list[Example]] = defaultdict(list)
    for example in examples:
        by_length[len(example.mask)].append(example)
    counts = np.zeros(5)
    for group in by_length.values():
        batch = stacked(group)
        heads, relations, tags, names = map(np.asarray, predict(weights, batch))
        right, words = heads == batch.heads, batch.mask > 0
        related = right & (relations == batch.relations)
        judged = (words, right, related, tags == batch.tags, names == batch.names)
        counts += [(each & words).sum() for each in judged]
    return " ".join(f"{share:.4f}" for share in counts[1:] / counts[0])


def stored(weights: Weights) -> dict[str, Any]:
    """The weights as whole numbers of their steps."""

    def whole(values: Any, step: int) -> Any:
        return np.clip(np.round(np.asarray(values) * step), -127, 127).astype(np.int8)

    kept = {name: whole(values, WEIGHT_STEP) for name, values in weights.items() if name.endswith("_weight")}
    biases = [name for name in weights if name.endswith("_bias")]
    kept |= {name: np.round(np.asarray(weights[name]) * BIAS_STEP).astype(np.int32) for name in biases}
    kept["label_head_bias"] = np.zeros(LABEL, np.int32)
    return kept | {"table": whole(weights["table"], VALUE_STEP)}


if __name__ == "__main__":
    main()
