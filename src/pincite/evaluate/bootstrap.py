"""How sure is a mean? The 95 % interval of its bootstrap distribution (Efron 1979), by percentiles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

RESAMPLES = 2000
SEED = 20_261_122
DRAWS_AT_ONCE = 1_000_000


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 2.5 and 97.5 % points of the mean over 2000 resamples; the same values give the same interval.

    `values` must not be empty. The draws depend on how many values there are, not on what they are, so that
    measures over the same questions are resampled alike.
    """
    array = np.asarray(values, dtype=np.float64)
    random = np.random.default_rng(SEED)
    at_once = max(1, DRAWS_AT_ONCE // len(array))
    means: list[float] = []
    while len(means) < RESAMPLES:
        count = min(at_once, RESAMPLES - len(means))
        drawn = random.integers(0, len(array), size=(count, len(array)))
        means.extend(array[drawn].mean(axis=1).tolist())
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)
