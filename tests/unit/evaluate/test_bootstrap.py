"""1. An interval holds its mean and narrows with more questions. 2. The same values give the same interval."""

from __future__ import annotations

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate import measures
from pincite.evaluate.measures import interval

shares = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@given(shares)
def test_an_interval_lies_among_the_values_and_is_repeatable(values: list[float]) -> None:
    low, high = interval(values)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert interval(values) == (low, high)


def test_one_value_has_no_width() -> None:
    assert interval([0.25]) == (0.25, 0.25)


def test_it_agrees_with_the_normal_approximation() -> None:
    values = np.random.default_rng(1).random(400).tolist()
    low, high = interval(values)
    mean, error = statistics.mean(values), statistics.stdev(values) / 20
    assert low == pytest.approx(mean - 1.96 * error, abs=0.2 * error)
    assert high == pytest.approx(mean + 1.96 * error, abs=0.2 * error)


def test_drawing_in_several_goes_gives_as_many_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(2).random(50).tolist()
    whole = interval(values)
    monkeypatch.setattr(measures, "DRAWS_AT_ONCE", 50 * 7)
    assert interval(values) == pytest.approx(whole, abs=1e-12)
