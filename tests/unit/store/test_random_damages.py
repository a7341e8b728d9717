"""Whatever becomes of the files of a store, and whenever a run is killed: no wrong answer without a word."""

from __future__ import annotations

from tests.support.damages import damaged, killed


def test_a_damaged_store_answers_as_before_or_tells_what_to_do() -> None:
    found = damaged(30, seed=2)
    assert found["right"] + found["told"] + found["degraded"] == 30


def test_a_run_that_is_killed_leaves_a_store_that_is_whole() -> None:
    assert killed(4, seed=2) == 0
    assert killed(2, seed=2, is_aimed=True) == 0
