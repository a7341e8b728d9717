"""Triplets between the names that a GLiNER model finds (Zaratiana et al. 2024), exported to ONNX.

Only models over spans with one encoder are known: inputs `input_ids`, `attention_mask`, `words_mask`, `text_lengths`,
`span_idx` and `span_mask`, output `logits` (1, words, widths, kinds). They need neither torch nor the package gliner.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.deadline import Deadline
from pincite.errors import ServiceError
from pincite.models.between_names import FoundName, between_names
from pincite.models.checkpoint import folder_digest
from pincite.models.sessions import load_tokenizer, open_session
from pincite.ports import TripletExtractor
from pincite.records.triplets import RawTriplet

VERSION = "1"
KINDS = ("person", "organization", "location", "product", "work", "law", "date", "quantity")
THRESHOLD = 0.5
_INPUTS = frozenset(("input_ids", "attention_mask", "words_mask", "text_lengths", "span_idx", "span_mask"))
_WORD = re.compile(r"\w+(?:[-_]\w+)*|\S")


class GlinerExtractor:
    """The folder holds `gliner_config.json`, `tokenizer.json` and `model.onnx`. Those triplets of `rules` are kept that
    stand between two of the model's names. Each sentence is read alone."""

    def __init__(self, folder: Path, rules: TripletExtractor, *, threads: int = 0) -> None:
        config = _config(folder)
        self._widest = int(config.get("max_width", 12))
        self._longest = int(config.get("max_len", 384))
        self._rules = rules
        self._session = _open_session(folder / "model.onnx", threads)
        self._tokenizer = load_tokenizer(folder)
        kind_mark, end_mark = config.get("ent_token", "<<ENT>>"), config.get("sep_token", "<<SEP>>")
        self._prompt = [*(word for kind in KINDS for word in (kind_mark, kind)), end_mark]
        self.name = f"gliner:{folder.name}"
        self.version = f"{VERSION}/{rules.version}/{folder_digest(folder)}"

    def extract(
        self, sentences: Sequence[str], language: str | None, *, deadline: Deadline = Deadline.never()
    ) -> list[list[RawTriplet]]:
        """The triplets of each sentence; the deadline is looked at between two of them."""
        ruled = self._rules.extract(sentences, language, deadline=deadline)
        return [
            list(between_names(raws, self._names(sentence, deadline) if raws else (), self.name, self.version))
            for sentence, raws in zip(sentences, ruled, strict=True)
        ]

    def _names(self, sentence: str, deadline: Deadline) -> list[FoundName]:
        deadline.check(self.name)
        return self.names(sentence)

    def names(self, sentence: str) -> list[FoundName]:
        """The names of a sentence in order, none inside another: the surest win."""
        words = list(_WORD.finditer(sentence))[: self._longest]
        if not words:
            return []
        (logits,) = self._session.run(["logits"], self._inputs([word.group() for word in words]))
        scores = 1 / (1 + np.exp(-logits[0].astype(np.float64)))
        found = [
            FoundName(
                words[first].start(), words[first + width].end(), round(float(scores[first, width, kind]), 6), name
            )
            for first, width, kind in np.argwhere(scores > THRESHOLD).tolist()
            if first + width < len(words) and (name := KINDS[kind])
        ]
        return _without_overlaps(found)

    def _inputs(self, words: Sequence[str]) -> dict[str, NDArray[Any]]:
        encoded = self._tokenizer.encode([*self._prompt, *words], is_pretokenized=True)
        mask, last = np.zeros(len(encoded.ids), np.int64), None
        for place, word in enumerate(encoded.word_ids):
            if word is not None and word != last and word >= len(self._prompt):
                mask[place] = word - len(self._prompt) + 1
            last = word
        first = np.repeat(np.arange(len(words)), self._widest)
        end = first + np.tile(np.arange(self._widest), len(words))
        return {
            "input_ids": np.array([encoded.ids], np.int64),
            "attention_mask": np.ones((1, len(encoded.ids)), np.int64),
            "words_mask": mask[None],
            "text_lengths": np.array([[len(words)]], np.int64),
            "span_idx": np.stack([first, end], axis=1)[None].astype(np.int64),
            "span_mask": (end < len(words))[None],
        }


def _without_overlaps(found: Sequence[FoundName]) -> list[FoundName]:
    kept: list[FoundName] = []
    for name in sorted(found, key=lambda name: (-name.score, name.start, name.end, name.kind)):
        if all(name.end <= other.start or other.end <= name.start for other in kept):
            kept.append(name)
    return sorted(kept)


def _config(folder: Path) -> Mapping[str, Any]:
    missing = [name for name in ("gliner_config.json", "tokenizer.json") if not (folder / name).is_file()]
    if missing:
        raise ServiceError(f"{folder} is no GLiNER model, it has no {' and no '.join(missing)}: give another folder")
    if not (folder / "model.onnx").is_file():
        raise ServiceError(
            f"{folder} has no model.onnx: export it with GLiNER.export_to_onnx, with no torch needed here"
        )
    try:
        config = json.loads((folder / "gliner_config.json").read_text(encoding="utf-8"))
    except ValueError as error:
        raise ServiceError(f"{folder / 'gliner_config.json'} is no JSON ({error}): give another folder") from error
    if not isinstance(config, dict) or config.get("span_mode", "markerV0") == "token_level":
        raise ServiceError(f"{folder} holds a GLiNER model over tokens: give one over spans")
    return config


def _open_session(path: Path, threads: int) -> Any:
    session = open_session(path, threads)
    if {item.name for item in session.get_inputs()} != _INPUTS:
        raise ServiceError(f"{path} is no GLiNER model over spans with one encoder: give another folder")
    return session
