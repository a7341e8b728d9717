"""Precision, recall and F1 over sentences that each add to a numerator and a denominator, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pincite.evaluate.carb import Share
from pincite.evaluate.measures import RESAMPLES, SEED

Values = NDArray[np.float64]


def ratios(shares: Sequence[Share]) -> dict[str, float]:
    """`precision` (1 where nothing was found), `recall` and `f1`."""
    return {name: float(value) for name, value in _measured(_table(shares).sum(axis=0)).items()}


def ratio_intervals(shares: Sequence[Share]) -> dict[str, tuple[float, float]]:
    """The 95 % interval of each: sentences drawn anew (Efron 1979), by percentiles."""
    table = _table(shares)
    drawn = np.random.default_rng(SEED).integers(0, len(table), size=(RESAMPLES, len(table)))
    return {
        name: (float(np.percentile(values, 2.5)), float(np.percentile(values, 97.5)))
        for name, values in _measured(table[drawn].sum(axis=1)).items()
    }


def _table(shares: Sequence[Share]) -> Values:
    rows = [(share.right, share.found, share.recalled, share.wanted) for share in shares]
    return np.array(rows, dtype=np.float64)


def _measured(sums: Values) -> dict[str, Values]:
    right, found, recalled, wanted = np.moveaxis(sums, -1, 0)
    precision = np.divide(right, found, out=np.ones_like(right), where=found > 0)
    recall = np.divide(recalled, wanted, out=np.zeros_like(right), where=wanted > 0)
    total = precision + recall
    f1 = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    return {"precision": precision, "recall": recall, "f1": f1}
