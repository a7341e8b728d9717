"""1. Each measure gives what a person computes by hand. 2. Measures stay in 0..1, and a better ranking never scores
lower. 3. Only the first k rows count."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluate.measures import (
    RANKING_MEASURES,
    all_gold,
    average_precision,
    ndcg,
    percentile,
    recall,
    reciprocal_rank,
)

RANKED = ["a", "x", "b", "y", "c"]
GOLD = {"a": 1.0, "b": 4.0, "z": 2.0}

rankings = st.permutations([f"d{number}" for number in range(12)])
golds = st.dictionaries(st.sampled_from([f"d{number}" for number in range(20)]), st.integers(1, 4), min_size=1)


def test_ndcg_as_computed_by_hand() -> None:
    gained = 1 / math.log2(2) + 4 / math.log2(4)
    best = 4 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert ndcg(RANKED, GOLD, 10) == pytest.approx(gained / best)


def test_the_best_possible_is_cut_at_k_too() -> None:
    assert ndcg(["a"], {"a": 1.0, "b": 1.0}, 1) == 1.0


def test_recall_as_computed_by_hand() -> None:
    assert recall(RANKED, GOLD, 2) == pytest.approx(1 / 3)
    assert recall(RANKED, GOLD, 10) == pytest.approx(2 / 3)


def test_average_precision_is_divided_by_all_gold_rows() -> None:
    assert average_precision(RANKED, GOLD, 10) == pytest.approx((1 / 1 + 2 / 3) / 3)


def test_the_reciprocal_rank_is_that_of_the_first_gold_row() -> None:
    assert reciprocal_rank(["x", "y", "b", "a"], GOLD, 10) == pytest.approx(1 / 3)
    assert reciprocal_rank(["x", "y", "b", "a"], GOLD, 2) == 0.0


def test_all_gold_needs_every_gold_row_in_the_top() -> None:
    assert all_gold(RANKED, {"a": 1.0, "b": 1.0}, 3) == 1.0
    assert all_gold(RANKED, {"a": 1.0, "b": 1.0}, 2) == 0.0
    assert all_gold(RANKED, GOLD, 5) == 0.0


@pytest.mark.parametrize(("share", "expected"), [(0.5, 2.0), (0.95, 4.0), (0.25, 1.0), (1.0, 4.0)])
def test_a_percentile_is_one_of_the_values(share: float, expected: float) -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], share) == expected


@pytest.mark.parametrize("name", RANKING_MEASURES)
@given(ranked=rankings, gold=golds)
def test_measures_lie_between_nothing_and_everything(name: str, ranked: list[str], gold: dict[str, float]) -> None:
    assert 0.0 <= RANKING_MEASURES[name](ranked, gold) <= 1.0 + 1e-12
    assert RANKING_MEASURES[name]([], gold) == 0.0


@pytest.mark.parametrize("name", RANKING_MEASURES)
@given(gold=st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 4), min_size=1, max_size=2))
def test_gold_first_and_best_first_scores_everything(name: str, gold: dict[str, float]) -> None:
    ranked = sorted(gold, key=lambda item: -gold[item])
    assert RANKING_MEASURES[name]([*ranked, "x", "y"], gold) == pytest.approx(1.0)


@pytest.mark.parametrize("name", RANKING_MEASURES)
@given(ranked=rankings, gold=golds, data=st.data())
def test_moving_a_gold_row_up_never_lowers_a_measure(
    name: str, ranked: list[str], gold: dict[str, float], data: st.DataObject
) -> None:
    rank = data.draw(st.integers(1, len(ranked) - 1))
    better = ranked.copy()
    if gold.get(ranked[rank], 0) > gold.get(ranked[rank - 1], 0):
        better[rank - 1 : rank + 1] = [ranked[rank], ranked[rank - 1]]
    assert RANKING_MEASURES[name](better, gold) >= RANKING_MEASURES[name](ranked, gold) - 1e-12


@pytest.mark.parametrize("name", RANKING_MEASURES)
@given(ranked=rankings, gold=golds)
def test_what_stands_below_the_cut_does_not_count(name: str, ranked: list[str], gold: dict[str, float]) -> None:
    cut = int(name.partition("@")[2])
    assert RANKING_MEASURES[name](ranked[:cut], gold) == RANKING_MEASURES[name](ranked, gold)
