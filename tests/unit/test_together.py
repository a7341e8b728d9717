"""What several threads do at once ends together, also where one fails or somebody wants no more of it."""

from __future__ import annotations

import signal
import time
from threading import Barrier, Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import ServiceError
from pincite.threads import all_of

LONG = 30.0


@given(st.lists(st.integers(), max_size=20), st.integers(1, 5))
def test_each_item_has_its_result_in_their_order(items: list[int], at_once: int) -> None:
    assert all_of(lambda item, _: item + 1, items, at_once) == [item + 1 for item in items]


def test_so_many_are_under_way_at_once() -> None:
    meeting = Barrier(3)
    assert sorted(all_of(lambda _, __: meeting.wait(LONG), range(3), 3)) == [0, 1, 2]


def test_where_one_fails_the_others_are_called_off() -> None:
    begun: list[int] = []
    called_off: list[bool] = []

    def work(item: int, cancelled: Event) -> None:
        begun.append(item)
        if item == 1:
            raise ServiceError("nobody is there")
        called_off.append(cancelled.wait(LONG))

    with pytest.raises(ServiceError, match="nobody is there"):
        all_of(work, range(9), 2)
    assert called_off == [True] * (len(begun) - 1)
    assert 8 not in begun


def test_a_ctrl_c_is_heard_though_it_comes_in_another_thread() -> None:
    called_off: list[bool] = []

    def work(_: int, cancelled: Event) -> None:
        time.sleep(0.2)
        signal.raise_signal(signal.SIGINT)
        called_off.append(cancelled.wait(LONG))

    with pytest.raises(KeyboardInterrupt):
        all_of(work, [1], 1)
    assert called_off == [True]
