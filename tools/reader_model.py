"""The reader in torch, for tools/train_reader.py: a BERT encoder (Devlin et al. 2019) with a head for relevance on its
first token and one for evidence on every token."""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from reader_batches import MOST_SENTENCES, WINDOWS, Batch, Packed, batch_of, pairs_of, training_batch

WIDTH, INNER, HEADS, LAYERS, POSITIONS = 384, 1536, 12, 12, 512
EPSILON = 1e-12
POSITIVE_WEIGHT = 3.0
GROUPS = 48
"""Questions of a step."""
RATE, HEAD_RATE, LEAST_RATE, WARM_UP = 2e-5, 2e-3, 0.02, 0.06
ALONE = 0.5
"""The weight of the loss of a window by itself beside that of windows held against each other."""
PIECES = 4
"""Into which a batch is split by length."""
PAIRS = 2048
"""That are read at once where nothing is trained."""
AHEAD = 8
"""Threads that make batches."""


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


def read_batch(model: ReaderModel, batch: Batch, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Relevance (pairs,) and the evidence of sentences (pairs, MOST_SENTENCES), NaN where there is none. Short pairs go
    through apart from long ones, so that they are not padded to their length."""
    order = np.argsort(batch.lengths, kind="stable")
    relevance, evidence = [], []
    for rows in np.array_split(order, PIECES):
        width = (int(batch.lengths[rows].max()) + 7) // 8 * 8
        ids, types, parts = (
            torch.from_numpy(array[rows, :width]).to(device, non_blocking=True)
            for array in (batch.ids, batch.types, batch.parts)
        )
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            said, tokens = model(ids, types, torch.from_numpy(batch.lengths[rows]).to(device))
        of_sentence = parts[:, None, :] == torch.arange(1, MOST_SENTENCES + 1, device=device)[None, :, None]
        total, count = (tokens.float()[:, None, :] * of_sentence).sum(-1), of_sentence.sum(-1)
        relevance.append(said.float())
        evidence.append((total / count.clamp(min=1)).masked_fill(count == 0, float("nan")))
    back = torch.from_numpy(np.argsort(order)).to(device)
    return torch.cat(relevance)[back], torch.cat(evidence)[back]


def loss_of(model: ReaderModel, batch: Batch, device: str) -> torch.Tensor:
    """What a step of training brings down: cross entropy over the windows of each question that has gold, half a binary
    loss over all windows, half a binary one over the sentences of gold windows."""
    relevance, evidence = read_batch(model, batch, device)
    gold = torch.from_numpy(batch.gold).to(device)
    labels = (gold >= 0).float()
    weight = torch.tensor(POSITIVE_WEIGHT, device=device)
    total = ALONE * functional.binary_cross_entropy_with_logits(relevance, labels, pos_weight=weight)
    groups, answers = relevance.view(-1, WINDOWS), labels.view(-1, WINDOWS)
    has_gold = answers.any(1)
    if has_gold.any():
        total = total + functional.cross_entropy(groups[has_gold], answers[has_gold].argmax(1))
    wanted = gold[:, None] >> torch.arange(1, MOST_SENTENCES + 1, device=device)[None] & 1
    trained = (gold > 0)[:, None] & ~evidence.isnan()
    if trained.any():
        target = wanted[trained].float()
        total = total + 0.5 * functional.binary_cross_entropy_with_logits(evidence[trained], target)
    return total


class Training:
    """Steps of GROUPS questions in an order; `state` and `resume` keep what was reached."""

    def __init__(
        self, model: ReaderModel, data: Packed, order: Sequence[int], device: str, *, seed: int, rate: float = RATE
    ) -> None:
        self.model, self.steps, self.done = model, len(order) // GROUPS, 0
        self._data, self._order, self._device, self._seed = data, order, device, seed
        heads = list(model.ev.parameters())
        body = [p for name, p in model.named_parameters() if p.requires_grad and not name.startswith("ev.")]
        groups = [{"params": body}, {"params": heads, "lr": HEAD_RATE}]
        self._optimiser = torch.optim.AdamW(groups, lr=rate, weight_decay=0.01, fused=device == "cuda")
        steps = self.steps
        self._schedule = torch.optim.lr_scheduler.LambdaLR(self._optimiser, lambda step: rate_at(step / steps))

    def run(self) -> Iterator[torch.Tensor]:
        """Train to the end; yields the loss of each step."""
        self.model.train()
        for batch in in_advance(self._batch, range(self.done, self.steps)):
            loss = loss_of(self.model, batch, self._device)
            self._optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self._optimiser.step()
            self._schedule.step()
            self.done += 1
            yield loss.detach()
        self.model.eval()

    def _batch(self, step: int) -> Batch:
        questions = self._order[step * GROUPS : (step + 1) * GROUPS]
        return training_batch(self._data, questions, random.Random(self._seed * 1_000_003 + step))

    def state(self) -> dict[str, Any]:
        """What `resume` goes on from."""
        parts = {"model": self.model, "optimiser": self._optimiser, "schedule": self._schedule}
        return {"done": self.done, **{name: part.state_dict() for name, part in parts.items()}}

    def resume(self, state: Mapping[str, Any]) -> None:
        """Go on from there."""
        self.done = state["done"]
        self.model.load_state_dict(state["model"])
        self._optimiser.load_state_dict(state["optimiser"])
        self._schedule.load_state_dict(state["schedule"])


Item, Made = TypeVar("Item"), TypeVar("Made")


def in_advance(make: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
    """What is made of items, in order, some of it made by threads before it is asked for."""
    with ThreadPoolExecutor(AHEAD) as pool:
        waiting: deque[Future[Made]] = deque()
        for item in items:
            waiting.append(pool.submit(make, item))
            if len(waiting) > 2 * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def rate_at(share: float) -> float:
    """Of the rate, after a share of the steps: up over WARM_UP, then down a cosine to LEAST_RATE."""
    return min(1.0, (share + 1e-3) / WARM_UP) * max(LEAST_RATE, 0.5 * (1 + math.cos(math.pi * share)))


@torch.no_grad()
def readings(model: ReaderModel, data: Packed, questions: Sequence[int], device: str) -> tuple[np.ndarray, np.ndarray]:
    """Relevance (pairs,) and evidence (pairs, MOST_SENTENCES) of every window of these questions, in order."""
    model.eval()
    pairs = list(pairs_of(data, questions))
    parts = [pairs[start : start + PAIRS] for start in range(0, len(pairs), PAIRS)]
    said = [read_batch(model, batch, device) for batch in in_advance(lambda part: batch_of(data, part), parts)]
    relevance, evidence = (torch.cat(list(column)).cpu().numpy() for column in zip(*said, strict=True))
    return relevance, evidence
