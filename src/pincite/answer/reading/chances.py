"""What was read of a unit, and how likely it answers: the weights that `tools/train_reading.py` trains."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from pincite.answer.material.sentences import Sentence
from pincite.answer.material.units import Unit
from pincite.ports import Reading

WEIGHTS = "reading.json"
LEAST_CHANCE = 1e-6
"""No chance is taken to be nearer 0 or 1."""


@dataclass(frozen=True, slots=True)
class UnitRead:
    """A unit, how likely it answers the question (0 to 1), and what the reader says of it; `lead` is the sentence that
    leads from the question to it, where it answers only behind that."""

    unit: Unit
    chance: float
    reading: Reading | None = None
    lead: Sentence | None = None

    @property
    def evidence_of_cells(self) -> tuple[float, ...]:
        """How far each cell of its row is evidence, in logits; empty where that is not known."""
        count = len(self.unit.row.cells) if self.unit.row is not None else 0
        return self.reading.evidence[-count:] if self.reading is not None and count else ()


def chance_of(reading: Reading) -> float:
    """How likely a text that was read so answers its question."""
    weights: Mapping[str, float] = shipped_weights()["reader"]
    total = weights["constant"] + weights["relevance"] * reading.relevance
    return round(float(1 / (1 + np.exp(-total))), 6)


def log_odds(chance: float) -> float:
    """The logarithm of a chance's odds."""
    return math.log(max(chance, LEAST_CHANCE) / max(1 - chance, LEAST_CHANCE))


@lru_cache(maxsize=1)
def shipped_weights() -> Mapping[str, Any]:
    """The trained weights."""
    found: Mapping[str, Any] = json.loads((files("pincite.answer.reading") / WEIGHTS).read_text(encoding="utf-8"))
    return found
