"""The reader in torch, for tools/train_reader.py: a BERT encoder (Devlin et al. 2019) with a head for relevance on its
first token and one for evidence on every token."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

WIDTH, INNER, HEADS, LAYERS, POSITIONS = 384, 1536, 12, 12, 512
EPSILON = 1e-12
POSITIVE_WEIGHT = 3.0


class Layer(nn.Module):
    """One layer; parameters are named as `pack` reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.i, self.out = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.n1, self.n2 = nn.LayerNorm(WIDTH, eps=EPSILON), nn.LayerNorm(WIDTH, eps=EPSILON)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """States (texts, length, WIDTH); `mask` (texts, 1, 1, length) is true where a token stands."""
        texts, length, _ = x.shape
        q, k, v = (
            part(x).view(texts, length, HEADS, WIDTH // HEADS).transpose(1, 2) for part in (self.q, self.k, self.v)
        )
        attended = functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.n1(x + self.drop(self.o(attended.transpose(1, 2).reshape(texts, length, WIDTH))))
        return self.n2(x + self.drop(self.out(functional.gelu(self.i(x)))))


class ReaderModel(nn.Module):
    """The whole model, from word embeddings (kept fixed) and the weights to begin with."""

    def __init__(self, words: np.ndarray, start: Mapping[str, np.ndarray]) -> None:
        super().__init__()
        self.words = nn.Embedding.from_pretrained(torch.from_numpy(words), freeze=True)
        self.pe, self.te = nn.Embedding(POSITIONS, WIDTH), nn.Embedding(2, WIDTH)
        self.n, self.drop = nn.LayerNorm(WIDTH, eps=EPSILON), nn.Dropout(0.1)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.pool, self.cls, self.ev = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 1), nn.Linear(WIDTH, 1)
        nn.init.zeros_(self.ev.bias)
        nn.init.normal_(self.ev.weight, std=0.02)
        given = {name: torch.from_numpy(np.array(tensor, np.float32)) for name, tensor in start.items()}
        missing, unknown = self.load_state_dict(given, strict=False)
        if unknown or not set(missing) <= {"words.weight", "ev.weight", "ev.bias"}:
            raise ValueError(f"weights of another model: {missing} missing, {unknown} unknown")

    def forward(self, ids: torch.Tensor, types: torch.Tensor, lengths: torch.Tensor) -> tuple[Any, Any]:
        """Relevance (texts,) and evidence (texts, length), logits."""
        places = torch.arange(ids.shape[1], device=ids.device)
        mask = (places[None] < lengths[:, None])[:, None, None, :]
        x = self.drop(self.n(self.words(ids) + self.pe(places)[None] + self.te(types)))
        for layer in self.layers:
            x = layer(x, mask)
        return self.cls(torch.tanh(self.pool(x[:, 0]))).squeeze(-1), self.ev(x).squeeze(-1)

    def trained(self) -> dict[str, np.ndarray]:
        """The weights without the word embeddings, fp16."""
        state = {name: tensor for name, tensor in self.state_dict().items() if name != "words.weight"}
        return {name: np.ascontiguousarray(tensor.half().cpu().numpy()) for name, tensor in state.items()}


def losses(
    model: ReaderModel,
    given: Mapping[str, np.ndarray],
    gold: np.ndarray,
    sentences: Sequence[frozenset[int]],
    device: str,
) -> torch.Tensor:
    """What a step of training brings down."""
    ids, types, lengths, places = (
        torch.from_numpy(given[n]).to(device) for n in ("ids", "types", "lengths", "sentences")
    )
    with torch.autocast(device, torch.bfloat16):
        relevance, evidence = model(ids, types, lengths)
    relevance, evidence = relevance.float(), evidence.float()
    labels = torch.from_numpy(gold).to(device).float()
    groups = relevance.view_as(labels)
    has_gold = labels.any(1)
    total = 0.5 * functional.binary_cross_entropy_with_logits(
        relevance, labels.flatten(), pos_weight=torch.tensor(POSITIVE_WEIGHT, device=device)
    )
    if has_gold.any():
        total = total + functional.cross_entropy(groups[has_gold], labels[has_gold].argmax(1))
    logits, wanted = [], []
    for number in np.flatnonzero(gold.ravel()).tolist():
        for sentence in range(1, int(given["sentences"][number].max()) + 1):
            logits.append(evidence[number][places[number] == sentence].mean())
            wanted.append(float(sentence in sentences[number]))
    if logits:
        target = torch.tensor(wanted, device=device)
        total = total + 0.5 * functional.binary_cross_entropy_with_logits(torch.stack(logits), target)
    return total
