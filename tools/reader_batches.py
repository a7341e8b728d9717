"""Questions with their windows as arrays, and the batches that the reader is trained with (NumPy alone)."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

WINDOWS = 16
"""Of a question in one step of training: one that is gold where there is one, and the hardest others."""
CLS, SEP = 101, 102
MOST_SENTENCES = 12
"""Whose evidence is trained."""
Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Packed:
    """Questions and windows, token by token. `parts` tells of each token of a window the number of its sentence (0: the
    path); of question i the windows are `windows[starts[i]:starts[i + 1]]`, the likeliest first; `gold` is -1 where a
    window does not answer, else the bits of its sentences that do. `asked` is "folder" or, for a question that was
    written of another, "folder<other"."""

    asked: list[str]
    question_tokens: Array
    question_starts: Array
    tokens: Array
    parts: Array
    token_starts: Array
    windows: Array
    gold: Array
    starts: Array

    def __len__(self) -> int:
        return len(self.asked)

    def folder(self, question: int) -> str:
        """The folder that it is asked of."""
        return self.asked[question].partition("<")[0]

    def question(self, number: int) -> Array:
        """Its tokens."""
        found: Array = self.question_tokens[self.question_starts[number] : self.question_starts[number + 1]]
        return found

    def candidates(self, question: int) -> tuple[Array, Array]:
        """Its windows, and what of each is gold."""
        inside = slice(self.starts[question], self.starts[question + 1])
        return self.windows[inside], self.gold[inside]

    def save(self, path: Path) -> None:
        """Write a .npz."""
        np.savez_compressed(path, **{name: np.array(getattr(self, name)) for name in self.__slots__})

    @classmethod
    def load(cls, path: Path) -> Packed:
        """What `save` wrote."""
        with np.load(path) as found:
            return cls(**{name: found[name].tolist() if name == "asked" else found[name] for name in cls.__slots__})

    @classmethod
    def of(cls, paths: Iterable[Path], tokenizer: Any, *, lengths: tuple[int, int, int]) -> Packed:
        """The lines of tools/reader_windows.py, cut to so many tokens of question, path, and path with text."""
        packer = _Packer(tokenizer, lengths)
        for path in paths:
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                for line in lines:
                    packer.add(json.loads(line))
        return packer.packed()


class _Packer:
    """Windows that several questions share are kept once."""

    def __init__(self, tokenizer: Any, lengths: tuple[int, int, int]) -> None:
        self._tokenizer, self._lengths = tokenizer, lengths
        self._asked: list[str] = []
        self._questions: list[list[int]] = []
        self._known: dict[tuple[str, ...], int] = {}
        self._tokens: list[Array] = []
        self._parts: list[Array] = []
        self._windows: list[int] = []
        self._gold: list[int] = []
        self._starts = [0]

    def add(self, row: dict[str, Any]) -> None:
        """One line."""
        is_of_elsewhere = row["asked"] != row["folder"]
        self._asked.append(f"{row['folder']}<{row['asked']}" if is_of_elsewhere else row["folder"])
        self._questions.append(self._encoded([row["q"]])[0][: self._lengths[0]])
        for window in row["windows"]:
            self._windows.append(self._number(window["path"], window["sents"]))
            bits = sum(1 << number for number in window.get("gold", ()) if number <= MOST_SENTENCES)
            self._gold.append(bits if "gold" in window else -1)
        self._starts.append(len(self._windows))

    def _number(self, path: str, sentences: Sequence[str]) -> int:
        key = (path, *sentences)
        if key not in self._known:
            self._known[key] = len(self._known)
            _, longest_path, longest = self._lengths
            pieces = self._encoded([f"{path}:", *sentences])
            pieces[0] = pieces[0][-longest_path:]
            numbers = [number for number, piece in enumerate(pieces) for _ in piece]
            self._tokens.append(np.array([token for piece in pieces for token in piece][:longest], np.uint16))
            self._parts.append(np.array(numbers[:longest], np.uint8))
        return self._known[key]

    def _encoded(self, texts: list[str]) -> list[list[int]]:
        return [encoded.ids for encoded in self._tokenizer.encode_batch(texts, add_special_tokens=False)]

    def packed(self) -> Packed:
        """All that was added."""
        return Packed(
            self._asked,
            np.concatenate([np.array(ids, np.uint16) for ids in self._questions]),
            _starts(self._questions),
            np.concatenate(self._tokens),
            np.concatenate(self._parts),
            _starts(self._tokens),
            np.array(self._windows, np.uint32),
            np.array(self._gold, np.int16),
            np.array(self._starts, np.uint32),
        )


def _starts(pieces: Iterable[Sequence[Any] | Array]) -> Array:
    return np.cumsum([0, *map(len, pieces)]).astype(np.uint32)


@dataclass(frozen=True, slots=True)
class Batch:
    """Pairs (pairs, length) in groups of WINDOWS, one group a question: tokens, which are of the text, how many there
    are, the sentence of each (-1 for none), and what of each pair is gold."""

    ids: Array
    types: Array
    lengths: Array
    parts: Array
    gold: Array


def chosen_windows(data: Packed, question: int, chance: random.Random) -> list[tuple[int, int]]:
    """WINDOWS windows of a question and what of each is gold: one that is, if any is, three quarters of the others from
    the front."""
    windows, gold = data.candidates(question)
    answering, others = np.flatnonzero(gold >= 0).tolist(), np.flatnonzero(gold < 0).tolist()
    chosen = [chance.choice(answering)] if answering else []
    room = WINDOWS - len(chosen)
    near, far = others[: room * 2], others[room * 2 :]
    picked = chance.sample(near, min(len(near), room - min(len(far), room // 4)))
    chosen += picked + chance.sample(far, min(len(far), room - len(picked)))
    found = [(int(windows[place]), int(gold[place])) for place in chosen]
    while len(found) < WINDOWS:
        found.append((chance.randrange(len(data.token_starts) - 1), -1))
    return found


def training_batch(data: Packed, questions: Sequence[int], chance: random.Random) -> Batch:
    """The pairs of some questions."""
    pairs = [(question, *window) for question in questions for window in chosen_windows(data, question, chance)]
    return batch_of(data, pairs)


def batch_of(data: Packed, pairs: Sequence[tuple[int, int, int]]) -> Batch:
    """Pairs of question and window, with what of each is gold."""
    asked = [data.question(question) for question, _, _ in pairs]
    spans = [slice(data.token_starts[window], data.token_starts[window + 1]) for _, window, _ in pairs]
    texts = [data.tokens[span] for span in spans]
    lengths = np.array([len(question) + len(text) + 3 for question, text in zip(asked, texts, strict=True)])
    shape = len(pairs), (int(lengths.max()) + 7) // 8 * 8
    ids, types, parts = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.full(shape, -1, np.int64)
    for number, (question, text, span) in enumerate(zip(asked, texts, spans, strict=True)):
        start, end = len(question) + 2, int(lengths[number])
        ids[number, 0], ids[number, start - 1], ids[number, end - 1] = CLS, SEP, SEP
        ids[number, 1 : start - 1], ids[number, start : end - 1] = question, text
        types[number, start:end] = 1
        parts[number, start : end - 1] = data.parts[span]
    return Batch(ids, types, lengths, parts, np.array([gold for _, _, gold in pairs]))


def shuffled(questions: Sequence[int], count: int, seed: int) -> list[int]:
    """So many of these questions, each as often as any other, in an order of chance."""
    order: list[int] = []
    chance = random.Random(seed)
    while len(order) < count:
        turn = list(questions)
        chance.shuffle(turn)
        order += turn
    return order[:count]


def pairs_of(data: Packed, questions: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Every window of some questions."""
    for question in questions:
        windows, gold = data.candidates(question)
        yield from ((question, int(window), int(bits)) for window, bits in zip(windows, gold, strict=True))
